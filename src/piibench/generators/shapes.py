"""Filling of shapes: "#" a digit, "?" a capital letter; the rest stands as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from piibench.generators.wordlists import pick

if TYPE_CHECKING:
    from random import Random

_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
_SIGNS = {"#": "0123456789", "?": _LETTERS}


def fill(rng: Random, shape: str) -> str:
    """Replace each sign of the shape by a random character of its kind."""
    return "".join(pick(rng, _SIGNS[char]) if char in _SIGNS else char for char in shape)


def draw_digits(rng: Random, n: int) -> str:
    """`n` digits; the first may be 0."""
    return str(rng.randrange(10**n)).zfill(n)


def draw_hex(rng: Random, n: int) -> str:
    """`n` hexadecimal digits in lower case."""
    return f"{rng.getrandbits(4 * n):0{n}x}"


def group(digits: str, sizes: tuple[int, ...], mark: str = " ") -> str:
    """Cut a string into parts of the sizes, the last size repeated, joined by a mark."""
    parts: list[str] = []
    start = turn = 0
    while start < len(digits):
        size = sizes[min(turn, len(sizes) - 1)]
        parts.append(digits[start : start + size])
        start, turn = start + size, turn + 1
    return mark.join(parts)
