"""`piibench analyze` on a small evaluation."""

from __future__ import annotations

import gzip
import json
import shutil
from typing import TYPE_CHECKING

import pytest

from evaluations import write_evaluation
from piibench.data.shipped import load_shipped

if TYPE_CHECKING:
    from pathlib import Path


def test_factors_effects_and_errors_of_every_task(piibench, results: Path) -> None:
    done = piibench("analyze", "results", "--json", "found.json", "--resamples", "20")
    assert (done.returncode, done.stderr) == (0, "")
    for shown in (
        "Task 1, detection: strict_f1 by factor",
        "Task 2, what the query needs: query_f1 by factor",
        "Task 3, what is hidden: mask_f1 by factor",
        "one standard deviation more",
        "Task 1, detection: values and errors",
        "errors of rules by category",
        "errors of openai/gpt-4o naive by category",
        "wrong subject",
        "needed entities",
    ):
        assert shown in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100
    assert "…" not in done.stdout
    found = json.loads((results.parent / "found.json").read_text())
    assert [run["run"]["task"] for run in found["runs"]][::2] == [
        "pii_detection",
        "query_related",
        "query_unrelated_masking",
    ]
    assert found["real"] == {}
    errors = found["runs"][1]["errors"]
    assert errors["right"] + sum(errors["by_kind"].get(kind, 0) for kind in ("missed", "wrong span", "wrong type", "wrong subject")) == errors["gold"]  # fmt: skip
    alone = piibench("analyze", "results", "--json", "-", "--resamples", "20")
    assert json.loads(alone.stdout) == found


def test_no_value_of_the_data_is_shown(piibench, results: Path) -> None:
    done = piibench("analyze", "results", "--json", "-", "--resamples", "2", "--categories", "99")
    written = {entity.text for sample in load_shipped() for entity in sample.entities if len(entity.text) > 9}
    assert not [text for text in written if text in done.stdout]


def test_what_to_look_at_can_be_chosen(piibench, results: Path) -> None:
    done = piibench(
        "analyze", "results", "--task", "query,masking", "--metric", "query_p,kept", "--subset", "single",
        "--categories", "0", "--resamples", "5",
    )  # fmt: skip
    assert done.returncode == 0
    for title in (
        "Task 2, what the query needs: query_p by factor",
        "Task 3, what is hidden: kept by factor",
    ):
        assert title in done.stdout
    for absent in ("Task 1", "query_f1", "by category"):
        assert absent not in done.stdout
    whole = piibench("analyze", "results", "--task", "query_related", "--categories", "2", "--resamples", "5")
    assert "more " in whole.stdout


def test_two_data_sets_are_compared(piibench, results: Path) -> None:
    write_evaluation(results.parent / "real", load_shipped()[:3])
    done = piibench("analyze", "results", "--real", "real", "--resamples", "5", "--json", "found.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert "PCS (Eq. 21)" in done.stdout
    assert "Spearman's rank correlation: " in done.stdout
    real = json.loads((results.parent / "found.json").read_text())["real"]
    assert list(real) == ["pii_detection", "query_related", "query_unrelated_masking"]
    assert {pairing["label"] for pairing in real["pii_detection"]["pairings"]} == {
        "openai/gpt-4o naive",
        "rules",
    }
    assert real["pii_detection"]["ranks"]["n"] == 6
    itself = piibench("analyze", "results", "--real", "results", "--task", "query", "--resamples", "5")
    assert "+0.000  1.000" in itself.stdout
    assert "none (fewer than three scores" in itself.stdout


def test_a_system_that_only_one_folder_has_is_named(piibench, results: Path) -> None:
    shutil.copytree(results, results.parent / "real")
    shutil.rmtree(next((results.parent / "real" / "runs").glob("query_related--rules*")))
    done = piibench("analyze", "results", "--real", "real", "--task", "query", "--resamples", "5")
    assert done.returncode == 0
    assert done.stderr == "piibench: not compared, as only one of the folders has them: rules\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "nowhere: holds no finished run"),
        (
            ("results", "--task", "sorting"),
            "--task: there is no task of the name sorting; choose from detection,",
        ),
        (("results", "--task", "tradeoff"), "results: holds no finished run of that task"),
        (
            ("results", "--metric", "fun"),
            "--metric: the runs have no metric of the name fun; choose from strict_p,",
        ),
        (("results", "--subset", "real"), "--subset: the runs have no subset of the name real; choose from "),
        (("results", "--real", "nowhere"), "nowhere: holds no finished run"),
        (("results", "--task", "detection", "--real", "part"), "part: holds no finished run of that task"),
        (
            ("part", "--real", "other"),
            "--real: the two folders have no task with a system and score in common",
        ),
    ],
)
def test_what_cannot_be_analysed_is_one_line(piibench, results: Path, arguments, said: str) -> None:
    for name, task in (("part", "query_related"), ("other", "pii_detection")):
        shutil.copytree(results, results.parent / name)
        for run in (results.parent / name / "runs").iterdir():
            if not run.name.startswith(task):
                shutil.rmtree(run)
    done = piibench("analyze", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"piibench: {said}")
    assert done.stderr.count("\n") == 1


def test_a_damaged_folder_is_one_line(piibench, results: Path) -> None:
    (results / "data.jsonl.gz").write_bytes(gzip.compress(b'{"id": "s1"}\n'))
    done = piibench("analyze", "results")
    assert done.returncode == 2
    assert done.stderr.startswith("piibench: data.jsonl.gz, line 1, ")
    (results / "data.jsonl.gz").unlink()
    done = piibench("analyze", "results")
    assert done.returncode == 2
    assert done.stderr == "piibench: data.jsonl.gz: no such file; check the name\n"
