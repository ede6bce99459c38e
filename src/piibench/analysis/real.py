"""Whether systems do on real data as they do on synthetic data (App. F.4, Tables 14 to 16)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING

from piibench.errors import InputError
from piibench.metrics.consistency import correlate_ranks, measure_consistency

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from piibench.data.runs import SampleScores
    from piibench.metrics.consistency import RankCorrelation


@dataclass(frozen=True, slots=True)
class SystemScores:
    """How one system did on one data set.

    Attributes:
        label: What tells it from the others: its name, and how it was asked.
        means: Score -> its mean over the samples.
    """

    label: str
    means: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Pairing:
    """One score of one system on two data sets: a cell of Tables 15 and 16.

    Attributes:
        label: Of the system.
        metric: Which score.
        first: Its mean on the first data set.
        second: Its mean on the second.
        consistency: PCS (Eq. 21), in [0, 1].
    """

    label: str
    metric: str
    first: float
    second: float
    consistency: float

    @property
    def difference(self) -> float:
        """How much higher the second is."""
        return self.second - self.first


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two data sets agree about the same systems.

    Attributes:
        pairings: System by system; at least one.
        ranks: Spearman's correlation with every pairing as a point (Table 14); None where there is no order.
        unmatched: Systems that only one of the data sets knows.
    """

    pairings: tuple[Pairing, ...]
    ranks: RankCorrelation | None
    unmatched: tuple[str, ...]

    @property
    def consistency(self) -> float:
        """Mean PCS ("Overall Average" of Tables 15 and 16)."""
        return _average(pairing.consistency for pairing in self.pairings)

    @property
    def difference(self) -> float:
        """Mean of second minus first."""
        return _average(pairing.difference for pairing in self.pairings)

    @property
    def by_system(self) -> Mapping[str, float]:
        """Mean PCS of each system."""
        return _group((pairing.label, pairing.consistency) for pairing in self.pairings)

    @property
    def by_metric(self) -> Mapping[str, float]:
        """Mean PCS of each score."""
        return _group((pairing.metric, pairing.consistency) for pairing in self.pairings)


def average_scores(label: str, scores: Iterable[SampleScores], metrics: Iterable[str]) -> SystemScores:
    """Average the scores of one run over its samples; a score that no sample has is left out."""
    found: dict[str, list[float]] = {metric: [] for metric in metrics}
    for each in scores:
        for metric, values in found.items():
            if (value := each.scores.get(metric)) is not None:
                values.append(value)
    return SystemScores(label, {metric: _average(values) for metric, values in found.items() if values})


def compare_data_sets(first: Sequence[SystemScores], second: Sequence[SystemScores]) -> Agreement:
    """Compare how the same systems did on two data sets.

    Args:
        first: On the synthetic data, say; their order is kept.
        second: On the real data.

    Returns:
        Without pairings where they have no system and score in common.

    Raises:
        InputError: One names a system twice.
    """
    theirs, ours = _index(first), _index(second)
    pairings = tuple(
        Pairing(label, metric, mean, ours[label][metric], measure_consistency(mean, ours[label][metric]))
        for label, means in theirs.items()
        if label in ours
        for metric, mean in means.items()
        if metric in ours[label]
    )
    ranks = correlate_ranks([each.first for each in pairings], [each.second for each in pairings])
    matched = {pairing.label for pairing in pairings}
    return Agreement(pairings, ranks, tuple(each for each in theirs | ours if each not in matched))


def _index(systems: Iterable[SystemScores]) -> dict[str, Mapping[str, float]]:
    indexed: dict[str, Mapping[str, float]] = {}
    for system in systems:
        if system.label in indexed:
            msg = f"{system.label} stands twice in one data set; compare runs that differ in name"
            raise InputError(msg)
        indexed[system.label] = system.means
    return indexed


def _group(values: Iterable[tuple[str, float]]) -> dict[str, float]:
    grouped: defaultdict[str, list[float]] = defaultdict(list)
    for name, value in values:
        grouped[name].append(value)
    return {name: _average(group) for name, group in grouped.items()}


def _average(values: Iterable[float]) -> float:
    listed = list(values)
    return fsum(listed) / len(listed)
