"""What the second network is told about the values of a text, which it reads together.

The first network writes notes on every piece of one window. The second looks at values instead of pieces, and
at the words that mean a person (see `references`), so that it sees all of an ordinary text: which values
stand together, whom the words between them mean, which names are one. Two of them stand in four relations,
each a code of its own range: how far apart and on which side, line ends between, blank lines between, and how
two names compare.
"""

from __future__ import annotations

import re
from itertools import starmap
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from piibench.data.taxonomy import PIIType
from piibench.systems.encoder.linking import DISTANCES, sort_distance
from piibench.systems.encoder.names import compare_forms
from piibench.systems.encoder.spans import TYPE_ORDER

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from piibench.data.mentions import Span

UNKNOWN = len(TYPE_ORDER)
REFERENCE = UNKNOWN + 1
KINDS = REFERENCE + 1
"""The seven types, one for a value of unknown type, one for a word that means a person."""
RELATIONS = 4
_FARTHEST = 7
"""More lines, or blank lines, between two values count as this many."""
_LINES = 2 * DISTANCES
_BLANKS = _LINES + _FARTHEST + 1
_NAMES = _BLANKS + _FARTHEST + 1
CODES = _NAMES + 6
"""How many values a relation's code has."""
_BLANK_LINE = re.compile(r"\n[^\S\n]*(?=\n)")


class Spot(NamedTuple):
    """Where and what a value is, or a word that means a person.

    Attributes:
        kind: Number of its type, UNKNOWN or REFERENCE.
        place: Number of its first piece in the description.
        lines: Line ends before it.
        blanks: Blank lines before it.
        name: Its text, case-folded, where it is a person's name.
    """

    kind: int
    place: int
    lines: int
    blanks: int
    name: str | None


def number_kind(kind: PIIType | None) -> int:
    """The number of a value's type."""
    return UNKNOWN if kind is None else TYPE_ORDER.index(kind)


def spot(text: str, values: Iterable[tuple[Span, int, int]]) -> list[Spot]:
    """Describe values and references: span, number of the kind, and of the first piece of each."""
    lines = np.array([match.start() for match in re.finditer("\n", text)], np.int64)
    blanks = np.array([match.start() for match in _BLANK_LINE.finditer(text)], np.int64)
    person = number_kind(PIIType.PER)

    def describe(span: Span, kind: int, place: int) -> Spot:
        return Spot(
            kind,
            place,
            int(lines.searchsorted(span.start)),
            int(blanks.searchsorted(span.start)),
            span.of(text).casefold() if kind == person else None,
        )

    return list(starmap(describe, values))


def relate(spots: Sequence[Spot]) -> NDArray[np.int64]:
    """Codes of the relations of all pairs, (n, n, RELATIONS); row i says where j stands seen from i."""
    place = np.array([spot.place for spot in spots], np.int64)
    line = np.array([spot.lines for spot in spots], np.int64)
    blank = np.array([spot.blanks for spot in spots], np.int64)
    step = place[None, :] - place[:, None]
    return np.stack(
        (
            sort_distance(np.abs(step)) + DISTANCES * (step > 0),
            _LINES + np.minimum(np.abs(line[None, :] - line[:, None]), _FARTHEST),
            _BLANKS + np.minimum(np.abs(blank[None, :] - blank[:, None]), _FARTHEST),
            _NAMES + _compare_names([spot.name for spot in spots]),
        ),
        axis=-1,
    )


def _compare_names(names: Sequence[str | None]) -> NDArray[np.int64]:
    """0 no names, 1 the second is a name, 2 the first, 3 equal, 4 two forms of one, 5 different."""
    is_name = np.array([name is not None for name in names], bool)
    codes = (2 * is_name[:, None] + is_name[None, :]).astype(np.int64)
    present = [name for name in names if name is not None]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(present))}
    which = [numbers[name] for name in present]
    kinds = np.where(compare_forms(list(numbers)), 4, 5)
    np.fill_diagonal(kinds, 3)
    codes[np.ix_(is_name, is_name)] = kinds[np.ix_(which, which)]
    return codes
