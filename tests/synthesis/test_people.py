"""The people of a frame: kin share a name, a country and a currency; nobody is a namesake."""

from collections import Counter
from random import Random

import pytest

from piibench.synthesis.framing import parse_frames
from piibench.synthesis.people import draw_people

SEEDS = range(300)


def draw(relation, seed, subjects="A, B"):
    text = f"=== x | g | t | {subjects} | {relation}\n{{A.Full Name}} {{B.Full Name}} {{B.Age}}\n"
    (frame,) = parse_frames(text, "x")
    return draw_people(frame, Random(seed), "test")


def share(relation, agree, subjects="A, B"):
    """Of the pairs of one descent, the part that agrees."""
    pairs = [draw(relation, seed, subjects) for seed in SEEDS]
    kin = [(people["A"], people["B"]) for people in pairs if people["A"].roots == people["B"].roots]
    return sum(agree(a, b) for a, b in kin) / len(kin)


@pytest.mark.parametrize(
    ("relation", "low", "high"),
    [
        ("siblings A B", 0.85, 1.0),
        ("parent A B", 0.7, 1.0),
        ("partners A B", 0.25, 0.55),
        ("friends A B", 0.0, 0.1),
        ("strangers A B", 0.0, 0.1),
    ],
)
def test_kin_have_one_family_name(relation, low, high):
    assert low <= share(relation, lambda a, b: a.name.family == b.name.family) <= high


def test_a_mother_may_have_another_name_than_her_child_where_wives_keep_theirs():
    families = Counter(
        people["A"].name.family == people["B"].name.family
        for seed in range(3000)
        if (people := draw("parent A B", seed, "A:f, B"))["A"].roots == people["B"].roots == "kr"
    )
    assert families[False] > 5 * families[True]


@pytest.mark.parametrize(
    "relation", ["parent A B", "siblings A B", "partners A B", "colleagues A B", "manager A B"]
)
def test_kin_and_colleagues_live_in_one_country_with_one_currency(relation):
    for seed in SEEDS:
        people = draw(relation, seed)
        assert people["A"].currency == people["B"].currency
        assert people["A"].country == people["B"].country


def test_whoever_is_near_through_others_shares_the_currency():
    relations = "strangers A B; neighbours A C; colleagues C B"
    for seed in SEEDS:
        people = draw(relations, seed, "A, B, C")
        assert len({person.currency for person in people.values()}) == 1


def test_some_strangers_live_abroad():
    countries = [{person.country for person in draw("strangers A B", seed).values()} for seed in SEEDS]
    assert 0.05 < sum(len(each) == 2 for each in countries) / len(countries) < 0.3


def test_some_people_come_from_elsewhere_and_are_named_so():
    people = [draw("strangers A B", seed)["A"] for seed in SEEDS]
    assert 0.04 < sum(person.roots != person.culture for person in people) / len(people) < 0.25


@pytest.mark.parametrize("relation", ["siblings A B", "strangers A B"])
def test_nobody_is_a_namesake_and_all_share_one_day(relation):
    for seed in SEEDS:
        people = draw(relation, seed)
        assert people["A"].name.given != people["B"].name.given
        assert people["A"].scene == people["B"].scene


def test_genders_are_the_frames():
    people = draw("siblings A B", 1, "A:f, B:m")
    assert (people["A"].gender, people["B"].gender) == ("female", "male")


def test_whom_a_pronoun_means_is_he_or_she():
    (frame,) = parse_frames("=== x | g | t | A | -\n{A.Full Name} lost {A.his} hat\n", "x")
    assert {draw_people(frame, Random(seed), "dev")["A"].gender for seed in SEEDS} == {"female", "male"}
