"""Parsing frames, and what is wrong with the ones that are none."""

from __future__ import annotations

import pytest

from piibench.data.taxonomy import Category
from piibench.errors import DataError
from piibench.synthesis.framing import Agreement, FrameQuery, Reference, Relation, Slot, parse_frames, show

FRAME = """=== clinic-007 | intake form | health | A:f, B:m:5-11 | parent A B
Seen: {A.Full Name}[[, {A.Age}]], with {A.his} son {B.Nickname} ({a} {B.Occupation:title}).
? school enrolment | B.Occupation:title | Which of the places near us would take him?
"""


def test_a_frame_is_read_whole() -> None:
    (frame,) = parse_frames(FRAME, "x.frames")
    assert (frame.id, frame.genre, frame.theme) == ("clinic-007", "intake form", "health")
    assert frame.genders == {"A": "f", "B": "m"}
    assert frame.ages == {"B": (5, 11)}
    assert frame.relations == (Relation("parent", "A", "B"),)
    assert [clause.optional for clause in frame.clauses] == [False, True, False]
    assert frame.required == {
        Slot("A", Category.FULL_NAME), Slot("B", Category.NICKNAME), Slot("B", Category.OCCUPATION, 1, "title"),
    }  # fmt: skip
    assert frame.slots - frame.required == {Slot("A", Category.AGE)}
    assert Agreement("his", "A") in frame.clauses[2].pieces
    assert Agreement("a") in frame.clauses[2].pieces
    need = Slot("B", Category.OCCUPATION, 1, "title")
    assert frame.queries == (
        FrameQuery("school enrolment", (need,), "Which of the places near us would take him?"),
    )


def test_a_second_value_is_another_slot() -> None:
    text = "=== x | g | t | A | -\n{A.Full Name} {A.Date} {A.Date#2:year}\n"
    (frame,) = parse_frames(text, "x")
    assert Slot("A", Category.DATE, 2, "year") in frame.slots
    assert Slot("A", Category.DATE) in frame.slots


def test_a_word_that_means_somebody_is_part_of_the_text() -> None:
    (frame,) = parse_frames("=== x | g | t | A, B | friends A B\n{A=My} friend {B.Age}, {B=he.she}.\n", "x")
    (clause,) = frame.clauses
    my, _, age, _, both, _ = clause.pieces
    assert (my, both) == (Reference("My", "A"), Reference("he.she", "B"))
    assert show(clause.pieces, "#") == "My friend #, he.she."
    assert clause.slots == {age}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("=== x | g | t | A | -\n{A=}", "has no word"),
        ("=== x | g | t | A | -\n{B=she}", "does not list"),
        ("=== x | g | t | A\nhi", "a frame starts with"),
        ("=== x | g | t | A:x | -\nhi", "subjects are written"),
        ("=== x | g | t | A, B | -\nhi", "how they stand to each other"),
        ("=== x | g | t | A, B | cousin A B\nhi", "a relation is written"),
        ("=== x | g | t | A | -\n{B.Age}", "does not list"),
        ("=== x | g | t | A | -\n{A.Shoe Size}", "unknown category"),
        ("=== x | g | t | A | -\n{A.age!}", "is no slot"),
        ("=== x | g | t | A | -\nopen [[ {A.Age}", "must be closed"),
        ("=== x | g | t | A | -\nstray } brace", "a stray brace"),
        ("=== x | g | t | A | -\n{A.Age}\n? s | A.Weight | q", "which the text does not have"),
        ("=== x | g | t | A | -\n{A.Age}\n? s | A.Age", "a query is written"),
        ("=== x | g | t | A | -\n{A.Age}\n? s | A.Age | is {A.Age} much?", "its text has no slots"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem) as caught:
        list(parse_frames("\n" + text, "bad.frames"))
    assert str(caught.value).startswith("bad.frames, line 2")
