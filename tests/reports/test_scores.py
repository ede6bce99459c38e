"""Means of a run against the scores it is made of, and what is refused."""

from __future__ import annotations

import math
import shutil

import pytest

from piibench.data.output import write_lines
from piibench.data.runs import Run, read_runs
from piibench.errors import DataError, InputError
from piibench.reports.scores import check_same_data, list_unfinished, read_scores


def _find(out, task: str, label: str):
    return next(each for each in read_runs(out) if each.run.task == task and each.run.label == label)


@pytest.mark.parametrize("subsets", [("single",), ("single", "multi"), ()])
def test_a_mean_is_over_the_samples_of_the_subsets_that_have_the_score(evaluation, subsets) -> None:
    folder = _find(evaluation, "query_related", "rules")
    kept = [
        each.scores["query_f1"]
        for each in folder.scores()
        if (not subsets or each.subset in subsets) and each.scores["query_f1"] is not None
    ]
    mean = read_scores(folder).average("query_f1", subsets)
    assert mean is not None
    assert mean.n == len(kept) > 1
    assert math.isclose(mean.value, sum(kept) / len(kept))
    assert mean.low <= mean.value <= mean.high


def test_no_mean_of_what_was_not_measured(evaluation) -> None:
    scores = read_scores(_find(evaluation, "query_related", "rules"))
    assert scores.average("strict_f1") is None
    assert scores.average("query_f1", ("real",)) is None
    assert scores.average("query_f1", arm="gold") is None


def test_arms_are_kept_apart(evaluation) -> None:
    scores = read_scores(_find(evaluation, "tradeoff", "openai/gpt-4o"))
    assert scores.list_arms() == ("none", "all", "gold")
    found = {arm: scores.average("privacy", arm=arm) for arm in scores.list_arms()}
    assert {arm: mean and mean.value for arm, mean in found.items()} == {
        "none": 0.0,
        "all": 1.0,
        "gold": 0.75,
    }


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda lines: lines[:-1], "holds 23 samples"),
        (lambda lines: [*lines, lines[0]], "names a sample twice"),
    ],
)
def test_half_a_run_is_refused(evaluation, tmp_path, change, problem) -> None:
    out = shutil.copytree(evaluation, tmp_path / "results")
    folder = _find(out, "pii_detection", "rules")
    lines = [each.model_dump_json() for each in folder.scores()]
    write_lines(folder.path / "scores.jsonl.gz", change(lines))
    with pytest.raises(DataError, match=problem):
        read_scores(folder)


def test_runs_on_other_samples_are_refused(evaluation) -> None:
    first = read_scores(_find(evaluation, "pii_detection", "rules"))
    other = read_scores(_find(evaluation, "query_related", "rules"))
    check_same_data([first, other], "results")
    object.__setattr__(other, "run", other.run.model_copy(update={"data": "beef"}))
    with pytest.raises(InputError, match="other samples \\(beef\\)"):
        check_same_data([first, other], "results")


def test_unfinished_runs_are_named(evaluation, tmp_path) -> None:
    out = shutil.copytree(evaluation, tmp_path / "results")
    assert list_unfinished(out) == ()
    (out / "runs" / "half").mkdir()
    assert list_unfinished(out) == ("half",)


@pytest.mark.parametrize(
    ("strategy", "candidates", "name"),
    [
        ("naive_with_choice", "gold", "m, naive_with_choice"),
        ("naive_with_choice", "rules", "m from rules, naive_with_choice"),
        ("naive", None, "m, naive"),
        (None, "gold", "m from gold"),
    ],
)
def test_unusual_candidates_are_part_of_the_name(evaluation, strategy, candidates, name) -> None:
    scores = read_scores(_find(evaluation, "query_related", "rules"))
    run = Run(
        task="query_related",
        system="llm",
        model="m",
        strategy=strategy,
        candidates=candidates,
        n=1,
        data="-",
        version="0",
    )
    object.__setattr__(scores, "run", run)
    assert scores.name == name
