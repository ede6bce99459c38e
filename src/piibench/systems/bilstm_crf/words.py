"""What the BiLSTM-CRF reads: a text as words, each with four numbers, and long texts in chunks.

Words are rows of letters or of digits and single signs, so that "34yo" and "₩770" come apart; scripts without
spaces are read sign by sign. Huang et al. 2015 give each word its embedding and spelling features; ours are
its case, what stands before it, and its first and last letters, hashed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

UNKNOWN = 0
"""Number of a word that the vocabulary lacks, and of padding."""
BUCKETS = 4096
"""How many values the hash of a word's beginning or end takes."""
SPELLINGS = 40
"""How many values the spelling feature takes: eight forms times five gaps."""
COLUMNS = 4
"""Numbers of a word: itself, its beginning, its end, its spelling."""
WIDTH = 160
"""Words in one chunk."""
OVERLAP = 40
"""Words that two neighbouring chunks share."""

_GAPS = 5
_AFFIX = 3
_LONGEST_NUMBER = 12
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af"
)
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W\d_{_UNSPACED}]+|\d+|\S")


class Words(NamedTuple):
    """A text as the network sees it.

    Attributes:
        offsets: Half-open code point range of each word, (n, 2).
        features: See `COLUMNS`, (n, 4).
    """

    offsets: NDArray[np.int64]
    features: NDArray[np.int64]


class Chunk(NamedTuple):
    """Words that are read together, and those among them that the chunk answers for."""

    start: int
    stop: int
    first: int
    last: int


def split_words(text: str) -> Iterator[re.Match[str]]:
    """Yield every word of a text."""
    return _WORD.finditer(text)


def normalise(word: str) -> str:
    """How the vocabulary spells a word: in lower case, a number by its length."""
    return "0" * min(len(word), _LONGEST_NUMBER) if word.isdecimal() else word.lower()


class Vocabulary:
    """The words that have an embedding of their own.

    Args:
        words: Normalised; the first gets number 1.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self._numbers = {word: number for number, word in enumerate(words, 1)}

    def __len__(self) -> int:
        """How many numbers there are, the unknown word's included."""
        return len(self.words) + 1

    def read(self, text: str) -> Words:
        """Cut a text into words and describe each. Linear in its length."""
        offsets: list[tuple[int, int]] = []
        features: list[tuple[int, int, int, int]] = []
        end = 0
        for match in split_words(text):
            word, start = match.group(), match.start()
            features.append(self._describe(word, _gap(text[end:start], at_start=not offsets)))
            end = match.end()
            offsets.append((start, end))
        return Words(
            np.array(offsets, np.int64).reshape(-1, 2), np.array(features, np.int64).reshape(-1, COLUMNS)
        )

    def _describe(self, word: str, gap: int) -> tuple[int, int, int, int]:
        number = self._numbers.get(normalise(word), UNKNOWN)
        return number, _hash(word[:_AFFIX]), _hash(word[-_AFFIX:]), _form(word) * _GAPS + gap


def _hash(letters: str) -> int:
    return crc32(letters.lower().encode("utf-8", "surrogatepass")) % BUCKETS


def _form(word: str) -> int:
    if word.islower():
        return 1
    if word.isdecimal():
        return 6
    if word.isupper():
        return 3 if len(word) > 1 else 4
    if word.istitle():
        return 2
    if word.upper() != word.lower():
        return 5
    return 7 if word.isalnum() else 0


def _gap(between: str, *, at_start: bool) -> int:
    if at_start or between.count("\n") > 1:
        return 4
    if "\n" in between:
        return 3
    if "\t" in between or "  " in between:
        return 2
    return 1 if between else 0


def cut(count: int) -> Iterator[Chunk]:
    """Yield chunks over so many words; two neighbours meet in the middle of what they share."""
    start = first = 0
    while first < count:
        stop = min(start + WIDTH, count)
        last = count if stop == count else stop - OVERLAP // 2
        yield Chunk(start, stop, first, last)
        start, first = stop - OVERLAP, last
