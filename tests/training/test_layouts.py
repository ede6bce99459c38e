"""Every layout has every fact that fits a cell, each marked where it stands."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from piibench.data.mentions import Span
from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.training.examples import Example, Place
from piibench.training.layouts import lay_out

FACTS = (
    ("Ada Reyes", Category.FULL_NAME, "A"),
    ("Tom", Category.NICKNAME, "B"),
    ("41", Category.AGE, "A"),
    ("39", Category.AGE, "B"),
    ("potter", Category.OCCUPATION, "A"),
    ("asthma", Category.MEDICAL_CONDITION, "A"),
    ("eczema", Category.MEDICAL_CONDITION, "A"),
    ("Leeds", Category.CITY_REGION, "B"),
)
SEEDS = range(300)


def write(facts: tuple[tuple[str, Category, str], ...]) -> Example:
    text, places = "", []
    for value, category, subject in facts:
        span = Span(len(text), len(text) + len(value))
        places.append(Place(span, TYPE_OF[category], category, subject, needed=True))
        text += f"{value} and "
    return Example("toy", "How old are they?", text, tuple(places))


def read(example: Example) -> set[tuple[str, Category | None, str | None]]:
    return {(place.span.of(example.text), place.category, place.subject) for place in example.places}


@pytest.mark.parametrize(
    "facts", [FACTS, tuple(fact for fact in FACTS if fact[2] == "A")], ids=["two", "one"]
)
def test_every_fact_stands_somewhere_with_its_owner(facts):
    texts = set()
    for seed in SEEDS:
        laid_out = lay_out(write(facts), random.Random(seed))
        assert read(laid_out) == set(facts), laid_out.text
        texts.add(laid_out.text)
    assert len(texts) > len(SEEDS) * 0.9


def test_places_follow_each_other_and_their_need_is_unsaid():
    for seed in SEEDS:
        laid_out = lay_out(write(FACTS), random.Random(seed))
        ends = [place.span.end for place in laid_out.places]
        assert all(end <= place.span.start for end, place in zip(ends, laid_out.places[1:], strict=False))
        assert {place.needed for place in laid_out.places} == {None}
        assert all(place.type is TYPE_OF[place.category] for place in laid_out.places if place.category)
        assert laid_out.query == "How old are they?"


def test_the_same_draw_gives_the_same_layout():
    first, second = (lay_out(write(FACTS), random.Random(3)) for _ in range(2))
    assert first == second


def test_many_persons_have_a_place_each():
    names = tuple((f"Name{number}", Category.NICKNAME, f"S{number}") for number in range(9))
    for seed in SEEDS:
        assert read(lay_out(write(names), random.Random(seed))) == set(names)


@pytest.mark.parametrize(
    "example",
    [
        write(FACTS[:3]),
        replace(write(FACTS), types=frozenset({PIIType.PER})),
        replace(write(FACTS), places=(*write(FACTS).places, Place(Span(10, 12), None))),
        replace(write(FACTS), places=(*write(FACTS).places, Place(Span(10, 12), PIIType.DEM, Category.AGE))),
    ],
    ids=["too little", "types unlabelled", "category unknown", "owner unknown"],
)
def test_what_tells_too_little_stays_as_it_is(example):
    assert lay_out(example, random.Random(0)) is example


@pytest.mark.parametrize("value", ["Elm Row 5\nLeeds", "Elm Row 5, " * 6], ids=["of two lines", "long"])
def test_a_value_that_fits_no_cell_is_left_out(value):
    example = write((*FACTS, (value, Category.STREET_ADDRESS, "B")))
    assert read(lay_out(example, random.Random(0))) == set(FACTS)


def test_a_value_in_which_another_stands_is_left_out():
    plain = write(FACTS)
    firm = "Ada Reyes Pots"
    start = len(plain.text)
    inner = Place(Span(start, start + 9), PIIType.PER, Category.FULL_NAME, "A")
    outer = Place(Span(start, start + len(firm)), PIIType.ORG, Category.COMPANY_NAME, "A")
    nested = replace(plain, text=plain.text + firm, places=(*plain.places, outer, inner))
    for seed in SEEDS:
        assert read(lay_out(nested, random.Random(seed))) == set(FACTS)
