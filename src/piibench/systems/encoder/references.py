"""Words that mean a person without naming them: pronouns, kin, roles ("she", "my", "the tenant").

The second network reads them beside the values (see `values`): in "the tenant pays 900" the role word says
whose the sum is, and another "tenant", or a "he", says who the tenant is.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from piibench.data.mentions import Span, find_overlaps
from piibench.systems.encoder.windows import WIDEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

TOGETHER = 176
"""Values and references that are read at once: memory grows with the square; an ordinary text has fewer."""
_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]++(?!\.\w)")
"""Not the "i" of "i.e.", nor a part of a word."""


@cache
def load_words() -> frozenset[str]:
    """The words, in lower case; one a line in `references.txt`."""
    text = (files("piibench.systems.encoder") / "references.txt").read_text("utf-8")
    return frozenset(text.split())


def find_references(text: str, taken: Sequence[Span]) -> list[Span]:
    """Where words that may mean a person stand, in order, that touch none of the places that are taken."""
    words, is_taken = load_words(), find_overlaps(taken)
    found = (Span(*match.span()) for match in _WORD.finditer(text) if match[0].lower() in words)
    return [span for span in found if not is_taken(span)]


def find_near(references: NDArray[np.int64], values: NDArray[np.int64], *, most: int) -> NDArray[np.int64]:
    """Numbers of the references nearest to values, in order; none that stands a whole window away.

    Args:
        references: Number of the first piece of each, in order, (n,).
        values: The same of the values, in order, at least one, (m,).
        most: How many at most.
    """
    first, last = np.searchsorted(references, (values[0] - WIDEST, values[-1] + WIDEST)).tolist()
    within = references[first:last]
    place = np.searchsorted(values, within)
    following, preceding = values[np.minimum(place, len(values) - 1)], values[np.maximum(place - 1, 0)]
    away = np.minimum(abs(following - within), abs(within - preceding))
    nearest = np.argsort(away, kind="stable")[:most]
    return first + np.sort(nearest[away[nearest] < WIDEST])
