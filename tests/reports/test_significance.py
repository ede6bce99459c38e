"""Holm's correction against statsmodels; contrasts of systems that do and do not differ."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from piibench.reports.significance import adjust, compare_runs, tabulate_contrasts


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=12))
def test_holm_is_that_of_statsmodels(p_values) -> None:
    assert adjust(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])


def test_nothing_to_correct() -> None:
    assert adjust([]) == ()


def test_the_worked_example_of_three() -> None:
    assert adjust([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))


def test_a_system_that_finds_nothing_differs(document) -> None:
    chosen = [each for each in document.runs if each.run.task == "pii_detection"]
    found = compare_runs(chosen, "strict_f1")
    overall = found[-1]
    assert (overall.subset, overall.best, overall.other) == ("all", "rules", "openai/gpt-4o, naive")
    assert overall.adjusted < 0.01
    assert overall.n == 24
    means = [each.average("strict_f1").value for each in chosen]
    assert overall.difference.mean == pytest.approx(max(means) - min(means))


def test_a_system_does_not_differ_from_itself(document) -> None:
    run = next(each for each in document.runs if each.run.task == "pii_detection" and each.run.model is None)
    twin = type(run)(
        run.run.model_copy(update={"system": "twin"}), run.ids, run.subsets, run.arms, run.metrics, run.values
    )
    assert {each.adjusted for each in compare_runs([run, twin], "strict_f1")} == {1.0}


def test_many_systems_can_differ(document) -> None:
    """With 1,000 swaps the least p-value of 60 pairs would be 60 / 1,001, whatever they reach."""
    run = next(each for each in document.runs if each.run.task == "pii_detection" and each.run.model is None)
    nothing = [
        type(run)(
            run.run.model_copy(update={"system": f"nothing {number}"}),
            run.ids,
            run.subsets,
            run.arms,
            run.metrics,
            run.values * 0,
        )
        for number in range(60)
    ]
    overall = [each for each in compare_runs([run, *nothing], "strict_f1") if each.subset == "all"]
    assert len(overall) == 60
    assert max(each.adjusted for each in overall) < 0.05


def test_arms_are_compared_as_systems(document) -> None:
    sheet = tabulate_contrasts("tradeoff", document.runs)
    assert {line.label for line in sheet.lines} == {"openai/gpt-4o: none", "openai/gpt-4o: all"}


def test_one_system_is_compared_with_none(document) -> None:
    alone = [each for each in document.runs if each.run.model is None]
    assert tabulate_contrasts("pii_detection", alone) is None
