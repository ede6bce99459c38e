"""Frames: whole documents with typed slots, and the queries that belong to them (sections 3.2.2, 3.2.3).

A file `frames/<partition>/<theme>.frames` holds frames one after the other:

    === clinic-007 | intake form | health | A:f, B:m:5-11 | parent A B
    Seen today: {A.Full Name}[[, {A.Age}]], with {A.his} son {B.Nickname} …
    ? school enrolment | B.Age; A.City/Region | Which of the places near us would take him this autumn?

`{A.Date}` is a slot: a value of that subject and category; the same slot has the same text at every place.
`{A.Date:year}` asks for a form of the value, `{A.Date#2}` for a second value. `[[ … ]]` is an optional
clause: it stays only when the profile has every value in it. `{A.he}` agrees with the subject's gender, `{a}`
and `{An}` with the sound of the next word. `{A=sister}` is the word "sister" and says whom it means there; a
possessive means who possesses. Words that mean several, somebody else, or nobody are not marked. A line that
starts with "? " is a query: scenario, needed slots, text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from piibench.data.taxonomy import Category, parse_category
from piibench.errors import DataError, UnknownCategoryError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Gender = Literal["f", "m"]
PRONOUNS = ("he", "him", "his", "hers", "himself", "He", "Him", "His", "Hers", "Himself")
HIERARCHIES = ("parent", "manager", "teacher")
"""Relations in which the first subject stands above the second (App. C.2)."""
RELATIONS = (
    *HIERARCHIES,
    *("colleagues", "classmates", "friends", "siblings", "partners", "neighbours"),
    "strangers",
)
"""Hierarchical relations, intersections, and none (section 3.2.2)."""

_TAG = re.compile(r"\{([^{}]*)\}")
_SLOT = re.compile(
    r"(?P<subject>[A-Z])\.(?P<category>[A-Z][^:#]*?)(?:#(?P<number>[2-9]))?(?::(?P<form>[a-z0-9]+))?"
)
_SUBJECT = re.compile(r"(?P<letter>[A-Z])(?::(?P<gender>[fm]))?(?::(?P<low>\d{1,3})-(?P<high>\d{1,3}))?")
_OPTIONAL = re.compile(r"(\[\[.*?\]\])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a value.

    Attributes:
        subject: The subject's letter.
        category: What the value is.
        number: 1, or which further value of the category it is.
        form: The form the sentence wants; None where any will do.
    """

    subject: str
    category: Category
    number: int = 1
    form: str | None = None

    @property
    def order(self) -> tuple[str, str, int, str]:
        """A key to sort by."""
        return (self.subject, self.category, self.number, self.form or "")


@dataclass(frozen=True, slots=True)
class Agreement:
    """A word that agrees: a pronoun of a subject, or an article before the next word.

    Attributes:
        word: One of PRONOUNS, or "a" or "An".
        subject: The subject's letter; None for an article.
    """

    word: str
    subject: str | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """A word of the text that means a subject without naming it: "she", "my", "tenant".

    Attributes:
        word: As it stands.
        subject: The subject's letter.
    """

    word: str
    subject: str


Piece = str | Slot | Agreement | Reference


@dataclass(frozen=True, slots=True)
class Clause:
    """Part of a frame that is kept or dropped as a whole.

    Attributes:
        pieces: Text, slots, agreeing and referring words in order.
        optional: Whether the frame reads well without it.
    """

    pieces: tuple[Piece, ...]
    optional: bool

    @property
    def slots(self) -> frozenset[Slot]:
        """The values it needs."""
        return frozenset(piece for piece in self.pieces if isinstance(piece, Slot))


