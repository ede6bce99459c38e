from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import Span
from piibench.systems.rules.cues import CueTable, find_window
from piibench.systems.rules.lexicon import Lexicons
from piibench.systems.rules.passage import read_passage

NO_WORDS = Lexicons([("none", ["\ue000"])])
FRUIT = CueTable({"apple": "apples?", "pear": "pear(?: tree)?"}, before=40, after=20)


def nearest(text: str, value: str = "7") -> str | None:
    start = text.index(value)
    cue = FRUIT.nearest(read_passage(text, NO_WORDS), Span(start, start + len(value)))
    return cue.meaning if cue else None


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("apples: 7", "apple"),
        ("7 pear", "pear"),
        ("7 pears", None),
        ("APPLE-7", "apple"),
        ("pineapple 7", None),
        ("apple 7, pear", "apple"),  # the comma costs 15, more than the distance
        ("an apple and then 7 of pear", "pear"),  # "and" and the gap cost more than " of "
        ("apple 3 5 7 pear", "pear"),  # each number in between costs 20
        ("We like apples. He has 7", None),
        ("Apple no. 7", "apple"),
        ("Apple:\n7", "apple"),
        ("Apple: 3\n7", None),
        ("apple\nof about 7", "apple"),
        ("7. Apple", None),
        ("apple。7", None),
        ("apple" + " " * 50 + "7", None),
    ],
)
def test_the_nearest_cue_of_the_sentence_wins(text, meaning):
    assert nearest(text) == meaning


def test_cost_counts_characters_clauses_and_numbers():
    text = "pear, and 3 of 7"
    cue = FRUIT.nearest(read_passage(text, NO_WORDS), Span(15, 16))
    # gap ", and 3 of " is 11 characters; ", and " is one clause border (15); "3" is one number (20)
    assert cue is not None
    assert cue.cost == 11 + 15 + 20
    assert cue.span == Span(0, 4)


def test_a_wider_look_back_can_be_asked_for():
    text = "apple" + " x" * 30 + " 7"
    passage, span = read_passage(text, NO_WORDS), Span(len(text) - 1, len(text))
    assert FRUIT.nearest(passage, span) is None
    assert FRUIT.nearest(passage, span, before=80) is not None


@given(st.text(alphabet="aA1. \n!。", min_size=1, max_size=40), st.data())
def test_the_window_holds_the_value_and_stays_near(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    window = find_window(text, Span(start, end), 10, 5)
    assert max(0, start - 10) <= window.start <= start
    assert end <= window.end <= min(len(text), end + 5)
