"""Numbers that offices, employers and schools give a person: cue words decide, forms confirm (Table 10)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from stdnum.br import cpf
from stdnum.cn import ric
from stdnum.es import dni
from stdnum.eu import vat
from stdnum.in_ import pan
from stdnum.it import codicefiscale
from stdnum.mx import curp
from stdnum.us import ein, itin, ssn

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import CERTAIN, LIKELY, STRONG, WEAK, Candidate
from piibench.systems.rules.codes.cues import CODE_CUES, NOT_PERSONAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from piibench.systems.rules.cues import Cue
    from piibench.systems.rules.passage import Passage

_TOKEN = re.compile(
    r"(?<![^\W_])(?<![@.$€£¥₹])(?<!\d-)(?:(?<!\d,)|(?!\d{1,3}(?![\d-])))"
    r"[A-Za-z]{0,8}-?\d[A-Za-z0-9]*(?:[-/.][A-Za-z0-9]+)*(?!\.?\d|,\d{1,3}(?![\d-])|[%@])"
)
"""A comma before or behind it may part cells, but three digits or fewer belong to an amount."""
_REACH = len("ABCDEFGH-")
"""How far behind a token's start its first digit may stand."""
_MORE_GROUPS = re.compile(
    r"(?: \d{2,6}(?![\w,.%/:]*\w)){1,6}(?: [A-Z](?!\w))?|(?: \d{2}){3} [A-D](?!\w)| \d{6} [A-Z] \d{3}(?!\w)"
)
_PREFIX = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2} $")
_OTHER = re.compile(
    r"\d{4}([-/.])\d{1,2}\1\d{1,2}\w{0,9}|\d{1,2}([-/.])\d{1,2}\2\d{4}|\d{1,2}([/.])\d{1,2}\3\d{2}|(?:19"
    r"|20)\d\d"
    r"|\d{1,3}[/.]\d{1,3}|[a-z]{0,6}\d{1,2}|\d+(?:st|nd|rd|th|am|pm|k|kg|cm|mm|km|lbs?|h|hrs?|min|mg|ml|m"
    r"|gb|mb)",
    re.IGNORECASE,
)
"""Dates, years, ratios, ordinals and measures: never numbers that an office gave."""
_LABEL = re.compile(r"\b(?:id|no|number|num|badge|card|code|roll|clock)\b|[#:]")
_SURE_DIGITS = 6
_FARTHEST = 50


class Form(NamedTuple):
    """What a number of a category may look like behind a cue word.

    Attributes:
        digits: How many digits it has, least and most.
        letters: How many letters it has at most.
        spaced: Whether it may be written in groups.
    """

    digits: tuple[int, int]
    letters: int
    spaced: bool


FORMS: dict[Category, Form] = {
    Category.SOCIAL_SECURITY_NUMBER: Form((6, 18), 12, spaced=True),
    Category.DRIVERS_LICENSE: Form((3, 17), 9, spaced=True),
    Category.BANK_ACCOUNT: Form((6, 18), 4, spaced=True),
    Category.PASSPORT_NUMBER: Form((5, 10), 5, spaced=True),
    Category.TAX_ID: Form((4, 15), 9, spaced=True),
    Category.EMPLOYEE_ID: Form((3, 10), 6, spaced=False),
    Category.STUDENT_ID: Form((4, 14), 6, spaced=False),
}
"""Category -> form; the cue words are those of `codes.cues`."""


class SelfEvident(NamedTuple):
    """A form that tells its category without a cue word.

    Attributes:
        form: The whole value.
        category: What it is.
        score: How sure the form alone is.
        check: Check digits or ranges that must hold.
    """

    form: re.Pattern[str]
    category: Category
    score: float
    check: Callable[[str], bool] | None = None


