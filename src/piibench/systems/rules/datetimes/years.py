"""Years alone, and seasons and feasts of a year (Table 10, Date)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, STRONG, Candidate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.passage import Passage

_YEAR = re.compile(r"(?:19|20)\d\d(?![^\W_]|[.,:]\d|%)")
_YEAR_CUE = re.compile(
    r" (?:in|since|from|until|till|to|of|born|by|year|during|before|after|around|circa|late|early|mid"
    r"|through|and|between"
    r"|graduated|graduating|dated|expires) {1,2}$"
)
_NAMED_CUE = re.compile(
    r" ((?:spring|summer|autumn|fall|winter|christmas(?: eve| day)?|easter(?: sunday| monday)?"
    r"|new year'?s?(?: eve| day)|diwali"
    r"|thanksgiving|halloween|ramadan|eid|boxing day|q[1-4]|hanukkah|passover|lunar new year)(?: of| )? )$"
)
_YEAR_UNIT = re.compile(
    r"[- ](?:people|persons?|students|euros?|dollars?|pounds?|usd|eur|men|women|employees|words|cases"
    r"|miles|km|kg|metres|meters"
    r"|calories|kcal|steps|square|sq|hours|mg|ml|members|residents|units|copies|items|percent)\b"
)
_RANGE_AFTER = re.compile(
    r"(?: ?[-\u2013\u2014] ?| (?:to|through|until) )(?:(?:19|20)\d\d|present|now|today|current)(?![\w%]"
    r"|[.,-]\d)",
    re.IGNORECASE,
)
_RANGE_BEFORE = re.compile(r"(?<![\w.,/-])(?:19|20)\d\d(?: ?[-\u2013\u2014] ?| (?:to|through|until) )$")
_REACH = 34
_MODIFIERS = ("mid ", "late ", "early ")


def read_year(passage: Passage, start: int) -> Iterator[Candidate]:
    """Propose the year that begins at `start`, where a word, a bracket or a range says that it is one."""
    text = passage.text
    year = _YEAR.match(text, start)
    if not year:
        return
    end = year.end()
    before = " " + passage.folded[max(0, start - _REACH) : start]
    if named := _NAMED_CUE.search(before):
        yield _year(start - len(named.group(1)), end, STRONG)
        return
    bracketed = text[start - 1 : start] == "(" and text[end : end + 1] == ")"
    opens = _RANGE_AFTER.match(text, end) and text[start - 1 : start] not in tuple("-/.$€£")
    closes = _RANGE_BEFORE.search(text, max(0, start - _REACH), start)
    cued = _YEAR_CUE.search(before) and not _is_amount(passage, Span(start, end))
    if bracketed or opens or closes or cued:
        yield _year(start, end, LIKELY)


def _is_amount(passage: Passage, year: Span) -> bool:
    """Whether the four digits count something, or belong to a longer date or number."""
    start, end = year
    sign = passage.text[start - 1]
    joined = sign == "-" and not passage.folded.endswith(_MODIFIERS, 0, start)
    follows = passage.text[end : end + 1] in {"-", "/"}
    return joined or follows or sign in "/.$€£" or bool(_YEAR_UNIT.match(passage.folded, end))


def _year(start: int, end: int, score: float) -> Candidate:
    return Candidate(Span(start, end), Category.DATE, score, "year")
