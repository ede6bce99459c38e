"""Lengths of time (Table 10, Duration); ages are left to the demographics."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, STRONG, WEAK, Candidate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.passage import Passage

_UNIT = re.compile(
    r"(?:years?|yrs?|months?|mos|weeks?|wks?|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|nights?"
    r"|decades|fortnights|semesters"
    r"|quarters|summers|winters)(?![^\W_])"
)
_ONES = r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_WORD_NUMBER = (
    rf"(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:{_ONES}))?|(?:a|one) hundred"
    rf"|(?:{_ONES})"
    r"|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
)
_DIGITS = r"\d{1,3}(?:,\d{3}){0,2}(?:[.,]\d{1,2})?(?: ?[\u00bd\u00bc\u00be]| 1/2)?"
_NUMBER_BEFORE = re.compile(
    rf"(?<![\w.$€£/:])(?<!\d,)(?:(?:{_DIGITS}|{_WORD_NUMBER})(?:[-\u2013 ](?:to |or )?(?:{_DIGITS}"
    rf"|{_WORD_NUMBER}))?"
    rf"(?: and (?:a half|three quarters))?)(?: full| whole| long| solid)?[- ]?$",
    re.IGNORECASE,
)
_REACH = 44
_AGE_AFTER = re.compile(
    r"[- ]?(?:and \d{1,2} months? )?(?:s )?(?:old|of age|younger|older|senior|junior|aged)(?![^\W_])"
)
_AGE_BEFORE = re.compile(r"(?:aged?|turn(?:s|ed|ing)?|at the age of|age of|age is|am|i'm|is now only) {1,2}$")
_HALF_AFTER = re.compile(r" and a half(?![^\W_])")
_JOIN = re.compile(r" |,? and ")
_SIZES = ("s", "mi", "h", "d", "n", "w", "mo", "y", "de")
"""First letters of the units, in rising order: a smaller unit may continue a larger one."""
_SHORT = re.compile(
    r"\d(?<![\w.,/:$€£#-]\d)\d{0,3}(?:d(?: ?\d{1,2}h)?(?: ?\d{1,2}m(?:in)?)?"
    r"|h(?: ?\d{1,2}m(?:in)?)?(?: ?\d{1,2}s)?"
    r"|m(?: ?\d{1,2}s)?|s)(?![\w-]|[.,]\d)"
)
_FOR_BEFORE = re.compile(
    r"(?:for|took|takes|lasted|lasts|lasting|every|after|within|of|duration|time|about|over|length|\d) {1,3}$"
)
_ALWAYS_UNITS = frozenset("dh")
_DIMENSIONS = frozenset({"2d", "3d", "4d"})


def find_durations(passage: Passage) -> Iterator[Candidate]:
    """Propose lengths of time: "23 years", "three and a half months", "10-year", "2h 30m", "45d"."""
    previous, size = Span(0, 0), 0
    for unit in _UNIT.finditer(passage.folded):
        span = _measure(passage, unit.span())
        if span is None:
            continue
        smaller = _size(unit.group())
        if smaller < size and _JOIN.fullmatch(passage.text, previous.end, span.start):
            span = Span(previous.start, span.end)
        else:
            yield from _propose(passage, previous)
        previous, size = span, smaller
    yield from _propose(passage, previous)
    yield from _find_short(passage)


def _size(unit: str) -> int:
    return max((rank for rank, head in enumerate(_SIZES) if unit.startswith(head)), default=len(_SIZES))


def _propose(passage: Passage, span: Span) -> Iterator[Candidate]:
    if span.end and not _is_age(passage, span):
        yield _duration(span, STRONG)


def _duration(span: Span, score: float) -> Candidate:
    return Candidate(span, Category.DURATION, score, "length of time")


def _measure(passage: Passage, unit: tuple[int, int]) -> Span | None:
    """The number before a unit together with it, or None where there is none ("a year", "some weeks")."""
    start, end = unit
    if start and passage.folded[start - 1].isalpha():
        return None
    number = _NUMBER_BEFORE.search(passage.text, max(0, start - _REACH), start)
    if not number or (passage.text[start - 1] == "-" and passage.text[start - 2 : start - 1] == "-"):
        return None
    half = _HALF_AFTER.match(passage.folded, end)
    return Span(number.start(), half.end() if half else end)


def _is_age(passage: Passage, span: Span) -> bool:
    before = passage.folded[max(0, span.start - _REACH) : span.start]
    return bool(_AGE_AFTER.match(passage.folded, span.end) or _AGE_BEFORE.search(before))


def _find_short(passage: Passage) -> Iterator[Candidate]:
    """The printed format [0-9]+[dhms]; "m" and "s" alone also mean metres and plurals, so they need a cue."""
    for match in passage.match_numbers(_SHORT):
        value = match.group()
        combined = sum(char.isalpha() for char in value.replace("min", "m")) > 1
        before = passage.folded[max(0, match.start() - _REACH) : match.start()]
        cued = _FOR_BEFORE.search(before) is not None
        if value in _DIMENSIONS or value.endswith("0s"):
            continue
        if combined or cued:
            yield _duration(Span(*match.span()), STRONG)
        elif value[-1] in _ALWAYS_UNITS:
            yield _duration(Span(*match.span()), LIKELY if value[-1] == "h" else WEAK)
