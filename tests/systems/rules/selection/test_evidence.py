"""How evidence adds up, and what is chosen."""

from __future__ import annotations

import pytest

from piibench.data.taxonomy import Category
from piibench.systems.rules.lexicon import fold
from piibench.systems.rules.selection.cues import load_cues
from piibench.systems.rules.selection.evidence import Evidence, choose, read_cues, weigh

EVERYTHING = frozenset(Category)


def read(query):
    return read_cues(query, load_cues().search(fold(query)))


def weigh_query(query, present=EVERYTHING):
    reading = read(query)
    return weigh(reading, reading.calls, present, is_meant=True)


def test_chances_add_up_as_independent_ones_do():
    # 1 - (1 - 0.45) * (1 - 0.45) = 0.6975
    assert Evidence(called=0.45, needed=0.45).chance == pytest.approx(0.6975)


@pytest.mark.parametrize(
    ("called", "needed", "expected"),
    [
        (0.9, 0, True),
        (0.6975, 0, True),
        (0.45, 0, False),
        (0.45, 0.657, True),
        (0.45, 0.639, False),
        (0, 0.7, False),
    ],
)
def test_what_is_called_for(called, needed, expected):
    assert Evidence(called=called, needed=needed).is_called is expected


def test_scenario_needs_weigh_less_the_later_they_come():
    # a cue, 0.9, times 0.75, 0.73, 0.71 … in the order of the mortgage's needs
    evidence = weigh_query("Is a mortgage wise?")
    assert evidence[Category.MONTHLY_INCOME].needed == pytest.approx(0.675)
    assert evidence[Category.ACCOUNT_BALANCE].needed == pytest.approx(0.657)
    assert evidence[Category.LOAN_AMOUNT].needed == pytest.approx(0.639)


def test_needs_that_nobody_has_leave_their_place_to_the_next():
    evidence = weigh_query("Is a mortgage wise?", {Category.LOAN_AMOUNT})
    assert evidence[Category.LOAN_AMOUNT].needed == pytest.approx(0.675)


@pytest.mark.parametrize(
    ("query", "alone", "chosen"),
    [
        ("Is a mortgage wise?", True, {Category.MONTHLY_INCOME, Category.ACCOUNT_BALANCE}),
        ("Is a mortgage wise?", False, {Category.MONTHLY_INCOME}),
        ("Is a mortgage wise with my savings?", True, {Category.ACCOUNT_BALANCE, Category.MONTHLY_INCOME}),
        ("Is a mortgage wise with my savings?", False, {Category.ACCOUNT_BALANCE}),
        (
            "Is a mortgage wise with my savings and salary?",
            True,
            {Category.ACCOUNT_BALANCE, Category.MONTHLY_INCOME},
        ),
        ("Sing.", True, set()),
    ],
)
def test_choose(query, alone, chosen):
    assert choose(weigh_query(query), alone=alone) == chosen


def test_a_theme_takes_the_first_of_its_categories_that_is_there():
    present = {Category.HEALTHCARE_FACILITY, Category.NGO}
    assert choose(weigh_query("Does it suit where I work?", present), alone=True) == {
        Category.HEALTHCARE_FACILITY
    }


def test_a_theme_adds_nothing_to_what_is_called_for_by_name():
    chosen = choose(weigh_query("My health: is the chronic illness to blame?"), alone=True)
    assert Category.DISABILITY_STATUS not in chosen


@pytest.mark.parametrize(
    ("query", "withheld", "called"),
    [
        ("Describe me without mentioning my age.", {Category.AGE}, set()),
        (
            "Describe me without my name or without mentioning my age, salary or weight.",
            {Category.MONTHLY_INCOME, Category.WEIGHT},
            set(),
        ),
        ("Without mentioning my age, describe my height.", {Category.AGE}, {Category.HEIGHT}),
        (
            "Don't include my salary but do give my job title.",
            {Category.MONTHLY_INCOME},
            {Category.OCCUPATION},
        ),
    ],
)
def test_what_the_query_asks_to_leave_out(query, withheld, called):
    reading = read(query)
    assert withheld <= reading.withheld
    assert not reading.withheld & called
    assert called <= {mark.cue.meaning for mark in reading.calls}


def test_a_hint_inside_a_scenario_cue_does_not_count_again():
    hints = {mark.cue.meaning for mark in read("Which mortgage?").calls}
    assert Category.CREDIT_SCORE not in hints