SELF_EVIDENT: tuple[SelfEvident, ...] = (
    SelfEvident(re.compile(r"9\d\d-\d\d-\d{4}"), Category.TAX_ID, STRONG, itin.is_valid),
    SelfEvident(re.compile(r"\d{3}-\d{2}-\d{4}"), Category.SOCIAL_SECURITY_NUMBER, STRONG, ssn.is_valid),
    SelfEvident(re.compile(r"\d{3}-\d{2}-\d{4}"), Category.SOCIAL_SECURITY_NUMBER, LIKELY),
    SelfEvident(re.compile(r"[A-Z]{2} \d\d \d\d \d\d [A-D]"), Category.SOCIAL_SECURITY_NUMBER, STRONG),
    SelfEvident(re.compile(r"[A-Z]{2}\d{6}[A-D]"), Category.SOCIAL_SECURITY_NUMBER, LIKELY),
    SelfEvident(re.compile(r"\d{17}[\dXx]"), Category.SOCIAL_SECURITY_NUMBER, CERTAIN, ric.is_valid),
    SelfEvident(
        re.compile(r"[A-Z]{6}\w{2}[A-Z]\w{2}[A-Z]\w{3}[A-Z]"),
        Category.SOCIAL_SECURITY_NUMBER,
        CERTAIN,
        codicefiscale.is_valid,
    ),
    SelfEvident(re.compile(r"[A-Z]{4}\d{6}\w{8}"), Category.SOCIAL_SECURITY_NUMBER, CERTAIN, curp.is_valid),
    SelfEvident(re.compile(r"\d{8}-?[A-Z]"), Category.SOCIAL_SECURITY_NUMBER, LIKELY, dni.is_valid),
    SelfEvident(re.compile(r"\d{3}\.\d{3}\.\d{3}-\d{2}"), Category.TAX_ID, STRONG, cpf.is_valid),
    SelfEvident(re.compile(r"\d{2}-\d{7}"), Category.TAX_ID, LIKELY, ein.is_valid),
    SelfEvident(re.compile(r"[A-Z]{5}\d{4}[A-Z]"), Category.TAX_ID, LIKELY, pan.is_valid),
    SelfEvident(re.compile(r"[A-Z]{2}U?\d{8,12}(?:B\d\d)?"), Category.TAX_ID, LIKELY, vat.is_valid),
    SelfEvident(re.compile(r"[A-Z]\d{8}"), Category.PASSPORT_NUMBER, WEAK),
    SelfEvident(re.compile(r"[A-Z]{2}\d{6}"), Category.EMPLOYEE_ID, WEAK),
)
"""Tried in this order where no cue word stands near. Unmarked letters and digits are weak."""

_MRZ = re.compile(r"(?<![A-Z0-9<])([A-Z0-9]{7,9})<{0,2}\d[A-Z]{3}\d{7}[MF<]\d{7}[A-Z0-9<]{2,16}")
_MRZ_TAIL = re.compile(r"\d{7,40}[MF<]\d{7}")
_FAR = 120


def find_identity_numbers(passage: Passage) -> Iterator[Candidate]:
    """Propose numbers of social security, tax, licences, passports, accounts, staff and students."""
    for match in passage.search_numbers(_TOKEN, _REACH):
        if candidate := _propose(passage, Span(*match.span())):
            yield candidate
    if not any(passage.match_numbers(_MRZ_TAIL)):
        return
    for match in _MRZ.finditer(passage.text):
        span = Span(*match.span(1))
        yield Candidate(span, Category.PASSPORT_NUMBER, CERTAIN, "machine-readable line of a passport")


def _propose(passage: Passage, token: Span) -> Candidate | None:
    whole = _widen(passage.text, token)
    if whole == token and _OTHER.fullmatch(token.of(passage.text)):
        return None
    cue = CODE_CUES.nearest(passage, whole)
    if cue and cue.meaning in FORMS and cue.meaning and cue.cost <= _FARTHEST:
        form = FORMS[cue.meaning]
        for span in (whole, token) if form.spaced else (token,):
            if _fits(passage, span, form, cue):
                return Candidate(span, cue.meaning, STRONG, "number beside its cue word")
        return None
    if cue and cue.meaning is NOT_PERSONAL:
        return None
    return _recognise_form(passage, whole)


def _widen(text: str, token: Span) -> Span:
    """The token with the groups around it: "12 34 56 C" behind "AB", "0130 00" behind "532"."""
    groups = _MORE_GROUPS.match(text, token.end)
    end = groups.end() if groups else token.end
    nino = end - token.start == len("12 34 56 C") and text[end - 1].isalpha()
    start = (
        token.start - len("AB ")
        if nino and _PREFIX.search(text, max(0, token.start - len("AB ")), token.start)
        else token.start
    )
    return Span(max(0, start), end)


def _fits(passage: Passage, span: Span, form: Form, cue: Cue[Category | None]) -> bool:
    value = span.of(passage.text)
    digits = sum(char.isdecimal() for char in value)
    letters = sum(char.isalpha() for char in value)
    if not form.digits[0] <= digits <= form.digits[1] or letters > form.letters:
        return False
    labelled = _LABEL.search(
        passage.folded[cue.span.start : span.start] + passage.text[cue.span.end : span.start]
    )
    return bool(labelled) or letters > 0 or digits >= _SURE_DIGITS


def _recognise_form(passage: Passage, span: Span) -> Candidate | None:
    value = span.of(passage.text)
    for known in SELF_EVIDENT:
        if known.form.fullmatch(value) and (known.check is None or known.check(value)):
            category = known.category
            if known.score == WEAK:
                category = _undecided(passage, span, category)
            return Candidate(span, category, known.score, "form of the number")
    return None


def _undecided(passage: Passage, span: Span, usual: Category) -> Category:
    """Passport and licence share a form: a cue word farther back in the sentence decides."""
    cue = CODE_CUES.nearest(passage, span, before=_FAR)
    return cue.meaning if cue and cue.meaning in FORMS and cue.meaning else usual
