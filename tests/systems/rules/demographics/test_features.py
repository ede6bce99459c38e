import pytest

from piibench.systems.rules.demographics.features import find_features
from recognition import propose, read_marks

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
    text, expected = read_marks(marked)
    assert propose(find_features, text) == expected


@pytest.mark.parametrize("text", NEGATIVE)
def test_leaves_alone_what_is_nobody_s(text):
    assert propose(find_features, text) == []
