"""`piibench calibrate`: the table, the numbers, the picture, and what it refuses."""

from __future__ import annotations

import json

import pytest

from piibench.analysis.calibration import THRESHOLDS
from piibench.data.files import write_records
from piibench.data.shipped import load_shipped


@pytest.fixture
def samples(tmp_path) -> str:
    write_records(tmp_path / "gold.jsonl", list(load_shipped())[:6])
    return "gold.jsonl"


def test_numbers_and_picture(piibench, samples, tmp_path) -> None:
    done = piibench("calibrate", samples, "--json", "points.json", "--figure", "curve.svg")
    assert done.returncode == 0, done.stderr
    assert "query F1 and masking F1 together are best" in done.stdout
    points = json.loads((tmp_path / "points.json").read_text())
    assert [point["threshold"] for point in points["points"]] == list(THRESHOLDS)
    assert points["best"] in THRESHOLDS
    picture = (tmp_path / "curve.svg").read_text()
    assert picture.startswith("<?xml")


def test_data_without_needed_sets(piibench, tmp_path) -> None:
    bare = [sample.model_copy(update={"relevant": None}) for sample in list(load_shipped())[:2]]
    write_records(tmp_path / "bare.jsonl", bare)
    done = piibench("calibrate", "bare.jsonl")
    assert done.returncode == 2
    assert "relevant" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_picture_of_unknown_kind(piibench, samples) -> None:
    done = piibench("calibrate", samples, "--figure", "curve.bmp")
    assert done.returncode == 2
    assert ".svg" in done.stderr


def test_a_system_without_a_threshold_is_refused(piibench, samples) -> None:
    done = piibench("calibrate", samples, "--system", "rules")
    assert done.returncode == 2
    assert "only the systems encoder and zero-shot take a threshold" in done.stderr


def test_what_the_query_states_is_hidden_as_mask_and_predict_hide_it(piibench, tmp_path) -> None:
    text = "Ann Lee wrote to dr zhq okonkwo-vale about the rent."
    query = "What did Dr Zhq Okonkwo-Vale answer?"
    entity = {"id": "e1", "type": "PER", "text": "zhq okonkwo-vale", "mentions": [[20, 36]], "subject": "A"}
    sample = {"id": "a", "subset": "x", "description": text, "query": query, "entities": [entity]}
    (tmp_path / "one.jsonl").write_text(json.dumps(sample | {"relevant": []}))
    done = piibench("calibrate", "one.jsonl", "--json", "-")
    assert done.returncode == 0, done.stderr
    middle = json.loads(done.stdout)["points"][9]
    piibench("predict", "one.jsonl", "--out", "pred.jsonl", "--keep-threshold", "0.5")
    scored = piibench("score", "one.jsonl", "pred.jsonl", "--json", "-")
    theirs = json.loads(scored.stdout)["overall"]["means"]["privacy_unrelated"]
    assert middle["scores"]["privacy_unrelated"] == theirs["value"]


@pytest.mark.parametrize("option", ["--json", "--figure"])
def test_an_output_is_checked_before_the_work(piibench, samples, tmp_path, option) -> None:
    """Of a shell's list of data files the first would stand where the option's value is missing."""
    (tmp_path / "more.jsonl").write_bytes((tmp_path / samples).read_bytes())
    for out, told in (
        ("more.jsonl", "file of records"),
        (samples, "is the data itself"),
        ("", "is empty"),
        ("none/x.svg", "no such folder"),
    ):
        before = (tmp_path / samples).read_bytes()
        for command in ("calibrate", "statistics"):
            done = piibench(command, option, out, samples)
            assert done.returncode == 2, (out, done.stderr)
            assert told in done.stderr, (out, done.stderr)
        assert (tmp_path / samples).read_bytes() == before == (tmp_path / "more.jsonl").read_bytes()


def test_scores_are_not_written_over_predictions(piibench, samples, tmp_path) -> None:
    piibench("predict", samples, "--out", "pred.jsonl", "--system", "rules")
    before = (tmp_path / "pred.jsonl").read_bytes()
    done = piibench("score", samples, "pred.jsonl", "--json", "pred.jsonl")
    assert done.returncode == 2
    assert "is the data itself" in done.stderr
    assert (tmp_path / "pred.jsonl").read_bytes() == before


def test_an_older_report_is_written_anew(piibench, samples) -> None:
    for _ in range(2):
        done = piibench("statistics", samples, "--json", "numbers.json")
        assert done.returncode == 0, done.stderr
