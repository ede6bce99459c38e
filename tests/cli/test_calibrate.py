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
    done = piibench(
        "calibrate", samples, "--system", "rules", "--json", "points.json", "--figure", "curve.svg"
    )
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
    done = piibench("calibrate", "bare.jsonl", "--system", "rules")
    assert done.returncode == 2
    assert "relevant" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_picture_of_unknown_kind(piibench, samples) -> None:
    done = piibench("calibrate", samples, "--system", "rules", "--figure", "curve.bmp")
    assert done.returncode == 2
    assert ".svg" in done.stderr
