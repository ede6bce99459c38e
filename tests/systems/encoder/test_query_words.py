"""Which words of a query are read beside the values, and as what."""

from __future__ import annotations

import numpy as np
import pytest

from piibench.data.schema import Prompt
from piibench.systems.encoder.linking import DISTANCES
from piibench.systems.encoder.query_words import BEFORE, MOST_WORDS, read_words
from piibench.systems.encoder.values import QUERY_WORD, UNKNOWN, Spot, relate
from piibench.systems.encoder.windows import LONGEST_QUERY, Reading, read_prompts


def ask(query: str) -> Reading:
    """A reading whose query has one piece for each character that is no space; it has no description."""
    offsets = np.array([(at, at + 1) for at, char in enumerate(query) if not char.isspace()], np.int64)
    return Reading(query, offsets.reshape(-1, 2), "", np.zeros((0, 2), np.int64), ())


def value(name: str | None, place: int = 0) -> Spot:
    return Spot(UNKNOWN, place, 0, 0, name)


def test_each_word_stands_at_its_pieces():
    """Of "Is it 4 pm?" pieces 0-1, 2-3, 4 and 5-6 are words, piece 7 is none."""
    words = list(read_words(ask("Is it 4 pm?"), []))
    assert [pieces for _, pieces in words] == [slice(0, 2), slice(2, 4), slice(4, 5), slice(5, 7)]
    assert [word.place + BEFORE for word, _ in words] == [0, 2, 4, 5]
    assert {word.kind for word, _ in words} == {QUERY_WORD}


@pytest.mark.parametrize("query", ["", "   ", "?!"])
def test_a_query_without_words_has_none(query):
    assert list(read_words(ask(query), [value("ann")])) == []


@pytest.mark.parametrize(
    ("query", "name", "names"),
    [
        ("Does ANN's boss, Lee, go?", "ann b. lee", [None, "ann", None, None, "lee", None]),
        ("Is a nurse", "a. lee", [None, None, None]),
        ("O'Brien and jean", "jean-luc o'brien", [None, "o'brien", None, "jean-luc"]),
        ("Does Jose\u0301 go", "jos\u00e9 lee", [None, "jos\u00e9", None]),
        ("Does Ann go", None, [None, None, None]),
    ],
)
def test_a_word_is_a_name_where_a_value_has_it_in_its_name(query, name, names):
    """Its relation to that value is then that of two forms of one name, 34 + 4."""
    words = [word for word, _ in read_words(ask(query), [value(name), value(None)])]
    assert [word.name for word in words] == names
    for word in words:
        if word.name:
            assert relate([word, value(name)])[0, 1, 3] == 38


@pytest.mark.parametrize("place", [0, 3, 511, 90_000])
def test_the_query_stands_as_far_off_as_can_be_told(place):
    """Whatever the place: the farthest class of distance (8) on either side, seven lines, seven blank lines."""
    word, *_ = (word for word, _ in read_words(ask("who"), []))
    codes = relate([word, value(None, place)])
    assert codes[0, 1].tolist() == [8 + DISTANCES, 25, 33, 34]
    assert codes[1, 0].tolist() == [8, 25, 33, 34]


def test_of_a_long_query_beginning_and_end_are_read():
    query = " ".join(["first"] * 40 + ["mid"] * 25 + ["last"] * 40)
    read = list(read_words(ask(query), []))
    assert len(read) == MOST_WORDS == 80
    lengths = [pieces.stop - pieces.start for _, pieces in read]
    assert lengths == [5] * 40 + [4] * 40


def test_words_that_the_network_does_not_see_are_left_out(tokenizer):
    """Of a query of 300 words, one piece each, the network sees the first and the last 120."""
    (reading,) = read_prompts([Prompt(query="e " * 300, description="elm")], tokenizer)
    words = list(read_words(reading, []))
    assert [pieces.start for _, pieces in words] == [*range(40), *range(LONGEST_QUERY - 40, LONGEST_QUERY)]
    (reading,) = read_prompts([Prompt(query=f"{'.' * 130} mid {'.' * 130} e", description="elm")], tokenizer)
    assert len(list(read_words(reading, []))) == 1
