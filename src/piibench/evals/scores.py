"""The scores of tasks 1 to 3 by sample: the same as `piibench score` gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from piibench.data.runs import SampleScores
from piibench.metrics.measures import METRICS, POOLED, measure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from piibench.data.schema import Sample
    from piibench.evals.kinds import Answer

T = TypeVar("T")

DETECTION = ("strict", "ent", "rouge", "span")
QUERY = ("query",)
MASKING = ("mask", "privacy", "kept")
"""How the names of a task's scores begin; what a task does not ask for is not scored."""


def create_measure(families: tuple[str, ...]) -> Callable[[Sample, Answer], tuple[SampleScores, ...]]:
    """Make what measures an answer, for the scores whose names begin so."""
    metrics = _choose(METRICS, families)
    pooled = _choose(POOLED, families)

    def measure_answer(gold: Sample, answer: Answer) -> tuple[SampleScores, ...]:
        if answer.prediction is None:
            return ()
        measures = measure(gold, answer.prediction)
        counts = {name: of(measures) for name, of in pooled.items()}
        return (
            SampleScores(
                id=gold.id,
                subset=gold.subset,
                scores={name: metric.of(measures) for name, metric in metrics.items()},
                counts={name: (each.tp, each.pred, each.gold) for name, each in counts.items() if each},
            ),
        )

    return measure_answer


def _choose(named: Mapping[str, T], families: tuple[str, ...]) -> dict[str, T]:
    return {name: value for name, value in named.items() if name.startswith(families)}
