"""What recognizers propose, and which proposals stand where they overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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


def _disagree(_: _Placed, __: _Placed) -> bool:
    return False


def resolve(
    candidates: Iterable[_Placed], *, agree: Callable[[_Placed, _Placed], bool] = _disagree
) -> Iterator[_Placed]:
    """Keep the best of overlapping candidates: higher score, then longer, then earlier.

    Args:
        candidates: In any order.
        agree: Whether two that overlap may both stand. A candidate is compared with each chosen one that it
            overlaps, so few should stand at one place.

    Yields:
        Candidates that do not overlap, but for those that agree, in order of their start. O(n log n).
    """
    best_first = sorted(
        candidates, key=lambda c: (-c.score, c.span.start - c.span.end, c.span.start, c.category)
    )
    taken = _Taken(agree)
    chosen = [candidate for candidate in best_first if taken.claim(candidate)]
    yield from sorted(chosen, key=lambda c: c.span)


class _Taken(Generic[_Placed]):
    """What was chosen, in buckets so that a claim costs O(span length / width)."""

    _WIDTH = 64

    def __init__(self, agree: Callable[[_Placed, _Placed], bool]) -> None:
        self._agree = agree
        self._buckets: dict[int, list[_Placed]] = {}

    def claim(self, new: _Placed) -> bool:
        span = new.span
        keys = range(span.start // self._WIDTH, (span.end - 1) // self._WIDTH + 1)
        near = (other for key in keys for other in self._buckets.get(key, ()))
        if any(span.overlaps(other.span) and not self._agree(new, other) for other in near):
            return False
        for key in keys:
            self._buckets.setdefault(key, []).append(new)
        return True
