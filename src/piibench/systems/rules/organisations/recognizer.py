"""Organisations: companies, schools, public bodies, charities and places of care.

Three ways lead to one: the name's own form (a head word such as "Hospital", a suffix such as "GmbH"), a list
of well-known names, and a cue before a capitalised run ("works at …"). A run is a sequence of capitalised
words, joined by such words as "of" and "&"; see `runs`.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, STRONG, WEAK, Candidate
from piibench.systems.rules.context import drop_nested, window, word_behind
from piibench.systems.rules.organisations.cues import HIRES, PERSONAL, PERSONAL_TAILS, read_cue
from piibench.systems.rules.organisations.runs import Run, find_runs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.lexicon import Hit
    from piibench.systems.rules.passage import Passage


_KNOWN = {
    "company_name": Category.COMPANY_NAME,
    "educational_institution": Category.EDUCATIONAL_INSTITUTION,
    "government_agency": Category.GOVERNMENT_AGENCY,
    "ngo": Category.NGO,
    "healthcare_facility": Category.HEALTHCARE_FACILITY,
}
_CUED = {
    "company_name_cued": Category.COMPANY_NAME,
    "educational_institution_cued": Category.EDUCATIONAL_INSTITUTION,
}
_LED = re.compile(
    r"(?:^|[ .!?])(?:at|for|with|by|to|and|via|joined|join|joining|left|of|in) (?:the )?$| {2}$"
)
_WEB = re.compile(r"\.(?:com|org|net|co|io|gov|edu)\b|@")
_LOWER_HEADS = (
    "university", "college", "high school", "hospital", "medical center", "clinic", "academy",
    "secondary school",
)  # fmt: skip
_LOWER_CASE = re.compile(
    r"(?<![\w'])(?:at|for|from|to) (?!(?:the|my|a|an|our|his|her|their|this|that|your|any|some|no|local"
    r"|which|old|new|another)\b)"
    rf"((?:st\.? |saint )?(?:[a-z][a-z'.]+ ){{1,2}}({'|'.join(_LOWER_HEADS)}))\b"
)
_LOWER_CUE = re.compile(
    r" (?:work\w*|stud(?:y|ies|ied|ying)|graduated|go|goes|went|teach\w*|taught|treated|nurse|student"
    r"|admitted|intern\w*|attend\w*|shift"
    r"|shifts|job|degree|transferred|professor|doctor|teacher|volunteer\w*|enrolled|appointment)(?:"
    r" [\w']+){0,2} $"
)
_HEAD_CATEGORY = {
    "university": Category.EDUCATIONAL_INSTITUTION,
    "college": Category.EDUCATIONAL_INSTITUTION,
    "academy": Category.EDUCATIONAL_INSTITUTION,
    "high school": Category.EDUCATIONAL_INSTITUTION,
    "secondary school": Category.EDUCATIONAL_INSTITUTION,
}


def find_organisations(passage: Passage) -> Iterator[Candidate]:
    """Propose the five ORG categories."""
    return chain(_find_by_form(passage), _find_known(passage), _find_lower_case(passage))


def _find_by_form(passage: Passage) -> Iterator[Candidate]:
    for run in find_runs(passage):
        if run.category:
            score = STRONG if read_cue(passage, run.span.start) else run.score
            yield Candidate(run.span, run.category, score, "name with a head word or legal form")
        else:
            yield from _find_by_cue(passage, run)


def _find_by_cue(passage: Passage, run: Run) -> Iterator[Candidate]:
    if category := read_cue(passage, run.span.start):
        yield Candidate(run.span, category, LIKELY, "capitalised words after a cue such as 'works at'")
    elif HIRES.match(passage.folded, run.span.end):
        yield Candidate(run.span, Category.COMPANY_NAME, LIKELY, "capitalised words before 'hired me'")
    elif passage.folded.endswith(PERSONAL_TAILS, 0, run.span.start) and PERSONAL.search(
        window(passage, run.span.start, 32)
    ):
        yield Candidate(run.span, Category.COMPANY_NAME, WEAK, "capitalised words after 'joined'")


def _find_known(passage: Passage) -> Iterator[Candidate]:
    for table, category in _KNOWN.items():
        for hit in drop_nested(passage.of(table)):
            cued = read_cue(passage, hit.start)
            if (hit.exact or cued) and not _WEB.match(passage.text, hit.end):
                yield from _propose_known(passage, hit, category, cued=cued is not None)
    for table, category in _CUED.items():
        for hit in drop_nested(passage.of(table)):
            cued = read_cue(passage, hit.start)
            fits = cued in {category, Category.COMPANY_NAME} or (cued and table == "company_name_cued")
            if fits and (hit.exact or passage.text[hit.start : hit.end].islower()):
                score = STRONG if hit.exact and cued is category else LIKELY
                yield Candidate(Span(hit.start, hit.end), category, score, "name from a list after a cue")


def _propose_known(passage: Passage, hit: Hit, category: Category, *, cued: bool) -> Iterator[Candidate]:
    span = Span(hit.start, hit.end)
    if cued:
        yield Candidate(span, category, STRONG, "well-known name after a cue")
    elif category is not Category.COMPANY_NAME or (
        _LED.search(window(passage, hit.start, 16)) and not _is_product(passage, hit)
    ):
        yield Candidate(span, category, LIKELY, "well-known name")


def _is_product(passage: Passage, hit: Hit) -> bool:
    """Whether the company's name stands for its goods ("Sony headphones")."""
    behind = word_behind(passage, hit.end)
    return behind in {
        "account",
        "app",
        "maps",
        "docs",
        "drive",
        "phone",
        "car",
        "headphones",
        "search",
        "tv",
        "laptop",
    }


def _find_lower_case(passage: Passage) -> Iterator[Candidate]:
    if not any(head in passage.text for head in _LOWER_HEADS):
        return
    for match in _LOWER_CASE.finditer(passage.text):
        if _LOWER_CUE.search(window(passage, match.start(), 40)):
            category = _HEAD_CATEGORY.get(match[2], Category.HEALTHCARE_FACILITY)
            yield Candidate(Span(*match.span(1)), category, LIKELY, "name in lower case with a head word")
