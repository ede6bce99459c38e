"""What a threshold for keeping a value costs and gives: privacy against utility, threshold by threshold."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from piibench.data.outcomes import Decision, Selection
from piibench.data.schema import Prediction
from piibench.errors import InputError
from piibench.masking.mask import mask
from piibench.metrics.measures import METRICS, measure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from piibench.data.schema import Entity, Sample

NOISE = 0.005
"""What is no difference in query F1 and masking F1 together: a tenth of their intervals on our dev sets."""
THRESHOLDS: tuple[float, ...] = tuple(step / 20 for step in range(1, 20))
"""Those that a curve has: 0.05 to 0.95."""
SCORES = ("query_f1", "mask_f1", "privacy_unrelated", "kept")
"""The scores that depend on the threshold, by their names in `METRICS`."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A sample with what a system found in it and thinks of each value.

    Attributes:
        gold: The labelled sample.
        found: The system's entities.
        chances: Entity id -> probability that the query needs it, in [0, 1].
        asked: What it hides of what the query states; see `systems.compose.choose_asked`.
    """

    gold: Sample
    found: tuple[Entity, ...]
    chances: Mapping[str, float]
    asked: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class Point:
    """One threshold and the mean scores with it, each in [0, 1]; see `SCORES`."""

    threshold: float
    scores: Mapping[str, float]


def select_judgeable(samples: Iterable[Sample]) -> list[Sample]:
    """The samples that say what their query needs.

    Raises:
        InputError: None does.
    """
    known = [sample for sample in samples if sample.relevant is not None]
    if not known:
        msg = (
            "no sample says what its query needs (field relevant); a threshold cannot be judged on this data"
        )
        raise InputError(msg)
    return known


def trace_thresholds(judged: Sequence[Judged], thresholds: Iterable[float] = THRESHOLDS) -> tuple[Point, ...]:
    """Score every threshold: a value is kept where its probability reaches it.

    Args:
        judged: At least one sample, each of which says what its query needs; see `select_judgeable`.
        thresholds: In [0, 1].
    """
    return tuple(_score(judged, threshold) for threshold in thresholds)


def choose_threshold(points: Sequence[Point]) -> Point:
    """The threshold that keeps most of what is needed, among those as good as the best.

    Of equal ones it is the higher. As good means that query F1 and masking F1 together are at most `NOISE`
    below the best.
    """

    def together(point: Point) -> float:
        return point.scores["query_f1"] + point.scores["mask_f1"]

    best = max(map(together, points))
    good = [point for point in points if together(point) >= best - NOISE]
    return max(good, key=lambda point: (point.scores.get("kept", 0.0), point.threshold))


def _score(judged: Iterable[Judged], threshold: float) -> Point:
    values: dict[str, list[float]] = {name: [] for name in SCORES}
    for each in judged:
        measures = measure(each.gold, _mask(each, threshold))
        for name, collected in values.items():
            value = METRICS[name].of(measures)
            if value is not None:
                collected.append(value)
    return Point(threshold, {name: fmean(collected) for name, collected in values.items() if collected})


def _mask(each: Judged, threshold: float) -> Prediction:
    gold = each.gold
    decisions = (
        Decision(entity.id, each.chances[entity.id] >= threshold, "", each.chances[entity.id])
        for entity in each.found
    )
    selection = Selection(tuple(decisions))
    masked = mask(gold.prompt, each.found, keep=selection, asked=each.asked)
    return Prediction(
        id=gold.id,
        subset=gold.subset,
        description=gold.description,
        query=gold.query,
        entities=each.found,
        relevant=tuple(entity.id for entity in each.found if entity.id in selection.relevant),
        masked=masked.description,
        masked_query=masked.query,
    )
