"""Values found again, beyond the places a detector saw."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import Span
from piibench.data.schema import Entity
from piibench.masking.occurrences import ValueIndex, fold_case, value_key


def index_of(*values: str) -> ValueIndex:
    rows = (
        {"id": value, "subject": "A", "text": value, "type": "PER", "mentions": [(0, 1)]} for value in values
    )
    return ValueIndex(map(Entity.model_validate, rows))


def found(text: str, *values: str) -> list[str]:
    return [span.of(text) for span, _ in index_of(*values).find(text)]


@pytest.mark.parametrize(
    ("text", "value", "places"),
    [
        ("John, JOHN and john's", "John", ["John", "JOHN", "john"]),
        ("Johnson", "John", []),
        ("join us in the US", "US", ["US"]),
        ("an A+ is a+", "A+", ["A+"]),
        ("OY1 Oy1", "Oy1", ["Oy1"]),
        ("ΟΔΥΣΣΕΑΣ, Οδυσσεας", "Οδυσσεας", ["ΟΔΥΣΣΕΑΣ", "Οδυσσεας"]),
        ("İstanbul İSTANBUL", "İstanbul", ["İstanbul", "İSTANBUL"]),
        ("אבי שלום", "שלום", ["שלום"]),
        ("34 134 34th 34-year", "34", ["34", "34"]),
        ("\ud800 John \udfff", "John", ["John"]),
        ("New\xa0York, New\nYork, NEW \r\n York", "New York", ["New\xa0York", "New\nYork", "NEW \r\n York"]),
        ("St. Mary’s and ST.  MARY`S", "St. Mary's", ["St. Mary’s", "ST.  MARY`S"]),
        ("2010–2014", "2010-2014", ["2010–2014"]),
        ("Jose\u0301 JOSÉ Jose", "José", ["Jose\u0301", "JOSÉ"]),
        ("José", "Jose\u0301", ["José"]),
        ("Jür\xadgen Jürgen\u200b, Jürgens", "Jürgen", ["Jür\xadgen", "Jürgen\u200b"]),
        ("U\xadS u\xads", "US", ["U\xadS"]),
    ],
)
def test_whole_words_in_any_case_and_form(text: str, value: str, places: list[str]):
    assert found(text, value) == places


def test_overlapping_values_are_all_found():
    assert found("John Smith Jones", "John Smith", "Smith Jones") == ["John Smith", "Smith Jones"]


@given(st.text(st.characters(codec=None)))
def test_folding_keeps_the_length(text: str):
    folded = fold_case(text)
    assert len(folded) == len(text)
    assert fold_case(folded) == folded


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Lyme", "LYME", True),
        ("US", "us", False),
        ("US", "US", True),
        ("New York", "new\xa0 york", True),
        ("O'B", "O’B", True),
        ("Newyork", "New York", False),
    ],
)
def test_two_spellings_of_one_value_share_a_key(one: str, other: str, same: bool):
    assert (value_key(one) == value_key(other)) is same


@pytest.mark.parametrize(
    ("text", "gone", "value", "freed"),
    [
        ("34yo", [(0, 2)], "yo", [(2, 4)]),
        ("34YEARS", [(0, 2)], "years", [(2, 7)]),
        ("USA34", [(3, 5)], "USA", [(0, 3)]),
        ("abcd", [(0, 1), (3, 4)], "bc", [(1, 3)]),
        ("abcd", [(0, 1)], "bc", []),
        ("34 yo", [(0, 2)], "yo", []),
        ("34yo", [(0, 2)], "nobody", []),
        ("34yo man", [(0, 2)], "yo man", [(2, 8)]),
    ],
)
def test_what_a_replacement_makes_a_word_of_its_own(text: str, gone, value: str, freed):
    index = index_of(value)
    places = index.find_freed(text, [Span(*span) for span in gone], {value})
    assert [span for span, _ in places] == freed
    assert index.find_freed(text, [Span(*span) for span in gone], set()) == []
