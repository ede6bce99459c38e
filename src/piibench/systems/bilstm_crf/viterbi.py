"""The CRF's side of the answer: the best row of tags (Viterbi 1967), and the places that it marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from piibench.data.mentions import Span
from piibench.data.taxonomy import TAXONOMY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from piibench.data.taxonomy import Category

CATEGORIES: tuple[Category, ...] = tuple(row.category for row in TAXONOMY)
OUTSIDE = 0
TAGS = 1 + 2 * len(CATEGORIES)
"""O, then for each category in the order of Table 10 B and I: the k-th has 1 + 2k and 2 + 2k."""

_FORBIDDEN = np.float32(-np.inf)


class Transitions(NamedTuple):
    """The CRF's scores.

    Attributes:
        moves: From tag to tag, (tags, tags).
        start: Of the first tag, (tags,).
        stop: Of the last tag, (tags,).
    """

    moves: NDArray[np.float32]
    start: NDArray[np.float32]
    stop: NDArray[np.float32]

    def forbid(self) -> Transitions:
        """The same where an I stands only behind a B or an I of its category."""
        tags = np.arange(len(self.start), dtype=np.int64)
        inside = (tags > 0) & (tags % 2 == 0)
        allowed = ~inside | (tags[:, None] == tags) | (tags[:, None] == tags - 1)
        return Transitions(
            np.where(allowed, self.moves, _FORBIDDEN),
            np.where(inside, _FORBIDDEN, self.start),
            self.stop,
        )


def decode(emissions: NDArray[np.float32], transitions: Transitions) -> NDArray[np.int64]:
    """Return the tags with the highest sum of emissions and transitions, (n,). Linear in n.

    Args:
        emissions: Score of each tag for each word, (n, tags).
        transitions: The CRF's.
    """
    count, tags = emissions.shape
    if not count:
        return np.zeros(0, np.int64)
    incoming = np.ascontiguousarray(transitions.moves.T)
    options = np.empty_like(incoming)
    rows = np.arange(tags, dtype=np.int64)
    before = np.zeros((count, tags), np.uint8)
    scores = transitions.start + emissions[0]
    for place in range(1, count):
        np.add(incoming, scores, out=options)
        best = options.argmax(1)
        before[place] = best
        scores = options[rows, best] + emissions[place]
        scores -= scores.max()  # sums over a long text would leave float32 no digits
    path = np.empty(count, np.int64)
    path[-1] = (scores + transitions.stop).argmax()
    for place in range(count - 1, 0, -1):
        path[place - 1] = before[place, path[place]]
    return path


def read_places(tags: NDArray[np.int64], offsets: NDArray[np.int64]) -> Iterator[tuple[Span, Category]]:
    """Yield each marked place and its category, in order.

    Args:
        tags: One for each word, (n,).
        offsets: The words' code point ranges, (n, 2).
    """
    following = np.append(tags[1:], OUTSIDE)
    begins = np.flatnonzero(tags % 2 == 1)
    ends = np.flatnonzero((tags != OUTSIDE) & ((following == OUTSIDE) | (following % 2 == 1)))
    for first, last in zip(begins.tolist(), ends.tolist(), strict=True):
        yield Span(int(offsets[first, 0]), int(offsets[last, 1])), CATEGORIES[(int(tags[first]) - 1) // 2]
