"""Light noise, as careless writers, keyboards and scanners make it. Values are never touched."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

SHARE = 0.1
"""Share of the samples that are noisy (3.2.2)."""

_WORD = re.compile(r"[a-z]{4,}")
_GAP = re.compile(r"(?<=[a-z,]) (?=[a-z])")
_WORDS_FOR_A_SLIP = 14


def draw_noise(rng: Random) -> Callable[[str], str]:
    """Choose one kind of noise for a whole document, or none."""
    if rng.random() >= SHARE:
        return str
    kind = rng.choice((_mistype, _lose_capitals, _break_lines, _space_oddly))
    return lambda piece: kind(piece, rng)


def _mistype(piece: str, rng: Random) -> str:
    """Swap two letters in the middle of a word, now and then."""

    def swap(match: re.Match[str]) -> str:
        word = match[0]
        if rng.randrange(_WORDS_FOR_A_SLIP):
            return word
        at = rng.randrange(1, len(word) - 2)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]

    return _WORD.sub(swap, piece)


def _lose_capitals(piece: str, _: Random) -> str:
    return piece.lower()


def _break_lines(piece: str, rng: Random) -> str:
    """Put a line end where a scanned column had one."""
    return _GAP.sub(lambda _: " " if rng.randrange(_WORDS_FOR_A_SLIP) else "\n", piece)


def _space_oddly(piece: str, rng: Random) -> str:
    return _GAP.sub(lambda _: " " if rng.randrange(_WORDS_FOR_A_SLIP) else "  ", piece)
