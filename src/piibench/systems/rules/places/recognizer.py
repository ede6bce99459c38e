"""Places: street addresses (`addresses`), landmarks (`landmarks`), and towns, regions and countries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, WEAK, Candidate
from piibench.systems.rules.lexicon import read_words
from piibench.systems.rules.names.words import FUNCTION_WORDS, map_starts, starts_sentence
from piibench.systems.rules.places.addresses import find_addresses
from piibench.systems.rules.places.landmarks import find_landmarks
from piibench.systems.rules.places.parts import STATE_CODES, map_places

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from piibench.systems.rules.passage import Passage

_ORDINARY = read_words("place_stopword") | read_words("name_stopword")
_BREAKS = read_words("name_break") | read_words("calendar_word") | FUNCTION_WORDS
_MODIFIERS = read_words("landmark_modifier") | read_words("place_stopword")
_NOT_TOWNS = read_words("name_head") | read_words("landmark_head") | read_words("street_type")

_CAP = r"[^\W\d_a-zß-öø-ÿ][^\W\d_]{0,30}"
_CUE = re.compile(
    r"\b(?:in|from|to|near|outside|around|leave|left|leaving|visit|visited|visiting|city|town|location"
    r"|hometown|based|"
    r"birthplace|residence|via|toward|towards|city of|town of|between|across|downtown|northern|southern"
    r"|eastern|western|"
    r"central|à|en|de|nach|in der|aus|desde|в|из)[: ]{1,3}$",
    re.IGNORECASE,
)
_SETTLES = re.compile(
    r"(?<!\w)(?:lives?|lived|living|moved|moving|born|grew up|raised|based|resid(?:e|es|ed|ing)|settled"
    r"|relocat(?:ed|ing)|hometown|town|village|city|suburb|native|brought up|commutes?|hails?|originally"
    r"|flat|apartment|house|home)(?: back| over| down| up)?$"
)
_TOWARDS = re.compile(r" (?:in|to|of|from|is) (?=[^\W\d_a-zß-öø-ÿ])")
_TOWN = re.compile(
    rf"(?:St\.? )?{_CAP}(?:[ -](?:(?:upon|on|in|de|del|la|le|les|sur|am|under|by|der)[ -])?{_CAP}){{0,3}}"
)
_DISTRICT = re.compile(
    r"[ ](?:District|County|Province|Prefecture|Township|Municipality|Borough|Parish|Village|Town|Oblast"
    r"|Krai|Governorate)(?!\w)"
)
_BEFORE_DISTRICT = re.compile(rf"\b{_CAP}(?:[ -](?:and )?{_CAP}){{0,4}}$")
_STATE = re.compile(r", ([A-Z]{2,3})(?![\w'’])")
_JOINED_BEFORE = frozenset("@_\\#.&")
_CAPITAL_BEHIND = re.compile(r"[ -](?=[^\W\d_a-zß-öø-ÿ])")
_CAPITAL_BEFORE = re.compile(r"([^\W\d_a-zß-öø-ÿ][\w'’-]{0,20})[ -]$")
_SHORTEST = 3


def find_places(passage: Passage) -> list[Candidate]:
    """Propose street addresses, landmarks, and cities, regions and countries."""
    return [
        *find_addresses(passage),
        *find_landmarks(passage),
        *_find_listed(passage),
        *_find_settled(passage),
        *_find_districts(passage.text),
    ]


def _find_listed(passage: Passage) -> Iterator[Candidate]:
    """Yield the listed places, each with the region or state code that a comma joins to it."""
    text, places = passage.text, map_places(passage)
    regions = map_starts(passage, "regions", "region")
    persons = map_starts(passage, "first_names", "last_names")
    covered = 0
    for start in sorted(places):
        end = places[start]
        if start < covered or not _is_written_as_place(text, start, end):
            continue
        joined = _join_region(text, end, regions)
        score = _score(passage, start, end, persons, joined=joined > end)
        if score:
            covered = joined
            yield Candidate(Span(start, joined), Category.CITY_REGION, score, "listed place")


def _is_written_as_place(text: str, start: int, end: int) -> bool:
    value = text[start:end]
    if value[0].isupper():
        if value.isupper() and len(value) <= _SHORTEST and value not in {"UK", "USA", "UAE", "NYC", "NSW"}:
            return False
    elif value[0].isascii() or value[0].islower():
        return False
    return text[end : end + 1] not in {":", "@", "_"} and not (start and text[start - 1] in _JOINED_BEFORE)


def _join_region(text: str, end: int, regions: Mapping[int, int]) -> int:
    """Return the end of "Portland, Oregon" or "Portland, OR" for the end of "Portland"."""
    state = _STATE.match(text, end)
    if state and state.group(1).lower() in STATE_CODES:
        return state.end()
    if text.startswith(", ", end) and end + 2 in regions and text[end + 2].isupper():
        return regions[end + 2]
    return end


def _score(passage: Passage, start: int, end: int, persons: Mapping[int, int], *, joined: bool) -> float:
    """LIKELY for a plain place or one with a cue, WEAK for one that may be something else, 0 for a word."""
    text = passage.text
    cued = bool(_CUE.search(text, max(0, start - 14), start))
    before = _CAPITAL_BEFORE.search(text, max(0, start - 20), start)
    crowded = bool(_CAPITAL_BEHIND.match(text, end)) or (
        before is not None and before.group(1).lower() not in FUNCTION_WORDS and not cued
    )
    value = passage.folded[start:end]
    if joined and not (crowded and value in _ORDINARY):
        return LIKELY
    if value in _ORDINARY:
        return LIKELY if cued and not crowded and not starts_sentence(text, start) else 0
    if value.partition(" ")[0] in _NOT_TOWNS:
        return 0
    if crowded:
        return WEAK
    return LIKELY if cued or persons.get(start, 0) < end else WEAK


def _find_settled(passage: Passage) -> Iterator[Candidate]:
    """Yield places that nobody lists, where somebody lives, was born or moved ("moved to Lower Wick")."""
    for match in _TOWARDS.finditer(passage.text):
        town = _TOWN.match(passage.text, match.end())
        if not town or not _SETTLES.search(passage.folded, max(0, match.start() - 20), match.start()):
            continue
        words = town.group().split(" ")
        while words and words[-1].lower() in FUNCTION_WORDS:
            words.pop()
        if words and words[0].lower() not in _BREAKS and words[-1].lower() not in _NOT_TOWNS:
            span = Span(town.start(), town.start() + len(" ".join(words)))
            # A listed place that is shorter ("Leeds" of "moved to Leeds Tuesday") is the better reading.
            score = WEAK if len(words) > 1 else LIKELY
            yield Candidate(span, Category.CITY_REGION, score, "where somebody lives")


def _find_districts(text: str) -> Iterator[Candidate]:
    """Yield districts, counties and the like by the last word of their names."""
    for match in _DISTRICT.finditer(text):
        before = _BEFORE_DISTRICT.search(text, max(0, match.start() - 60), match.start())
        words = before.group().split(" ") if before else []
        while words and words[0].lower() in _BREAKS:
            words.pop(0)
        if words and not _MODIFIERS.issuperset(word.lower() for word in words):
            span = Span(match.start() - len(" ".join(words)), match.end())
            yield Candidate(span, Category.CITY_REGION, LIKELY, "district by its last word")
