"""Words for what a person is: nationality, ethnicity, race, religion, politics, orientation, gender.

Such a word describes a person only in some places ("he is Italian", "an Italian nurse"), not in others
("Italian food", "speaks Italian"). One test serves all the lists, see `_describe`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, STRONG, Candidate
from piibench.systems.rules.context import (
    PERSONS,
    QUALIFIERS,
    THINGS,
    drop_nested,
    ends_clause,
    is_attributed,
    is_negated,
    is_predicate,
    window,
    word_behind,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.lexicon import Hit
    from piibench.systems.rules.passage import Passage


@dataclass(frozen=True, slots=True)
class _Attribute:
    """How one word list is read.

    Attributes:
        table: The lexicon.
        category: What its entries are.
        alone: Score where nothing around a hit speaks for or against it, 0 for none.
    """

    table: str
    category: Category
    alone: float = 0.0


_ATTRIBUTES = (
    _Attribute("nationality", Category.NATIONALITY),
    _Attribute("ethnicity", Category.ETHNICITY),
    _Attribute("race", Category.RACE),
    _Attribute("religious_belief", Category.RELIGIOUS_BELIEF),
    _Attribute("religious_belief_cued", Category.RELIGIOUS_BELIEF),
    _Attribute("political_affiliation", Category.POLITICAL_AFFILIATION),
    _Attribute("political_affiliation_cued", Category.POLITICAL_AFFILIATION),
    _Attribute("sexual_orientation", Category.SEXUAL_ORIENTATION, alone=LIKELY),
    _Attribute("sexual_orientation_cued", Category.SEXUAL_ORIENTATION),
    _Attribute("gender", Category.GENDER, alone=LIKELY),
    _Attribute("gender_cued", Category.GENDER),
)

_LINEAGE = re.compile(
    r"[ -](?:descent|heritage|ancestry|origins?|roots|background|extraction|ethnicity|blood|parents"
    r"|parentage|family)\b"
)
_HYPHENATED = re.compile(r"[ -](?:american|canadian|australian|british)\b")
_BORN = re.compile(r"[- ]born\b")
_LANGUAGE = re.compile(
    r" (?:speaks?|spoke|speaking|fluent in|learn\w*|stud(?:y|ies|ied|ying)|teach(?:es|ing)?|taught|in|into"
    r"|from|lessons in|native|some|basic|translat\w+|perfect|broken|business|conversational)(?: \w+ and|"
    r" \w+)? $"
)
_PARTY = re.compile(
    r" (?:member of|members of|joined|votes?(?: for)?|voted(?: for)?|voting(?: for)?|supports?|supporter of"
    r"|supporting|supported|canvass\w* for|campaign\w* for|affiliated with|registered with|belongs? to"
    r"|donat\w+ to|volunteer\w*"
    r" (?:for|with)"
    r"|stood for|candidate for|councillor for|loyal to|backs?|left|quit|active in|leans?)(?: the| a|"
    r" local)? $"
)
_FOLLOWER = re.compile(
    r" (?:party )?(?:voters?|supporters?|members?|activists?|councillors?|candidates?|party|leaning"
    r"|campaigner)\b"
)
_AGED = re.compile(r"(?:years? old|year old|y/?o|yo|\d{1,3})(?: [\w']+){0,2}  ?$")
_FORMAL_GENDER = frozenset({"male", "female", "trans"})
_STATED = re.compile(
    r" (?:identif\w+ as|transition\w* to|assigned|legally|gender is|sex is|presents? as) (?:an? )?(?:[\w']+"
    r" ){0,2}$"
)
_SELF = re.compile(rf" (?:i'm|i am|she's|she is|he's|he is|as) an?{QUALIFIERS} $")
_APPOSED = re.compile(r"[,(–—] ?an? (?:[\w-]+ )?$")
_CITIZEN = re.compile(
    r"\b(?:[Cc]itizen|[Nn]ational|[Pp]assport holder)s? of (?:the )?([A-Z][\w'’-]+(?: (?:and |of"
    r" )?[A-Z][\w'’-]+){0,3})"
)
_VOTED = re.compile(
    r"\b(?:[Vv]ot(?:es?|ed|ing)(?: for)?|[Mm]embers? of|[Jj]oined|[Ss]upports?)(?: the)?"
    r" ([A-Z]{2,6}(?= party| in | at |[.,;!?)]|$)|[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,3} Party)\b"
)
_COLOURS = frozenset({"white", "black", "asian", "coloured", "indigenous"})
_JOIN = re.compile(r"(?: and | or |, |/|-| & )(?:a |an )?")
_LONGEST_JOIN = 7


def find_attributes(passage: Passage) -> Iterator[Candidate]:
    """Propose nationality, ethnicity, race, religion, politics, sexual orientation and gender."""
    return chain(_find_listed(passage), _find_memberships(passage))


def _find_listed(passage: Passage) -> Iterator[Candidate]:
    jobs = {hit.start for hit in passage.of("occupation")}
    for attribute in _ATTRIBUTES:
        last = Candidate(Span(0, 1), attribute.category, 0.0, "")
        for hit in drop_nested(passage.of(attribute.table)):
            score = _describe(passage, hit, attribute, jobs)
            between = passage.folded[last.span.end : hit.start]
            joined = len(between) <= _LONGEST_JOIN and _JOIN.fullmatch(passage.text, last.span.end, hit.start)
            if not score and last.score and joined and ends_clause(passage, hit.end):
                score = last.score
            rule = f"{attribute.category} word that describes a person"
            last = Candidate(Span(hit.start, hit.end), _category(passage, hit, attribute), score, rule)
            if score:
                yield last


def _find_memberships(passage: Passage) -> Iterator[Candidate]:
    """Unlisted countries after "citizen of" and unlisted parties after "votes for"."""
    if "citizen" in passage.folded or "national" in passage.folded or "passport holder" in passage.folded:
        for match in _CITIZEN.finditer(passage.text):
            yield Candidate(Span(*match.span(1)), Category.NATIONALITY, STRONG, "country after 'citizen of'")
    if "vot" in passage.folded or " party" in passage.folded:
        for match in _VOTED.finditer(passage.text):
            rule = "party after 'votes for' or 'member of'"
            yield Candidate(Span(*match.span(1)), Category.POLITICAL_AFFILIATION, STRONG, rule)


def _category(passage: Passage, hit: Hit, attribute: _Attribute) -> Category:
    """A demonym before "descent" or after "ethnically" is an ethnicity."""
    if attribute.category is not Category.NATIONALITY:
        return attribute.category
    ethnic = _LINEAGE.match(passage.folded, hit.end) or " ethnic" in window(passage, hit.start, 12)
    return Category.ETHNICITY if ethnic else Category.NATIONALITY


def _describe(passage: Passage, hit: Hit, attribute: _Attribute, jobs: set[int]) -> float:
    """How surely the word describes a person here, 0 where it does not."""
    behind = word_behind(passage, hit.end)
    if behind in THINGS or is_negated(passage, hit.start):
        return 0.0
    match attribute.category:
        case Category.GENDER if attribute.table == "gender_cued":
            return _state_gender(passage, hit)
        case Category.POLITICAL_AFFILIATION:
            if hit.exact and (
                _PARTY.search(window(passage, hit.start)) or _FOLLOWER.match(passage.folded, hit.end)
            ):
                return STRONG
        case Category.NATIONALITY | Category.ETHNICITY if _LANGUAGE.search(window(passage, hit.start)):
            return 0.0
        case _:
            pass
    if not hit.exact and passage.folded[hit.start : hit.end] in _COLOURS:
        described = behind in PERSONS or (ends_clause(passage, hit.end) and is_predicate(passage, hit.start))
        return LIKELY if described else 0.0
    return _describe_adjective(passage, hit, behind, jobs) or attribute.alone


def _describe_adjective(passage: Passage, hit: Hit, behind: str, jobs: set[int]) -> float:
    if _LINEAGE.match(passage.folded, hit.end) or _BORN.match(passage.folded, hit.end):
        return STRONG
    if behind in PERSONS or hit.end + 1 in jobs:
        return STRONG if hit.exact else LIKELY
    closed = ends_clause(passage, hit.end) or bool(_HYPHENATED.match(passage.folded, hit.end))
    if closed and (is_predicate(passage, hit.start) or is_attributed(passage, hit.start)):
        return STRONG
    if closed and hit.exact and _APPOSED.search(passage.text, max(0, hit.start - 24), hit.start):
        return LIKELY
    listed = hit.exact and passage.text[hit.end : hit.end + 1] in {",", ")", ";", "."}
    return LIKELY if listed and _AGED.search(window(passage, hit.start, 24)) else 0.0


def _state_gender(passage: Passage, hit: Hit) -> float:
    """How surely a gender word is stated: "a 34-year-old woman", "I'm a woman", "a female patient"."""
    before = window(passage, hit.start)
    if _AGED.search(before) or _STATED.search(before):
        return STRONG
    word = passage.folded[hit.start : hit.end]
    if word in _FORMAL_GENDER:
        described = is_predicate(passage, hit.start) or word_behind(passage, hit.end) in PERSONS
        return STRONG if described else 0.0
    return LIKELY if _SELF.search(before) and ends_clause(passage, hit.end) else 0.0
