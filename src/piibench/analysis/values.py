"""The values that errors are about, and which of two sets belong together although they differ."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from piibench.analysis.tally import NO_LABEL
from piibench.data.mentions import find_occurrences

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from piibench.data.mentions import Span
    from piibench.data.schema import Entity

H = TypeVar("H", bound="Hashable")


@dataclass(frozen=True, slots=True, order=True)
class Value:
    """A value as the scores count it: once, however often it stands in the text.

    Attributes:
        text: Its text.
        type: Its type; "" where types play no part.
        mentions: Where it stands; empty where a system named it without a place.
        owner: Number of its subject; 0 where subjects play no part.
        label: What its errors count under.
    """

    text: str
    type: str = ""
    mentions: tuple[Span, ...] = ()
    owner: int = 0
    label: str = NO_LABEL


Pairs = list[tuple[Value, Value]]
"""A true value and the predicted one that stands for it."""


def join_entities(entities: Sequence[Entity], *, type_: str = "", owner: int = 0) -> Value:
    """Make one value of the entities of one text."""
    return Value(
        text=entities[0].text,
        type=type_,
        mentions=tuple(sorted({span for entity in entities for span in entity.mentions})),
        owner=owner,
        label=min(entity.label for entity in entities),
    )


def pair_alike(
    gold: Iterable[Value], pred: Iterable[Value], *, by: Callable[[Value], H]
) -> tuple[Pairs, list[Value], list[Value]]:
    """Pair values that agree in something; each is used once.

    Returns:
        The pairs, and what is left of both sides, sorted.
    """
    waiting: defaultdict[H, list[Value]] = defaultdict(list)
    for value in sorted(pred, reverse=True):
        waiting[by(value)].append(value)
    pairs: Pairs = []
    left: list[Value] = []
    for value in sorted(gold):
        if alike := waiting[by(value)]:
            pairs.append((value, alike.pop()))
        else:
            left.append(value)
    return pairs, left, sorted(value for alike in waiting.values() for value in alike)


def pair_overlapping(gold: Sequence[Value], pred: Sequence[Value]) -> tuple[Pairs, list[Value], list[Value]]:
    """Pair values that share a part of the text; those of one subject, one type and the longest part first.

    A value without a place shares a part with those whose text contains its own, or the other way round.

    Returns:
        The pairs, and what is left of both sides.
    """
    shared = Counter(_share_places(gold, pred))
    shared.update(_share_texts(gold, pred))
    ranked = sorted(
        shared,
        key=lambda pair: (
            gold[pair[0]].owner != pred[pair[1]].owner,
            gold[pair[0]].type != pred[pair[1]].type,
            -shared[pair],
            gold[pair[0]],
            pred[pair[1]],
        ),
    )
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for row, column in ranked:
        if row not in pairs and column not in taken:
            pairs[row] = column
            taken.add(column)
    return (
        [(gold[row], pred[column]) for row, column in pairs.items()],
        [value for row, value in enumerate(gold) if row not in pairs],
        [value for column, value in enumerate(pred) if column not in taken],
    )


def _share_places(gold: Sequence[Value], pred: Sequence[Value]) -> dict[tuple[int, int], int]:
    """Characters that the mentions of two values share, for those that share any."""
    places = [(span, 0, row) for row, value in enumerate(gold) for span in value.mentions]
    places += [(span, 1, column) for column, value in enumerate(pred) for span in value.mentions]
    shared: Counter[tuple[int, int]] = Counter()
    unfinished: list[tuple[Span, int, int]] = []
    for span, side, index in sorted(places):
        unfinished = [each for each in unfinished if each[0].end > span.start]
        for other, across, there in unfinished:
            if across != side:
                pair = (there, index) if side else (index, there)
                shared[pair] += min(span.end, other.end) - span.start
        unfinished.append((span, side, index))
    return shared


def _share_texts(gold: Sequence[Value], pred: Sequence[Value]) -> Iterator[tuple[int, int]]:
    for column, named in enumerate(pred):
        if named.mentions:
            continue
        for row, value in enumerate(gold):
            longer, shorter = sorted((named.text, value.text), key=len, reverse=True)
            if next(find_occurrences(longer, shorter), None) is not None:
                yield row, column
