"""Which names are one person's: "Ann", "A. Lee" and "Lee, Ann" may be forms of "Ann Lee"."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST = 8
"""A word that more names than this share tells nobody which of them is meant."""


def are_forms(one: str, other: str) -> bool:
    """Whether two names may be one person's: each word of one stands in the other, or an initial for it."""
    words, others = _split(one), _split(other)
    return _fits_in(words, others) or _fits_in(others, words)


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
    return [word.rstrip(".,") for word in name.split()]


def _fits_in(words: list[str], others: list[str]) -> bool:
    """Whether each word is another word of a fuller name, or one is the other's initial."""
    left = others.copy()
    for word in words:
        alike = [other for other in left if word == other] or [
            other for other in left if 1 in (len(word), len(other)) and word[:1] == other[:1]
        ]
        if not alike:
            return False
        left.remove(alike[0])
    return True
