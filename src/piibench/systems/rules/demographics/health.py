"""Medical conditions and disabilities.

Names of illnesses count wherever they are somebody's; everyday words ("stress", "cold") only beside a cue.
Not PII: topics ("diabetes research"), definitions ("Diabetes is …"), what is denied ("no fever").
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, STRONG, Candidate
from piibench.systems.rules.context import (
    drop_nested,
    ends_clause,
    is_negated,
    is_predicate,
    starts_sentence,
    window,
    word_behind,
)
from piibench.systems.rules.lexicon import read_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.lexicon import Hit
    from piibench.systems.rules.passage import Passage

_TOPICS = read_words("condition_stop")
_LOOKALIKES = read_words("condition_lookalike")

_CUE = re.compile(
    r" (?:diagnos\w+|suffer\w*|has|have|had|having|got|with|history of|episodes? of|bouts? of|case of"
    r"|developed|living with|lives with|battl\w+|struggl\w+ with|struggle|cop\w+ with|dealing with|treat\w+"
    r" for|treatment for"
    r"|medication for|pills for|therapy for|surgery for|operation for|hospitali[sz]ed (?:for|with)|because"
    r" of|due to"
    r"|recover\w+ from|survived|survivor of|my|his|her|their|complain\w* of|symptoms? (?:of|are|include)"
    r"|signs of|manag\w+|caught"
    r"|prone to|experienc\w+|report\w*|presents? with|condition(?: is)?|diagnosis(?: is| of)?|died of|i've)"
    r"(?: (?!(?:the|a|an|to|of|for|in|on|at|not|no|and|is|was|or|any)\b)[\w']+){0,2}(?: an?(?: [\w']+)?)? $"
)
_GRADE = re.compile(
    r"(?: (?:chronic|acute|severe|mild|moderate|recurrent|recurring|advanced|metastatic|early(?: onset|"
    r" stage)?|late stage|terminal"
    r"|stage (?:[0-4]|i{1,3}v?|iv)[abc]?|type (?:[12]|i{1,2}|one|two)|grade [1-4]|bilateral|congenital"
    r"|hereditary|seasonal|juvenile|clinical|untreated|benign|malignant|inoperable|gestational|persistent"
    r"|chronic lower|lower|upper))+ $"
)
_DEFINITION = re.compile(r" (?:is|are|can|causes?|affects?|may|remains|occurs|refers)\b")
_JOINED = re.compile(r"(?:, and |, | and | & |/| or |; |, as well as | as well as | plus )(?:[\w-]+ )?")
_LONGEST_JOIN = 24
_ENDINGS = tuple(
    ending + stop
    for ending in "itis osis aemia emia algia opathy oma plegia phobia paresis penia ectasis".split()  # noqa: SIM905
    for stop in ("", ".", "!", "?", ")")
)
_ENDINGS_OF_WORDS = tuple(f"{ending} " for ending in _ENDINGS)
_SHORTEST = 6
_ALLERGIC = re.compile(
    r"\b(?:severely |highly |deathly |mildly )?allergic to (?!(?:it|the|this|that|work|anything|my|any"
    r"|being|all|some|bad)\b)"
    r"(?:[a-z]+ (?:nuts?|stings?|dander|fur|hair|milk|pollen|dust|products|seeds?|mites?|antibiotics|bites?"
    r"|drugs)\b|[a-z]{3,})"
)
_INJURIES = (
    "broke ",
    "fractured",
    "sprained",
    "tore ",
    "dislocated",
    "twisted",
    "ruptured",
    "shattered",
    "cracked",
)
_INJURED = re.compile(
    r"\b(?:broke|fractured|sprained|tore|dislocated|twisted|ruptured|shattered|cracked) (?:my|his|her|their"
    r"|an?|both|two)"
    r"(?: (?:left|right|lower|upper|two|three))? (?:wrists?|ankles?|arms?|legs?|hips?|collarbone|ribs?|nose"
    r"|jaw|elbow|foot|feet|toes?|fingers?|hand|knees?|kneecap|shoulder|thumb|neck|back|femur|tibia|pelvis"
    r"|acl|mcl|meniscus|hamstring"
    r"|ligaments?|tendons?|achilles(?: tendon)?|rotator cuff|heel|skull|vertebrae?)\b"
)
_DEGREE = re.compile(
    r"\b\d{1,3} ?(?:%|percent|per cent) (?:permanent(?:ly)? |service connected )?disab(?:ility|led)(?:"
    r" rating| degree)?"
    r"|\b(?:degree of disability|disability (?:degree|rating|level|grade))(?: of| is|)? \d{1,3} ?(?:%"
    r"|percent|per cent)?|\bdisability (?:of )?\d{1,3} ?(?:%|percent|per cent)"
)


def find_health(passage: Passage) -> Iterator[Candidate]:
    """Propose medical conditions and disabilities."""
    return chain(
        _find_conditions(passage),
        _find_by_ending(passage),
        _find_phrases(passage),
        _find_disabilities(passage),
    )


def _find_conditions(passage: Passage) -> Iterator[Candidate]:
    hits = sorted(
        (*passage.of("medical_condition"), *passage.of("medical_condition_cued")), key=_longest_first
    )
    last_end, last_score = 0, 0.0
    for hit in drop_nested(hits):
        score = _weigh(passage, hit)
        joined = hit.start - last_end < _LONGEST_JOIN and _JOINED.fullmatch(passage.text, last_end, hit.start)
        if not score and last_score and joined and hit.exact and word_behind(passage, hit.end) not in _TOPICS:
            score = last_score
        last_end, last_score = hit.end, score
        if score:
            grade = _GRADE.search(window(passage, hit.start, 36))
            start = hit.start - len(grade[0]) + 1 if grade else hit.start
            yield Candidate(Span(start, hit.end), Category.MEDICAL_CONDITION, score, "illness of a person")


def _longest_first(hit: Hit) -> tuple[int, int]:
    return hit.start, -hit.end


def _weigh(passage: Passage, hit: Hit) -> float:
    if not hit.exact or word_behind(passage, hit.end) in _TOPICS or is_negated(passage, hit.start):
        return 0.0
    if _CUE.search(window(passage, hit.start)):
        return STRONG
    if hit.table == "medical_condition_cued":
        predicate = is_predicate(passage, hit.start) and ends_clause(passage, hit.end)
        return LIKELY if predicate else 0.0
    defined = starts_sentence(passage, hit.start) and _DEFINITION.match(passage.folded, hit.end)
    return 0.0 if defined else LIKELY


def _find_by_ending(passage: Passage) -> Iterator[Candidate]:
    """Unlisted illnesses, by their Greek endings."""
    start = 0
    if not any(ending in passage.folded for ending in _ENDINGS_OF_WORDS) and not passage.folded.endswith(
        _ENDINGS
    ):
        return
    for word in passage.folded.split(" "):
        if word.endswith(_ENDINGS) and len(bare := word.rstrip(".!?)")) > _SHORTEST and bare.isalpha():
            end = start + len(bare)
            real = bare not in _LOOKALIKES and not passage.text[start].isupper()
            if real and word_behind(passage, end) not in _TOPICS and not is_negated(passage, start):
                yield Candidate(Span(start, end), Category.MEDICAL_CONDITION, LIKELY, "an illness's ending")
        start += len(word) + 1


def _find_phrases(passage: Passage) -> Iterator[Candidate]:
    folded = passage.folded
    if "allergic to " in folded:
        for match in _ALLERGIC.finditer(folded):
            if not is_negated(passage, match.start()):
                yield Candidate(Span(*match.span()), Category.MEDICAL_CONDITION, STRONG, "allergy phrase")
    if any(verb in folded for verb in _INJURIES):
        for match in _INJURED.finditer(folded):
            yield Candidate(Span(*match.span()), Category.MEDICAL_CONDITION, LIKELY, "injury phrase")
    if "disab" in folded:
        for match in _DEGREE.finditer(folded):
            span = Span(match.start(), match.start() + len(match[0].rstrip()))
            yield Candidate(span, Category.DISABILITY_STATUS, STRONG, "degree of disability")


def _find_disabilities(passage: Passage) -> Iterator[Candidate]:
    for hit in drop_nested(passage.of("disability_status")):
        if not is_negated(passage, hit.start) and word_behind(passage, hit.end) not in _TOPICS:
            yield Candidate(
                Span(hit.start, hit.end), Category.DISABILITY_STATUS, STRONG, "disability by name"
            )
    for hit in drop_nested(passage.of("disability_status_cued")):
        if is_negated(passage, hit.start) or not is_predicate(passage, hit.start):
            continue
        if ends_clause(passage, hit.end):
            yield Candidate(
                Span(hit.start, hit.end), Category.DISABILITY_STATUS, STRONG, "disability in the predicate"
            )
