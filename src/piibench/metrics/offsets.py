"""How well the places of the entities were found: mentions compared by offset and label.

The paper compares values, since language models return no offsets. Detectors do, and other PII data sets
are scored on them: a mention is right if its range is exact, or, in the lenient form, if it shares a
character with a mention of the same label. Subjects play no part.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from piibench.metrics.assignment import assign
from piibench.metrics.prf import Counts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from piibench.data.mentions import Span
    from piibench.data.schema import Entity

L = TypeVar("L", bound=str)


class OffsetCounts(NamedTuple):
    """Mentions of one label, compared in two ways; `pred` and `gold` of the two are the same."""

    exact: Counts
    overlap: Counts


def compare_offsets(
    gold: Iterable[Entity], pred: Iterable[Entity], *, of: Callable[[Entity], L | None]
) -> dict[L, OffsetCounts]:
    """Compare the mentions of each label.

    Args:
        gold: The true entities.
        pred: The predicted entities, of the same description.
        of: Gives the label of an entity; entities without one are left out.
    """
    there, found = _places(gold, of), _places(pred, of)
    return {label: _compare(there[label], found[label]) for label in [*there, *found]}


def pool(by_label: Mapping[L, OffsetCounts]) -> OffsetCounts:
    """Add up the counts of all labels."""
    return OffsetCounts(
        sum((counts.exact for counts in by_label.values()), Counts()),
        sum((counts.overlap for counts in by_label.values()), Counts()),
    )


def _places(entities: Iterable[Entity], of: Callable[[Entity], L | None]) -> defaultdict[L, set[Span]]:
    places: defaultdict[L, set[Span]] = defaultdict(set)
    for entity in entities:
        label = of(entity)
        if label is not None:
            places[label].update(entity.mentions)
    return places


def _compare(gold: AbstractSet[Span], pred: AbstractSet[Span]) -> OffsetCounts:
    exact = Counts.of(gold, pred)
    if exact.tp == min(exact.gold, exact.pred):
        return OffsetCounts(exact, exact)
    return OffsetCounts(exact, Counts(count_overlapping(gold, pred), exact.pred, exact.gold))


def count_overlapping(gold: AbstractSet[Span], pred: AbstractSet[Span]) -> int:
    """Return the most pairs of overlapping spans in which no span is used twice.

    The text falls into stretches that no span crosses; only within one that holds several spans of both
    sides is there anything to choose, and there the choice is a maximum matching, so it depends on no
    order.
    """
    return sum(_match_stretch(theirs, ours) for theirs, ours in _stretches(gold, pred))


def _stretches(gold: AbstractSet[Span], pred: AbstractSet[Span]) -> Iterator[tuple[list[Span], list[Span]]]:
    marked = sorted([(span, 0) for span in gold] + [(span, 1) for span in pred])
    sides: tuple[list[Span], list[Span]] = ([], [])
    reach = 0
    for span, side in marked:
        if span.start >= reach:
            yield sides
            sides = ([], [])
        sides[side].append(span)
        reach = max(reach, span.end)
    yield sides


def _match_stretch(gold: list[Span], pred: list[Span]) -> int:
    if min(len(gold), len(pred)) <= 1:
        # The spans of a stretch hang together, so a lone one of its side meets one of the other.
        return min(len(gold), len(pred))
    pairs = assign([[float(theirs.overlaps(ours)) for ours in pred] for theirs in gold])
    return sum(1 for row, column in pairs if gold[row].overlaps(pred[column]))
