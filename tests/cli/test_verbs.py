"""The other verbs, as people run them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from piibench.data.files import read_predictions, read_samples, write_records
from piibench.data.shipped import load_shipped
from piibench.data.taxonomy import Category

if TYPE_CHECKING:
    from pathlib import Path

NAME = "Quentin Harbottle"
TEXT = f"I am {NAME}, 34."


def test_detect_lists_values_and_places(piibench) -> None:
    found = json.loads(piibench("detect", "--system", "stub", "--json", stdin=TEXT).stdout)
    assert [(one["category"], one["mentions"]) for one in found] == [
        ("Full Name", [[5, 22]]),
        ("Age", [[24, 26]]),
    ]
    table = piibench("detect", "--system", "stub", stdin=TEXT).stdout
    assert NAME in table
    assert "5-22" in table
    assert "no personal data found" in piibench("detect", "--system", "stub", stdin="Nothing.").stdout


def test_markup_in_a_value_is_text(piibench, tmp_path: Path) -> None:
    text = f"[bold]{NAME}[/bold] [/red] 34"
    assert (
        "[bold]<Full Name>[/bold] [/red]"
        in piibench("mask", "--explain", "--system", "stub", stdin=text).stdout
    )


def test_markup_in_a_name_is_text(piibench, tmp_path: Path) -> None:
    samples = [one.model_copy(update={"subset": "[/draft]:cat:"}) for one in load_shipped()[:2]]
    write_records(tmp_path / "gold.jsonl", samples)
    assert "[/draft]:cat:" in piibench("statistics", "gold.jsonl").stdout


def test_predict_then_score(piibench, tmp_path: Path) -> None:
    write_records(tmp_path / "gold.jsonl.gz", load_shipped()[:6])
    done = piibench("predict", "gold.jsonl.gz", "--out", "pred.jsonl", "--limit", "4")
    assert done.stdout == ""
    assert done.stderr.startswith("piibench: 4 records in ")
    assert "characters a second" in done.stderr
    done = piibench("predict", "gold.jsonl.gz", "--out", "pred.jsonl", "--workers", "2")
    assert "2 records in" in done.stderr
    assert "4 were there already" in done.stderr
    predictions = list(read_predictions(tmp_path / "pred.jsonl"))
    assert [one.id for one in predictions] == [one.id for one in load_shipped()[:6]]

    done = piibench(
        "score", "gold.jsonl.gz", "pred.jsonl", "--per-type", "--json", "scores.json", "--resamples", "50"
    )
    assert (done.returncode, done.stderr) == (0, "")
    for heading in ("Task 1", "Tasks 2 and 3", "pooled", "By type", "By category", "strict_f1 0."):
        assert heading in done.stdout
    tables = [line for line in done.stdout.splitlines() if not line.startswith("strict_f1")]
    assert max(map(len, tables)) <= 100
    assert "…" not in done.stdout
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert scores["overall"]["n"] == 6

    alone = piibench("score", "gold.jsonl.gz", "pred.jsonl", "--json", "-", "--resamples", "50")
    assert json.loads(alone.stdout) == scores
    together = piibench(
        "score", "gold.jsonl.gz", "pred.jsonl", "--cluster", "description", "--resamples", "50"
    )
    assert "| seed:7 | cluster:description/6 | v" in together.stdout


def test_a_missing_prediction_is_an_error_unless_allowed(piibench, tmp_path: Path) -> None:
    write_records(tmp_path / "gold.jsonl", load_shipped()[:3])
    piibench("predict", "gold.jsonl", "--out", "pred.jsonl", "--limit", "2")
    refused = piibench("score", "gold.jsonl", "pred.jsonl")
    assert refused.returncode == 2
    assert "1 of 3 samples have no prediction" in refused.stderr
    allowed = piibench("score", "gold.jsonl", "pred.jsonl", "--allow-missing", "--resamples", "9")
    assert allowed.returncode == 0
    assert "1 samples had no prediction" in allowed.stderr


def test_predict_to_standard_output(piibench) -> None:
    data = json.dumps({"description": TEXT}) + "\n"
    done = piibench("predict", "-", "--out", "-", "--system", "stub", stdin=data)
    [made] = map(json.loads, done.stdout.splitlines())
    assert made["masked"] == "I am <Full Name>, <Age>."
    assert made["id"] == "line-1"


def test_import_writes_canonical_records(piibench, tmp_path: Path) -> None:
    spans = [
        {"entity_type": "AGE", "entity_value": "34", "start_position": 24, "end_position": 26},
        {"entity_type": "TITLE", "entity_value": "I", "start_position": 0, "end_position": 1},
        {"entity_type": "PERSON", "entity_value": NAME, "start_position": 6, "end_position": 23},
    ]
    (tmp_path / "foreign.json").write_text(json.dumps([{"full_text": TEXT, "spans": spans}]))
    done = piibench("import", "auto", "foreign.json", "--out", "gold.jsonl")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "piibench: 1 records written",
        "piibench: left out, 1 times: span that is no PII of the 55 categories",
        "piibench: left out, 1 times: span whose offsets do not hold its text",
    ]
    [sample] = read_samples(tmp_path / "gold.jsonl")
    assert [entity.category for entity in sample.entities] == ["Age"]


def test_taxonomy_lists_the_55(piibench) -> None:
    rows = json.loads(piibench("taxonomy", "--json").stdout)
    assert [row["category"] for row in rows] == list(Category)
    assert set(rows[0]) == {"category", "type", "identifier", "approach", "format", "gloss"}
    table = piibench("taxonomy").stdout
    assert all(category in table for category in Category)
    assert max(map(len, table.splitlines())) <= 100


def test_systems_lists_built_in_ones_and_those_of_other_packages(piibench) -> None:
    shown = piibench("systems").stdout
    assert "encoder (default)" in shown
    assert "stub-system" in shown


@pytest.fixture(scope="module")
def prefixes() -> tuple[str, ...]:
    return ("1. ", "2. ", "3. ", "What next")


def test_demo_shows_three_prompts_restores_and_scores(piibench, prefixes) -> None:
    done = piibench("demo")
    assert (done.returncode, done.stderr) == (0, "")
    starts = [line for line in done.stdout.splitlines() if line.startswith(prefixes)]
    assert len(starts) == 4
    assert done.stdout.count("what leaves") == 3
    for shown in (
        "Farah Lindgren-Osman",
        "<Phone Number 1>",
        "the model answers",
        "you read",
        "strict f1",
        "piibench restore",
    ):
        assert shown in done.stdout
    answers = done.stdout.split("you read:")[1:]
    assert len(answers) == 3
    assert all("<" not in answer.split("\n\n")[0] for answer in answers)
    assert max(map(len, done.stdout.splitlines())) <= 110
