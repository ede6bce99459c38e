"""Physical features: described body parts ("curly red hair"), marks ("a scar on his left cheek"), traits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, STRONG, Candidate
from piibench.systems.rules.context import PERSONS, drop_nested, is_negated, is_predicate, window, word_behind
from piibench.systems.rules.lexicon import read_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.passage import Passage

_DESCRIBING = read_words("physical_feature_adjective")
_MARKS = frozenset(
    {
        "birthmark",
        "scar",
        "scars",
        "tattoo",
        "tattoos",
        "freckles",
        "dimples",
        "piercing",
        "piercings",
        "dreadlocks",
        "mole",
    }
)
_LONE_MARKS = _MARKS - {"piercing", "mole"}
_NEEDS_OWNER = read_words("shared_feature")
"""Parts that things have too ("a red face of the clock"): they count only behind an owner."""
_BODY = (
    r"cheeks?|chin|forehead|brow|eyebrow|eyes?|nose|lips?|ears?|neck|throat|shoulders?|arms?|forearms?"
    r"|upper arm|elbow|wrists?|hands?|palm|thumb|fingers?|knuckles|chest|back|lower back|stomach|abdomen"
    r"|belly|hip|thighs?|knees?|calf|calves|shin|ankles?|foot|feet"
    r"|temple|jaw|scalp|face|torso|ribs|leg|legs|collarbone|bicep|biceps|tongue|navel"
)
_WHERE = re.compile(
    r"(?: (?:just )?(?:on|above|below|under|over|across|along|near|behind|beneath|down|between|at|in"
    r"|beside) (?:(?:the|his|her|my|their"
    rf"|its|both|one) )?(?:(?:left|right|lower|upper|inner|outer|top|side|back|corner|bridge|middle) (?:of"
    rf" )?(?:his |her |my |the )?)*(?:{_BODY})\b)+"
)
_DEPICTING = re.compile(
    r" (?:of|shaped like|depicting|that says|reading|saying) (?:an? |the |his |her |my )?"
    r"(?:(?!(?:on|above|below|under|over|across|along|near|behind|in|at|and|which|that)\b)[\w']+ ){0,1}"
    r"(?!(?:on|above|below|under|over|across|along|near|behind|in|at|and|which|that)\b)[\w']+"
)
_OWNER = re.compile(
    r" (?:has|have|had|with|my|his|her|their|wears?|wearing|got|a|an|sports|distinguished by|features?|is"
    r"|and)(?: [\w']+)* $"
)
_COLOURED = re.compile(r" (?:are|is|was|were) (?:(?:a |very |naturally |now |quite )*)")
_LONGEST_DESCRIPTION = 6
_LAST_WORD = re.compile(r"(?<![\w-])([^\W\d_][\w'’-]*)(?:,? and |, | )$")
_NEXT_WORD = re.compile(r" ?([^\W\d_]+)")


def find_features(passage: Passage) -> Iterator[Candidate]:
    """Propose physical features."""
    for hit in drop_nested(passage.of("physical_feature")):
        if is_negated(passage, hit.start):
            continue
        if candidate := _describe_part(passage, hit.start, hit.end):
            yield candidate
    for hit in drop_nested(passage.of("physical_features")):
        person = word_behind(passage, hit.end) in PERSONS
        if not is_negated(passage, hit.start) and (person or is_predicate(passage, hit.start)):
            yield Candidate(Span(hit.start, hit.end), Category.PHYSICAL_FEATURES, LIKELY, "trait of a person")


def _describe_part(passage: Passage, start: int, end: int) -> Candidate | None:
    part = passage.folded[start:end]
    first = _start_of_description(passage, start)
    if part in _MARKS:
        tail = _end_of_mark(passage, end)
        if first == start and tail == end and part not in _LONE_MARKS:
            return None
        rule = "mark on the body"
        return Candidate(Span(first, tail), Category.PHYSICAL_FEATURES, STRONG, rule)
    if first == start:
        return _describe_behind(passage, end) if part in {"eyes", "hair", "beard", "skin"} else None
    if part in _NEEDS_OWNER and not _OWNER.search(window(passage, first, 32)):
        return None
    return Candidate(Span(first, end), Category.PHYSICAL_FEATURES, STRONG, "described part of the body")


def _start_of_description(passage: Passage, start: int) -> int:
    """Walk left over describing words, commas and "and" between them."""
    first, text = start, passage.text
    for _ in range(_LONGEST_DESCRIPTION):
        match = _LAST_WORD.search(text, max(0, first - 24), first)
        if not match:
            break
        words = match[1].lower().replace("’", "'")
        if words in _DESCRIBING or all(part in _DESCRIBING for part in words.split("-")):
            first = match.start(1)
        else:
            break
    return first


def _end_of_mark(passage: Passage, end: int) -> int:
    for _ in range(2):
        for pattern in (_WHERE, _DEPICTING):
            if match := pattern.match(passage.folded, end):
                end = match.end()
    return end


def _describe_behind(passage: Passage, end: int) -> Candidate | None:
    """The colour in "her eyes are green"."""
    link = _COLOURED.match(passage.folded, end)
    if not link:
        return None
    start = last = link.end()
    while (word := _NEXT_WORD.match(passage.folded, last)) and word[1] in _DESCRIBING:
        last = word.end()
    if last == start:
        return None
    return Candidate(Span(start, last), Category.PHYSICAL_FEATURES, LIKELY, "colour of eyes or hair")
