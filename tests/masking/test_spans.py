"""Which spans go: the rules for overlaps, one case for each."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import Span
from piibench.data.schema import Entity
from piibench.masking.occurrences import ValueIndex
from piibench.masking.spans import Place, lay_out, merge


def entity(identifier: str, text: str, category: str, mentions) -> Entity:
    """An entity with its mentions; each is a pair of offsets."""
    row = {"id": identifier, "subject": "A", "text": text, "category": category, "mentions": mentions}
    return Entity.model_validate(row)


ADDRESS = "34 Elm Street"


def outcome(text: str, entities, hidden: set[str]) -> tuple[list[str], set[str], set[str]]:
    layout = lay_out(text, entities, ValueIndex(entities), hidden)
    return [span.of(text) for span, _, _ in layout.regions], set(layout.exposed), set(layout.shown)


@pytest.mark.parametrize(
    ("text", "entities", "hidden", "expected"),
    [
        pytest.param(
            "He lives at 34 Elm Street.",
            [("k", ADDRESS, "Street Address", [(12, 25)]), ("h", "Elm", "Landmark", [(15, 18)])],
            {"h"},
            (["Elm"], set(), {"k"}),
            id="the hidden part of a kept value goes alone",
        ),
        pytest.param(
            "34 Elm Street. Again 34 Elm Street.",
            [("k", ADDRESS, "Street Address", [(0, 13), (21, 34)]), ("h", "Elm", "Landmark", [(3, 6)])],
            {"h"},
            (["Elm", "Elm"], set(), {"k"}),
            id="the hidden part of a nest goes in every place of the kept value",
        ),
        pytest.param(
            "34 years old, at 34 Elm Street.",
            [("h", "34", "Age", [(0, 2)]), ("k", ADDRESS, "Street Address", [(17, 30)])],
            {"h"},
            (["34"], {"h"}, {"k"}),
            id="a value that stands in a kept one by chance stays and is reported",
        ),
        pytest.param(
            "34 years old, at 34 Elm Street.",
            [("k", "34", "Age", [(0, 2)]), ("h", ADDRESS, "Street Address", [(17, 30)])],
            {"h"},
            ([ADDRESS], set(), {"k"}),
            id="a hidden value that contains a kept one goes whole",
        ),
        pytest.param(
            "at 34 Elm Street.",
            [("k", "34", "Age", [(3, 5)]), ("h", ADDRESS, "Street Address", [(3, 16)])],
            {"h"},
            ([ADDRESS], set(), set()),
            id="a kept value under hidden ones is not shown",
        ),
        pytest.param(
            "A is 34 and B is 34.",
            [("k", "34", "Age", [(5, 7)]), ("h", "34", "Age", [(17, 19)])],
            {"h"},
            (["34"], {"h"}, {"k"}),
            id="one value of two people goes where it is the hidden one's",
        ),
        pytest.param(
            "Both are 34.",
            [("k", "34", "Age", [(9, 11)]), ("h", "34", "Age", [(9, 11)])],
            {"h"},
            ([], {"h"}, {"k"}),
            id="the very same place stays and is reported",
        ),
        pytest.param(
            "Anna Maria Lopez",
            [("a", "Anna Maria", "Nickname", [(0, 10)]), ("b", "Maria Lopez", "Full Name", [(5, 16)])],
            {"a", "b"},
            (["Anna Maria Lopez"], set(), set()),
            id="hidden places that overlap go as one",
        ),
        pytest.param(
            "Ann Lee, Ann Lee",
            [
                ("k", "Ann Lee", "Full Name", [(0, 7), (9, 16)]),
                ("h", "Lee", "Nickname", [(4, 7), (13, 16)]),
                ("b", "Lee", "Nickname", [(13, 16)]),
            ],
            {"h"},
            (["Lee"], {"h"}, {"k", "b"}),
            id="the very same place stays also in a kept value of which the hidden part goes elsewhere",
        ),
        pytest.param(
            "34 and 34",
            [
                ("k", "34", "Age", [(0, 2)]),
                ("h", "34", "Age", [(0, 2)]),
                ("g", "34", "Time", [(7, 9)]),
                ("b", "34", "Weight", [(0, 2)]),
            ],
            {"h", "g"},
            (["34"], {"h", "g"}, {"k", "b"}),
            id="all who share a value that stays are reported",
        ),
        pytest.param(
            "the Elm Street Bakery",
            [("h", "Street Bakery", "Company Name", [(8, 21)]), ("k", "Elm Street", "Landmark", [(4, 14)])],
            {"h"},
            (["Street Bakery"], set(), {"k"}),
            id="a hidden place that runs over a kept one's edge goes",
        ),
        pytest.param(
            "34, at 34 Elm Street.",
            [
                ("h", "34", "Age", [(0, 2)]),
                ("k", ADDRESS, "Street Address", [(7, 20)]),
                ("g", "at 34 Elm", "Landmark", [(4, 13)]),
            ],
            {"h", "g"},
            (["34", "at 34 Elm"], set(), {"k"}),
            id="what stands in a kept value by chance, but goes with another, is not exposed",
        ),
        pytest.param(
            "<Age 34> and 34",
            [("h", "34", "Age", [(5, 7), (13, 15)])],
            {"h"},
            (["34"], {"h"}, set()),
            id="what lies inside a placeholder of the input stays",
        ),
        pytest.param(
            "call <Age> now",
            [("h", "call <A", "Nickname", [(0, 7)])],
            {"h"},
            (["call <Age>"], set(), set()),
            id="a place across a placeholder's edge takes it in",
        ),
        pytest.param(
            "(Age 34) [Age 34] Age 34",
            [("h", "34", "Age", [(5, 7)])],
            {"h"},
            (["34", "34", "34"], set(), set()),
            id="drifted look-alikes protect nothing",
        ),
        pytest.param(
            "a 34yo, yo",
            [("h", "34", "Age", [(2, 4)]), ("n", "yo", "Nickname", [(8, 10)])],
            {"h", "n"},
            (["34", "yo", "yo"], set(), set()),
            id="a value that becomes a word of its own goes as well",
        ),
    ],
)
def test_overlaps(text: str, entities, hidden: set[str], expected):
    assert outcome(text, [entity(*row) for row in entities], hidden) == expected


def test_a_value_that_many_share_costs_what_its_places_cost():
    count = 1500
    sharers = [entity(f"e{at}", "Ann", "Nickname", [(4 * at, 4 * at + 3)]) for at in range(count)]
    hidden = {f"e{at}" for at in range(0, count, 2)}
    tracemalloc.start()
    try:
        regions, exposed, shown = outcome("Ann " * count, sharers, hidden)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(regions) == len(hidden)
    assert exposed == hidden
    assert shown == {each.id for each in sharers} - hidden
    assert peak < 2_000 * count


OWNERS = [entity(letter, letter, "Nickname", [(0, 1)]) for letter in "abc"]


@given(
    st.lists(
        st.builds(
            lambda start, length, owner, labelled: Place(Span(start, start + length), owner, labelled),
            st.integers(0, 30),
            st.integers(1, 8),
            st.sampled_from(OWNERS),
            st.booleans(),
        )
    )
)
def test_merging_covers_the_same_characters_with_disjoint_spans(places: list[Place]):
    merged = merge(places)
    assert {at for place in places for at in range(*place.span)} == {
        at for place in merged for at in range(*place.span)
    }
    assert all(one.span.end <= other.span.start for one, other in pairwise(merged))
    for region in merged:
        inner = [place for place in places if region.span.contains(place.span)]
        longest = max(map(weight, inner))
        assert region.entity.id in {place.entity.id for place in inner if weight(place) == longest}


def weight(place: Place) -> tuple[int, bool]:
    return place.span.end - place.span.start, place.labelled


def test_the_longest_place_names_the_union():
    short, long = Place(Span(0, 4), OWNERS[0], labelled=True), Place(Span(2, 9), OWNERS[1], labelled=False)
    assert merge([short, long]) == [Place(Span(0, 9), OWNERS[1], labelled=False)]
    tie = Place(Span(2, 6), OWNERS[2], labelled=False)
    assert merge([tie, short])[0].entity is OWNERS[0]