@dataclass(frozen=True, slots=True)
class FrameQuery:
    """A query written for one frame.

    Attributes:
        scenario: What the asker is about.
        needs: The slots that answer it: E_q.
        text: The query; it repeats no value.
    """

    scenario: str
    needs: tuple[Slot, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Relation:
    """How two subjects stand to each other (section 3.2.2); `first` is above `second` in a hierarchy."""

    kind: str
    first: str
    second: str


@dataclass(frozen=True)
class Frame:
    """A document with slots.

    Attributes:
        id: Unique over all frames.
        genre: Kind of text, such as "intake form".
        theme: What it is about.
        genders: Subjects in order, each with the gender the text fixes, or None.
        ages: The range of ages that the text fixes, ends included, for the subjects where it does.
        relations: How the subjects stand to each other; empty for one subject.
        clauses: The text in order.
        queries: Queries of its own.
    """

    id: str
    genre: str
    theme: str
    genders: dict[str, Gender | None]
    ages: dict[str, tuple[int, int]]
    relations: tuple[Relation, ...]
    clauses: tuple[Clause, ...]
    queries: tuple[FrameQuery, ...]

    @cached_property
    def required(self) -> frozenset[Slot]:
        """Slots outside optional clauses."""
        return frozenset(slot for clause in self.clauses if not clause.optional for slot in clause.slots)

    @cached_property
    def slots(self) -> frozenset[Slot]:
        """Every slot, optional ones included."""
        return frozenset(slot for clause in self.clauses for slot in clause.slots)


def show(pieces: Iterable[Piece], value: str) -> str:
    """The text of pieces, with `value` in the place of each slot and agreeing word."""
    return "".join(_show(piece, value) for piece in pieces)


def _show(piece: Piece, value: str) -> str:
    if isinstance(piece, Reference):
        return piece.word
    return piece if isinstance(piece, str) else value


def parse_frames(text: str, place: str) -> Iterator[Frame]:
    """Yield the frames of a file.

    Args:
        text: The file's text.
        place: Its name, for errors.

    Raises:
        DataError: A frame is malformed; names the line and what is wrong.
    """
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("===")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        try:
            yield _parse_frame(lines[start], lines[start + 1 : end])
        except (ValueError, UnknownCategoryError) as error:
            raise DataError(str(error), place=place, line=start + 1) from None


def _parse_frame(head: str, body: list[str]) -> Frame:
    fields = [field.strip() for field in head.removeprefix("===").split("|")]
    if len(fields) != 5 or not all(fields):  # noqa: PLR2004 - the five fields of the docstring
        msg = 'a frame starts with "=== id | genre | theme | subjects | relation"'
        raise ValueError(msg)
    identifier, genre, theme, subjects, relation = fields
    genders, ages = _parse_subjects(subjects)
    document = "\n".join(line for line in body if not line.startswith("? ")).strip()
    clauses = tuple(_parse_clauses(document, genders))
    frame = Frame(
        identifier,
        genre,
        theme,
        genders,
        ages,
        _parse_relations(relation, genders),
        clauses,
        tuple(_parse_query(line, genders) for line in body if line.startswith("? ")),
    )
    for query in frame.queries:
        if stray := [slot for slot in query.needs if slot not in frame.slots]:
            slot = f"{{{stray[0].subject}.{stray[0].category}}}"
            msg = f"{identifier}: a query needs {slot}, which the text does not have in that form"
            raise ValueError(msg)
    return frame


def _parse_subjects(field: str) -> tuple[dict[str, Gender | None], dict[str, tuple[int, int]]]:
    genders: dict[str, Gender | None] = {}
    ages: dict[str, tuple[int, int]] = {}
    for part in field.split(","):
        match = _SUBJECT.fullmatch(part.strip())
        if match is None:
            msg = f'subjects are written "A, B:f, C:m:8-17", found "{part.strip()}"'
            raise ValueError(msg)
        gender: Gender | None = "f" if match["gender"] == "f" else "m" if match["gender"] else None
        genders[match["letter"]] = gender
        if match["low"]:
            ages[match["letter"]] = (int(match["low"]), int(match["high"]))
    return genders, ages


def _parse_relations(field: str, genders: dict[str, Gender | None]) -> tuple[Relation, ...]:
    if field == "-":
        if len(genders) > 1:
            msg = "a frame with several subjects says how they stand to each other"
            raise ValueError(msg)
        return ()
    relations: list[Relation] = []
    for part in field.split(";"):
        words = part.split()
        if len(words) != 3 or words[0] not in RELATIONS or not {words[1], words[2]} <= set(genders):  # noqa: PLR2004
            msg = f'a relation is written "parent A B", found "{part.strip()}"; kinds: {", ".join(RELATIONS)}'
            raise ValueError(msg)
        relations.append(Relation(*words))
    return tuple(relations)


def _parse_clauses(document: str, genders: dict[str, Gender | None]) -> Iterator[Clause]:
    for part in _OPTIONAL.split(document):
        optional = part.startswith("[[")
        inner = part[2:-2] if optional else part
        if "[[" in inner or "]]" in inner:
            msg = "optional clauses [[ … ]] must be closed and must not be nested"
            raise ValueError(msg)
        if inner:
            yield Clause(tuple(_parse_pieces(inner, genders)), optional)


def _parse_pieces(text: str, genders: dict[str, Gender | None]) -> Iterator[Piece]:
    at = 0
    for tag in _TAG.finditer(text):
        if tag.start() > at:
            yield text[at : tag.start()]
        yield _parse_tag(tag[1], genders)
        at = tag.end()
    rest = text[at:]
    if "{" in rest or "}" in rest:
        msg = f'a stray brace near "{rest[:30]}"'
        raise ValueError(msg)
    if rest:
        yield rest


def _parse_tag(inner: str, genders: dict[str, Gender | None]) -> Slot | Agreement | Reference:
    if inner in ("a", "An"):
        return Agreement(inner)
    subject, mark, word = inner[:1], inner[1:2], inner[2:]
    if subject not in genders:
        msg = f'"{{{inner}}}" names a subject that the head does not list'
        raise ValueError(msg)
    if mark == "=":
        if not word.strip():
            msg = f'"{{{inner}}}" has no word; write "{{{subject}=she}}"'
            raise ValueError(msg)
        return Reference(word, subject)
    return Agreement(word, subject) if word in PRONOUNS else _parse_slot(inner)


def _parse_slot(inner: str) -> Slot:
    match = _SLOT.fullmatch(inner.strip())
    if match is None:
        msg = f'"{inner}" is no slot; write "A.Monthly Income", "A.Date:year" or "A.Date#2"'
        raise ValueError(msg)
    return Slot(match["subject"], parse_category(match["category"]), int(match["number"] or 1), match["form"])


def _parse_query(line: str, genders: dict[str, Gender | None]) -> FrameQuery:
    fields = [field.strip() for field in line.removeprefix("? ").split("|", 2)]
    if len(fields) != 3 or not all(fields):  # noqa: PLR2004 - the three fields of the docstring
        msg = 'a query is written "? scenario | A.Age; A.Date:year | text"'
        raise ValueError(msg)
    scenario, needs, text = fields
    slots = tuple(_parse_slot(need.strip("{} ")) for need in needs.split(";"))
    if not {slot.subject for slot in slots} <= set(genders) or "{" in text:
        msg = "a query needs only the frame's own subjects, and its text has no slots"
        raise ValueError(msg)
    return FrameQuery(scenario, slots, text)
