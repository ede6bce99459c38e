"""Whom a query means: the narrator, a person by name, kinship or role, or everyone.

Each person word of the query becomes a pointer at subjects of the description. A fact that the query
asks for belongs to the pointer nearest to the words that ask for it ("my income and her hospital").
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from piibench.systems.rules.lexicon import fold
from piibench.systems.rules.selection.people import Cast
from piibench.systems.rules.selection.tables import PersonGroup, load_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from piibench.data.schema import Entity
    from piibench.systems.rules.selection.cues import Mark

_COMMA = re.compile(r",(?=\s)")
_SENTENCE_END = re.compile(r"[.?!;](?=\s|$)")
_WORD = re.compile(r"[^\W_]+")
_NEXT_WORD = re.compile(r"\s*(?:\S+\s*)?")
_DETERMINER = re.compile(r"\s(?:my|the|her|his|our|their|a|an|this|that)$")
_POSSESSIVES = frozenset({"my", "her", "his", "our", "their"})
_OWNING = frozenset({"my", "mine"})
_AUXILIARIES = frozenset({"will", "may", "can", "do", "an"})
_REACH = 70
"""Farther than this many characters, a person word says nothing about a fact."""
_LATER = 3
"""By this many characters a person word behind a fact counts as farther than one before it."""
_APART = 8
"""By this many characters each comma between a person word and a fact sets them farther apart."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A place of the query that points at subjects.

    Attributes:
        start: First code point in the folded query.
        end: Behind the last one.
        subjects: Letters pointed at.
        firm: False for "I" or "we" alone and for a person only spoken to.
    """

    start: int
    end: int
    subjects: frozenset[str]
    firm: bool = True


@dataclass(frozen=True, slots=True)
class Meant:
    """The subjects a query means.

    Attributes:
        default: Those meant as a whole.
        pointers: Places that say so, by start.
        breaks: Where its sentences end, ascending.
        commas: Where its commas stand, ascending.
    """

    default: frozenset[str]
    pointers: tuple[Pointer, ...] = ()
    breaks: tuple[int, ...] = ()
    commas: tuple[int, ...] = ()

    def at(self, start: int, end: int) -> frozenset[str]:
        """The subjects meant by the words in [start, end): those of the nearest pointer, or `default`."""
        best, nearest = self.default, _REACH
        for pointer in self.pointers:
            before, behind = start - pointer.end, pointer.start - end
            distance = before if before >= 0 else behind + _LATER if behind >= 0 else 0
            if distance < nearest and not _count(self.breaks, pointer.start, start):
                distance += _APART * _count(self.commas, pointer.start, start)
                if distance < nearest:
                    best, nearest = pointer.subjects, distance
        return best


def read_subjects(description: str, query: str, marks: Iterable[Mark], found: Sequence[Entity]) -> Meant:
    """Tell whom a query means.

    Args:
        description: The description that `found` points into.
        query: The query, its white space made plain.
        marks: The query's cues.
        found: Entities of the description.
    """
    letters = frozenset(entity.subject for entity in found)
    if len(letters) <= 1:
        return Meant(letters)
    persons = [mark for mark in marks if mark.cue.layer == "person"]
    pointers = tuple(_point(Cast(description, found), query, persons))
    firm = frozenset[str]().union(*(pointer.subjects for pointer in pointers if pointer.firm))
    loose = frozenset[str]().union(*(pointer.subjects for pointer in pointers))
    breaks = tuple(match.start() for match in _SENTENCE_END.finditer(query))
    commas = tuple(match.start() for match in _COMMA.finditer(query))
    return Meant(firm or loose or letters, pointers, breaks, commas)


def _count(marks: Sequence[int], start: int, end: int) -> int:
    """How many of the ascending marks lie between two places."""
    return abs(bisect_left(marks, start) - bisect_left(marks, end))


def _point(cast: Cast, query: str, marks: Sequence[Mark]) -> list[Pointer]:
    """Resolve the person words and names of a query, by start."""
    folded = fold(query)
    introduced = [mark.start for mark in marks if isinstance(mark.cue.meaning, PersonGroup)]
    nouns = sorted([*_names(cast, query, folded), *_groups(cast, folded, marks)], key=lambda p: p.start)
    pronouns = [
        _resolve(cast, folded, mark, nouns)
        for mark in marks
        if not isinstance(mark.cue.meaning, PersonGroup)
        and not _introduces(folded, mark, introduced)
        and not any(noun.start <= mark.start < noun.end for noun in nouns)
    ]
    return sorted((p for p in [*nouns, *pronouns] if p.subjects), key=lambda pointer: pointer.start)


def _names(cast: Cast, query: str, folded: str) -> Iterator[Pointer]:
    for match in _WORD.finditer(folded):
        word, start = match[0], match.start()
        if word in cast.names and query[start].isupper() and word not in _AUXILIARIES:
            yield Pointer(start, match.end(), cast.names[word])
        elif word in cast.jobs and _DETERMINER.search(" " + folded[max(0, start - 6) : start].rstrip()):
            yield Pointer(start, match.end(), cast.jobs[word])


def _groups(cast: Cast, folded: str, marks: Sequence[Mark]) -> Iterator[Pointer]:
    addressing = load_table().people.addressing
    for mark in marks:
        if isinstance(group := mark.cue.meaning, PersonGroup):
            before = _DETERMINER.sub("", " " + folded[max(0, mark.start - 40) : mark.start].rstrip())
            firm = before.rsplit(" ", 1)[-1] not in addressing
            yield Pointer(mark.start, mark.end, cast.find_group(group), firm)


def _resolve(cast: Cast, folded: str, mark: Mark, nouns: Sequence[Pointer]) -> Pointer:
    """Resolve "I", "her", "both", "the second candidate" and their like."""
    firm, subjects = True, frozenset(cast.letters)
    earlier = [noun.subjects for noun in nouns if noun.start < mark.start and noun.subjects]
    match mark.cue.meaning:
        case "narrator":
            firm = not _OWNING.isdisjoint(folded[mark.start : mark.end].split())
            if cast.speaks or firm:
                subjects = frozenset({cast.narrator})
        case "we":
            firm = False
        case "first" | "second" | "third" as ordinal:
            order = [letter for letter in cast.letters if letter in cast.others]
            place = ("first", "second", "third").index(ordinal)
            subjects = frozenset(order[place : place + 1])
        case "they":
            subjects = frozenset[str]().union(*earlier) or cast.others
        case "she":
            subjects = earlier[-1] if earlier else cast.find_by_pronoun("she")
        case "he":
            subjects = earlier[-1] if earlier else cast.find_by_pronoun("he")
        case _:
            pass
    return Pointer(mark.start, mark.end, subjects, firm)


def _introduces(folded: str, mark: Mark, introduced: Sequence[int]) -> bool:
    """Whether a possessive only introduces a person ("my" of "my elder daughter").

    Args:
        folded: The folded query.
        mark: The possessive's, or another's.
        introduced: Where kinship and roles stand, ascending.
    """
    if folded[mark.start : mark.end] not in _POSSESSIVES:
        return False
    at = bisect_right(introduced, mark.end)
    word = _NEXT_WORD.match(folded, mark.end)
    return word is not None and at < len(introduced) and introduced[at] <= word.end()
