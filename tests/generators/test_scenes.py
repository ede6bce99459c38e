"""Dates and durations of one scene, and sums beside one income."""

import random
from dataclasses import replace
from datetime import date

import pytest

from piibench.data.taxonomy import Category
from piibench.generators.base import TODAY
from piibench.generators.cultures import sample_background
from piibench.generators.datetimes import draw_scene
from piibench.generators.quantities import draw_income
from piibench.generators.registry import make

SCENE = date(2024, 3, 15)


def person(age=None, **more):
    return replace(sample_background(random.Random(0), "train", culture="us"), age=age, scene=SCENE, **more)


def draw(category, background, number=300, **options):
    rng = random.Random(5)
    return [make(category, rng, background, **options).fact for _ in range(number)]


def test_scenes_lie_in_the_last_three_years_and_their_dates_before_today():
    rng = random.Random(3)
    scenes = [draw_scene(rng) for _ in range(2000)]
    assert (TODAY - min(scenes)).days <= 3 * 365
    for scene in sorted(scenes)[-20:]:
        assert max(draw(Category.DATE, replace(person(), scene=scene), 100)) <= TODAY


@pytest.mark.parametrize("form", [None, "iso", "day", "month"])
def test_dates_of_a_scene_lie_within_half_a_year_or_so(form):
    drawn = draw(Category.DATE, person(40), form=form)
    assert (max(drawn) - min(drawn)).days <= 190
    assert min(drawn) <= SCENE <= max(drawn)


def test_nothing_happens_before_a_baby_is_born():
    assert min(draw(Category.DATE, person(0))) >= SCENE
    assert max(draw(Category.DATE, person(0), form="birth")) < SCENE


@pytest.mark.parametrize(("age", "years"), [(10, 3), (19, 3), (30, 14), (90, 55), (None, 35)])
def test_years_go_back_into_the_youth_and_no_further(age, years):
    drawn = {day.year for day in draw(Category.DATE, person(age), form="year")}
    assert SCENE.year - years <= min(drawn)
    assert max(drawn) <= SCENE.year
    assert len(drawn) >= min(years, 3)
    assert max(time.number for time in draw(Category.DURATION, person(age), form="years")) <= years


def test_a_birthday_makes_the_age_right_on_the_day_of_the_scene():
    for born in draw(Category.DATE, person(33), form="birth"):
        assert SCENE.year - born.year - ((SCENE.month, SCENE.day) < (born.month, born.day)) == 33


@pytest.mark.parametrize(
    ("form", "longest"), [("months", 36), ("weeks", 26), ("days", 90), ("hours", 72), ("adj", 90)]
)
def test_durations_are_such_as_people_tell_of(form, longest):
    assert all(2 <= time.number <= longest for time in draw(Category.DURATION, person(40), form=form))


@pytest.mark.parametrize(
    ("category", "low", "high"),
    [
        (Category.MONTHLY_INCOME, 0.95, 1.05),
        (Category.MONTHLY_EXPENSES, 0.28, 0.95),
        (Category.LOAN_AMOUNT, 1.9, 63),
        (Category.CREDIT_LIMIT, 0.45, 4.2),
        (Category.ANNUAL_BONUS, 0.35, 3.2),
        (Category.TAX_PAYMENT, 0.28, 3.7),
        (Category.SOCIAL_SECURITY_PAYMENT, 0.18, 0.58),
    ],
)
def test_sums_are_in_proportion_to_the_income(category, low, high):
    assert all(low <= money.amount / 4000 <= high for money in draw(category, person(40, income=4000.0)))


def test_children_have_pocket_money():
    rng = random.Random(3)
    assert max(draw_income(rng, person(12)) for _ in range(200)) < 800
    assert min(draw_income(rng, person(40)) for _ in range(200)) > 1000


@pytest.mark.parametrize(
    ("form", "first", "last"), [(None, 6, 22), ("hour", 6, 22), ("morning", 6, 11), ("evening", 17, 22)]
)
def test_things_happen_while_people_are_awake(form, first, last):
    hours = {time.hour for time in draw(Category.TIME, person(30), form=form)}
    assert first <= min(hours) < max(hours) <= last
