"""Academic degrees, with their subject where one follows, and education levels."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, STRONG, Candidate
from piibench.systems.rules.context import drop_nested, is_negated, is_predicate, window
from piibench.systems.rules.lexicon import read_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.lexicon import Hit
    from piibench.systems.rules.passage import Passage

_SUBJECTS = read_words("field_of_study")
_LONGEST_SUBJECT = 6
_SHORT = 3

_FORMAL_DEGREES = ("Bachelor", "Master", "Doctor", "Associate")
_FORMAL = re.compile(
    rf"\b(?:{'|'.join(_FORMAL_DEGREES)})(?:'s)? of "
    r"[A-Z][a-z]+(?:(?:,? and| of| in| for)?"
    r" [A-Z][a-z]+){0,4}"
)
_LINK = re.compile(r"(?: degrees?)?(?:  ?(?:hons\.?|honours|honors)\)?)?  ?(?:in|of) (?:the )?")
_HONOURS = re.compile(r"(?: degree)?(?: ?\((?:Hons\.?|Honours|Honors)\))?(?: degrees?\b)?")
_TITLED = re.compile(r"[A-Z][\w&'’-]*(?:(?:,? and|,? &|,| of| in)? [A-Z][\w&'’-]*){0,5}")
_PLAIN = re.compile(
    r"[a-z][\w'’-]+(?: (?!(?:from|at|and|or|with|in|on|by|to|for|but|while|when|then|who|which|where|he|she"
    r"|i|is|was)\b)[a-z][\w'’-]+){0,2}"
)
_HOLDS = re.compile(
    r" (?:has|have|had|holds?|holding|held|earn\w*|obtain\w*|complet\w*|got|get|receiv\w*|finish\w*"
    r"|pursu\w*|doing|did|do|with|my|his|her"
    r"|their|an?|our|and|two|both|second|dual|double|graduated with|studying for|working on|work toward"
    r"|toward|towards|for|degrees?|stud\w+"
    r"|qualification|education|after|since|during|final year|year)"
    r"(?: (?:an?|my|his|her|their|the|first|second|part time|online|undergraduate|joint|first class"
    r"|honours))* $"
)
_BEHIND_DEGREE = re.compile(
    r" (?:in|from|at|degree|thesis|programme|program|student|candidate|holder|graduate|\(hons)\b"
)
_REACHED = re.compile(
    r" (?:finish\w*|complet\w+|graduat\w+(?: from)?|attain\w*|holds?|has|only|highest|education(?:"
    r" level)?(?: is| was)?|level(?: is| was)?"
    r"|dropped out of|left|did|up to|through|after|qualification(?: is)?|schooling(?: is)?|beyond|with"
    r"|reached|past|got as far as)"
    r"(?: (?:an?|my|his|her|their|only|some|level is|is|just))* $"
)
_FOLLOWING_NAME = re.compile(r" [A-Z]")
_NAME_BEFORE = re.compile(r"[^\W\d_][\w'’.-]* [^\W\da-z_][\w'’-]*, $")
_POSTCODE = re.compile(r",? \d")


def find_education(passage: Passage) -> Iterator[Candidate]:
    """Propose academic degrees and education levels."""
    return chain(_find_degrees(passage), _find_levels(passage))


def _find_degrees(passage: Passage) -> Iterator[Candidate]:
    for hit in drop_nested(passage.of("academic_degree")):
        if not hit.exact or is_negated(passage, hit.start):
            continue
        end, subject = _take_subject(passage, hit)
        open_ended = passage.folded.endswith(" in", hit.start, hit.end)
        if subject or (not open_ended and _is_held(passage, hit)):
            score = STRONG if subject or hit.end - hit.start > _SHORT else LIKELY
            yield Candidate(Span(hit.start, end), Category.ACADEMIC_DEGREE, score, "degree by name")
    if not any(degree in passage.text for degree in _FORMAL_DEGREES):
        return
    for match in _FORMAL.finditer(passage.text):
        yield Candidate(Span(*match.span()), Category.ACADEMIC_DEGREE, STRONG, "degree in its formal name")


def _is_held(passage: Passage, hit: Hit) -> bool:
    """Whether words around a bare "MA" or "master's" make it a degree."""
    if _HOLDS.search(window(passage, hit.start)) or _BEHIND_DEGREE.match(passage.folded, hit.end):
        return True
    named = _NAME_BEFORE.search(passage.text[max(0, hit.start - 40) : hit.start])
    return bool(named) and passage.text[hit.start].isupper() and not _POSTCODE.match(passage.text, hit.end)


def _take_subject(passage: Passage, hit: Hit) -> tuple[int, bool]:
    """The end of the degree with "degree", honours and subject, and whether a subject follows."""
    if passage.folded.endswith(" in", hit.start, hit.end):
        start = hit.end + 1
    else:
        link = _LINK.match(passage.folded, hit.end)
        if not link:
            honours = _HONOURS.match(passage.text, hit.end)
            return (honours.end() if honours else hit.end), False
        start = link.end()
    end = _end_of_subject(passage, start)
    return (end, True) if end else (hit.end, False)


def _end_of_subject(passage: Passage, start: int) -> int:
    words = passage.folded[start : start + 64].split(" ")
    for count in range(min(len(words), _LONGEST_SUBJECT), 0, -1):
        subject = " ".join(words[:count]).rstrip(".!?)")
        if subject in _SUBJECTS:
            return start + len(subject)
    match = _TITLED.match(passage.text, start) or _PLAIN.match(passage.text, start)
    return match.end() if match else 0


def _find_levels(passage: Passage) -> Iterator[Candidate]:
    for hit in drop_nested(passage.of("education_level")):
        if hit.exact and not is_negated(passage, hit.start):
            yield Candidate(Span(hit.start, hit.end), Category.EDUCATION_LEVEL, LIKELY, "schooling by name")
    for hit in drop_nested(passage.of("education_level_cued")):
        if not hit.exact or is_negated(passage, hit.start) or _FOLLOWING_NAME.match(passage.text, hit.end):
            continue
        reached = _REACHED.search(window(passage, hit.start))
        person = passage.folded.endswith(("graduate", "leaver", "taught"), hit.start, hit.end)
        if reached or (person and is_predicate(passage, hit.start)):
            yield Candidate(
                Span(hit.start, hit.end), Category.EDUCATION_LEVEL, LIKELY, "schooling after a cue"
            )
