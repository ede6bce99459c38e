"""Dates, times of day and lengths of time (the DATETIME categories of Table 10)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import CERTAIN, LIKELY, STRONG, Candidate
from piibench.systems.rules.datetimes.dates import find_dates
from piibench.systems.rules.datetimes.durations import find_durations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.passage import Passage

_TIME_LIKE = re.compile(r"\d{1,4}\s?[:.hap]", re.IGNORECASE)
_CLOCK = re.compile(
    r"\d(?<![\w.,:$€£/]\d)(?<=[01]\d)?(?:(?<=[01])\d|(?<=2)[0-3])?:[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?"
    r"(?P<half>\s?(?:[ap]m\b|[ap]\.\s?m\.))?(?![\w:]|[.,/]\d|Z\d)",
    re.IGNORECASE,
)
_ISO_TIME = re.compile(r"T(?<=\dT)((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?)")
_HALF_DAY = re.compile(
    r"\d(?<![\w.,:$€£/]\d)(?:(?<=1)[0-2])?(?:[.][0-5]\d)?\s?(?:[ap]m\b|[ap]\.\s?m\.)", re.IGNORECASE
)
_LETTER_H = re.compile(r"\d(?<![\w.,:/]\d)\d?[hH][0-5]\d(?![\w]|[.,]\d)")
_HOURS = re.compile(r"\d(?<![\w.,:/$]\d)\d[0-5]\d ?(?:hours|hrs|h)\b")
_CJK_TIME = re.compile(
    r"(?:[上下]午|早上|晚上|오[전후] ?)?\d{1,2}(?:[点點时時]|시 ?)(?:[0-5]?\d[分분]|半)?(?!间|間|간)"
)
_DOTTED = re.compile(r"\d(?<![\w.,:/$€£]\d)\d?[.:][0-5]\d(?= ?(?:uhr|h\b|o'clock|heures))", re.IGNORECASE)
_NUMBER = r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|1[0-2]|[1-9]"
_SPOKEN = re.compile(
    rf" (?P<time>(?:(?:half|quarter|twenty five|twenty|ten|five|\d{{1,2}})(?: minutes)? (?:past|to"
    rf"|after) (?:{_NUMBER}))(?: o'clock)?"
    rf"|(?:{_NUMBER}|1\d|2[0-3]) o'clock|(?:{_NUMBER})(?: thirty| fifteen"
    rf"| forty five)? (?:in the (?:morning|afternoon|evening)|at night))"
    r"(?![^\W_])"
)
_SPOKEN_SIGN = re.compile(
    rf" (?:(?:past|to|after) (?:{_NUMBER})|o'clock|in the (?:morning|afternoon|evening)|at night)"
)
_AT_NAMED = re.compile(
    r" (?:at|until|till|by|from|before|after|around|past) (?P<time>noon|midnight|midday)(?![^\W_])"
)
_AT_HOUR = re.compile(r" (?:at|um|à|a las|alle) (?P<time>(?:[01]?\d|2[0-3])(?:h| uhr))(?![^\W_])")
_NUMBERED_BEFORE = re.compile(
    r"(?:ratio|chapter|verse|score|won|psalms?|genesis|john|matthew|luke|mark|romans|scale|odds) $"
)
_REACH = 12


def find_datetimes(passage: Passage) -> Iterator[Candidate]:
    """Propose dates, times and durations. Time zones stay outside the span."""
    yield from find_dates(passage)
    yield from find_times(passage)
    yield from find_durations(passage)


def find_times(passage: Passage) -> Iterator[Candidate]:
    """Propose times of day: "3:14 PM", "15h30", "8.40pm", "half past nine", "at noon"."""
    text = passage.text
    for start in passage.free_numbers:
        if _TIME_LIKE.match(text, start):
            yield from _read_number(passage, start)
    yield from (_time(*match.span(1), CERTAIN) for match in _ISO_TIME.finditer(text))
    if not text.isascii() and any(char in text for char in "点點时時시"):
        yield from (_time(*match.span(), LIKELY) for match in _CJK_TIME.finditer(text))
    # The space in front lets a time stand at the very start; it shifts every offset by one.
    padded = " " + passage.folded
    for pattern in (_SPOKEN, _AT_NAMED, _AT_HOUR):
        if pattern is not _SPOKEN or _SPOKEN_SIGN.search(padded):
            for match in pattern.finditer(padded):
                yield _time(match.start("time") - 1, match.end("time") - 1, STRONG)


def _read_number(passage: Passage, start: int) -> Iterator[Candidate]:
    """The time of day that begins with the number at `start`."""
    if clock := _CLOCK.match(passage.text, start):
        before = passage.folded[max(0, start - _REACH) : start]
        if clock["half"] or not _NUMBERED_BEFORE.search(before):
            yield _time(start, clock.end(), CERTAIN if clock["half"] else STRONG)
    for pattern in (_HALF_DAY, _LETTER_H, _DOTTED):
        if match := pattern.match(passage.text, start):
            yield _time(start, match.end(), STRONG)
    if hours := _HOURS.match(passage.text, start):
        at = passage.folded.endswith(("at ", "by "), 0, start)
        if hours.group().startswith("0") or at:
            yield _time(start, hours.end(), CERTAIN)


def _time(start: int, end: int, score: float) -> Candidate:
    return Candidate(Span(start, end), Category.TIME, score, "time of day")
