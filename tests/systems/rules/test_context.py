import pytest

from piibench.systems.rules.context import (
    ends_clause,
    find_numbers,
    is_attributed,
    is_negated,
    is_predicate,
    starts_sentence,
    word_behind,
)
from piibench.systems.rules.lexicon import Lexicons
from piibench.systems.rules.passage import read_passage

NO_WORDS = Lexicons([("none", ["\ue000"])])


def at(text):
    """The passage of a text and the place of the bar in it."""
    return read_passage(text.replace("|", ""), NO_WORDS), text.index("|")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm a |nurse", True),
        ("My mother was a hard-working |nurse", True),
        ("Ana is |Peruvian", True),
        ("Ana, 34, is |Peruvian", True),
        ("she's originally |Peruvian", True),
        ("He lives here and is a |cook", True),
        ("It is |Peruvian", False),
        ("There is a |cook", False),
        ("the sauce is |Italian", False),
        ("I am a friend of the |cook", False),
        ("I'm fine. The |doctor", False),
    ],
)
def test_is_predicate(text, expected):
    assert is_predicate(*at(text)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("raised |Sikh", True),
        ("identifies as a |woman", True),
        ("made of |white", False),
        ("with |white", False),
    ],
)
def test_is_attributed(text, expected):
    assert is_attributed(*at(text)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no history of |asthma", True),
        ("She denies |fever", True),
        ("do you have |asthma", True),
        ("no. I have |asthma", False),
        ("has |asthma", False),
    ],
)
def test_is_negated(text, expected):
    assert is_negated(*at(text)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("|A", True), ("Yes. |A", True), ("line\n|A", True), ("yes |A", False), ("- |A", True)],
)
def test_starts_sentence(text, expected):
    assert starts_sentence(*at(text)) is expected


@pytest.mark.parametrize(
    ("text", "word", "closed"),
    [
        ("gay| rights", "rights", False),
        ("gay|, rights", "", True),
        ("gay|", "", True),
        ("gay| and happy", "and", True),
        ("gay|-friendly", "friendly", False),
    ],
)
def test_what_stands_behind(text, word, closed):
    passage, end = at(text)
    assert word_behind(passage, end) == word
    assert ends_clause(passage, end) is closed


def test_find_numbers_takes_short_ones_that_stand_free():
    text = "34 a5 $40 1,234 6.75 7kg 2024 #9"
    assert [number.of(text) for number in find_numbers(read_passage(text, NO_WORDS))] == ["34", "1", "6", "7"]
