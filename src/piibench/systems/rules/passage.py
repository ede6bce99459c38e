"""A text prepared once for all recognizers: folded, and searched for every lexicon entry in one pass."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from piibench.systems.rules.lexicon import Hit, Lexicons, fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Passage:
    """A description and what a first look at it gave.

    Attributes:
        text: The description as it came.
        folded: The same, code point for code point, in lower case, with white space, quotes and
            opening punctuation made plain (see `fold`). `len(folded) == len(text)`.
        hits: Lexicon entries found, by table, in order of their start.
    """

    text: str
    folded: str
    hits: Mapping[str, Sequence[Hit]]

    def of(self, table: str) -> Sequence[Hit]:
        """The hits of one table, such as "occupation" or "first_names"."""
        return self.hits.get(table, ())


def read_passage(text: str, lexicons: Lexicons) -> Passage:
    """Fold a text and look up every lexicon entry in it."""
    folded = fold(text)
    hits: dict[str, list[Hit]] = defaultdict(list)
    for hit in lexicons.search(text, folded):
        hits[hit.table].append(hit)
    return Passage(text, folded, hits)
