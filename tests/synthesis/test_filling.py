"""Filling frames: offsets, words that agree, noise that spares values."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from piibench.data.taxonomy import Category
from piibench.generators.cultures import sample_background
from piibench.synthesis.filling import fill
from piibench.synthesis.framing import Slot, parse_frames

PERSON = sample_background(Random(1), "train", gender="female", culture="uk")


def fill_text(body: str, values: dict[Slot, str], **options: object) -> tuple[str, list[str]]:
    (frame,) = parse_frames(f"=== x | g | t | A | -\n{body}\n", "x")
    filled = fill(frame.clauses, values, {"A": PERSON}, **options)  # type: ignore[arg-type]
    return filled.text, [place.span.of(filled.text) for place in filled.places]


@pytest.mark.parametrize(
    ("word", "article"),
    [
        ("nurse", "a"), ("engineer", "an"), ("university lecturer", "a"), ("umbrella maker", "an"), ("hour", "an"),
        ("MBA graduate", "an"), ("UK citizen", "a"), ("European", "a"), ("one-off", "a"), ("8-year-old", "an"),
        ("18-month", "an"), ("1100", "a"), ("HR manager", "an"), ("X-ray technician", "an"), ("Ugandan", "a"),
        ("uninsured", "an"), ("IT manager", "an"), ("M.Sc.", "an"), ("B.Sc.", "a"), ("A.B.", "an"), ("Ph.D.", "a"),
    ],
)  # fmt: skip
def test_articles_go_by_sound(word: str, article: str) -> None:
    slot = Slot("A", Category.OCCUPATION)
    assert fill_text("{a} {A.Occupation}", {slot: word})[0] == f"{article} {word}"
    assert fill_text("{An} {A.Occupation}", {slot: word})[0] == f"{article.capitalize()} {word}"


@pytest.mark.parametrize(
    ("gender", "text"), [("female", "She and her"), ("male", "He and his"), ("nonbinary", "They and their")]
)
def test_pronouns_agree_with_the_subject(gender: str, text: str) -> None:
    (frame,) = parse_frames("=== x | g | t | A | -\n{A.He} and {A.his}\n", "x")
    assert fill(frame.clauses, {}, {"A": replace(PERSON, gender=gender)}).text == text  # type: ignore[arg-type]


def test_places_hold_their_values_and_noise_spares_them() -> None:
    slot = Slot("A", Category.CITY_REGION)
    text, values = fill_text(
        "To {A.City/Region} From {A.City/Region}!", {slot: "Ústí nad Labem"}, smudge=str.upper
    )
    assert text == "TO Ústí nad Labem FROM Ústí nad Labem!"
    assert values == ["Ústí nad Labem"] * 2


def test_words_that_mean_somebody_are_known_by_their_places() -> None:
    (frame,) = parse_frames(
        "=== x | g | t | A, B | friends A B\n{A=I} am [[not {B.Age} ]]with {B=my} {B=friend}; {A.he} is {a} {A.Age}\n",
        "x",
    )
    kept = [clause for clause in frame.clauses if not clause.optional]
    filled = fill(kept, {Slot("A", Category.AGE): "8"}, {"A": PERSON, "B": PERSON}, smudge=str.upper)
    assert filled.text == "I AM WITH MY FRIEND; she IS an 8"
    assert [(span.of(filled.text), subject) for span, subject in filled.references] == [
        ("I", "A"), ("MY", "B"), ("FRIEND", "B"), ("she", "A"),
    ]  # fmt: skip


def test_a_value_that_ends_in_a_dot_ends_its_sentence() -> None:
    slot = Slot("A", Category.TIME)
    assert fill_text("At {A.Time}. Then home ...", {slot: "8 p.m."})[0] == "At 8 p.m. Then home ..."


def test_dropped_clauses_leave_no_empty_lines() -> None:
    (frame,) = parse_frames(
        "=== x | g | t | A | -\nOne. [[{A.Weight} ]]\n\n[[{A.Age}]]\n\n[[{A.Height}]]\n\nTwo.\n", "x"
    )
    kept = [clause for clause in frame.clauses if not clause.optional]
    assert fill(kept, {}, {"A": PERSON}).text == "One.\n\nTwo."
