"""The phrase bank: big enough, one fact a phrase, and errors that name the line."""

import random
import re

import pytest

from piibench.data.taxonomy import Category
from piibench.errors import DataError
from piibench.generators.cultures import sample_background
from piibench.generators.registry import FORMS, make
from piibench.synthesis.filling import fill
from piibench.synthesis.framing import Agreement, Clause, Slot
from piibench.synthesis.phrasing import Phrase, load_phrases, parse_phrases

BANK = load_phrases()
PHRASES = [(category, phrase) for category, phrases in BANK.items() for phrase in phrases]


def slots(phrase):
    return [piece for piece in phrase.clause.pieces if isinstance(piece, Slot)]


def plain(phrase):
    return "".join(piece for piece in phrase.clause.pieces if isinstance(piece, str))


@pytest.mark.parametrize("category", Category)
def test_each_category_has_many_phrases_in_every_voice(category):
    voices = [phrase.voice for phrase in BANK[category]]
    assert len(voices) >= 30
    assert min(voices.count(voice) for voice in ("first", "third", "neutral")) >= 5


def test_a_phrase_has_exactly_one_slot_of_its_category_and_a_known_form():
    for category, phrase in PHRASES:
        (slot,) = slots(phrase)
        assert (slot.subject, slot.category, slot.number) == ("A", category, 1)
        assert slot.form in (None, *FORMS[category])


@pytest.mark.parametrize("category", Category)
def test_every_form_is_used(category):
    asked = {slot.form for phrase in BANK[category] for slot in slots(phrase)}
    assert asked == {None, *FORMS[category]}


def test_no_phrase_stands_twice_in_the_bank():
    assert len({phrase for _, phrase in PHRASES}) == len(PHRASES)


def test_the_first_person_has_no_pronoun_of_the_third():
    for _, phrase in PHRASES:
        spoken_of = any(isinstance(piece, Agreement) and piece.subject for piece in phrase.clause.pieces)
        assert phrase.voice == "third" or not spoken_of, plain(phrase)


def test_nobody_says_i_in_a_form():
    own = re.compile(r"\b(?:I|I'm|my|me)\b")
    assert [
        plain(phrase) for _, phrase in PHRASES if phrase.voice == "neutral" and own.search(plain(phrase))
    ] == []


@pytest.mark.parametrize("gender", ["female", "male"])
def test_every_phrase_can_be_filled(gender):
    rng = random.Random(3)
    person = sample_background(rng, "train", gender=gender)
    for category, phrase in PHRASES:
        (slot,) = slots(phrase)
        value = make(category, rng, person, form=slot.form).text
        filled = fill([phrase.clause], {slot: value}, {"A": person})
        (place,) = filled.places
        assert filled.text[place.span.start : place.span.end] == value
        assert filled.text == filled.text.strip()
        assert not set("{}\n") & set(filled.text.replace(value, ""))


def test_a_bank_is_read_in_order():
    text = "=== Age\n1 I'm {A.Age}.\n\n=== City/Region\n- From: {A.City/Region:country}\n3 {A.He} left {A.City/Region}.\n"
    city = Slot("A", Category.CITY_REGION)
    assert list(parse_phrases(text, "bank.txt")) == [
        (Category.AGE, Phrase("first", Clause(("I'm ", Slot("A", Category.AGE), "."), optional=True))),
        (
            Category.CITY_REGION,
            Phrase(
                "neutral",
                Clause(("From: ", Slot("A", Category.CITY_REGION, form="country")), optional=True),
            ),
        ),
        (
            Category.CITY_REGION,
            Phrase("third", Clause((Agreement("He", "A"), " left ", city, "."), optional=True)),
        ),
    ]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("1 I'm {A.Age}.", 1, "under a category"),
        ("=== Shoe Size\n1 I'm {A.Age}.", 1, "unknown category"),
        ("=== Age\n2 I'm {A.Age}.", 2, "voices"),
        ("=== Age\n\n1", 3, "voices"),
        ("=== Age\n1 I'm old.", 2, "exactly one slot"),
        ("=== Age\n1 I'm {A.Age}, not {A.Age#2}.", 2, "exactly one slot"),
        ("=== Age\n1 I'm {A.Height}.", 2, "exactly one slot"),
        ("=== Age\n1 I'm {A.Age}[[, no less]].", 2, "optional clause"),
        ("=== Age\n1 I'm {A.Age:roman}.", 2, "its forms are: word"),
        ("=== Age\n1 I'm {B.Age}.", 2, "subject"),
        ("=== Age\n1 I'm {A.Age}}.", 2, "stray brace"),
        ("=== Age\n1 ? age | A.Age | How old am I?", 2, "query"),
    ],
)
def test_a_malformed_line_is_named(text, line, problem):
    with pytest.raises(DataError, match=problem) as caught:
        list(parse_phrases(text, "bank.txt"))
    assert (caught.value.place, caught.value.line) == ("bank.txt", line)
