"""`piibench report` and `piibench reproduce` on a small evaluation."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from evaluations import write_evaluation
from loopback_model import complete, serve
from piibench.data.files import write_records
from piibench.data.shipped import load_shipped

if TYPE_CHECKING:
    from pathlib import Path


def test_a_report_lands_beside_the_runs(piibench, results: Path) -> None:
    done = piibench("report", "results", "--format", "html,md", "--figures", "svg")
    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name for path in (results / "report").iterdir()} == {
        "report.html",
        "report.md",
        "figure-04-pii-detection.svg",
        "figure-04-query-related.svg",
        "figure-04-query-unrelated-masking.svg",
        "figure-05-types.svg",
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
        (("reproduce", "table-14", "--system", "rules"), "give labelled real ones with --real FILE"),
        (("reproduce", "table-15", "--real", "real.jsonl"), "takes a model or a system"),
        (("reproduce", "table-07", "--system", "rules", "--real", "r"), "does not compare two data sets"),
        (
            ("reproduce", "table-07", "--system", "rules", "--embedder", "e"),
            "--embedder: table-07-query-single",
        ),
        (("report", "results", "--real", "nowhere"), "nowhere: holds no finished run"),
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


def test_a_report_describes_what_was_evaluated(piibench, results: Path) -> None:
    done = piibench("report", "results", "--format", "md,csv", "--figures", "none")
    assert (done.returncode, done.stderr) == (0, "")
    written = (results / "report" / "report.md").read_text()
    assert written.index("## Table 3.") < written.index("## Table 4.") < written.index("## Table 9.")
    assert "## Figure 5." in written
    numbers = (results / "report" / "report.csv").read_text().splitlines()
    shipped = load_shipped()
    assert any(
        line.startswith("table-03,ours,") and line.endswith(f",samples,,,{len(shipped)},,,,")
        for line in numbers
    )


def test_a_report_compares_with_real_texts(piibench, results: Path) -> None:
    write_evaluation(results.parent / "real", load_shipped()[:3])
    done = piibench("report", "results", "--real", "real", "--format", "md", "--figures", "none")
    assert (done.returncode, done.stderr) == (0, "")
    written = (results / "report" / "report.md").read_text()
    for number in (14, 15, 16):
        assert f"## Table {number}. " in written


REPLY = (
    "RATING A: 8\nRATING B: 6\nJUDGMENT A: Reference and Response A are equally good\n"
    "JUDGMENT B: Reference is slightly better than Response B"
)


def test_the_trade_off_is_run_and_printed_beside_the_authors(piibench, tmp_path: Path) -> None:
    def answer(body):
        prompt = body["messages"][-1]["content"]
        return complete(prompt if body["model"] == "writer" else REPLY)

    write_records(tmp_path / "data.jsonl", load_shipped())
    with serve(answer) as server:
        done = piibench(
            "reproduce", "table-08", "--model", "writer", "--judge", "critic", "--data", "data.jsonl",
            "--orders", "1", "--embedder", "use", "--limit", "1", "--out", "eight",
            "--base-url", server.url, env={"OPENAI_API_KEY": ""},
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    # All and gold beside each other, as they came and restored (then the same text, so one question).
    asked = [body["model"] for body in server.requests]
    assert (asked.count("writer"), asked.count("critic")) == (3 * 4, 2 * 4)
    printed = " ".join(done.stdout.split("Table 8.")[1].split())
    assert "All PII Mask (ours)" in printed
    assert "authors' data, not ours" in printed.lower()
    assert "0.86" in printed
    run = json.loads(next((tmp_path / "eight" / "runs").glob("*/run.json")).read_text())
    assert (run["orders"], run["embedder"], run["roles"]) == (1, "use", {"judge": "critic"})


def test_consistency_takes_two_data_sets_and_prints_one_table(piibench, tmp_path: Path) -> None:
    shipped = load_shipped()
    write_records(tmp_path / "data.jsonl", shipped)
    real = [each.model_copy(update={"subset": "real"}) for each in shipped if each.subset == "multi"]
    write_records(tmp_path / "real.jsonl", real)
    asked = ("--system", "rules", "--data", "data.jsonl", "--real", "real.jsonl", "--out", "both")
    done = piibench("reproduce", "table-15", *asked, "--limit", "3")
    assert done.returncode == 0, done.stderr
    printed = done.stdout.split("Table 15.")[1]
    assert "rules (ours)" in printed
    assert "0.979" in printed
    grids = {
        name: json.loads((tmp_path / "both" / name / "grid.json").read_text())
        for name in ("synthetic", "real")
    }
    assert {name: grid["n"] for name, grid in grids.items()} == {"synthetic": 3, "real": 3}
    again = piibench("reproduce", "table-15", *asked, "--limit", "3")
    assert again.stdout.split("Table 15.")[1] == printed
