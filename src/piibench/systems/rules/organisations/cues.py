"""Words that lead to an organisation ("works at", "graduated from"), by the category they speak for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from piibench.data.taxonomy import Category
from piibench.systems.rules.context import window

if TYPE_CHECKING:
    from piibench.systems.rules.passage import Passage


class _Cue(NamedTuple):
    category: Category
    pattern: re.Pattern[str]


_ARTICLE = r"(?: the)? $"
_CUES = (
    _Cue(
        Category.EDUCATIONAL_INSTITUTION,
        re.compile(
            r" (?:graduat\w+ (?:from|at)|stud(?:y|ies|ied|ying)(?: [\w']+){0,4} at|alumn\w+ of|enrol\w*"
            r" (?:at|in)|degree (?:from|at)"
            r"|student (?:at|of)|admitted to study at|attend(?:s|ed|ing)?|teach(?:es|ing)? at|taught at"
            r"|lectur\w+ at|professor at|schooled at|levels at|gcses at|educated at|undergrad\w* at|classes"
            r" at|dropped out of"
            r"|bachelor's (?:from|at)|master's (?:from|at)"
            r"|phd (?:from|at)|mba (?:from|at)|doctorate (?:from|at)|transferred to|b\.?sc?\.? from"
            r"|freshman at|sophomore at|junior at|senior at|year at|semester at|scholarship (?:to|at)"
            r"|campus of)" + _ARTICLE
        ),
    ),
    _Cue(
        Category.HEALTHCARE_FACILITY,
        re.compile(
            r" (?:treated (?:at|in|by)|hospitali[sz]ed (?:at|in)|surgery at|operated on at|appointment"
            r" (?:at|with)|patient (?:at|of)"
            r"|check ?up at|admitted to|discharged from|treatment at|therapy at|nurse at|doctor at|surgeon"
            r" at|residency at"
            r"|scan at|clinic at|prescription (?:from|at)|transferred to)" + _ARTICLE
        ),
    ),
    _Cue(
        Category.NGO,
        re.compile(
            r" (?:volunteer\w*(?: [\w']+){0,2} (?:at|with|for)|donat\w+(?: [\w$€£.,]+){0,3} to|fundrais\w+"
            r" for|member of|active in"
            r"|charity called|non profit called|worship\w* at)" + _ARTICLE
        ),
    ),
    _Cue(
        Category.COMPANY_NAME,
        re.compile(
            r" (?:work(?:s|ed|ing)?(?: [\w'-]+){0,3} (?:at|for)|employ\w+ (?:at|by|with)|hired by"
            r"|intern\w*(?: [\w']+){0,2} (?:at|with)"
            r"|job (?:at|with)|(?:position|role|career|shift|office|employer|colleagues|boss|manager|desk"
            r"|engineer|developer|analyst|consultant|accountant|director|partner|associate|executive"
            r"|designer|clerk|cashier|supervisor"
            r"|officer|assistant|specialist|scientist|technician|representative|coordinator|researcher"
            r"|administrator|barista|lead|head|driver) (?:at|with)"
            r"|account (?:at|with)|mortgage (?:with|from)|loan (?:from|with|at)|insured (?:with|by)"
            r"|insurance (?:with|from)|policy with"
            r"|card (?:from|with)|founder of|co ?founded|founded|ceo (?:of|at)|cto (?:of|at)|cfo (?:of|at)"
            r"|coo (?:of|at)|vp at|owner of|owns|runs|partner at|employee (?:at|of)|contract(?:s|ed|ing"
            r"|or)? (?:with|for|at)|consult\w* for|laid off (?:from|by)|fired (?:from|by)|resigned from"
            r"|quit|freelanc\w+ for|bank with|banks with|customer of|client of|interview(?:ed)? (?:at|with)"
            r"|offer from|shares in|company called|firm called"
            r"|startup called|business called|company|employer|transferred from|retired from|promoted at"
            r"|salary at|time at|years at)" + _ARTICLE
        ),
    ),
)
_CUE_ENDS = frozenset(
    {"at", "from", "of", "in", "by", "with", "to", "for", "attend", "attends", "attended", "attending"}
    | {"called", "founded", "cofounded", "owns", "runs", "quit", "company", "employer"}
)
"""The last words of all cues: a cheap test before the patterns are tried."""
_CUE_TAILS = (*(f"{word} " for word in sorted(_CUE_ENDS)), "the ")
PERSONAL_TAILS = ("joined ", "joining ", "left ", "with ", "the ")
"""How the text before `PERSONAL` cues ends: a cheap test before the pattern is tried."""
PERSONAL = re.compile(r" (?:joined|joining|left|work\w* with|collaborat\w+ with|partner\w* with)(?: the)? $")
"""Cues that lead to persons as often."""
HIRES = re.compile(
    r" (?:hired|employs|employed|offered|promoted|fired|recruited|sponsored|pays|paid|contracted|laid)"
    r" (?:me|him|her|us|off)\b"
)


def read_cue(passage: Passage, start: int) -> Category | None:
    """The category that a cue right before `start` speaks for, None without a cue."""
    if not passage.folded.endswith(_CUE_TAILS, 0, start):
        return None
    before = window(passage, start)
    if before.removesuffix(" the ").rstrip(" ").rpartition(" ")[2] not in _CUE_ENDS:
        return None
    # Folding made a space of a comma or bracket too; no cue reaches over one.
    if passage.text[max(0, start - 2) : start].strip()[-1:] in {",", "(", ":", ";"}:
        return None
    return next((cue.category for cue in _CUES if cue.pattern.search(before)), None)
