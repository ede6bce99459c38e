"""From the measures of single samples to averages, pooled counts and tables by label."""

from __future__ import annotations

from collections import defaultdict
from math import isnan, nan
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from piibench.data.taxonomy import Category, PIIType
from piibench.metrics.bootstrap import f1_intervals, mean_intervals
from piibench.metrics.measures import METRICS, POOLED
from piibench.metrics.prf import Counts
from piibench.metrics.report import LabelCounts, Mean, Pooled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from piibench.metrics.bootstrap import Clusters
    from piibench.metrics.measures import Measures
    from piibench.metrics.offsets import OffsetCounts

L = TypeVar("L", bound=str)


def average(
    measures: Sequence[Measures], *, seed: int, resamples: int, clusters: Clusters | None = None
) -> dict[str, Mean | None]:
    """Average every score over the samples that have it, with 95 % intervals; see `bootstrap` on clusters."""
    columns = [[metric.of(sample) for sample in measures] for metric in METRICS.values()]
    table = np.array(columns, dtype=np.float64).T
    rng = np.random.default_rng(seed)
    bounds = mean_intervals(table, rng=rng, resamples=resamples, clusters=clusters)
    return {
        name: _mean([value for value in column if value is not None], low, high)
        for name, column, (low, high) in zip(METRICS, columns, bounds.tolist(), strict=True)
    }


def _mean(values: list[float], low: float, high: float) -> Mean | None:
    return Mean(mean := float(np.mean(values)), *_close(low, high, mean), len(values)) if values else None


def _close(low: float, high: float, value: float) -> tuple[float, float]:
    """The interval; the value alone where no draw held a sample with the score."""
    return (value, value) if isnan(low) or isnan(high) else (low, high)


def add_up(
    measures: Sequence[Measures], *, seed: int, resamples: int, clusters: Clusters | None = None
) -> dict[str, Pooled | None]:
    """Pool every count over the samples that have it, with 95 % intervals of F1; clusters as in `average`."""
    columns = [[of(sample) for sample in measures] for of in POOLED.values()]
    table = np.array([[_row(counts) for counts in column] for column in columns], dtype=np.float64)
    rng = np.random.default_rng(seed)
    table = table.transpose(1, 0, 2)
    bounds = f1_intervals(table, rng=rng, resamples=resamples, clusters=clusters)
    return {
        name: _pooled([counts for counts in column if counts is not None], low, high)
        for name, column, (low, high) in zip(POOLED, columns, bounds.tolist(), strict=True)
    }


def _row(counts: Counts | None) -> tuple[float, float, float]:
    return (nan, nan, nan) if counts is None else (counts.tp, counts.pred, counts.gold)


def _pooled(counts: list[Counts], low: float, high: float) -> Pooled | None:
    return Pooled(total := _sum(counts), *_close(low, high, total.f1)) if counts else None


def tabulate_types(measures: Iterable[Measures]) -> dict[PIIType, LabelCounts]:
    """Add up the counts of each type that occurs."""
    rows = ((sample.detection.by_type, sample.offsets_by_type) for sample in measures)
    return _tabulate(rows, order=PIIType)


def tabulate_categories(measures: Iterable[Measures]) -> dict[Category, LabelCounts]:
    """Add up the counts of each category that occurs; empty where the gold entities have none."""
    rows = ((sample.detection.by_category, sample.offsets_by_category) for sample in measures)
    table = _tabulate(rows, order=Category)
    return table if any(row.strict.gold for row in table.values()) else {}


def _tabulate(
    rows: Iterable[tuple[Mapping[L, Counts], Mapping[L, OffsetCounts]]], *, order: Iterable[L]
) -> dict[L, LabelCounts]:
    found: defaultdict[L, list[LabelCounts]] = defaultdict(list)
    for values, offsets in rows:
        for label, counts in values.items():
            found[label].append(LabelCounts(counts, *offsets[label]))
    return {label: _add_rows(found[label]) for label in order if label in found}


def _add_rows(rows: Iterable[LabelCounts]) -> LabelCounts:
    return LabelCounts(*(_sum(view) for view in zip(*rows, strict=True)))


def _sum(counts: Iterable[Counts]) -> Counts:
    tp: float = 0
    pred = gold = 0
    for each in counts:
        tp, pred, gold = tp + each.tp, pred + each.pred, gold + each.gold
    return Counts(tp, pred, gold)
