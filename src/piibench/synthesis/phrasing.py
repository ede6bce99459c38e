"""Phrases: sentences that state one fact each, to be added to a document (section 3.2.2).

`phrases/train.txt` lists them by category; only the training partition has them:

    === Monthly Income
    1 I take home {A.Monthly Income:plain}.
    3 {A.He} takes home {A.Monthly Income}.
    - Net pay per month: {A.Monthly Income:k}

A line is a voice, a blank and the phrase: "1" where the subject speaks, "3" where somebody else speaks of the
subject, "-" where it is a form, a table or a note that fits both. A phrase has exactly one slot, of the
category it stands under, written as in a frame (`piibench.synthesis.framing`), and the words that agree with
it. Its verbs fit "he" and "she". Empty lines do not count.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from piibench.data.taxonomy import Category, parse_category
from piibench.errors import DataError, UnknownCategoryError
from piibench.generators.registry import FORMS
from piibench.synthesis.framing import Clause, Slot, parse_frames

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Voice = Literal["first", "third", "neutral"]
"""Who speaks: the subject, somebody else, or nobody in particular."""

_VOICES: Mapping[str, Voice] = {"1": "first", "3": "third", "-": "neutral"}
_HEADER = "=== "
_HEAD = "=== phrase | phrase | phrase | A | -\n"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence or a line with one fact about subject A.

    Attributes:
        voice: Who speaks.
        clause: The text; it has one slot and is optional, as a document reads well without it.
    """

    voice: Voice
    clause: Clause


@cache
def load_phrases() -> Mapping[Category, tuple[Phrase, ...]]:
    """The phrases of the training partition, in the row order of Table 10.

    Raises:
        DataError: A line of the bank is malformed.
    """
    text = (files("piibench.synthesis") / "phrases" / "train.txt").read_text("utf-8")
    found: defaultdict[Category, list[Phrase]] = defaultdict(list)
    for category, phrase in parse_phrases(text, "train.txt"):
        found[category].append(phrase)
    return MappingProxyType({category: tuple(found[category]) for category in Category})


def parse_phrases(text: str, place: str) -> Iterator[tuple[Category, Phrase]]:
    """Yield the phrases of a bank, each with its category, in the order of the text.

    Args:
        text: The bank.
        place: Its name, for errors.

    Raises:
        DataError: A line is malformed, or names an unknown category, form or voice.
    """
    category: Category | None = None
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if line.startswith(_HEADER):
                category = parse_category(line.removeprefix(_HEADER).strip())
            elif line.strip():
                yield _parse_line(line, category)
        except (ValueError, UnknownCategoryError) as error:
            raise DataError(str(error), place=place, line=number) from None


def _parse_line(line: str, category: Category | None) -> tuple[Category, Phrase]:
    mark, _, text = line.partition(" ")
    if category is None:
        msg = 'a phrase stands under a category; write "=== Monthly Income" above it'
        raise ValueError(msg)
    if mark not in _VOICES or not text.strip():
        msg = f'a phrase is written "1 I earn …", with one of the voices {", ".join(_VOICES)}'
        raise ValueError(msg)
    clause = _parse_clause(text, category)
    return category, Phrase(_VOICES[mark], clause)


def _parse_clause(text: str, category: Category) -> Clause:
    try:
        (frame,) = parse_frames(_HEAD + text, "phrase")
    except DataError as error:
        raise ValueError(error.problem) from None
    pieces = tuple(piece for clause in frame.clauses for piece in clause.pieces)
    slots = [piece for piece in pieces if isinstance(piece, Slot)]
    if (
        len(frame.clauses) != 1
        or frame.clauses[0].optional
        or [slot.category for slot in slots] != [category]
    ):
        msg = f"a phrase has exactly one slot, {{A.{category}}}, and no optional clause"
        raise ValueError(msg)
    if slots[0].form not in (None, *FORMS[category]):
        msg = f"{category} has no such form; its forms are: {', '.join(FORMS[category]) or 'none'}"
        raise ValueError(msg)
    return Clause(pieces, optional=True)
