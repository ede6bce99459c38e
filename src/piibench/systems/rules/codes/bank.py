"""Payment cards and IBANs: whole, in groups, partly masked, or their last four digits (Table 10)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from stdnum import iban, luhn

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import CERTAIN, LIKELY, STRONG, WEAK, Candidate
from piibench.systems.rules.codes.cues import CODE_CUES, NOT_PERSONAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.passage import Passage

_CARD = re.compile(r"\d(?<![\w.]\d)(?<!\d-\d)(?:[ -]?\d){12,18}(?!\w|[ -]\d)")
_GROUPED = re.compile(r"\d{4}([ -])\d{4}\1\d{4}\1\d{4}|3\d{3}([ -])\d{6}\2\d{5}")
_BRAND = re.compile(
    r"4\d{12}(?:\d{3})?(?:\d{3})?|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|(?:6011|65|64|62|35)\d{12,17}"
    r"|3[068]\d{12}"
)
_MASKED = re.compile(
    r"(?<![\w*•#])(?=(?:\d{4}[ -]?)?[\dXx]{0,6}[ -]?[Xx*•#]{2})[\dXx*•#]{4}(?:[ -]?[\dXx*•#]{4,6}){1,2}"
    r"[ -]?[\dXx*•#]{0,3}\d{3,5}(?![\w*•#])"
)
_MASKED_SHORT = re.compile(r"(?<![\w*•#])[Xx*•]{4}[ -]?\d{4}(?![\w*•#])")
_YEAR_BEHIND = re.compile(r"(?:19|20)\d\d$")
_MASKED_SSN = re.compile(r"(?<![\w*•#])[Xx*•#]{3}-[Xx*•#]{2}-\d{4}(?!\w)")
_MASK = re.compile(r"[*•#Xx][*•#Xx][\dXx*•# -]{0,30}\d{3}")
_LAST_FOUR = re.compile(
    r" (?:end(?:s|ing|ed)(?: in| with)?|last (?:four|4)(?: digits)?(?: of(?: [a-z']{1,15}){1,4})?(?: are"
    r"| is)?)"
    r"[ x•.]{1,9}(\d{4})(?!\w)"
)
_NUMBERED = frozenset(
    {Category.CREDIT_CARD, Category.BANK_ACCOUNT, Category.SOCIAL_SECURITY_NUMBER, Category.PHONE_NUMBER}
)
_WHOLE_CARD = 16


def find_cards(passage: Passage) -> Iterator[Candidate]:
    """Propose card numbers, masked ones too, and the last four digits of a card or account."""
    for match in passage.match_numbers(_CARD):
        span = Span(*match.span())
        if score := _rate_card(passage, span):
            yield Candidate(span, Category.CREDIT_CARD, score, "payment card number")
    if _MASK.search(passage.text):
        yield from _find_masked(passage.parted)
        yield from _find_shortened(passage)
    # The space in front lets the words stand at the very start; it shifts every offset by one.
    for match in _LAST_FOUR.finditer(" " + passage.folded):
        span = Span(match.start(1) - 1, match.end(1) - 1)
        cue = CODE_CUES.nearest(passage, span)
        if cue and cue.meaning in _NUMBERED and cue.meaning:
            yield Candidate(span, cue.meaning, STRONG, "last four digits")
        elif cue is None:
            yield Candidate(span, Category.CREDIT_CARD, WEAK, "last four digits")


def _find_masked(text: str) -> Iterator[Candidate]:
    for match in _MASKED.finditer(text):
        yield Candidate(Span(*match.span()), Category.CREDIT_CARD, STRONG, "partly masked card number")
    for match in _MASKED_SSN.finditer(text):
        yield Candidate(
            Span(*match.span()),
            Category.SOCIAL_SECURITY_NUMBER,
            STRONG,
            "partly masked social security number",
        )


def _find_shortened(passage: Passage) -> Iterator[Candidate]:
    """Cards of which the last four digits stand behind one masked group."""
    for match in _MASKED_SHORT.finditer(passage.parted):
        span = Span(*match.span())
        cue = CODE_CUES.nearest(passage, span)
        if cue and cue.meaning in (Category.CREDIT_CARD, Category.BANK_ACCOUNT) and cue.meaning:
            yield Candidate(span, cue.meaning, STRONG, "last four digits behind a mask")
        elif not _YEAR_BEHIND.search(match.group()):
            yield Candidate(span, Category.CREDIT_CARD, LIKELY, "last four digits behind a mask")


def _rate_card(passage: Passage, span: Span) -> float:
    value = span.of(passage.text)
    digits = "".join(char for char in value if char.isdecimal())
    cue = CODE_CUES.nearest(passage, span)
    valid = luhn.is_valid(digits) and bool(_BRAND.fullmatch(digits))
    if cue and cue.meaning is Category.CREDIT_CARD:
        return CERTAIN if valid else STRONG
    if cue and cue.meaning is NOT_PERSONAL:
        return 0.0
    if valid and cue is None:
        return STRONG
    grouped = bool(_GROUPED.fullmatch(value))
    if grouped:
        return LIKELY
    return WEAK if valid or (cue is None and len(digits) == _WHOLE_CARD) else 0.0


_IBAN = re.compile(r"[A-Z](?<![A-Za-z0-9].)[A-Z]\d{2}(?:[ -]?[A-Z0-9]){11,30}(?![a-z0-9])")
_IBAN_SHAPE = re.compile(r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])")
_TOKEN_END = re.compile(r"(?<=[A-Z0-9])(?![A-Z0-9])")
_IBAN_DIGITS, _IBAN_LENGTHS = 10, range(15, 35)


def find_ibans(passage: Passage) -> Iterator[Candidate]:
    """Propose IBANs: those whose check digits agree, and those that only look like one."""
    for match in _IBAN.finditer(passage.parted):
        span = _valid_iban(match)
        if span:
            yield Candidate(span, Category.BANK_ACCOUNT, CERTAIN, "IBAN whose check digits agree")
            continue
        shape = _IBAN_SHAPE.match(match.group())
        if shape and sum(char.isdecimal() for char in shape.group()) >= _IBAN_DIGITS:
            span = Span(match.start(), match.start() + shape.end())
            cue = CODE_CUES.nearest(passage, span)
            cued = cue is not None and cue.meaning is Category.BANK_ACCOUNT
            yield Candidate(span, Category.BANK_ACCOUNT, STRONG if cued else LIKELY, "form of an IBAN")


def _valid_iban(match: re.Match[str]) -> Span | None:
    """The longest part that ends with a word and passes the check; words may follow an IBAN in capitals."""
    ends = [end.start() for end in _TOKEN_END.finditer(match.group())]
    for end in reversed(ends):
        compact = iban.compact(match.group()[:end])
        if len(compact) in _IBAN_LENGTHS and iban.is_valid(compact):
            return Span(match.start(), match.start() + end)
    return None
