"""Where a value stands in a text, and how places are gathered into entities.

Offsets count Unicode code points, half-open. Two rules hold everywhere in the project:

- a value occurs where its characters stand and no letter, mark or digit continues it on either side
  ("Ann" does not occur in "Annual", "34" not in "1234");
- the same value of the same subject and category is one `Entity`; its places are its `mentions`.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # Japanese kana
    (0x3400, 0x9FFF),  # Chinese characters
    (0xAC00, 0xD7AF),  # Korean syllables: words have spaces, but particles join them
    (0xF900, 0xFAFF),  # Chinese compatibility characters
    (0x20000, 0x323AF),  # Chinese extensions
)
"""First and last code points of the scripts that write words without spaces, or join endings to them."""
_LAST_SPACED = 0x0DFF
_INDIAN = range(0x0900, 0x0E00)
"""Scripts from Devanagari to Sinhala."""
_LAST_BARE = "\u02ff"
"""No mark has a lower code."""
_MARKS = frozenset({"Mn", "Mc"})
_SELECTORS = range(0xFE00, 0xFE10)
"""Marks that say how an emoji looks; no letter carries one."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_WRITABLE = re.compile("[^\\s\ud800-\udfff](?:[^\ud800-\udfff]*[^\\s\ud800-\udfff])?")


class Span(NamedTuple):
    """A half-open range of code points, `0 <= start < end`."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        """Whether the two share at least one character."""
        return self.start < other.end and other.start < self.end

    def contains(self, other: Span) -> bool:
        """Whether every character of `other` is in this span (equal spans contain each other)."""
        return self.start <= other.start and other.end <= self.end

    def shift(self, by: int) -> Span:
        """The span so many characters further on; back where `by` is below 0."""
        return Span(self.start + by, self.end + by)

    def of(self, text: str) -> str:
        """The characters of `text` in this span."""
        return text[self.start : self.end]


def find_overlaps(taken: Iterable[Span]) -> Callable[[Span], bool]:
    """Make a test of whether a span overlaps one of those taken, which may overlap themselves. O(log n)."""
    ordered = sorted(taken)
    starts = [span.start for span in ordered]
    reaches = list(accumulate((span.end for span in ordered), max))

    def overlaps(span: Span) -> bool:
        before = bisect_left(starts, span.end)  # of those that begin before its end one reaches farthest
        return before > 0 and reaches[before - 1] > span.start

    return overlaps


def is_whole(text: str, span: Span) -> bool:
    """Whether no letter or digit continues the span's text on either side.

    Scripts that write words without spaces, or join endings to them, have no such sign: there every place
    counts.
    """
    start, end = span
    joined_left = start > 0 and _joins(text[start - 1], text[start])
    joined_right = end < len(text) and (
        _joins(text[end - 1], text[end]) or _carries(text[end - 1], text[end])
    )
    return not (joined_left or joined_right)


def _joins(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum() and not (is_unspaced(left) or is_unspaced(right))


def _carries(letter: str, following: str) -> bool:
    """Whether a mark makes another letter of the one before it, and so another word.

    Accents that compose with a letter do, and the vowel signs of Indian scripts. An underline does not, nor
    do the vowel points of Arabic and Hebrew, which a text may leave out.
    """
    if not is_mark(following):
        return False
    return ord(following) in _INDIAN or len(unicodedata.normalize("NFC", letter + following)) == 1


def is_unspaced(char: str) -> bool:
    """Whether a character is of a script that writes words without spaces, or joins endings to them."""
    code = ord(char)
    return code > _LAST_SPACED and any(first <= code <= last for first, last in UNSPACED)


def widen(text: str, span: Span) -> Span:
    """Stretch a span that cuts a word or a number, to where the word or the number ends.

    Marks upon a letter are part of the word. Scripts without spaces between words give no sign of where one
    ends; there a span stays as it is.
    """
    start, end = span
    while start > 0 and _belong(text[start - 1], text[start]):
        start -= 1
    while end < len(text) and _belong(text[end - 1], text[end]):
        end += 1
    return Span(start, end)


def _belong(left: str, right: str) -> bool:
    if is_mark(right):
        return left.isalpha() or is_mark(left)
    if is_mark(left):
        left = "a"  # the word goes on as behind the letter beneath
    if (left.isalpha() and right.isalpha()) or (left.isdigit() and right.isdigit()):
        return not is_whole(left + right, Span(0, 1))
    return False


def is_mark(char: str) -> bool:
    """Whether a character stands upon a letter, as the accents of decomposed text do."""
    return char > _LAST_BARE and unicodedata.category(char) in _MARKS and ord(char) not in _SELECTORS


def find_occurrences(text: str, value: str) -> Iterator[Span]:
    """Yield each whole occurrence of `value` in `text`, left to right, none overlapping another."""
    if not value:
        return
    start = text.find(value)
    while start >= 0:
        span = Span(start, start + len(value))
        if is_whole(text, span):
            yield span
            start = text.find(value, span.end)
        else:
            start = text.find(value, start + 1)


class ValueFinder:
    """Looks for many values in texts; made once where they are looked for in many.

    Args:
        values: What is looked for; those with a lone surrogate stand nowhere.
    """

    def __init__(self, values: Iterable[str]) -> None:
        self._values = [value for value in dict.fromkeys(values) if value and not _SURROGATE.search(value)]
        # Building the usual automaton costs more than this one's search ever does.
        self._automaton = AhoCorasick(
            self._values, matchkind=MatchKind.Standard, implementation=Implementation.NoncontiguousNFA
        )

    def find(self, text: str) -> list[tuple[str, Span]]:
        """Find what `find_values` does."""
        if not self._values:
            return []
        matches = self._automaton.find_matches_as_indexes(replace_surrogates(text), overlapping=True)
        found = [(self._values[index], Span(start, end)) for index, start, end in matches]
        return sorted(
            (pair for pair in found if is_whole(text, pair[1])), key=lambda pair: (pair[1], pair[0])
        )


def find_values(text: str, values: Iterable[str]) -> list[tuple[str, Span]]:
    """Find every whole occurrence of each of many values, overlapping ones included.

    Linear in the text, the values and the places where they stand, whole or not (one Aho-Corasick pass).

    Returns:
        Pairs of value and span, in order of the spans.
    """
    return ValueFinder(values).find(text)


def replace_surrogates(text: str) -> str:
    """A text with U+FFFD for each lone surrogate, which UTF-8 has no form for; offsets stay."""
    return _SURROGATE.sub("\ufffd", text)


def split_writable(text: str, span: Span) -> Iterator[Span]:
    """Yield the parts of a span between lone surrogates, which no entity can hold, without blanks around."""
    for match in _WRITABLE.finditer(text, *span):
        yield Span(*match.span())
