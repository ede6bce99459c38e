"""What a judge says of two answers (Figure 20): ratings from 1 to 10, and a verdict in five steps on each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from piibench.prompts.answers import strip_thinking

LOWEST, HIGHEST = 1, 10
"""Bounds of a rating."""

_RATING = re.compile(
    r"\b(?:(?:rating|score)[ \t]+(?:(?:of|for)[ \t]+)?(?:response[ \t]+)?(?P<after>[AB])"
    r"|response[ \t]+(?P<before>[AB])(?:'s)?[ \t]+(?:rating|score))\b"
    r"[^\d\n(]{0,40}?(?:\([^)\n]{0,40}\)[^\d\n]{0,40}?)?(?P<value>-?\d+(?:\.\d+)?)(?![\d.]*\s*[-–]\s*\d)",
    re.IGNORECASE,
)
"""A letter and its number; "1-10", which only repeats the form, is none."""
_VERDICT = re.compile(
    r"\bjudge?ment[ \t]+(?:(?:of|for)[ \t]+)?(?:response[ \t]+)?(?P<letter>[AB])\b(?P<words>[^\n]+)",
    re.IGNORECASE,
)
_EQUAL = re.compile(r"\bequal", re.IGNORECASE)
_BETTER = re.compile(
    r"\b(?:(?P<reference>reference)|(?:response[ \t]+)?(?P<letter>[ABX]))[ \t]+"
    r"(?:(?:response|answer)[ \t]+)?is[ \t]+(?P<degree>much|slightly)[ \t]+better",
    re.IGNORECASE,
)


class Verdict(IntEnum):
    """How a response compares with the reference."""

    MUCH_WORSE = -2
    SLIGHTLY_WORSE = -1
    EQUAL = 0
    SLIGHTLY_BETTER = 1
    MUCH_BETTER = 2


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was read of a judge's reply, for response A and for response B.

    Attributes:
        ratings: From 1 to 10.
        verdicts: None where it cannot be read.
    """

    ratings: tuple[float, float]
    verdicts: tuple[Verdict | None, Verdict | None] = (None, None)


def parse_judgement(text: str) -> Judgement | None:
    """Read a judge's reply; where it says a thing twice, the last counts, and what it thinks does not.

    Returns:
        None where a rating is missing or outside 1 to 10.
    """
    text = strip_thinking(text)
    ratings = {
        (match["after"] or match["before"]).upper(): float(match["value"]) for match in _RATING.finditer(text)
    }
    if not all(LOWEST <= ratings.get(letter, 0) <= HIGHEST for letter in "AB"):
        return None
    verdicts = {
        match["letter"].upper(): _read_verdict(match["letter"].upper(), match["words"])
        for match in _VERDICT.finditer(text)
    }
    return Judgement((ratings["A"], ratings["B"]), (verdicts.get("A"), verdicts.get("B")))


def _read_verdict(letter: str, words: str) -> Verdict | None:
    steps = {
        (2 if found["degree"].casefold() == "much" else 1) * (-1 if found["reference"] else 1)
        for found in _BETTER.finditer(words)
        if found["reference"] or found["letter"].upper() in (letter, "X")
    }
    if _EQUAL.search(words):
        steps.add(0)
    return Verdict(steps.pop()) if len(steps) == 1 else None
