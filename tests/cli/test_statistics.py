"""The verb: tables, numbers and the picture."""

from __future__ import annotations

import json

import pytest

DATA = ("hard.jsonl.gz", "single.jsonl.gz")


@pytest.fixture
def data(piibench, tmp_path):
    for subset in ("single", "hard"):
        done = piibench("synthesize", "--out", f"made-{subset}", "--subset", subset, "--n", "6")
        assert done.returncode == 0, done.stderr
    return [f"made-{name.split('.')[0]}/{name}" for name in DATA]


def test_numbers_stand_beside_the_printed_ones(piibench, data, tmp_path):
    done = piibench("statistics", *data, "--json", "numbers.json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.index("single") < done.stdout.index("hard")
    assert "893.48" in done.stdout
    assert "self-BLEU" in done.stdout
    numbers = json.loads((tmp_path / "numbers.json").read_text("utf-8"))
    assert list(numbers["ours"]) == list(numbers["printed"]) == ["single", "hard"]
    assert numbers["ours"]["hard"]["samples"] == 6
    assert numbers["printed"]["hard"]["entities"] == 10.6
    assert sum(numbers["ours"]["single"]["shares"].values()) == pytest.approx(1)
    assert set(numbers["diversity"]) == {"single", "hard", "all"}


def test_json_alone_goes_to_standard_output(piibench, data):
    done = piibench("statistics", data[0], "--json", "-")
    assert set(json.loads(done.stdout)) == {"ours", "printed", "diversity"}


def test_the_figure_is_drawn(piibench, data, tmp_path):
    pytest.importorskip("matplotlib")
    done = piibench("statistics", data[0], "--figure", "f.svg")
    assert done.returncode == 0, done.stderr
    assert "PII-hard" in (tmp_path / "f.svg").read_text("utf-8")


@pytest.mark.parametrize("name", ["f.gif", "f"])
def test_another_format_is_refused_before_anything_is_read(piibench, name):
    pytest.importorskip("matplotlib")
    done = piibench("statistics", "absent.jsonl", "--figure", name)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "ends in .svg, .png, .pdf" in done.stderr


def test_without_matplotlib_the_way_to_it_is_told(piibench, tmp_path):
    (tmp_path / "matplotlib.py").write_text('raise ModuleNotFoundError("gone", name="matplotlib")')
    done = piibench("statistics", "absent.jsonl", "--figure", "f.svg", env={"PYTHONPATH": "."})
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "pip install 'piibench[eval]'" in done.stderr
