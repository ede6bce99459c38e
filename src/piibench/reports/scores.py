"""The scores of a run as one table of numbers, and their means with 95 % bootstrap intervals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from piibench.errors import DataError, InputError
from piibench.metrics.bootstrap import mean_intervals
from piibench.metrics.report import Mean

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from piibench.data.runs import Run, RunFolder

    Floats = NDArray[np.float64]

_OWN_LABELS = ("naive_with_choice", "gold")
_UNFINISHED = "same evaluate command again writes it anew"


@dataclass(frozen=True, slots=True)
class RunScores:
    """The scores of one run.

    Attributes:
        run: What `run.json` says.
        ids: Of the samples, one for each row.
        subsets: Likewise.
        arms: Likewise; "" outside of a trade-off.
        metrics: Names of the columns.
        values: Shape (n_rows, n_metrics); NaN where a sample has no such score.
    """

    run: Run
    ids: NDArray[np.str_]
    subsets: NDArray[np.str_]
    arms: NDArray[np.str_]
    metrics: tuple[str, ...]
    values: Floats
    _means: dict[tuple[tuple[str, ...], str], dict[str, Mean]] = field(
        default_factory=dict[tuple[tuple[str, ...], str], dict[str, Mean]], compare=False, repr=False
    )

    @property
    def system(self) -> str:
        """Who answered: a model or a system, and from which candidates where that is not what is usual."""
        run = self.run
        usual = not run.candidates or (run.strategy, run.candidates) == _OWN_LABELS
        return run.label if usual else f"{run.label} from {run.candidates}"

    @property
    def name(self) -> str:
        """Who answered, and how they were asked."""
        return f"{self.system}, {self.run.strategy}" if self.run.strategy else self.system

    def list_arms(self) -> tuple[str, ...]:
        """The arms of a trade-off in the order of the scores; only "" in another task."""
        return tuple(dict.fromkeys(self.arms.tolist()))

    def list_subsets(self) -> tuple[str, ...]:
        """The subsets in the order of the scores."""
        return tuple(dict.fromkeys(self.subsets.tolist()))

    def choose(self, subsets: Collection[str] = (), arm: str = "") -> NDArray[np.bool_]:
        """Which rows lie in one of these subsets (all where empty) and in this arm."""
        inside = np.isin(self.subsets, list(subsets)) if subsets else np.ones(len(self.subsets), dtype=bool)
        return inside & (self.arms == arm)

    def average(self, metric: str, subsets: Sequence[str] = (), arm: str = "") -> Mean | None:
        """Average a score over the samples of some subsets taken together.

        Args:
            metric: Its name.
            subsets: Which; all where empty.
            arm: Of a trade-off.

        Returns:
            None where no such sample has the score.
        """
        key = (tuple(subsets), arm)
        if key not in self._means:
            self._means[key] = self._average_all(*key)
        return self._means[key].get(metric)

    def _average_all(self, subsets: tuple[str, ...], arm: str) -> dict[str, Mean]:
        chosen = self.values[self.choose(subsets, arm)]
        known = (~np.isnan(chosen)).sum(axis=0)
        if not known.any():
            return {}
        bounds = mean_intervals(chosen, rng=np.random.default_rng(self.run.seed)).tolist()
        sums = np.nansum(chosen, axis=0)
        return {
            metric: Mean(float(total / n), low, high, int(n))
            for metric, total, n, (low, high) in zip(self.metrics, sums, known, bounds, strict=True)
            if n
        }


def read_scores(folder: RunFolder) -> RunScores:
    """Read the scores of a run.

    Raises:
        DataError: A line is malformed, or there are not as many samples as `run.json` says.
    """
    place = f"{folder.path.name}/scores.jsonl.gz"
    records = list(folder.scores())
    found = len({each.id for each in records})
    if found != folder.run.n:
        problem = f"holds {found} samples, and run.json says {folder.run.n}; the {_UNFINISHED}"
        raise DataError(problem, place=place)
    if len({(each.id, each.arm) for each in records}) != len(records):
        problem = f"names a sample twice; the {_UNFINISHED}"
        raise DataError(problem, place=place)
    metrics = tuple(dict.fromkeys(name for each in records for name in each.scores))
    values = [[each.scores.get(name) for name in metrics] for each in records]
    return RunScores(
        run=folder.run,
        ids=np.array([each.id for each in records], dtype=np.str_),
        subsets=np.array([each.subset for each in records], dtype=np.str_),
        arms=np.array([each.arm or "" for each in records], dtype=np.str_),
        metrics=metrics,
        values=np.array(values, dtype=np.float64).reshape(len(records), len(metrics)),
    )


def check_same_data(runs: Sequence[RunScores], place: str) -> None:
    """Refuse runs on other samples than the rest.

    Args:
        runs: All that are compared.
        place: Name of their folder, for the error.

    Raises:
        InputError: Their samples differ.
    """
    for other in runs[1:]:
        if other.run.data != (first := runs[0].run).data:
            msg = (
                f"{place}: {other.run.slug} was run on other samples ({other.run.data}) than {first.slug}"
                f" ({first.data}); keep the runs of each data in a folder of their own"
            )
            raise InputError(msg)


def list_unfinished(out: Path) -> tuple[str, ...]:
    """The runs of an evaluation that were begun and have no `run.json`, by folder."""
    folders = (path for path in (out / "runs").iterdir() if path.is_dir())
    return tuple(sorted(path.name for path in folders if not (path / "run.json").exists()))
