"""Which entities a query needs (task 2, section 3.1): what it calls for, of the persons it means."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from piibench.data.outcomes import Decision, Selection
from piibench.data.taxonomy import Category, PIIType
from piibench.systems.rules.lexicon import fold
from piibench.systems.rules.selection.cues import load_cues
from piibench.systems.rules.selection.evidence import Evidence, choose, list_meanings, read_cues, weigh
from piibench.systems.rules.selection.subjects import read_subjects
from piibench.systems.rules.selection.values import find_outdone, find_stated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from piibench.data.schema import Entity, Prompt
    from piibench.systems.rules.selection.cues import Mark

_READ = 4_000
"""Of a longer query this many code points are read at each end, so that the work stays linear."""

_AN = frozenset("AEIO")


@dataclass(frozen=True, slots=True)
class _Findings:
    """What was concluded about a prompt as a whole.

    Attributes:
        evidence: For each subject, what speaks for its categories.
        chosen: For each subject, the categories kept.
        answering: The categories kept for anyone.
        withheld: Categories that the query asks to leave out.
        involved: Subjects that the query speaks of.
        stated: Ids of entities whose value the query itself states.
        outdone: Ids of entities beside which another of their category fits the query better.
    """

    evidence: dict[str, dict[Category, Evidence]]
    chosen: dict[str, frozenset[Category]]
    answering: frozenset[Category]
    withheld: frozenset[Category]
    involved: frozenset[str]
    stated: frozenset[str]
    outdone: frozenset[str]


def select(prompt: Prompt, found: tuple[Entity, ...]) -> Selection:
    """Decide for each entity whether the query needs it. Linear in the prompt and the entities.

    Args:
        prompt: Description and query.
        found: Entities of the description.

    Returns:
        One decision for each entity, in order, with its reason in words free of the value.
    """
    query = " ".join(prompt.query.split())
    if len(query) > 2 * _READ:
        query = f"{query[:_READ]} {query[-_READ:]}"
    if not query:
        return Selection(tuple(Decision(e.id, keep=False, reason="hidden: there is no query") for e in found))
    findings = _study(prompt.description, query, found)
    return Selection(tuple(_decide(entity, findings) for entity in found))


def _study(description: str, query: str, found: Sequence[Entity]) -> _Findings:
    folded = fold(query)
    marks = load_cues().search(folded)
    reading = read_cues(query, marks)
    meant = read_subjects(description, query, marks, found)
    present: dict[str, set[Category]] = defaultdict(set)
    for entity in found:
        if entity.category is not None:
            present[entity.subject].add(entity.category)
    aimed = [(mark, _find_owners(mark, meant.at(mark.start, mark.end), present)) for mark in reading.calls]
    evidence = {
        letter: weigh(
            reading,
            [mark for mark, subjects in aimed if letter in subjects],
            owned,
            is_meant=letter in meant.default,
        )
        for letter, owned in present.items()
    }
    alone = len(meant.default) == 1
    chosen = {letter: choose(known, alone=alone) for letter, known in evidence.items()}
    involved = meant.default.union(*(pointer.subjects for pointer in meant.pointers))
    outdone = find_outdone(description, query, (e for e in found if e.category in chosen.get(e.subject, ())))
    return _Findings(
        evidence,
        chosen,
        frozenset[Category]().union(*chosen.values()),
        reading.withheld,
        involved,
        find_stated(folded, found),
        outdone,
    )


def _find_owners(mark: Mark, pointed: frozenset[str], present: dict[str, set[Category]]) -> frozenset[str]:
    """The subjects pointed at; where none of them has what is asked for, the only one who has.

    A query seldom asks for what is not there: then the fact was taken for another person's.
    """
    wanted = set(list_meanings(mark))
    owners = frozenset(letter for letter, owned in present.items() if wanted & owned)
    return owners if len(owners) == 1 and owners.isdisjoint(pointed) else pointed


def _decide(entity: Entity, findings: _Findings) -> Decision:
    category = entity.category
    if entity.type is PIIType.PER:
        return Decision(entity.id, keep=False, reason="hidden: a person's name is never needed", score=0.0)
    if category is None:
        return Decision(entity.id, keep=False, reason="hidden: its category is not known", score=0.0)
    known = findings.evidence[entity.subject].get(category, Evidence())
    keep, why = _judge(entity, category, known, findings)
    score = 1.0 if entity.id in findings.stated and keep else round(known.chance, 3)
    return Decision(entity.id, keep, f"kept: {why}; {category}" if keep else f"hidden: {why}", score)


def _judge(entity: Entity, category: Category, known: Evidence, findings: _Findings) -> tuple[bool, str]:
    if category in findings.withheld:
        keep, why = False, "the query asks to leave it out"
    elif entity.id in findings.stated:
        keep, why = True, "the query itself states it"
    elif entity.id in findings.outdone:
        keep, why = False, f"another {category} fits the query better"
    elif category in findings.chosen[entity.subject]:
        keep, why = True, known.why
    elif category in findings.answering or entity.subject not in findings.involved:
        keep, why = False, "the query is about another person"
    elif known.needed:
        keep, why = False, f"the query can do without the {category}"
    else:
        article = "an" if category[0] in _AN or category in (Category.NGO, Category.ROI) else "a"
        keep, why = False, f"nothing in the query calls for {article} {category}"
    return keep, why
