"""Numbers in English words."""

from __future__ import annotations

_SMALL = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def spell(n: int) -> str:
    """The number in words, such as "thirty-four"; 0 to 999."""
    if n < len(_SMALL):
        return _SMALL[n]
    if n < 100:  # noqa: PLR2004 - the words change there
        tens, ones = divmod(n, 10)
        return f"{_TENS[tens]}-{_SMALL[ones]}" if ones else _TENS[tens]
    hundreds, rest = divmod(n, 100)
    return f"{_SMALL[hundreds]} hundred" + (f" and {spell(rest)}" if rest else "")
