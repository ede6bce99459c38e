"""Whether the systems of an evaluation differ by more than chance: paired bootstrap, Holm's correction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from piibench.analysis.summary import HEADLINES
from piibench.metrics.bootstrap import paired_difference
from piibench.reports.sheets import Column, Entry, Line, Sheet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from piibench.data.runs import Task
    from piibench.metrics.bootstrap import Difference
    from piibench.reports.scores import RunScores

    Floats = NDArray[np.float64]

LEVEL = 0.05
_COLUMNS = ("n", "difference", "p", "p (Holm)", "differs")
_EVERYTHING = "all"
_SMALLEST = 2
_SWAPS_A_PAIR = 100
"""So that the least p-value of any number of pairs, corrected, is a fifth of `LEVEL`."""
_NOTE = (
    "Difference: the best minus this one, on the samples that both have a score for, with its 95 % bootstrap"
    " interval. p: two-sided, from random swaps of the two systems' scores sample by sample; p (Holm):"
    f" corrected for all comparisons of the subset. Differs: corrected p below {LEVEL:g}. The best is chosen"
    " by the same samples, so a p-value close to that bound says little."
)


@dataclass(frozen=True, slots=True)
class Contrast:
    """Another system against the best of the same task and subset.

    Attributes:
        subset: Its name, or "all".
        best: The system with the highest mean.
        other: The system that is compared with it.
        n: Samples that both have a score for.
        difference: Mean of best minus other on those, with interval and p-value.
        adjusted: The p-value, corrected for all contrasts of the subset.
    """

    subset: str
    best: str
    other: str
    n: int
    difference: Difference
    adjusted: float


def compare_runs(runs: Sequence[RunScores], metric: str, *, seed: int = 7) -> tuple[Contrast, ...]:
    """Compare every system (and arm of a trade-off) with the best one, subset by subset and over all.

    Args:
        runs: Of one task, on the same samples.
        metric: Name of the score.
        seed: Of the draws.

    Returns:
        None of a subset in which fewer than two systems have the score.
    """
    subsets = tuple(dict.fromkeys(name for each in runs for name in each.list_subsets()))
    parts = [(name, (name,)) for name in subsets] if len(subsets) > 1 else []
    found = [
        contrast
        for name, chosen in (*parts, (_EVERYTHING, ()))
        for contrast in _compare(name, _gather(runs, metric, chosen), seed)
    ]
    return tuple(found)


def adjust(p_values: Sequence[float]) -> tuple[float, ...]:
    """Correct p-values for their number by Holm's method: in the order given, none above 1."""
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return tuple(adjusted)


def tabulate_contrasts(task: Task, runs: Sequence[RunScores]) -> Sheet | None:
    """Make a table of the comparisons of a task; None where there is nothing to compare.

    Args:
        task: Which; its headline score is compared.
        runs: All runs; those of other tasks are left out.
    """
    metric = HEADLINES[task][0]
    contrasts = compare_runs([each for each in runs if each.run.task == task], metric)
    if not contrasts:
        return None
    heading = ""
    lines = list[Line]()
    for each in contrasts:
        above = f"{each.subset}: {each.best} is best"
        keys = {"subset": each.subset, "metric": metric, "best": each.best, "model": each.other, "task": task}
        entries = tuple(_write_entries(each, keys))
        lines.append(Line(each.other, entries, "ours", heading="" if above == heading else above))
        heading = above
    return Sheet(
        name=f"significance-{task.replace('_', '-')}",
        title=f"Significance. {metric} of each system against the best of its subset ({task})",
        corner="system",
        columns=tuple(Column(label) for label in _COLUMNS),
        lines=tuple(lines),
        notes=(_NOTE,),
    )


def _write_entries(each: Contrast, keys: dict[str, str]) -> Iterator[Entry]:
    gap = each.difference
    yield Entry(f"{each.n:,}", "ours", each.n, keys=keys | {"statistic": "n"})
    yield Entry(
        f"{gap.mean:+.3f}",
        "ours",
        gap.mean,
        gap.low,
        gap.high,
        each.n,
        keys=keys | {"statistic": "difference"},
    )
    for name, p_value in (("p", gap.p_value), ("p_holm", each.adjusted)):
        yield Entry(f"{p_value:.3f}", "ours", p_value, keys=keys | {"statistic": name})
    differs = each.adjusted < LEVEL
    yield Entry("yes" if differs else "no", "ours", float(differs), keys=keys | {"statistic": "differs"})


def _gather(runs: Sequence[RunScores], metric: str, subsets: tuple[str, ...]) -> dict[str, dict[str, float]]:
    """Scores by sample of each system, or arm, that has any."""
    found: dict[str, dict[str, float]] = {}
    for each in runs:
        if metric not in each.metrics:
            continue
        column = each.values[:, each.metrics.index(metric)]
        for arm in each.list_arms():
            rows = each.choose(subsets, arm) & ~np.isnan(column)
            if rows.any():
                name = f"{each.name}: {arm}" if arm else each.name
                found[name] = dict(zip(each.ids[rows].tolist(), column[rows].tolist(), strict=True))
    return found


def _compare(subset: str, by_system: dict[str, dict[str, float]], seed: int) -> Iterator[Contrast]:
    if len(by_system) < _SMALLEST:
        return
    best = max(by_system, key=lambda name: sum(by_system[name].values()) / len(by_system[name]))
    pairs = {
        other: np.array([(by_system[best][key], by_system[other][key]) for key in shared])
        for other in by_system
        if other != best and (shared := sorted(by_system[best].keys() & by_system[other].keys()))
    }
    # No p-value is below one by the number of swaps, and Holm multiplies the least by that of the pairs.
    swaps = max(1000, _SWAPS_A_PAIR * len(pairs))
    gaps = {
        other: paired_difference(pair[:, 0], pair[:, 1], seed=seed, resamples=swaps)
        for other, pair in pairs.items()
    }
    adjusted = adjust([gap.p_value for gap in gaps.values()])
    for (other, gap), corrected in zip(gaps.items(), adjusted, strict=True):
        yield Contrast(subset, best, other, len(pairs[other]), gap, corrected)
