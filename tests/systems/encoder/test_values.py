"""Where values stand, and how each two stand to each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import Span
from piibench.data.taxonomy import PIIType
from piibench.systems.encoder.linking import DISTANCES, sort_distance
from piibench.systems.encoder.spans import TYPE_ORDER
from piibench.systems.encoder.values import (
    CODES,
    KINDS,
    REFERENCE,
    RELATIONS,
    UNKNOWN,
    Spot,
    number_kind,
    relate,
    spot,
)


def see(text, value, kind=PIIType.DEM):
    start = text.index(value)
    (seen,) = spot(text, [(Span(start, start + len(value)), number_kind(kind), 0)])
    return seen


def stands(place=0, lines=0, blanks=0, name=None):
    return Spot(0, place, lines, blanks, name)


def codes_of(spots, relation):
    return relate(spots)[:, :, relation].tolist()


@pytest.mark.parametrize(
    ("before", "lines", "blanks"),
    [
        ("", 0, 0),
        ("Ann, ", 0, 0),
        ("\n", 1, 0),
        ("Ann\n", 1, 0),
        ("Ann\n\n", 2, 1),
        ("Ann\n \t\n", 2, 1),
        ("Ann\r\n\r\n", 2, 1),
        ("Ann\n\n\n", 3, 2),
        ("Ann\n.\n", 2, 0),
        ("\n\n", 2, 1),  # a line's end, and the blank line behind it
        ("Ann\n\nBob\n\n", 4, 2),
    ],
)
def test_lines_and_blank_lines_before_a_value(before, lines, blanks):
    seen = see(f"{before}34\n\n", "34")
    assert (seen.lines, seen.blanks) == (lines, blanks)


@given(st.lists(st.sampled_from(["", " ", "\t\r", "\u2003", "34", " 34", "34, 35 "]), max_size=12))
def test_every_value_knows_its_line(parts):
    text = "\n".join(parts)
    filled = [number for number, part in enumerate(parts) if part.strip()]
    starts = [len("\n".join([*parts[:number], ""])) + parts[number].index("34") for number in filled]
    values = zip(starts, filled, strict=True)
    seen = spot(text, [(Span(start, start + 2), UNKNOWN, number) for start, number in values])
    assert [one.place for one in seen] == [one.lines for one in seen] == filled
    assert [one.blanks for one in seen] == [
        sum(not part.strip() for part in parts[1:number]) for number in filled
    ]


def test_types_are_numbered_then_the_unknown_one_then_references():
    assert [*(see("x", "x", kind).kind for kind in (*TYPE_ORDER, None)), REFERENCE] == list(range(KINDS))


@pytest.mark.parametrize("kind", [*TYPE_ORDER, None])
def test_only_a_person_has_a_name(kind):
    assert see("by Ann STRAßE", "Ann STRAßE", kind).name == ("ann strasse" if kind is PIIType.PER else None)


def test_a_value_stands_at_its_first_piece():
    assert [one.place for one in spot("ab", [(Span(0, 1), None, 4), (Span(1, 2), None, 7)])] == [4, 7]
    assert spot("ab", []) == []


THREE = [stands(0, 0, 0, "ann lee"), stands(5, 1, 0), stands(600, 9, 1, "ann")]


def test_how_far_apart_and_on_which_side():
    """5 pieces are class 1, 595 and 600 class 8; + 9 where the second stands behind the first."""
    assert codes_of(THREE, 0) == [[0, 10, 17], [1, 0, 17], [8, 8, 0]]


def test_lines_and_blank_lines_between():
    """1, 8 and 9 lines, more than 7 as 7, on 2 x 9 = 18; blank lines on 18 + 8 = 26."""
    assert codes_of(THREE, 1) == [[18, 19, 25], [19, 18, 25], [25, 25, 18]]
    assert codes_of(THREE, 2) == [[26, 26, 27], [26, 26, 27], [27, 27, 26]]


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        (None, None, 0),
        (None, "ann", 1),
        ("ann", None, 2),
        ("ann", "ann", 3),
        ("ann lee", "lee", 4),
        ("lee", "ann lee", 4),
        ("ann lee", "lee ann", 4),
        ("a. lee", "ann lee", 4),
        ("ann lee", "ann may", 5),
        ("ann", "anna", 5),
    ],
)
def test_how_two_names_compare(first, second, code):
    """The names' codes begin with 26 + 8 = 34."""
    assert codes_of([stands(name=first), stands(name=second)], 3)[0][1] == 34 + code


def test_of_one_value_and_of_none():
    """It is where it is; no name is 0, a name is equal to itself, 3."""
    assert relate([stands(9, 8, 7)]).tolist() == [[[0, 18, 26, 34]]]
    assert relate([stands(9, 8, 7, "ann")]).tolist() == [[[0, 18, 26, 37]]]
    assert relate([]).shape == (0, 0, RELATIONS)


names = st.none() | st.sampled_from(["ann", "ann lee", "lee ann", "bob", "bob lee"])
spots = st.lists(
    st.builds(stands, st.integers(0, 2000), st.integers(0, 20), st.integers(0, 20), names), max_size=8
)


@given(spots)
def test_no_two_relations_share_a_code(seen):
    codes = relate(seen)
    assert codes.dtype == np.int64
    for relation, (low, high) in enumerate([(0, 18), (18, 26), (26, 34), (34, 40)]):
        assert ((codes[..., relation] >= low) & (codes[..., relation] < high)).all()
    assert CODES == 40


@given(spots)
def test_seen_from_the_other_side(seen):
    """The side changes, and which of the two is a name; all else is the same."""
    codes = relate(seen)
    places = np.array([one.place for one in seen], np.int64)
    behind = codes[..., 0] >= DISTANCES
    np.testing.assert_array_equal(behind, places[None, :] > places[:, None])
    np.testing.assert_array_equal(
        codes[..., 0] % DISTANCES, sort_distance(np.abs(places[None, :] - places[:, None]))
    )
    np.testing.assert_array_equal(codes[..., 1:3], codes[..., 1:3].swapaxes(0, 1))
    turned = np.array([0, 2, 1, 3, 4, 5])
    np.testing.assert_array_equal(codes[..., 3] - 34, turned[codes[..., 3].T - 34])


@given(spots, st.integers(0, 1000))
def test_where_the_text_begins_changes_no_relation(seen, shift):
    moved = [one._replace(place=one.place + shift, lines=one.lines + shift) for one in seen]
    np.testing.assert_array_equal(relate(moved), relate(seen))


@given(spots.filter(bool), st.data())
def test_a_pair_stands_as_it_does_alone(seen, data):
    chosen = data.draw(st.lists(st.integers(0, len(seen) - 1), max_size=4))
    np.testing.assert_array_equal(
        relate([seen[number] for number in chosen]), relate(seen)[np.ix_(chosen, chosen)]
    )
