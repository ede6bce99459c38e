"""Which of several values a query means."""

from __future__ import annotations

import pytest

from marked_text import read_marked
from piibench.systems.rules.lexicon import fold
from piibench.systems.rules.selection.values import find_outdone, find_stated

TRIP = "The visa runs out on {1 June|Date|A}. My flight leaves on {4 May|Date|A}, hand luggage only."


@pytest.mark.parametrize(
    ("query", "outdone"),
    [
        ("Will the visa still be valid?", ["4 May"]),
        ("What may I pack for the flights in my luggage?", ["1 June"]),
        ("Which of these is a Friday?", []),
        ("", []),
    ],
)
def test_the_value_whose_sentence_shares_words_wins(query, outdone):
    prompt, found = read_marked(TRIP)
    losers = find_outdone(prompt.description, query, found)
    assert [entity.text for entity in found if entity.id in losers] == outdone


def test_values_of_different_subjects_do_not_compete():
    prompt, found = read_marked("The visa: {1 June|Date|A}. The flight: {4 May|Date|B}.")
    assert find_outdone(prompt.description, "Is the visa valid?", found) == frozenset()


@pytest.mark.parametrize(
    ("query", "stated"),
    [
        ("Is Ghent nice?", ["Ghent"]),
        ("is ghent nice?", ["Ghent"]),
        ("Is Ghentbrugge nice?", []),
        ("Ring 555-0101", []),
        ("Why €900?", ["€900"]),
    ],
)
def test_quasi_identifiers_that_the_query_states(query, stated):
    _, found = read_marked("{Ghent|City/Region|A}, {555-0101|Phone Number|A}, {€900|Monthly Income|A}")
    ids = find_stated(fold(query), found)
    assert [entity.text for entity in found if entity.id in ids] == stated
