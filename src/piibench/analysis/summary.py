"""All that is analysed of one run, and of the runs of two evaluations."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from piibench.analysis.effects import Effects, fit_effects
from piibench.analysis.errors import count_errors
from piibench.analysis.factors import FACTORS, Bin, Factor, bin_means
from piibench.analysis.real import Agreement, average_scores, compare_data_sets

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from piibench.analysis.real import SystemScores
    from piibench.analysis.tally import Errors
    from piibench.data.runs import Run, RunFolder, SampleScores, Task
    from piibench.data.schema import Sample

HEADLINES: Mapping[Task, tuple[str, ...]] = MappingProxyType(
    {
        "pii_detection": ("strict_f1", "ent_f1", "rouge_f1"),
        "query_related": ("query_f1",),
        "query_unrelated_masking": ("mask_f1",),
        "tradeoff": ("balanced",),
    }
)
"""The scores of Tables 8, 15 and 16; the first of a task is the one whose factors are looked into."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What one score of a run depends on.

    Attributes:
        metric: The score.
        arm: How the prompt was masked, in a trade-off.
        bins: Factor -> its mean in each range.
        effects: The effect of each factor, the others being equal.
    """

    metric: str
    arm: str | None
    bins: Mapping[Factor, tuple[Bin, ...]]
    effects: Effects


@dataclass(frozen=True, slots=True)
class RunAnalysis:
    """One run.

    Attributes:
        name: Of who answered, and how they were asked.
        run: What `run.json` says.
        profiles: For each score, and each arm of a trade-off.
        errors: None where the task knows none.
    """

    name: str
    run: Run
    profiles: tuple[Profile, ...]
    errors: Errors | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold."""
        return {
            "name": self.name,
            "run": self.run.model_dump(mode="json", by_alias=True),
            "profiles": [asdict(profile) for profile in self.profiles],
            "errors": self.errors and self.errors.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The part of an evaluation that is looked at.

    Attributes:
        samples: All its gold samples.
        runs: Its runs.
        subsets: The subsets to look at; all where empty.
    """

    samples: Sequence[Sample]
    runs: Sequence[RunFolder]
    subsets: Collection[str] = ()

    def analyze(
        self, *, metrics: Sequence[str] = (), seed: int = 7, resamples: int = 1000
    ) -> Iterator[RunAnalysis]:
        """Yield what each run shows.

        Args:
            metrics: The scores to look into, where a run has them; its headline where empty.
            seed: Seed of the bootstrap.
            resamples: How often it draws.

        Raises:
            DataError: A record is malformed, or about no sample.
        """
        samples = [sample for sample in self.samples if self._holds(sample.subset)]
        for folder in self.runs:
            profiles = tuple(
                Profile(
                    metric=metric,
                    arm=arm,
                    bins={
                        factor: bin_means(samples, scores, factor, metric, seed=seed, resamples=resamples)
                        for factor in FACTORS
                    },
                    effects=fit_effects(samples, scores, metric),
                )
                for arm, scores in self._group(folder).items()
                for metric in metrics or HEADLINES[folder.run.task][:1]
                if any(each.scores.get(metric) is not None for each in scores)
            )
            errors = self._count_errors(folder, samples)
            yield RunAnalysis(self._name(folder.run), folder.run, profiles, errors)

    def average(self, task: Task, metrics: Sequence[str] = ()) -> tuple[SystemScores, ...]:
        """Average the scores of the runs of one task; an arm of a trade-off counts as a system.

        Args:
            task: Which.
            metrics: Which scores; the headlines where empty.
        """
        wanted = metrics or HEADLINES[task]
        return tuple(
            average_scores(" ".join(filter(None, (self._name(folder.run), arm))), scores, wanted)
            for folder in self.runs
            if folder.run.task == task
            for arm, scores in self._group(folder).items()
        )

    def _name(self, run: Run) -> str:
        return run.describe(among=(folder.run for folder in self.runs))

    def _holds(self, subset: str) -> bool:
        return not self.subsets or subset in self.subsets

    def _group(self, folder: RunFolder) -> dict[str | None, list[SampleScores]]:
        grouped: defaultdict[str | None, list[SampleScores]] = defaultdict(list)
        for each in folder.scores():
            if self._holds(each.subset):
                grouped[each.arm].append(each)
        return dict(grouped)

    def _count_errors(self, folder: RunFolder, samples: Iterable[Sample]) -> Errors | None:
        if folder.run.task == "tradeoff":
            return None
        others = {sample.id for sample in self.samples if not self._holds(sample.subset)}
        predictions = (pred for pred in folder.predictions() if pred.id not in others)
        return count_errors(folder.run.task, samples, predictions)


def compare_evaluations(
    first: Evaluation, second: Evaluation, *, metrics: Sequence[str] = ()
) -> dict[Task, Agreement]:
    """Compare how the same systems did in two evaluations, for each task that both have scores of (App. F.4).

    Of a task in which they share no system the agreement has no pairings.

    Raises:
        DataError: A record is malformed.
    """
    compared: dict[Task, Agreement] = {}
    for task in HEADLINES:
        tables = [each.average(task, metrics) for each in (first, second)]
        if all(any(system.means for system in table) for table in tables):
            compared[task] = compare_data_sets(*tables)
    return compared
