"""Which names are one person's: "Ann", "A. Lee" and "Lee, Ann" may be forms of "Ann Lee"."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

_MOST = 8
"""A word that more names than this share tells nobody which of them is meant."""


def compare_forms(names: Sequence[str]) -> NDArray[np.bool_]:
    """Whether two names may be one person's, for all pairs (n, n).

    They may if each word of one stands in the other, or an initial for it.
    """
    words = [_split(name) for name in names]
    initials = [frozenset(word[0] for word in each) for each in words]
    forms = np.zeros((len(names), len(names)), bool)
    for row, (short, begins) in enumerate(zip(words, initials, strict=True)):
        for column, full in enumerate(words):
            forms[row, column] = begins <= initials[column] and _fits_in(short, full)
    return forms | forms.T


def settle_names(names: Iterable[str]) -> dict[str, str]:
    """Map every name to the fullest that it is surely a form of, or to itself; time is linear.

    Surely means that a whole word of it stands there too, and that no other name could be meant: "ann" is
    "ann lee" where there is no "ann may".
    """
    fullest: dict[str, str] = {}
    fuller: dict[str, list[str]] = defaultdict(list)
    for name in sorted(set(names), key=lambda name: (-len(name.split()), -len(name), name)):
        words = _split(name)
        telling = [word for word in words if len(word) > 1]
        near = dict.fromkeys(other for word in telling for other in fuller[word][: _MOST + 1])
        meant = {fullest[other] for other in near if _fits_in(words, _split(other))}
        fullest[name] = meant.pop() if len(meant) == 1 and len(near) <= _MOST else name
        for word in telling:
            fuller[word].append(name)
    return fullest


def _split(name: str) -> list[str]:
    """The words of a name, without what ends an initial or a family name that goes first."""
    return [word.rstrip(".,") or word for word in name.split()]


def _fits_in(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether each word is another word of a fuller name, or one is the other's initial."""
    left = list(others)
    for word in words:
        alike = [other for other in left if word == other] or [
            other for other in left if 1 in (len(word), len(other)) and word[0] == other[0]
        ]
        if not alike:
            return False
        left.remove(alike[0])
    return True
