"""What a labelled field may hold: the table of labels, and the narrowing of a field's text to its value."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import STRONG, Candidate

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_WORDS = {Category.STREET_ADDRESS: 16, Category.PHYSICAL_FEATURES: 8, Category.ACADEMIC_DEGREE: 9}
_WORDS = 6
_STOP = re.compile(
    r",\s|\. |\.$|,$|\s{2,}|\s\(|\s[–—-]\s|,(?=\S)| (?:and|at|with|who|which|but|since|because|from) "
)
_DIGITS_STOP = re.compile(
    r"\. (?=[A-Z])|\.$|\s{2,}|\s\(|,\s(?!\d|x\d|ext)| (?:and|at|with|who|which|but|in|from) (?=[^\W\d_])"
)
"""A date, a phone or a height holds commas and words, but no comma before a word."""
_ADDRESS_STOP = re.compile(r"\. (?=[A-Z])|\.$|\s{2,}|\s\(")
_BRACKET = re.compile(r"\s\(")
_ITEM = re.compile(r"[^,;&]+")
_AND = re.compile(r" and ")
_AMOUNT = re.compile(
    r"(?:[A-Z]{2,3}\$? ?|[$€£¥₹₩₦₱]|Rs\.? ?|R\$ ?)?\d[\d,.' ]*\d?(?: ?(?:k|K|m|M|lakh|crore|million"
    r"|thousand)\b)?"
    r"(?: ?(?:[€£¥₹₽%]|USD|EUR|GBP|INR|CHF|CAD|AUD|JPY|KES|NGN|ZAR|dollars|euros|pounds|rupees|yen)(?!\w))?"
)
_RATE = re.compile(r"\d{1,3}(?:[.,]\d+)?(?: ?%|/\d{2,3})?")
_AGE = re.compile(r"(\d{1,3})(?!\d)")
_BLOOD = re.compile(
    r"(?:AB|[ABO0])(?: ?(?:[Rr][Hh] ?)?(?:[+\-−–]|[Pp]os(?:itive)?|[Nn]eg(?:ative)?))?(?!\w)", re.IGNORECASE
)
_SENTENCE = re.compile(
    r"^(?:i|he|she|they|we|it|is|are|was|the|this|that|what|how|why|please|to be|not) ", re.IGNORECASE
)


class _Table(NamedTuple):
    """`fields.toml`, read."""

    labels: dict[str, Category]
    kinds: dict[Category, str]
    empty: frozenset[str]


def _load() -> _Table:
    raw: dict[str, Any] = tomllib.loads(
        (files("piibench.systems.rules.fields") / "fields.toml").read_text("utf-8")
    )
    labels = {label: Category(name) for name, given in raw["labels"].items() for label in given}
    kinds = {Category(name): kind for kind, names in raw["kinds"].items() for name in names}
    return _Table(labels, kinds, frozenset(raw["empty"]["values"]))


_TABLE = _load()
LABELS = _TABLE.labels
"""Folded label -> category."""


def read_value(text: str, span: Span, category: Category, *, whole: bool = False) -> Iterator[Candidate]:
    """Narrow the rest of a field to its value, or refuse it.

    Args:
        text: The description.
        span: What stands behind the label, up to the end of the line or cell.
        category: What the label stands for.
        whole: Whether the value is known to fill the span, which quotes say.
    """
    kind = _TABLE.kinds.get(category, "words")
    if span.of(text).strip(" .,").lower() in _TABLE.empty:
        return
    if kind in {"amount", "rate"} or category in {Category.AGE, Category.BLOOD_TYPE}:
        spans = _match_value(text, span, category, kind)
    elif kind == "list":
        spans = _split_list(text, span)
    else:
        cut = (_BRACKET if whole else _choose_stop(category, kind)).search(text, *span)
        spans = [Span(span.start, cut.start() if cut else span.end)]
    for found in spans:
        value = trim_value(text, found)
        if whole and value and len(value.of(text).split()) > _MOST_WORDS.get(category, _WORDS):
            yield from read_value(text, span, category)
        elif value and _is_plausible(value.of(text), category, kind):
            yield Candidate(value, _refine(value.of(text), category), STRONG, f"field labelled {category}")


def _choose_stop(category: Category, kind: str) -> re.Pattern[str]:
    if category in (Category.STREET_ADDRESS, Category.TIME):
        return _ADDRESS_STOP
    return _DIGITS_STOP if kind == "digits" else _STOP


def _match_value(text: str, span: Span, category: Category, kind: str) -> list[Span]:
    if category is Category.AGE:
        pattern = _AGE
    elif category is Category.BLOOD_TYPE:
        pattern = _BLOOD
    else:
        pattern = _AMOUNT if kind == "amount" else _RATE
    match = pattern.match(text, span.start, span.end)
    return [Span(*match.span())] if match else []


def _split_list(text: str, span: Span) -> list[Span]:
    """Cut a list such as "asthma, eczema and gout" in its values; it ends with the sentence."""
    stop = _ADDRESS_STOP.search(text, *span)
    end = stop.start() if stop else span.end
    items: list[Span] = []
    for match in _ITEM.finditer(text, span.start, end):
        start = match.start()
        for joiner in _AND.finditer(text, *match.span()):
            items.append(Span(start, joiner.start()))
            start = joiner.end()
        items.append(Span(start, match.end()))
    return items


def trim_value(text: str, span: Span) -> Span | None:
    """The span without white space, quotes and punctuation around it, None where nothing is left."""
    value = span.of(text)
    start = span.start + len(value) - len(value.lstrip(" \t'\"*([:–—-"))
    stripped = value.rstrip(" \t\r'\",.*)]:;!?")
    end = span.start + len(stripped)
    return Span(start, end) if start < end else None


def _is_plausible(value: str, category: Category, kind: str) -> bool:
    if value.lower() in _TABLE.empty or value[0] in "_[<{." or _SENTENCE.match(value):
        return False
    if len(value.split()) > _MOST_WORDS.get(category, _WORDS):
        return False
    if kind in {"digits", "amount", "rate"} or category is Category.AGE:
        return any(char.isdigit() for char in value)
    if category is Category.EMAIL_ADDRESS:
        return "@" in value
    if kind == "capitals":
        return value[0].isalpha() and not value[0].islower()
    return any(char.isalpha() for char in value)


def _refine(value: str, category: Category) -> Category:
    """A name field that holds one word holds a first name."""
    return Category.NICKNAME if category is Category.FULL_NAME and " " not in value else category
