"""Where values stand in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import Span, find_occurrences, find_overlaps, find_values, is_whole, widen


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [
        ((0, 5), (5, 9), False),  # touching is not overlapping
        ((0, 5), (4, 9), True),
        ((2, 3), (0, 9), True),
        ((7, 9), (0, 3), False),
    ],
)
def test_spans_overlap_where_they_share_a_character(one, other, overlap) -> None:
    assert Span(*one).overlaps(Span(*other)) is overlap
    assert Span(*other).overlaps(Span(*one)) is overlap


spans = st.builds(lambda start, length: Span(start, start + length), st.integers(0, 30), st.integers(1, 12))


@given(st.lists(spans, max_size=8), spans)
def test_what_overlaps_one_of_many_is_found(taken, span) -> None:
    assert find_overlaps(taken)(span) is any(span.overlaps(other) for other in taken)


@given(spans, st.integers(-40, 40))
def test_a_shifted_span_is_as_long(span, by) -> None:
    moved = span.shift(by)
    assert (moved.start - span.start, moved.end - span.end) == (by, by)


def test_a_span_contains_itself_and_what_lies_inside() -> None:
    assert Span(2, 5).contains(Span(2, 5))
    assert Span(2, 5).contains(Span(3, 4))
    assert not Span(2, 5).contains(Span(4, 6))


@pytest.mark.parametrize(
    ("text", "value", "starts"),
    [
        ("Annual: Ann met Ann.", "Ann", [8, 16]),
        ("1234 is not 34", "34", [12]),
        ("34-year-old", "34", [0]),
        ("@jsmith and jsmith", "@jsmith", [0]),
        ("€34,50", "€34,50", [0]),
        ("aaa aa", "aa", [4]),
        ("José Jose\u0301", "José", [0]),  # the second spelling ends in a combining accent
        ("José Jose\u0301", "Jose", []),
        ("राम और रामू", "राम", [0]),
        ("محمد ثم محمدٌ", "محمد", [0, 8]),  # vowel points and underlines may be left out
        ("Ann, Ann\u0332", "Ann", [0, 5]),
        ("no", "", []),
        ("", "x", []),
    ],
)
def test_only_whole_occurrences_count(text, value, starts) -> None:
    assert [span.start for span in find_occurrences(text, value)] == starts


def test_offsets_count_code_points_not_bytes_or_utf16_units() -> None:
    assert list(find_occurrences("😀 é Ann", "Ann")) == [Span(4, 7)]
    assert find_values("😀 é Ann", ["Ann"]) == [("Ann", Span(4, 7))]


def test_many_values_are_found_in_one_pass_with_overlaps() -> None:
    found = find_values("New York University in New York", ["New York", "New York University", "York", ""])
    assert [(value, span.start) for value, span in found] == [
        ("New York", 0),
        ("New York University", 0),
        ("York", 4),
        ("New York", 23),
        ("York", 27),
    ]


@given(st.text(alphabet="ab1 -é", max_size=30), st.lists(st.text(alphabet="ab1 -é", max_size=4), max_size=4))
def test_find_values_agrees_with_looking_at_every_place(text: str, values: list[str]) -> None:
    expected = {
        (value, Span(start, start + len(value)))
        for value in values
        if value
        for start in range(len(text))
        if text.startswith(value, start) and is_whole(text, Span(start, start + len(value)))
    }
    found = find_values(text, values)
    assert set(found) == expected
    assert len(found) == len(expected)


@pytest.mark.parametrize(
    ("text", "value"), [("我叫王小明。", "王小明"), ("김민수는 왔다", "김민수"), ("ฉันชื่อสมชายครับ", "สมชาย")]
)
def test_scripts_without_word_spaces_have_their_values_found(text: str, value: str) -> None:
    assert [found for found, _ in find_values(text, [value])] == [value]


def test_lone_surrogates_shift_nothing_and_are_never_found() -> None:
    assert find_values("\ud800 Ann", ["Ann", "\ud800"]) == [("Ann", Span(2, 5))]


@pytest.mark.parametrize(
    ("text", "cut", "whole"),
    [
        ("my Smithson, yes", (3, 8), "Smithson"),
        ("my Smithson, yes", (7, 9), "Smithson"),
        ("no. 55-1234-9", (8, 10), "1234"),
        ("abc123def", (1, 2), "abc"),  # a letter and a digit part
        ("(Ann)", (1, 4), "Ann"),
        ("Rene\u0301 asks", (0, 4), "Rene\u0301"),  # the accent stands upon the last letter
        ("Re\u0301ne asks", (0, 2), "Re\u0301ne"),
        ("हिन्दी भाषा", (0, 1), "हिन्दी"),
        ("❤\ufe0fAnn", (2, 5), "Ann"),  # how the heart looks is no accent of Ann's
        ("1\ufe0f\u20e3 Ann", (0, 1), "1"),
        ("我叫王小明住在北京", (2, 5), "王小明"),  # no space says where the name ends
        ("กินข้าว", (0, 2), "กิ"),
    ],
)
def test_a_span_that_cuts_a_word_is_widened(text, cut, whole):
    assert widen(text, Span(*cut)).of(text) == whole


texts = st.text(
    st.one_of(st.sampled_from("aB1 .\u0301王क\u093fก\u0e34\ufe0f\ud800😀"), st.characters()), min_size=1
)


@given(texts, st.data())
def test_widening_holds_the_span_and_widens_once(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    span = Span(start, data.draw(st.integers(start + 1, len(text))))
    wide = widen(text, span)
    assert wide.contains(span)
    assert wide.end <= len(text)
    assert widen(text, wide) == wide
