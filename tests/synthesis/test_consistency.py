"""Consistency rules (App. C): what contradicts is changed or dropped, categories stay."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from piibench.data.taxonomy import Category
from piibench.generators.datetimes import Duration
from piibench.generators.quantities import Money
from piibench.synthesis.consistency import fit_expenses_to_income, mend
from piibench.synthesis.entities import FactKey, Profile, draw_profile
from piibench.synthesis.framing import Frame, parse_frames

SINGLE = """=== s | g | t | A | -
{A.Full Name} {A.Age} {A.Occupation} {A.Education Level} {A.Academic Degree} {A.Duration:years} {A.Date:birth}
{A.Monthly Income} {A.Monthly Expenses} {A.Credit Score}
"""
MULTI = """=== m | g | t | A, B | {relation} A B
{{A.Full Name}} {{A.Age}} {{A.Company Name}} {{A.Educational Institution}} {{A.Street Address}} {{A.Nationality}}
{{A.City/Region}} {{A.Monthly Income}} {{B.Full Name}} {{B.Age}} {{B.Company Name}} {{B.Educational Institution}}
{{B.Street Address}} {{B.Nationality}} {{B.City/Region}} {{B.Monthly Income}}
"""


def mended(text: str, seed: int) -> tuple[Frame, Profile]:
    (frame,) = parse_frames(text, "x")
    rng = Random(seed)
    profile = draw_profile(frame, rng, partition="train")
    mend(profile, frame, rng)
    return frame, profile


@settings(deadline=None)
@given(st.integers(0, 10**6))
def test_one_persons_facts_agree(seed: int) -> None:
    _, profile = mended(SINGLE, seed)
    age, job = profile.of("A", Category.AGE), profile.of("A", Category.OCCUPATION)
    assert 18 <= age < 75
    degree = profile.of("A", Category.ACADEMIC_DEGREE)
    level = profile.of("A", Category.EDUCATION_LEVEL)
    if degree:
        assert degree.rank >= job.education - 1
        assert age >= 21
    if degree and level:
        assert level.rank >= degree.rank - 1
    duration = profile.of("A", Category.DURATION)
    assert duration is None or not isinstance(duration, Duration) or duration.number <= max(1, age - 16)
    income, expenses = profile.of("A", Category.MONTHLY_INCOME), profile.of("A", Category.MONTHLY_EXPENSES)
    assert expenses is None or expenses.amount < income.amount


@settings(deadline=None)
@given(st.integers(0, 10**6))
def test_parents_are_older_and_hand_down_their_nationality(seed: int) -> None:
    _, profile = mended(MULTI.format(relation="parent"), seed)
    parent, child = profile.of("A", Category.AGE), profile.of("B", Category.AGE)
    assert 18 <= parent - child <= 45
    assert profile.of("A", Category.NATIONALITY) == profile.of("B", Category.NATIONALITY)


def test_relations_share_what_they_say() -> None:
    shared = {
        "colleagues": Category.COMPANY_NAME,
        "manager": Category.COMPANY_NAME,
        "classmates": Category.EDUCATIONAL_INSTITUTION,
        "teacher": Category.EDUCATIONAL_INSTITUTION,
        "partners": Category.STREET_ADDRESS,
        "neighbours": Category.CITY_REGION,
    }
    for relation, category in shared.items():
        _, profile = mended(MULTI.format(relation=relation), 11)
        assert profile.of("A", category) == profile.of("B", category)
    _, profile = mended(MULTI.format(relation="strangers"), 11)
    assert profile.of("A", Category.COMPANY_NAME) != profile.of("B", Category.COMPANY_NAME)


def test_what_cannot_be_mended_is_dropped() -> None:
    (frame,) = parse_frames(
        "=== x | g | t | A | -\n{A.Full Name} {A.Monthly Income} {A.Monthly Expenses}\n", "x"
    )
    rng = Random(3)
    profile = draw_profile(frame, rng, partition="train")
    income = FactKey("A", Category.MONTHLY_INCOME, 1, None)
    profile.facts[income] = Money(1, "USD")
    fit_expenses_to_income(profile, "A", rng)
    assert profile.of("A", Category.MONTHLY_EXPENSES) is None
    assert profile.of("A", Category.MONTHLY_INCOME) == Money(1, "USD")


def test_backgrounds_anchor_what_depends_on_them() -> None:
    _, profile = mended(SINGLE, 5)
    assert profile.backgrounds["A"].age == profile.of("A", Category.AGE)
    assert replace(profile.backgrounds["A"], age=None).age is None


@settings(deadline=None)
@given(st.integers(0, 10**6))
def test_an_age_that_the_text_fixes_stays(seed: int) -> None:
    text = "=== x | g | t | A, B:f:8-17 | parent A B\n{A.Full Name} {A.Age} {B.Full Name} {B.Age} {B.Date:birth}\n"
    _, profile = mended(text, seed)
    assert 8 <= profile.of("B", Category.AGE) <= 17
