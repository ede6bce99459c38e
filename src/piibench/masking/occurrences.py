"""Where the values of entities stand in a text, whether or not a detector saw them there.

A value also occurs where it is written with other white space, quotes, hyphens or composed letters, or with
signs that nobody sees within. One of three letters or more also occurs in other letter case; shorter ones
("US", "A+") do not, since "us" and "a" are words.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect
from collections import defaultdict
from itertools import chain, islice
from typing import TYPE_CHECKING

from piibench.data.mentions import Span, find_values, is_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from piibench.data.schema import Entity

_LETTERS_FOR_ANY_CASE = 3
# The final sigma depends on what follows it. Lone surrogates have no UTF-8 form, which the search needs.
_ALIKE = {ord("ς"): "σ"} | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
ALIKE = ("'’‘‚‛′ʼ`´", '"“”„‟″', "-‐‑‒–—")
"""Signs that people and programs write for each other; the plain one first."""
_SIGNS = str.maketrans(
    dict.fromkeys("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000", " ")
    | dict.fromkeys(map(chr, range(0x2000, 0x200B)), " ")
    | {sign: signs[0] for signs in ALIKE for sign in signs}
)
_ODD = re.compile(
    r"(?P<run>\s{2,})|(?P<letter>\w[\u0300-\u036f]+)|[\xad\u061c\u200b-\u200f\u2060-\u2064\ufeff]+"
)
"""More than one character where one is meant, or characters where none is."""


def fold_case(text: str) -> str:
    """Make a text comparable in any letter case, code point for code point (the length stays)."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return lowered if lowered.isascii() else lowered.translate(_ALIKE)


def value_key(value: str) -> str:
    """Return what two values have in common if one occurs where the other is written."""
    plain = _Plain(value).text
    return fold_case(plain) if _ignores_case(plain) else plain


class _Plain:
    """A text in which what is written in several ways is written in one, and where that stood.

    Attributes:
        text: White space is one space, quotes and hyphens are plain, letters composed, unseen signs gone.
    """

    def __init__(self, text: str) -> None:
        pieces = list[str]()
        self._places, self._shifts = [0], [0]
        done = length = 0
        for match in _ODD.finditer(text):
            plain = " " if match["run"] else unicodedata.normalize("NFC", match["letter"] or "")
            if len(plain) > 1:  # no one letter is composed of these
                continue
            pieces += (text[done : match.start()], plain)
            length += match.start() - done + len(plain)
            done = match.end()
            self._places.append(length)
            self._shifts.append(done - length)
        self.text = "".join([*pieces, text[done:]]).translate(_SIGNS)

    def find_origin(self, span: Span) -> Span:
        """Where a span of the plain text stood."""
        return Span(*(at + self._shifts[bisect(self._places, at) - 1] for at in span))


class ValueIndex:
    """The values of some entities, ready to be looked for. Linear in text and values together.

    Args:
        entities: Whose values; their mentions play no part.
    """

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._by_key: dict[str, list[Entity]] = defaultdict(list)
        for entity in entities:
            self._by_key[value_key(entity.text)].append(entity)
        self._firsts = {each.id: sharers[0].id for sharers in self._by_key.values() for each in sharers}
        self._folds = dict.fromkeys(map(fold_case, self._by_key))
        self._lengths = sorted(set(map(len, self._folds)))

    def first(self, entity: Entity) -> str:
        """Id of the first entity that has the same value: what those that share one have in common."""
        return self._firsts[entity.id]

    def find(self, text: str) -> Iterator[tuple[Span, Sequence[Entity]]]:
        """Yield every whole occurrence of every value with the entities that share it.

        In order of the spans, overlapping ones included.
        """
        plain = _Plain(text)
        for _, span in find_values(fold_case(plain.text), self._folds):
            place = plain.find_origin(span)
            if sharers := self._sharing(place.of(text)):
                yield place, sharers

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

        Returns:
            Each place with the first of the wanted entities that have its value.
        """
        gone = list(gone)
        torn = [span for span in gone if not is_whole(text, span)]
        if not torn:
            return []
        folded = fold_case(text.translate(_SIGNS))
        starts, ends = {span.start for span in gone}, {span.end for span in gone}
        return [
            (span, entity)
            for span in dict.fromkeys(chain.from_iterable(self._beside(folded, span) for span in torn))
            if span.start in ends or is_whole(text, Span(span.start, len(text)))
            if span.end in starts or is_whole(text, Span(0, span.end))
            for entity in islice((each for each in self._sharing(span.of(text)) if each.id in wanted), 1)
        ]

    def _sharing(self, value: str) -> Sequence[Entity]:
        return self._by_key.get(value_key(value), ())

    def _beside(self, folded: str, span: Span) -> Iterator[Span]:
        """Yield every value, whole or not, that touches a span which cuts through a word there."""
        if not is_whole(folded, Span(0, span.end)):
            ahead = (Span(span.end, span.end + length) for length in self._lengths)
            yield from (near for near in ahead if near.end <= len(folded) and near.of(folded) in self._folds)
        if not is_whole(folded, Span(span.start, len(folded))):
            behind = (Span(span.start - length, span.start) for length in self._lengths)
            yield from (near for near in behind if near.start >= 0 and near.of(folded) in self._folds)


def _ignores_case(value: str) -> bool:
    letters = 0
    for char in value:
        letters += char.isalpha()
        if letters == _LETTERS_FOR_ANY_CASE:
            return True
    return False
