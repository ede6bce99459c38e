"""The people of a description, as a query may speak of them."""

from __future__ import annotations

import pytest

from marked_text import read_marked
from piibench.systems.rules.selection.people import Cast
from piibench.systems.rules.selection.tables import PersonGroup

DAUGHTER = PersonGroup(words=("daughter", "girl"), pronoun="she")


def create_cast(marked):
    prompt, found = read_marked(marked)
    return Cast(prompt.description, found)


@pytest.mark.parametrize(
    ("marked", "speaks", "narrator"),
    [
        ("I'm {Nora|Nickname|A}, {41|Age|A}. {Bo|Nickname|B} is {3|Age|B}.", True, "A"),
        ("Dear {Tom|Nickname|A}, I am {34|Age|B} now and my pay is {€9|Monthly Income|B}.", True, "B"),
        ("{Nora|Nickname|A} met {Bo|Nickname|B}, no. IV in line.", False, "A"),
        ("{Ann|Nickname|A}: hello\n{Bo|Nickname|B}: I'm {34|Age|B}", True, "B"),
    ],
)
def test_the_narrator(marked, speaks, narrator):
    cast = create_cast(marked)
    assert (cast.speaks, cast.narrator) == (speaks, narrator)
    assert (narrator in cast.others) is not speaks


@pytest.mark.parametrize(
    ("marked", "subjects"),
    [
        ("I'm {Nora|Nickname|A}, {41|Age|A}. My daughter {Ida|Nickname|B} sings.", {"B"}),
        ("I'm {Nora|Nickname|A}, {41|Age|A}. {Ida|Nickname|B}, my daughter, sings.", {"B"}),
        ("I'm {Nora|Nickname|A}, {41|Age|A}. My girl is {9|Age|B}.", {"B"}),
        ("I'm {Nora|Nickname|A}, {41|Age|A}. Nobody's granddaughters, {Ida|Nickname|B}.", set()),
        ("I'm {Nora|Nickname|A}, {41|Age|A}. {Ida|Nickname|B}.", set()),
    ],
)
def test_a_group_is_the_person_named_beside_its_word(marked, subjects):
    assert create_cast(marked).find_group(DAUGHTER) == subjects


def test_names_and_jobs_are_known_by_their_words():
    cast = create_cast(
        "{Ann Lee|Full Name|A}, {night nurse|Occupation|A}; {Bo Lee|Full Name|B}, {cook|Occupation|B}"
    )
    assert cast.names == {"ann": {"A"}, "bo": {"B"}, "lee": {"A", "B"}}
    assert cast.jobs == {"nurse": {"A"}, "cook": {"B"}}


def test_a_job_that_two_have_tells_nobody_apart():
    assert create_cast("{Ann|Nickname|A} {cook|Occupation|A} {Bo|Nickname|B} {cook|Occupation|B}").jobs == {}


def test_a_pronoun_rules_out_those_called_otherwise():
    cast = create_cast("I'm {Nora|Nickname|A}. My daughter {Ida|Nickname|B}, my brother {Emil|Nickname|C}.")
    assert cast.find_by_pronoun("she") == {"B"}
    assert cast.find_by_pronoun("he") == {"C"}
