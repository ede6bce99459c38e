"""Which names are one person's: "Ann", "A. Lee" and "Lee, Ann" may be forms of "Ann Lee"."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

_WORD = re.compile(r"[^\s.,]+")
_MOST = 8
"""Where more names than this share a word with a name, nobody is told which of them it means."""


def compare_forms(names: Sequence[str]) -> NDArray[np.bool_]:
    """Whether two names may be one person's, for all pairs of different names (n, n).

    They may if each word of one stands in the other, whole or as an initial on either side.
    """
    words = [_split(name) for name in names]
    initials = [frozenset(word[0] for word in each) for each in words]
    forms = np.eye(len(names), dtype=bool)
    for row, short in enumerate(words):
        for column, full in enumerate(words):
            if len(short) <= len(full) and initials[row] <= initials[column]:
                forms[row, column] |= _fits_in(short, full, _may_be)
    return forms | forms.T


def settle_names(names: Iterable[str]) -> dict[str, str]:
    """Map every name to the fullest that it is surely a form of, or to itself; time is linear.

    Surely means that each word of it stands there, at least one whole, the others whole or as initials here,
    and that this is so of no other name: "ann" is "ann lee" where there is no "ann may".
    """
    fullest: dict[str, str] = {}
    fuller: dict[str, list[str]] = defaultdict(list)
    words_of = {name: _split(name) for name in names}
    for name in sorted(words_of, key=lambda name: (-len(words_of[name]), -len(name), name)):
        words = words_of[name]
        telling = [word for word in words if len(word) > 1]
        near = dict.fromkeys(other for word in telling for other in fuller[word][: _MOST + 1])
        meant: set[str] = set()
        if len(near) <= _MOST:
            meant = {fullest[other] for other in near if _fits_in(words, words_of[other], _shortens)}
        fullest[name] = meant.pop() if len(meant) == 1 else name
        for word in telling:
            fuller[word].append(name)
    return fullest


def _split(name: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", name))


def _shortens(word: str, other: str) -> bool:
    return len(word) == 1 and word == other[0]


def _may_be(word: str, other: str) -> bool:
    return _shortens(word, other) or _shortens(other, word)


def _fits_in(words: Sequence[str], others: Sequence[str], like: Callable[[str, str], bool]) -> bool:
    """Whether each word is another word of a fuller name, or like one; no words fit nowhere."""
    left = list(others)
    rest: list[str] = []
    for word in words:
        if word in left:
            left.remove(word)
        else:
            rest.append(word)
    for word in rest:
        match = next((other for other in left if like(word, other)), None)
        if match is None:
            return False
        left.remove(match)
    return bool(words)
