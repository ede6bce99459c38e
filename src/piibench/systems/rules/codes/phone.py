"""Telephone numbers of the whole world (Table 10, Phone Number)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import phonenumbers

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import CERTAIN, LIKELY, STRONG, WEAK, Candidate
from piibench.systems.rules.codes.cues import CODE_CUES, NOT_PERSONAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.passage import Passage

_PHONE = re.compile(
    r"[+(\d](?<![\w./$€£¥₹@#-][+(\d])(?:(?<=\d)"
    r"|\(?\d)(?:[ .\-/()\u2010-\u2013\u00a0\u202f]{0,2}\d){6,16}(?![\w%]|[./:-]\d|,\d{1,3}(?![\d-]))"
)
_EXTENSION = re.compile(
    r"[,;]?[ ]{0,2}(?:extension|extn?|x|durchwahl|poste|ramal)[.:]?[ ]{0,2}\d{1,6}\b", re.IGNORECASE
)
_NOT_PHONE = re.compile(
    r"\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{4}|(?:19|20)\d\d ?[-/\u2013] ?(?:19|20)\d\d"
    r"|(?:\d{1,3}\.){3}\d{1,3}|\d+\.\d+|\d{1,3}(?:\.\d{3})+|\d{3}-\d{2}-\d{4}|\d{4}([ -])\d{4}\3\d{4}\3\d{4}"
)
_NATIONAL = re.compile(
    r"(?:\+?1[ .-])?(?:\(\d{3}\) ?|\d{3}[-.])\d{3}[-. ]\d{4}"  # North America
    r"|\(?0\d{1,4}\)?[ -]\d{3,4}[ -]?\d{3,4}|\(?0\d{3,4}\)? \d{6}|0\d(?:[ .-]\d\d){4}"  # trunk 0
    r"|1[3-9]\d-?\d{4}-?\d{4}|[6-9]\d{4} \d{5}|04\d\d \d{3} \d{3}"  # China, India, Australia
    r"|\(\d{2}\) ?\d{4,5}-\d{4}|555-\d{4}"  # Brazil; fictitious
)
_MIN_DIGITS, _MAX_DIGITS = 7, 15


def find_phones(passage: Passage) -> Iterator[Candidate]:
    """Propose phone numbers of any country: international form, a usual national form, or a cue word."""
    for match in _PHONE.finditer(passage.parted):
        raw = match.group()
        span = Span(match.start() + _unopened(raw), match.end())
        raw = span.of(passage.text)
        digits = sum(char.isdecimal() for char in raw)
        if not _MIN_DIGITS <= digits <= _MAX_DIGITS or _NOT_PHONE.fullmatch(raw):
            continue
        score, rule = _rate_phone(passage, span, raw)
        if score:
            extension = _EXTENSION.match(passage.text, span.end)
            end = extension.end() if extension else span.end
            yield Candidate(Span(span.start, end), Category.PHONE_NUMBER, score, rule)


def _unopened(raw: str) -> int:
    """How many leading brackets are never closed and so belong to the sentence."""
    return max(0, raw.count("(") - raw.count(")")) if raw.startswith("(") else 0


def _rate_phone(passage: Passage, span: Span, raw: str) -> tuple[float, str]:
    if raw.startswith(("+", "(+")):
        return _rate_international(raw)
    cue = CODE_CUES.nearest(passage, span)
    if cue and cue.meaning is Category.PHONE_NUMBER:
        return STRONG, "phone number after a cue word"
    if _NATIONAL.fullmatch(raw) and not (cue and cue.meaning is NOT_PERSONAL):
        return LIKELY if cue is None else WEAK, "phone number in a national form"
    return 0.0, ""


def _rate_international(raw: str) -> tuple[float, str]:
    try:
        number = phonenumbers.parse(raw)
    except phonenumbers.NumberParseException:
        return LIKELY, "number with a leading plus"
    if phonenumbers.is_valid_number(number):
        return CERTAIN, "valid phone number with country code"
    if phonenumbers.is_possible_number(number):
        return STRONG, "possible phone number with country code"
    return LIKELY, "number with a leading plus"
