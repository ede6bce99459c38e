"""Disjoint spans of a text, such as what is replaced in it, asked about other spans."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from piibench.data.mentions import Span

if TYPE_CHECKING:
    from collections.abc import Sequence


class Cover:
    """Answers how spans lie to a fixed set of others. A question costs O(log n) and what it meets.

    Args:
        spans: Disjoint, in ascending order.
    """

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans
        self._starts = [span.start for span in spans]

    def __len__(self) -> int:
        return len(self._spans)

    def meeting(self, span: Span) -> Sequence[Span]:
        """The covering spans that share a character with `span`, in order."""
        first = bisect_right(self._starts, span.start) - 1
        if first < 0 or self._spans[first].end <= span.start:
            first += 1
        return self._spans[first : bisect_left(self._starts, span.end)]

    def touches(self, span: Span) -> bool:
        """Whether any character of `span` is covered."""
        return bool(self.meeting(span))

    def holds(self, span: Span) -> bool:
        """Whether one covering span contains `span`."""
        return any(other.contains(span) for other in self.meeting(span))

    def grow(self, span: Span) -> Span:
        """The smallest span around `span` that cuts no covering span."""
        met = self.meeting(span)
        return Span(min(span.start, met[0].start), max(span.end, met[-1].end)) if met else span

    def leaves(self, text: str, span: Span) -> bool:
        """Whether anything but white space of `span` is not covered."""
        at = span.start
        for other in self.meeting(span):
            if not _is_blank(text[at : other.start]):
                return True
            at = other.end
        return not _is_blank(text[at : span.end])


def _is_blank(piece: str) -> bool:
    return not piece or piece.isspace()
