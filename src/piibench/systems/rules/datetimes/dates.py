"""Calendar dates: numeric or with a month's name (Table 10, Date)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import CERTAIN, LIKELY, STRONG, Candidate
from piibench.systems.rules.datetimes.years import read_year

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from piibench.systems.rules.passage import Passage

_DATE_LIKE = re.compile(r"(?:\d{1,2}|\d{4})[-/.]\d|\d{8}|(?:19|20)\d\d")
_ISO = re.compile(
    r"\d(?<![\w./:-]\d)\d{3}([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])(?=T\d\d:|(?![\w]|[-/.]\d))"
)
_NUMERIC = re.compile(
    r"\d(?<![\w./:$€£-]\d)\d?([-/.])\d{1,2}\1(?:(?:19|20)\d\d|\d\d)(?![\w%]|[-/.:]\d|,\d{1,3}(?![\d-]))"
)
_CJK = re.compile(
    r"(?:(?:19|20)\d\d\s?[年년]\s?)?(?:0?[1-9]|1[0-2])\s?[月월]\s?(?:0?[1-9]|[12]\d|3[01])\s?[日号號일]"
    r"|(?:19|20)\d\d\s?[年년](?:\s?(?:0?[1-9]|1[0-2])\s?[月월](?!\s?\d))?"
)
_MONTH_YEAR = re.compile(r"\d(?<![\w.,/:$-]\d)\d?/(?:19|20)\d\d(?![\w%/]|[-.,]\d)")
_COMPACT = re.compile(r"\d(?<!\w\d)\d{7}(?!\w)")
_SHORT = re.compile(r"\d(?<![\w.,/:$-]\d)\d?/\d{1,2}(?![\w%/]|[-.,:]\d)")
_SHORT_CUE = re.compile(
    r" (?:on|since|from|until|till|by|due|dated?|dob|birthday|born|before|after|expires?|exp) {1,3}$"
)
_BORN_CUE = re.compile(r"(?:dob|birth|born|date|birthdate) {1,3}(?:on |is )?$")
_CUE_REACH = 24
_MONTHS, _DAYS = 12, 31


def find_dates(passage: Passage) -> Iterator[Candidate]:
    """Propose dates; relative and vague words ("yesterday", "this year") are none."""
    text = passage.text
    for start in passage.free_numbers:
        if _DATE_LIKE.match(text, start):
            yield from _read_number(passage, start)
    if not text.isascii() and any(char in text for char in "月年월년"):
        yield from (_date(match.start(), match.end(), CERTAIN) for match in _CJK.finditer(text))
    yield from _find_named(passage)


def _read_number(passage: Passage, start: int) -> Iterator[Candidate]:
    """The date that begins with the number at `start`, by the first form that fits."""
    for form in _FORMS:
        if match := form.pattern.match(passage.parted, start):
            if form.holds(passage, match):
                yield _date(start, match.end(), form.score)
            return
    yield from read_year(passage, start)


def _date(start: int, end: int, score: float) -> Candidate:
    return Candidate(Span(start, end), Category.DATE, score, "date")


def _precedes(passage: Passage, cue: re.Pattern[str], start: int) -> bool:
    padded = " " + passage.folded[max(0, start - _CUE_REACH) : start]
    return cue.search(padded) is not None


def _is_iso(_passage: Passage, _match: re.Match[str]) -> bool:
    return True


def _is_calendar(_passage: Passage, match: re.Match[str]) -> bool:
    """Whether the parts can be day and month in either order. Short dotted ones must have two digits each."""
    first, second, year = match.group().split(match.group(1))
    fits = 1 <= min(int(first), int(second)) <= _MONTHS and 1 <= max(int(first), int(second)) <= _DAYS
    dotted_short = match.group(1) == "." and len(year) == len("24")
    return fits and (not dotted_short or len(first) == len(second) == len(year))


def _is_month_year(_passage: Passage, match: re.Match[str]) -> bool:
    return 1 <= int(match.group().split("/")[0]) <= _MONTHS


def _is_cued_day(passage: Passage, match: re.Match[str]) -> bool:
    low, high = sorted(map(int, match.group().split("/")))
    return 1 <= low <= _MONTHS and high <= _DAYS and _precedes(passage, _SHORT_CUE, match.start())


def _is_cued_compact(passage: Passage, match: re.Match[str]) -> bool:
    value = match.group()
    fits = value[:2] in {"19", "20"} and 1 <= int(value[4:6]) <= _MONTHS and 1 <= int(value[6:]) <= _DAYS
    return fits and _precedes(passage, _BORN_CUE, match.start())


class _Form(NamedTuple):
    pattern: re.Pattern[str]
    holds: Callable[[Passage, re.Match[str]], bool]
    score: float


_FORMS = (
    _Form(_ISO, _is_iso, CERTAIN),
    _Form(_NUMERIC, _is_calendar, STRONG),
    _Form(_MONTH_YEAR, _is_month_year, LIKELY),
    _Form(_SHORT, _is_cued_day, STRONG),
    _Form(_COMPACT, _is_cued_compact, STRONG),
)
"""Numeric forms, the first that fits decides: 2024-03-07, 07.03.24, 03/2024, "on 03/07", "DOB 19870412"."""


_MONTH_ANCHOR = re.compile(
    r" (?:jan(?:uary|uar|vier)?|ene(?:ro)?|feb(?:ruary|ruar|rero)?|f[ée]vrier|mar(?:ch|zo|s)?|märz"
    r"|apr(?:il)?|avril|abril"
    r"|may|mai|mayo|june?|juni|junio|juin|july?|juli|julio|juillet|aug(?:ust)?|ao[uû]t|agosto"
    r"|sept?(?:ember|embre|iembre)?"
    r"|oct(?:ober|obre)?|okt(?:ober)?|octubre|nov(?:ember|embre|iembre)?|dec(?:ember)?|d[ée]cembre"
    r"|dez(?:ember)?|dic(?:iembre)?)"
    r"(?![^\W_])"
)
_WORDS_TOO = frozenset(
    {"may", "march", "mar", "mars", "august", "jan", "mai", "juli", "avril", "abril", "dec", "okt"}
)
_ORDINAL = (
    r"first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth"
    r"|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|twenty-\w{5,7}|thirtieth|thirty-first"
)
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_DAY_BEFORE = re.compile(
    rf"(?<![\w.,:/$€£])(?:{_WEEKDAY}[.,]{{0,2}} (?:the )?)?(?:(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|er|º"
    rf"|\.)?|{_ORDINAL})"
    r"(?: day)?(?: of | de |[ .-]{1,2})$",
    re.IGNORECASE,
)
_WEEKDAY_BEFORE = re.compile(rf"(?<!\w){_WEEKDAY}[.,]{{0,2}} $", re.IGNORECASE)
_AFTER_MONTH = re.compile(
    rf"\.?(?:(?:[ -](?:the )?(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?![\w%]|[.,:/]\d)"
    rf"|[ ](?:the )?(?P<word>{_ORDINAL})\b)"
    r"(?P<joined>(?:,? ?|-)(?:of )?(?:19|20)\d\d(?![\w%]|[.,:]\d))?"
    r"|(?P<year>,? (?:of |de )?(?:(?:19|20)\d\d|['\u2019]\d\d)(?![\w%]|[.,:]\d)|[-/](?:(?:19|20)\d\d"
    r"|\d\d)(?![\w-])))",
    re.IGNORECASE,
)
_NOT_A_DAY = re.compile(
    r"[- ](?:people|person|students|men|women|children|cases|items|percent|miles|km|kg|times)\b"
)
_BEFORE_REACH = 34


def _find_named(passage: Passage) -> Iterator[Candidate]:
    """Dates around a month's name: "the 14th of May", "Monday, 3 June 2024", "March 7th", "Oct 2021"."""
    text = passage.text
    # The space in front lets a month stand at the very start; it shifts every offset by one.
    for month in _MONTH_ANCHOR.finditer(" " + passage.folded):
        start, end = month.start(), month.end() - 1
        day = _DAY_BEFORE.search(text, max(0, start - _BEFORE_REACH), start)
        after = _AFTER_MONTH.match(text, end)
        if (
            month.group()[1:] in _WORDS_TOO
            and not text[start].isupper()
            and not (day and after and after["year"])
        ):
            continue
        if after and not day and not after["year"] and _NOT_A_DAY.match(text, after.end()):
            after = None
        if day and after and not after["year"]:
            after = None
        if day or after:
            opening = day or _WEEKDAY_BEFORE.search(text, max(0, start - _BEFORE_REACH), start)
            yield _date(opening.start() if opening else start, after.end() if after else end, STRONG)
