"""Heights, weights and blood types: values of a body, told from measures of things.

Each number is looked at once; its unit decides which reading is tried.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, STRONG, Candidate
from piibench.systems.rules.context import PERSONS, find_numbers, is_predicate, window, word_behind
from piibench.systems.rules.demographics.ages import find_ages
from piibench.systems.rules.lexicon import read_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.passage import Passage

_METRIC_HEIGHT = re.compile(
    r"(?:1[0-9]{2}|2[0-4][0-9]|[6-9][0-9])(?:[.,]\d)? ?(?:cms?|centimet(?:re|er)s?)\b"
    r"|[12][.,][0-9]{1,2} ?(?:m|met(?:re|er)s?)\b|[12] ?m ?[0-9]{2}\b",
    re.IGNORECASE,
)
_FEET_HEIGHT = re.compile(
    r"[3-7] ?['’′] ?(?:1[01]|[0-9])(?:\.5|½)?(?: ?(?:''|[\"”″]|in\b))?(?!\w)"
    r"|[3-7](?: ?ft\.?| ?feet| foot|-foot),?(?: and)?[ -]?(?:1[01]|[0-9])(?:\.5|½)?(?: ?(?:inches|inch"
    r"|ins?\b\.?|[\"”″]))?(?!\w)",
    re.IGNORECASE,
)
_SPOKEN_HEIGHT = re.compile(
    r"(?:(?<![\w'])(?:three|four|five|six|seven)|(?<![\w.,])[3-7]) (?:foot|feet|ft)\b"
    r"(?: (?:and )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|\d{1,2})(?: (?:inches|inch"
    r"|in)\b)?(?!\w))?"
)
_WEIGHT = re.compile(
    r"\d{1,3}(?:[.,]\d{1,2})? ?(?:kgs?|kilos?|kilogram(?:me)?s?|lbs?|pounds)\b"
    r"|\d{1,2}(?:\.5|½)? ?(?:stones?|st)\b(?: ?(?:and )?\d{1,2}(?: ?(?:lbs?|pounds))?\b)?",
    re.IGNORECASE,
)
_TALL = re.compile(r"\b(?:tall|heights?|stands?|standing|stood|measures?|measuring|grown to|ht)\b")
_TALL_BEHIND = re.compile(r" ?(?:tall|in height|height)\b")
_HEAVY = re.compile(r"\b(?:weigh(?:s|ed|ing|t)?|wt|scales?)\b")
_HEAVY_BEHIND = re.compile(r" (?:in weight|body weight|bodyweight)\b")
_GOODS = re.compile(rf"\b(?:{'|'.join(sorted(read_words('measured_thing')))})\b")
_EXTENT = re.compile(r" (?:long|wide|deep|high|thick|away|apart|square|cubed?)\b")
_OTHER_VALUE = re.compile(
    r"\d{2,3} ?(?:kg|kgs|lbs?|pounds|cm)\b|\d'\d|\d ?ft|\bage[ds]?\b|years? old|\bbmi\b|\byear old\b"
    r"|\bblood\b|\beyes?\b|\bhair\b"
)
_BLOOD_WORDS = ("blood", "donor", "transfus", "rhesus", "positive", "negative", " rh")
_BLOOD = re.compile(
    r"(?<![\w+-])(?:AB|[ABO0])(?: ?[+\-−–](?![\w+])| ?\(?(?:[Rr][Hh]|[Rr]hesus)(?:[ -]?(?:[Pp]os"
    r"|[Nn]eg)(?:itive|ative)?\b| ?[+\-−–])\)?"
    r"|[ -]?(?:[Pp]ositive|[Nn]egative|POSITIVE|NEGATIVE|pos|neg)\b)"
)
_BLOOD_CUE = re.compile(r"\b(?:blood|donors?|donate\w*|transfus\w*|rh|rhesus)\b")
_BLOOD_PLAIN = re.compile(
    r"\b[Bb]lood (?:[Tt]ype|[Gg]roup)(?: is|:| -| =| was)? (?:[Tt]ype )?(AB|[ABO])(?![\w+'’-]| ?(?:[Rr]h"
    r"|[Pp]os|[Nn]eg))"
)
_BEFORE, _BEHIND = 44, 24


def find_bodies(passage: Passage) -> Iterator[Candidate]:
    """Propose ages, heights, weights and blood types."""
    return chain(find_ages(passage), _find_measures(passage), _find_blood_types(passage))


def _find_measures(passage: Passage) -> Iterator[Candidate]:
    for number in find_numbers(passage):
        if match := _METRIC_HEIGHT.match(passage.text, number.start):
            yield from _propose(passage, Span(*match.span()), Category.HEIGHT)
        elif match := _WEIGHT.match(passage.text, number.start):
            yield from _propose(passage, Span(*match.span()), Category.WEIGHT)
        elif match := _FEET_HEIGHT.match(passage.text, number.start):
            span = Span(*match.span())
            if not _is_of_thing(passage, span):
                yield Candidate(span, Category.HEIGHT, LIKELY, "height in feet and inches")
    if any(unit in passage.folded for unit in (" foot", " feet", " ft")):
        for match in _SPOKEN_HEIGHT.finditer(passage.folded):
            yield from _propose(passage, Span(*match.span()), Category.HEIGHT)


def _propose(passage: Passage, span: Span, category: Category) -> Iterator[Candidate]:
    if score := _weigh(passage, span, category):
        yield Candidate(span, category, score, f"{category.lower()} of a person")


def _clause(passage: Passage, span: Span) -> str:
    """The folded text around a value, within its sentence; a bar marks the value."""
    before = window(passage, span.start, _BEFORE).rpartition(". ")[2]
    behind = passage.folded[span.end : span.end + _BEHIND].partition(". ")[0]
    return f"{before}|{behind}"


def _is_of_thing(passage: Passage, span: Span) -> bool:
    return bool(_GOODS.search(_clause(passage, span)) or _EXTENT.match(passage.folded, span.end))


def _weigh(passage: Passage, span: Span, category: Category) -> float:
    """How surely a measure is a person's, 0 where it is a thing's or nobody's."""
    if _is_of_thing(passage, span):
        return 0.0
    clause = _clause(passage, span)
    cue, behind = (_TALL, _TALL_BEHIND) if category is Category.HEIGHT else (_HEAVY, _HEAVY_BEHIND)
    if cue.search(clause.partition("|")[0]) or behind.match(passage.folded, span.end):
        return STRONG
    described = word_behind(passage, span.end) in PERSONS or is_predicate(passage, span.start)
    return LIKELY if described or _OTHER_VALUE.search(clause) else 0.0


def _find_blood_types(passage: Passage) -> Iterator[Candidate]:
    if not any(word in passage.folded for word in _BLOOD_WORDS):
        return
    for match in _BLOOD.finditer(passage.text):
        span = Span(*match.span())
        spelt = match[0][-1].isalpha() and not match[0].startswith("A ")
        if _BLOOD_CUE.search(_clause(passage, span)):
            yield Candidate(span, Category.BLOOD_TYPE, STRONG, "blood type near 'blood'")
        elif spelt and is_predicate(passage, span.start):
            yield Candidate(span, Category.BLOOD_TYPE, LIKELY, "blood type in the predicate")
    for match in _BLOOD_PLAIN.finditer(passage.text):
        yield Candidate(Span(*match.span(1)), Category.BLOOD_TYPE, STRONG, "blood group after its name")
