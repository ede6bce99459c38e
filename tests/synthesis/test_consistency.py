"""Consistency rules (App. C): what contradicts is changed or dropped, categories stay."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.taxonomy import Category
from piibench.generators.bodies import index_mass
from piibench.generators.datetimes import Duration
from piibench.generators.quantities import Money
from piibench.synthesis.consistency import fit_expenses_to_income, mend
from piibench.synthesis.entities import FactKey, Profile, draw_profile, key_of
from piibench.synthesis.framing import Frame, Slot, parse_frames

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


@given(st.integers(0, 10**6))
def test_one_persons_facts_agree(seed: int) -> None:
    _, profile = mended(SINGLE, seed)
    age, job = profile.of("A", Category.AGE), profile.of("A", Category.OCCUPATION)
    assert 18 <= age < 75
    assert job.limits.admit(profile.backgrounds["A"])
    degree = profile.of("A", Category.ACADEMIC_DEGREE)
    level = profile.of("A", Category.EDUCATION_LEVEL)
    if degree:
        assert job.education - 1 <= degree.rank <= job.education + 3
        assert degree.limits.admit(profile.backgrounds["A"])
    if degree and level:
        assert abs(level.rank - degree.rank) <= 1
    duration = profile.of("A", Category.DURATION)
    assert duration is None or not isinstance(duration, Duration) or duration.number <= max(1, age - 16)
    income, expenses = profile.of("A", Category.MONTHLY_INCOME), profile.of("A", Category.MONTHLY_EXPENSES)
    assert expenses is None or expenses.amount < income.amount


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
    background = profile.backgrounds["A"]
    job = profile.of("A", Category.OCCUPATION)
    assert background.age == profile.of("A", Category.AGE)
    assert background.name == profile.of("A", Category.FULL_NAME)
    assert (background.studies, background.income_band) == (job.studies, job.income_band)


def test_kinds_of_things_are_facts_of_their_own() -> None:
    for category, kind in (
        (Category.COMPANY_NAME, "bank"),
        (Category.LANDMARK, "park"),
        (Category.MEDICAL_CONDITION, "injury"),
        (Category.DATE, "birth"),
        (Category.PHYSICAL_FEATURES, "mark"),
    ):
        assert key_of(Slot("A", category, form=kind)) != key_of(Slot("A", category))
    assert key_of(Slot("A", Category.AGE, form="word")) == key_of(Slot("A", Category.AGE))


def test_colleagues_share_the_employer_but_not_the_bank() -> None:
    text = """=== m | g | t | A, B | colleagues A B
{A.Full Name} {A.Company Name} {A.Company Name:bank} {B.Full Name} {B.Company Name} {B.Company Name:insurer}
"""
    for seed in range(30):
        _, profile = mended(text, seed)
        facts = {
            (key.subject, key.form): fact.name for key, fact in profile.facts.items() if "Co" in key.category
        }
        assert facts["A", None] == facts["B", None]
        assert len(set(facts.values())) == 3


def test_a_second_value_is_another_one() -> None:
    text = "=== x | g | t | A | -\n{A.Full Name} {A.Date:year} {A.Date#2:year} {A.Duration:weeks} {A.Duration#2:weeks}\n"
    for seed in range(200):
        _, profile = mended(text, seed)
        for category in (Category.DATE, Category.DURATION):
            first, second = (profile.facts[key] for key in profile.keys("A", category))
            assert first != second


@pytest.mark.parametrize("ages", ["5-9", "30-60"])
def test_height_and_weight_make_a_body(ages: str) -> None:
    text = f"=== x | g | t | A:{ages} | -\n{{A.Full Name}} {{A.Height}} {{A.Weight}}\n"
    for seed in range(100):
        _, profile = mended(text, seed)
        low, high = (11.5, 27) if ages == "5-9" else (17, 42)
        assert low <= index_mass(profile.of("A", Category.WEIGHT), profile.of("A", Category.HEIGHT)) <= high


def test_children_have_no_jobs_debts_or_degrees() -> None:
    text = "=== x | g | t | A:8-12 | -\n{A.Full Name} {A.Occupation} {A.Loan Amount} {A.Academic Degree} {A.Height}\n"
    _, profile = mended(text, 4)
    assert {key.category for key in profile.dropped} == {
        Category.OCCUPATION,
        Category.LOAN_AMOUNT,
        Category.ACADEMIC_DEGREE,
    }


def test_managers_earn_no_less_and_all_sums_follow() -> None:
    text = """=== m | g | t | A, B | manager A B
{A.Full Name} {A.Monthly Income} {B.Full Name} {B.Monthly Income} {B.Credit Limit} {B.Social Security Payment}
"""
    for seed in range(100):
        _, profile = mended(text, seed)
        above, below = (profile.of(each, Category.MONTHLY_INCOME) for each in "AB")
        assert below.amount <= above.amount * 1.06
        assert 0.4 <= profile.of("B", Category.CREDIT_LIMIT).amount / below.amount <= 4.4
        assert profile.of("B", Category.SOCIAL_SECURITY_PAYMENT).amount < below.amount


def test_minors_live_with_their_parents_and_the_grown_up_elsewhere() -> None:
    text = "=== x | g | t | A, B:{ages} | parent A B\n{{A.Full Name}} {{A.Street Address}} {{B.Full Name}} {{B.Street Address}}\n"
    for ages, together in (("6-12", True), ("25-40", False)):
        _, profile = mended(text.format(ages=ages), 7)
        homes = [profile.of(each, Category.STREET_ADDRESS) for each in "AB"]
        assert (homes[0] == homes[1]) is together


@pytest.mark.parametrize(("words", "same"), [("lives in", True), ("once saw", False)])
def test_the_town_somebody_lives_in_is_that_of_the_address(words: str, *, same: bool) -> None:
    text = f"=== x | g | t | A | -\n{{A.Full Name}}, {{A.Street Address}}, {words} {{A.City/Region}}\n"
    profiles = [mended(text, seed)[1] for seed in range(40)]
    agree = [
        profile.of("A", Category.STREET_ADDRESS).city == profile.of("A", Category.CITY_REGION).name
        for profile in profiles
    ]
    assert all(agree) is same


def test_neighbours_have_addresses_in_one_town() -> None:
    text = MULTI.format(relation="neighbours")
    for seed in range(40):
        _, profile = mended(text, seed)
        first, second = (profile.of(each, Category.STREET_ADDRESS) for each in "AB")
        assert first.city == second.city
        assert first.text != second.text


@given(st.integers(0, 10**6))
def test_an_age_that_the_text_fixes_stays(seed: int) -> None:
    text = "=== x | g | t | A, B:f:8-17 | parent A B\n{A.Full Name} {A.Age} {B.Full Name} {B.Age} {B.Date:birth}\n"
    _, profile = mended(text, seed)
    assert 8 <= profile.of("B", Category.AGE) <= 17
