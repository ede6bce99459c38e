"""What speaks for each category: the words of the query, and the needs of what it is about.

Evidence adds up as independent chances do, 1 - (1 - a)(1 - b). Words that name or paraphrase a category
weigh most; a scenario's needs only fill up what the query itself leaves open.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.systems.rules.selection.tables import Scenario, Theme

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from piibench.systems.rules.selection.cues import Mark

CUE, HINT = 0.9, 0.45
"""Chance that a category is needed, given one of its cues, and given one of its hints."""

NEED, NEED_STEP = 0.75, 0.02
"""Chance that a scenario's first need is one, and how much less each further need has."""

THRESHOLD = 0.6
"""A category is kept from this chance on."""

BACKED = 0.65
"""A single hint is enough where a scenario needs the category by this chance: its first two needs."""

_SENTENCE_END = re.compile(r"(?i)[.?!;](?=\s|$)|\bbut\b")
_CLAUSE_END = re.compile(r"(?i)[.?!;,](?=\s|$)|\bbut\b")


@dataclass(slots=True)
class Evidence:
    """What speaks for one category of one subject.

    Attributes:
        called: Chance from the query's own words.
        needed: Chance from the scenarios that need it.
        why: The strongest reason, such as "the query asks about a mortgage".
        left: How many categories its scenario may keep.
    """

    called: float = 0.0
    needed: float = 0.0
    why: str = ""
    left: int = 0

    @property
    def chance(self) -> float:
        """Both taken together, in [0, 1]."""
        return _either(self.called, self.needed)

    @property
    def is_called(self) -> bool:
        """Whether the query's words call for it: a cue, two hints, or a hint and a scenario."""
        return self.called >= THRESHOLD or (self.called > 0 and self.needed >= BACKED)


@dataclass(frozen=True, slots=True)
class Reading:
    """The cues of a query, sorted by what they do.

    Attributes:
        calls: Those that call for a category or a theme.
        scenarios: What the query is about, with a chance for each.
        withheld: Categories that the query asks to leave out.
    """

    calls: tuple[Mark, ...] = ()
    scenarios: tuple[tuple[Scenario, float], ...] = ()
    withheld: frozenset[Category] = frozenset()


def read_cues(query: str, marks: Sequence[Mark]) -> Reading:
    """Sort the cues of a query. A hint within a scenario's cue is dropped: no word counts twice.

    Args:
        query: The query, its white space made plain.
        marks: Its cues by start.
    """
    silent = [(mark.end, _end_silence(query, mark)) for mark in marks if mark.cue.layer == "withheld"]
    topics = [mark for mark in marks if mark.cue.layer == "scenario" and mark.cue.strong]
    calls: list[Mark] = []
    withheld: set[Category] = set()
    chances: dict[str, tuple[Scenario, float]] = {}
    for mark in marks:
        meaning = mark.cue.meaning
        if isinstance(meaning, Scenario):
            known = chances.get(meaning.name, (meaning, 0.0))[1]
            chances[meaning.name] = (meaning, _either(known, CUE if mark.cue.strong else HINT))
        elif mark.cue.layer != "call" or (not mark.cue.strong and _is_within(mark, topics)):
            continue
        elif any(start <= mark.start < end for start, end in silent):
            withheld.update(list_meanings(mark))
        else:
            calls.append(mark)
    return Reading(tuple(calls), tuple(chances.values()), frozenset(withheld))


def weigh(
    reading: Reading, calls: Iterable[Mark], present: Collection[Category], *, is_meant: bool
) -> dict[Category, Evidence]:
    """Weigh what speaks for each of a subject's categories.

    Args:
        reading: The query's cues.
        calls: Those of its calls that concern the subject.
        present: Categories that the subject has.
        is_meant: Whether the query as a whole means the subject.
    """
    evidence: dict[Category, Evidence] = defaultdict(Evidence)
    themes: dict[str, Theme] = {}
    for mark in calls:
        meaning = mark.cue.meaning
        if isinstance(meaning, Theme):
            themes[meaning.name] = meaning
        elif isinstance(meaning, Category) and meaning in present:
            known = evidence[meaning]
            known.called = _either(known.called, CUE if mark.cue.strong else HINT)
            known.why = "the query alludes to it"
    for theme in themes.values():
        _allude(evidence, theme, present)
    if is_meant:
        for scenario, chance in reading.scenarios:
            _need(evidence, scenario, chance, present)
    return {category: known for category, known in evidence.items() if category not in reading.withheld}


def choose(evidence: dict[Category, Evidence], *, alone: bool) -> frozenset[Category]:
    """Choose the categories to keep for one subject.

    Those that the query calls for by its words, and of the scenarios' needs as many as then have room:
    two, unless the scenario says otherwise; one where several subjects are meant.

    Args:
        evidence: What speaks for each category.
        alone: Whether the query means this subject only.
    """
    called = frozenset(category for category, known in evidence.items() if known.is_called)
    needed = [key for key, known in evidence.items() if key not in called and known.chance >= THRESHOLD]
    needed.sort(key=lambda category: -evidence[category].chance)
    room = max((evidence[category].left for category in needed), default=0)
    return called.union(needed[: max(0, (room if alone else min(room, 1)) - len(called))])


def _either(one: float, other: float) -> float:
    return 1 - (1 - one) * (1 - other)


def _end_silence(query: str, mark: Mark) -> int:
    """Where "without mentioning …" stops: at a comma where it opens the sentence, else with the sentence."""
    before = query[: mark.start].rstrip()
    opens = not before or before[-1] in ".?!;"
    end = (_CLAUSE_END if opens else _SENTENCE_END).search(query, mark.end)
    return end.start() if end else len(query)


def _is_within(mark: Mark, others: Iterable[Mark]) -> bool:
    return any(other.start <= mark.start and mark.end <= other.end for other in others)


def list_meanings(mark: Mark) -> Iterable[Category]:
    """The categories that a cue may call for."""
    meaning = mark.cue.meaning
    if isinstance(meaning, Theme):
        return meaning.means
    return (meaning,) if isinstance(meaning, Category) else ()


def _allude(evidence: dict[Category, Evidence], theme: Theme, present: Collection[Category]) -> None:
    """Call for the first categories of a theme, unless the query has called for enough of them by name."""
    means = [category for category in theme.means if category in present]
    called = [category for category in means if evidence[category].called >= THRESHOLD]
    rest = [category for category in means if category not in called]
    for category in rest[: max(0, theme.take - len(called))]:
        evidence[category].called = _either(evidence[category].called, CUE)
        evidence[category].why = f"the query alludes to {theme.name}"


def _need(
    evidence: dict[Category, Evidence], scenario: Scenario, chance: float, present: Collection[Category]
) -> None:
    for place, category in enumerate(category for category in scenario.needs if category in present):
        known = evidence[category]
        strength = chance * (NEED - NEED_STEP * place)
        if strength > known.needed:
            known.needed = strength
            known.left = max(known.left, scenario.take)
            known.why = known.why if known.called else f"the query asks about {scenario.name}"
