"""The cue words of a query, all searched in one pass."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

from piibench.data.taxonomy import Category
from piibench.systems.rules.lexicon import fold
from piibench.systems.rules.selection.tables import (
    PersonGroup,
    PersonWord,
    Phrase,
    Scenario,
    SelectionTable,
    Theme,
    load_scenarios,
    load_table,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Meaning = Category | Theme | Scenario | PersonGroup | PersonWord | Literal["withheld"]
Layer = Literal["call", "scenario", "person", "withheld"]


class Cue(NamedTuple):
    """What one phrase of the tables stands for.

    Attributes:
        layer: Within a layer the longest phrase wins; layers do not disturb each other.
        meaning: The row it comes from.
        strong: True for a cue, False for a hint.
    """

    layer: Layer
    meaning: Meaning
    strong: bool = True


class Mark(NamedTuple):
    """A cue found in a query: half-open code points of the folded query, and what it stands for."""

    start: int
    end: int
    cue: Cue


class CueIndex:
    """All phrases of the tables behind one automaton."""

    def __init__(self, phrases: Iterable[tuple[Phrase, Cue]]) -> None:
        """Build the automaton.

        Args:
            phrases: Each phrase with what it stands for; one phrase may stand for several things.
        """
        cues: dict[str, list[Cue]] = defaultdict(list)
        for phrase, cue in phrases:
            cues[phrase].append(cue)
        self._cues = list(cues.values())
        self._open = [phrase.endswith("*") for phrase in cues]
        self._automaton = AhoCorasick(
            [" " + fold(phrase.removesuffix("*")).strip() for phrase in cues],
            matchkind=MatchKind.Standard,
            implementation=Implementation.DFA,
            store_patterns=False,
        )

    def search(self, folded: str) -> list[Mark]:
        """Return the cues of a folded query by start; in each layer none lies within another."""
        layers: dict[Layer, list[Mark]] = defaultdict(list)
        for pattern, start, padded_end in self._automaton.find_matches_as_indexes(
            " " + folded, overlapping=True
        ):
            end = padded_end - 1
            if not self._open[pattern] and folded[end : end + 1].isalnum():
                continue
            for cue in self._cues[pattern]:
                layers[cue.layer].append(Mark(start, end, cue))
        return sorted(
            (mark for marks in layers.values() for mark in _longest(marks)), key=lambda mark: mark[:2]
        )


def _longest(marks: list[Mark]) -> Iterator[Mark]:
    """Drop each mark that lies within a longer one."""
    reach, widest = -1, (0, 0)
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        if mark.end > reach or mark[:2] == widest:
            yield mark
            reach, widest = mark.end, mark[:2]


def _phrases(table: SelectionTable, scenarios: Iterable[Scenario]) -> Iterator[tuple[Phrase, Cue]]:
    for category, row in table.categories.items():
        yield from ((phrase, Cue("call", category)) for phrase in row.cues)
        yield from ((phrase, Cue("call", category, strong=False)) for phrase in row.hints)
    for theme in table.themes:
        yield from ((phrase, Cue("call", theme)) for phrase in theme.cues)
    for scenario in scenarios:
        yield from ((phrase, Cue("scenario", scenario)) for phrase in scenario.cues)
        yield from ((phrase, Cue("scenario", scenario, strong=False)) for phrase in scenario.hints)
    yield from ((phrase, Cue("withheld", "withheld")) for phrase in table.people.withheld)
    words: tuple[PersonWord, ...] = get_args(PersonWord)
    for word in words:
        yield from ((phrase, Cue("person", word)) for phrase in getattr(table.people, word))
    for group in table.people.groups:
        yield from ((phrase, Cue("person", group)) for phrase in group.words)


@cache
def load_cues() -> CueIndex:
    """The shipped tables' cues, built once in a process."""
    return CueIndex(_phrases(load_table(), load_scenarios()))
