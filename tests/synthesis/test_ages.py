"""Ages: as the frame fixes them, old enough for what it tells, and as relations want."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.synthesis.ages import YOUNGEST, draw_ages
from piibench.synthesis.framing import parse_frames


def draw(subjects, relation, seed, text="{A.Full Name} {A.Age} {B.Full Name} {B.Age}"):
    (frame,) = parse_frames(f"=== x | g | t | {subjects} | {relation}\n{text}\n", "x")
    return draw_ages(frame, Random(seed))


@given(st.integers(0, 10**6))
def test_parents_are_18_to_45_years_older(seed):
    ages = draw("A, B", "parent A B", seed)
    assert 18 <= ages["A"] - ages["B"] <= 45
    assert ages["B"] >= 3


@given(st.integers(0, 10**6))
def test_relations_to_several_people_hold_together(seed):
    text = "{A.Full Name} {B.Full Name} {C.Full Name} {C.Age}"
    ages = draw("A, B, C", "partners A B; parent A C", seed, text)
    assert abs(ages["A"] - ages["B"]) <= 10
    assert 18 <= ages["A"] - ages["C"] <= 45


@pytest.mark.parametrize(("relation", "apart"), [("siblings", 14), ("partners", 10), ("friends", 20)])
def test_peers_are_of_about_an_age(relation, apart):
    for seed in range(200):
        ages = draw("A, B", f"{relation} A B", seed)
        assert abs(ages["A"] - ages["B"]) <= apart


def test_young_classmates_are_of_one_year_and_teachers_grown_up():
    for seed in range(200):
        ages = draw("A:8-16, B:7-17", "classmates A B", seed)
        assert abs(ages["A"] - ages["B"]) <= 2
        assert draw("A, B:9-10", "teacher A B", seed)["A"] >= 23


@given(st.integers(0, 10**6))
def test_what_the_frame_fixes_stays(seed):
    ages = draw("A:60-70, B:f:8-17", "parent A B", seed)
    assert 60 <= ages["A"] <= 70
    assert 8 <= ages["B"] <= 17


def test_a_frame_that_contradicts_its_relation_keeps_its_ages():
    ages = draw("A:20-21, B:40-41", "parent A B", 1)
    assert 20 <= ages["A"] <= 21
    assert 40 <= ages["B"] <= 41


@pytest.mark.parametrize("category", YOUNGEST)
def test_people_are_old_enough_for_what_is_told(category):
    text = f"{{A.Full Name}} {{B.Full Name}} {{B.Age}} {{B.{category}}}"
    assert min(draw("A, B", "parent A B", seed, text)["B"] for seed in range(150)) >= YOUNGEST[category]


def test_of_the_ages_a_frame_allows_one_fits_what_is_told():
    text = "{A.Full Name} {A.Age} {A.Credit Card}"
    assert {draw("A:16-19", "-", seed, text)["A"] for seed in range(60)} == {18, 19}
    assert {draw("A:9-10", "-", seed, text)["A"] for seed in range(60)} == {10}


def test_people_at_work_are_not_retired():
    text = "{A.Full Name} {A.Occupation}"
    assert max(draw("A", "-", seed, text)["A"] for seed in range(500)) <= 68
    assert max(draw("A", "-", seed, "{A.Full Name} {A.City/Region}")["A"] for seed in range(500)) > 75
