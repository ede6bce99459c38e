"""Occupations: a job title counts where a link makes it somebody's, not as a bare role ("ask a lawyer")."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, STRONG, WEAK, Candidate
from piibench.systems.rules.context import (
    PERSONS,
    QUALIFIERS,
    drop_nested,
    is_negated,
    is_predicate,
    window,
)
from piibench.systems.rules.lexicon import read_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.passage import Passage

_DUTIES = read_words("department") | read_words("field_of_study")
_RANKS = read_words("occupation_rank")
_LONGEST_DUTY = 4
_LONGEST_JOIN = 24
_LONGEST_RANK = 24

_EMPLOYED = re.compile(
    r" (?:works?|worked|working|employed|hired|serv(?:e|es|ed|ing)|jobs?|career|roles?|position|post|trained"
    r"|training|qualified|started(?: out)?|retired|promoted|appointed|freelanc\w+|moonlight\w*|elected"
    r"|practi[sc](?:es|ed|ing)|apprenticed|shifts|years?|months?|experience|living|experienced|recruited"
    r"|intern\w*)"
    rf"(?: [\w'.&]+){{0,6}}? (?:as|to|is|was)(?: (?:an?|the|our|their|its))?{QUALIFIERS} $"
)
_AS = re.compile(
    r"(?<! dressed)(?<! disguised)(?<! known)(?<! such)(?<! same)(?<! treated)(?<! acts)"
    rf" as an?{QUALIFIERS} $"
)
_APPOSITION = re.compile(rf" (?:an?|the|our|my)({QUALIFIERS}) $")
_BECAME = re.compile(rf"(?<! to) (?:became|becoming|become) an?{QUALIFIERS} $")
_RETIRED = re.compile(r" (?:retired|former|ex|aspiring|qualified|self employed) $")
_COORDINATED = re.compile(r"\s*(?:,|/|&|,? and|,? or|,? then)(?: later)?\s+(?:an? )?(?:[\w-]+ )?")
_DUTY = re.compile(r" (?:of|in|for) ((?:[\w'&]+ ){0,3}[\w'&]+)")
_EMPLOYER_BEHIND = re.compile(r"\s*(?:at|@|\||–|—|-|,|of|with|for)\s+(?:the )?[A-Z]")
_CLOSER = re.compile(r"\s*(?:[,.;)\n]|$|at |for |from |in |with |of |and |who |by |on )")
_NAME_BEHIND = re.compile(r" (?!M(?:r|rs|s|x)\b|Dr\b)[A-Z][\w.]*")
_WORD_BEFORE = re.compile(r"(?<![\w'’.])([^\W\d_][\w'’]*\.?)[ \u00a0-]$")
_NAMED_BEFORE = re.compile(r"(?:[A-Z][\w'’.-]*|\d{1,3}|\))$")
_KIN_BEFORE = re.compile(r"([\w'’-]+)$")


def find_occupations(passage: Passage) -> Iterator[Candidate]:
    """Propose the job titles that belong to a person."""
    last_end, last_score = 0, 0.0
    for hit in drop_nested(passage.of("occupation")):
        span = _widen(passage, Span(hit.start, hit.end))
        if span.start < last_end:
            continue
        score, rule = _link(passage, span)
        between = passage.text[last_end : span.start]
        if not score and last_score and len(between) < _LONGEST_JOIN and _COORDINATED.fullmatch(between):
            score, rule = last_score, "joined to a job before it"
        last_end, last_score = span.end, score
        if score:
            yield Candidate(span, Category.OCCUPATION, score, rule)


def _widen(passage: Passage, span: Span) -> Span:
    """Take ranks before the title ("senior") and duties behind it ("of marketing") along."""
    start = span.start
    while (word := _WORD_BEFORE.search(passage.text, max(0, start - _LONGEST_RANK), start)) and (
        passage.folded[word.start(1) : word.end(1)] in _RANKS
    ):
        start = word.start(1)
    return Span(start, _end_of_duty(passage, span.end))


def _end_of_duty(passage: Passage, end: int) -> int:
    match = _DUTY.match(passage.folded, end)
    if not match or passage.text[end] != " ":
        return end
    words = match[1].split(" ")
    for count in range(min(len(words), _LONGEST_DUTY), 0, -1):
        duty = " ".join(words[:count])
        if duty in _DUTIES:
            return match.start(1) + len(duty)
    return end


def _link(passage: Passage, span: Span) -> tuple[float, str]:
    """How surely the title is somebody's, 0 where nothing says so."""
    titled = passage.text[span.start].isupper() and _NAME_BEHIND.match(passage.text, span.end)
    if titled or passage.text.startswith(":", span.end) or is_negated(passage, span.start):
        return 0.0, ""
    before = window(passage, span.start)
    if is_predicate(passage, span.start):
        return STRONG, "job in the predicate of a person"
    if _EMPLOYED.search(before) or _BECAME.search(before):
        return STRONG, "job after a cue such as 'works as'"
    if _AS.search(before):
        return LIKELY, "job after 'as a'"
    return _link_by_place(passage, span, before)


def _link_by_place(passage: Passage, span: Span, before: str) -> tuple[float, str]:
    text = passage.text
    if _in_apposition(passage, span, before):
        return STRONG, "job in apposition to a person"
    titled = text[span.start].isupper()
    opens_line = span.start == 0 or text[span.start - 1] == "\n"
    if titled and opens_line and _EMPLOYER_BEHIND.match(text, span.end):
        return LIKELY, "job that opens a line before an employer"
    if not titled and _NAME_BEHIND.match(text, span.end):
        return LIKELY, "job before a name"
    if _RETIRED.search(before) and not before.rstrip().endswith(("the retired", "a former")):
        return WEAK, "job after 'retired' or 'former'"
    return 0.0, ""


def _in_apposition(passage: Passage, span: Span, before: str) -> bool:
    """Whether it stands as in "Ana, a retired nurse," or "Tom Beck, Senior Editor at" or "(34, nurse)"."""
    article = _APPOSITION.search(before)
    start = span.start - len(article[0]) + 1 if article else span.start
    head = passage.text[max(0, start - 32) : start].rstrip()
    if not head.endswith((",", "(", "–", "—", " -")) or not _CLOSER.match(passage.text, span.end):
        return False
    named = head.rstrip(",(–—- ")
    if _NAMED_BEFORE.search(named):
        return bool(article) or passage.text[span.start].isupper() or named[-1].isdigit() or head[-1] in "(–—"
    kin = _KIN_BEFORE.search(named)
    return bool(article and kin and kin[1].lower() in PERSONS)
