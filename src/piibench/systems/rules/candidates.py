"""What recognizers propose, and which proposals stand where they overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from piibench.data.mentions import Span
    from piibench.data.taxonomy import Category
    from piibench.systems.rules.passage import Passage

CERTAIN = 1.0
"""A format with a check digit or an unmistakable form."""
STRONG = 0.8
"""A form together with a cue word."""
LIKELY = 0.6
"""A lexicon entry or a form alone that is seldom anything else."""
WEAK = 0.4
"""Stands only where nothing better claims the place."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposal: this span is a value of this category.

    Attributes:
        span: Minimal span in the passage's text.
        category: What it would be.
        score: How sure, in (0, 1]; use CERTAIN, STRONG, LIKELY, WEAK.
        rule: The rule that proposed it, for people ("amount after 'rent'"), free of the value.
    """

    span: Span
    category: Category
    score: float
    rule: str


class Recognizer(Protocol):
    """Proposes candidates for some categories. Linear in the passage's length."""

    def __call__(self, passage: Passage) -> Iterable[Candidate]:
        """Yield proposals in any order; overlaps are resolved later."""
        ...


class Placed(Protocol):
    """What has a place, a category and a score: a candidate, or a value that a network saw."""

    @property
    def span(self) -> Span:
        """Where it stands."""
        ...

    @property
    def category(self) -> Category:
        """What it would be."""
        ...

    @property
    def score(self) -> float:
        """How sure; surer ones have higher scores."""
        ...


_Placed = TypeVar("_Placed", bound=Placed)


def resolve(candidates: Iterable[_Placed]) -> Iterator[_Placed]:
    """Keep the best of overlapping candidates: higher score, then longer, then earlier.

    Yields:
        Candidates that do not overlap, in order of their start. O(n log n).
    """
    best_first = sorted(
        candidates, key=lambda c: (-c.score, c.span.start - c.span.end, c.span.start, c.category)
    )
    taken = _Taken()
    chosen = [candidate for candidate in best_first if taken.claim(candidate.span)]
    yield from sorted(chosen, key=lambda c: c.span)


class _Taken:
    """A set of spans that refuses overlaps, in buckets so that a claim costs O(span length / width)."""

    _WIDTH = 64

    def __init__(self) -> None:
        self._buckets: dict[int, list[Span]] = {}

    def claim(self, span: Span) -> bool:
        keys = range(span.start // self._WIDTH, (span.end - 1) // self._WIDTH + 1)
        if any(span.overlaps(other) for key in keys for other in self._buckets.get(key, ())):
            return False
        for key in keys:
            self._buckets.setdefault(key, []).append(span)
        return True
