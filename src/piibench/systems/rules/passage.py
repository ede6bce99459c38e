"""A text prepared once for all recognizers: folded, and searched for every lexicon entry in one pass."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, cast

from piibench.data.mentions import UNSPACED
from piibench.systems.rules.lexicon import Hit, Lexicons, fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

View = TypeVar("View")

UNSPACED_CLASS = "".join(f"{chr(first)}-{chr(last)}" for first, last in UNSPACED)
"""For a character class: letters of the scripts that write words without spaces."""
_TOUCHING = re.compile(rf"[{UNSPACED_CLASS}](?=[0-9A-Za-z+(])|(?<=[0-9A-Za-z])[{UNSPACED_CLASS}]")
_PARTING = "\u3001"
"""A comma of these scripts."""
_NUMBER_START = re.compile(r"\d(?<!\d\d)")


@dataclass(frozen=True)
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

    @cached_property
    def _views(self) -> dict[Callable[[Passage], Any], Any]:
        return {}

    def view(self, read: Callable[[Passage], View]) -> View:
        """What `read` makes of this passage, worked out once for all recognizers that ask."""
        if read not in self._views:
            self._views[read] = read(self)
        return cast("View", self._views[read])

    @cached_property
    def parted(self) -> str:
        """The text, code point for code point, with a comma for each letter that ends where a code begins.

        Scripts without spaces write letters and numbers side by side; to a pattern the letter would be a
        part of the number.
        """
        return self.text if self.text.isascii() else _TOUCHING.sub(_PARTING, self.text)

    @cached_property
    def numbers(self) -> Sequence[int]:
        """Start of each row of digits."""
        return [match.start() for match in _NUMBER_START.finditer(self.text)]

    @cached_property
    def free_numbers(self) -> Sequence[int]:
        """Start of each row of digits that no letter, digit or underscore precedes."""
        text = self.parted
        return [
            start
            for start in self.numbers
            if not start or not (text[start - 1].isalnum() or text[start - 1] == "_")
        ]

    def match_numbers(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Yield what `finditer` would, in `parted`, of a pattern that begins where a row of digits does."""
        text, end = self.parted, 0
        for start in self.numbers:
            if start >= end and (match := pattern.match(text, start)):
                end = match.end()
                yield match

    def search_numbers(self, pattern: re.Pattern[str], reach: int) -> Iterator[re.Match[str]]:
        """Yield what `finditer` would, in `parted`, of a pattern that comes to a row of digits in `reach`.

        Args:
            pattern: The pattern.
            reach: How far behind the start of a match its first digit may be.
        """
        text, end = self.parted, 0
        for start in self.numbers:
            if start >= end:
                match = pattern.search(text, max(end, start - reach))
                if match is None:
                    return
                end = match.end()
                yield match


def read_passage(text: str, lexicons: Lexicons) -> Passage:
    """Fold a text and look up every lexicon entry in it."""
    folded = fold(text)
    hits: dict[str, list[Hit]] = defaultdict(list)
    for hit in lexicons.search(text, folded):
        hits[hit.table].append(hit)
    return Passage(text, folded, hits)
