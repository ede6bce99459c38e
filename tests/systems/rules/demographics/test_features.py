import re

import pytest

from piibench.systems.rules.candidates import resolve
from piibench.systems.rules.demographics.features import find_features
from piibench.systems.rules.lexicon import load_lexicons
from piibench.systems.rules.passage import read_passage

LEXICONS = load_lexicons()
MARK = re.compile(r"\[\[(.+?)\]\]")


def read(marked):
    """The text without its marks, and the values they mark."""
    return MARK.sub(r"\1", marked), MARK.findall(marked)


def propose(text):
    passage = read_passage(text, LEXICONS)
    return [candidate.span.of(text) for candidate in resolve(find_features(passage))]


POSITIVE = [
    "[[brown eyes]] and [[curly red hair]]",
    "a [[scar on his left cheek]]",
    "a [[tattoo of a swallow on her wrist]]",
    "He has a [[slim build]].",
    "a [[birthmark above her lip]]",
    "Her eyes are [[green]].",
    "She is [[left-handed]].",
    "a [[bald]] man",
    "[[long, dark hair]]",
    "[[dimples]]",
    "He has a [[thick black beard]]",
]

NEGATIVE = [
    "the hair of the dog",
    "a bald eagle",
    "keep an eye on it",
    "Her eyes are open.",
    "the face of the clock",
    "an eye test",
    "a mole in the garden",
    "no tattoos",
]


@pytest.mark.parametrize("marked", POSITIVE)
def test_finds_the_minimal_value(marked):
    text, expected = read(marked)
    assert propose(text) == expected


@pytest.mark.parametrize("text", NEGATIVE)
def test_leaves_alone_what_is_nobody_s(text):
    assert propose(text) == []
