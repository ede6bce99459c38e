"""Where the values of entities stand in a text, whether or not a detector saw them there.

A value of three letters or more also occurs where it is written in other letter case; shorter ones ("US",
"A+") do not, since "us" and "a" are words.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING

from piibench.data.mentions import Span, find_values, is_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from piibench.data.schema import Entity

_LETTERS_FOR_ANY_CASE = 3
# The final sigma depends on what follows it. Lone surrogates have no UTF-8 form, which the search needs.
_ALIKE = {ord("ς"): "σ"} | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


def fold_case(text: str) -> str:
    """Make a text comparable in any letter case, code point for code point (the length stays)."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return lowered if lowered.isascii() else lowered.translate(_ALIKE)


def value_key(value: str) -> str:
    """Return what two values have in common if one occurs where the other is written."""
    return fold_case(value) if _ignores_case(value) else value


class ValueIndex:
    """The values of some entities, ready to be looked for. Linear in text and values together.

    Args:
        entities: Whose values; their mentions play no part.
    """

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._by_fold: dict[str, list[Entity]] = defaultdict(list)
        for entity in entities:
            self._by_fold[fold_case(entity.text)].append(entity)
        self._lengths = sorted({len(folded) for folded in self._by_fold})

    def find(self, text: str) -> list[tuple[Span, Entity]]:
        """Return every whole occurrence of every value, in order of the spans, overlapping ones included."""
        return [
            (span, entity)
            for folded, span in find_values(fold_case(text), self._by_fold)
            for entity in self._meant(folded, span.of(text))
        ]

    def find_freed(
        self, text: str, gone: Iterable[Span], wanted: AbstractSet[str]
    ) -> list[tuple[Span, Entity]]:
        """Return the values that become whole words when the spans in `gone` are replaced.

        In "34yo", "yo" is no word of its own, but it is one in "<Age>yo". What is found has a word's end, or
        a replaced span, on either side, so that replacing it sets nothing further free.

        Args:
            text: The text.
            gone: Spans that do not overlap each other.
            wanted: Ids of the entities whose values are looked for.
        """
        gone = list(gone)
        torn = [span for span in gone if not is_whole(text, span)]
        if not torn:
            return []
        folded = fold_case(text)
        starts, ends = {span.start for span in gone}, {span.end for span in gone}
        return [
            (span, entity)
            for span in dict.fromkeys(chain.from_iterable(self._beside(folded, span) for span in torn))
            if span.start in ends or is_whole(text, Span(span.start, len(text)))
            if span.end in starts or is_whole(text, Span(0, span.end))
            for entity in self._meant(span.of(folded), span.of(text))
            if entity.id in wanted
        ]

    def _beside(self, folded: str, span: Span) -> Iterator[Span]:
        """Yield every value, whole or not, that touches a span which cuts through a word there."""
        if not is_whole(folded, Span(0, span.end)):
            ahead = (Span(span.end, span.end + length) for length in self._lengths)
            yield from (
                near for near in ahead if near.end <= len(folded) and near.of(folded) in self._by_fold
            )
        if not is_whole(folded, Span(span.start, len(folded))):
            behind = (Span(span.start - length, span.start) for length in self._lengths)
            yield from (near for near in behind if near.start >= 0 and near.of(folded) in self._by_fold)

    def _meant(self, folded: str, surface: str) -> Iterator[Entity]:
        for entity in self._by_fold[folded]:
            if entity.text == surface or _ignores_case(entity.text):
                yield entity


def _ignores_case(value: str) -> bool:
    letters = 0
    for char in value:
        letters += char.isalpha()
        if letters == _LETTERS_FOR_ANY_CASE:
            return True
    return False
