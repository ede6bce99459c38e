"""`piibench report` and `piibench reproduce` on a small evaluation."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from evaluations import write_evaluation
from piibench.data.files import write_records
from piibench.data.shipped import load_shipped

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_evaluation(tmp_path_factory.mktemp("made") / "results")


@pytest.fixture
def results(evaluation: Path, tmp_path: Path) -> Path:
    return shutil.copytree(evaluation, tmp_path / "results")


def test_a_report_lands_beside_the_runs(piibench, results: Path) -> None:
    done = piibench("report", "results", "--format", "html,md", "--figures", "svg")
    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name for path in (results / "report").iterdir()} == {
        "report.html",
        "report.md",
        "figure-04-pii-detection.svg",
        "figure-04-query-related.svg",
        "figure-04-query-unrelated-masking.svg",
    }
    assert done.stdout.splitlines()[0] == "results/report/report.html"


def test_an_unfinished_run_is_left_out_and_told(piibench, results: Path) -> None:
    folder = next((results / "runs").glob("query_related--llm*"))
    (folder / "run.json").unlink()
    done = piibench("report", "results", "--out", "elsewhere", "--format", "md", "--figures", "none")
    assert done.returncode == 0
    assert f"{folder.name}: is not finished and left out" in done.stderr
    assert "gpt-4o, naive" not in (results.parent / "elsewhere" / "report.md").read_text().split("Table 7")[1]


def test_runs_of_two_data_sets_are_refused(piibench, results: Path) -> None:
    path = next((results / "runs").glob("query_related--llm*")) / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"data": "beef"}))
    done = piibench("report", "results")
    assert done.returncode == 2
    assert "was run on other samples (beef)" in done.stderr
    assert not (results / "report").exists()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("report", "nowhere"), "nowhere: holds no finished run"),
        (
            ("report", "results", "--format", "doc"),
            '--format: there is no "doc"; choose from md, tex, csv, html',
        ),
        (
            ("report", "results", "--figures", "gif"),
            '--figures: there is no "gif"; choose from svg, png, pdf',
        ),
        (("reproduce", "table-99"), "no experiment 'table-99'"),
        (("reproduce", "table-07", "--out", "x"), "takes a model or a system"),
        (("reproduce", "table-07", "--system", "rules"), "--out: name a folder for the runs of table-07"),
        (("reproduce", "table-08", "--model", "m", "--out", "x"), "takes two models"),
        (("reproduce", "table-03"), "describes the data and takes no run"),
        (("reproduce", "table-14"), "piibench analyze DIR --real DIR2"),
        (("reproduce", "table-18", "--system", "rules", "--out", "x"), "is about real texts"),
        (("reproduce", "table-07", "--system", "rules", "--judge", "j"), "has nothing to rate"),
    ],
)
def test_one_clear_line_says_what_is_wrong(piibench, results: Path, arguments, problem) -> None:
    done = piibench(*arguments)
    assert done.returncode == 2
    assert problem in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_experiments_are_listed(piibench) -> None:
    done = piibench("reproduce")
    assert done.returncode == 0
    for shown in ("table-04-masking", "table-08-tradeoff", "figure-04-factors", "piibench statistics"):
        assert shown in done.stdout


def test_a_table_is_run_and_printed_beside_the_authors(piibench, tmp_path: Path) -> None:
    write_records(tmp_path / "data.jsonl", load_shipped())
    done = piibench(
        "reproduce", "table-05", "--system", "rules", "--data", "data.jsonl", "--out", "five", "--limit", "2"
    )
    assert done.returncode == 0, done.stderr
    printed = done.stdout.split("Table 5.")[1]
    assert "without a strategy (ours)" in " ".join(printed.split())
    assert "0.45/0.40a" in printed
    assert "authors' data, not ours" in printed.lower()
    assert (tmp_path / "five" / "grid.json").exists()
