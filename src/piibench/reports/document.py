"""All that a report of an evaluation says, before any writer writes it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from piibench.analysis.factors import FACTORS, bin_means
from piibench.analysis.summary import HEADLINES
from piibench.data.mentions import replace_surrogates
from piibench.data.runs import TASKS, read_data, read_runs
from piibench.errors import InputError
from piibench.metrics.signature import Signature
from piibench.reports.consistency_tables import COMPARED, tabulate_agreement
from piibench.reports.curves import INKS, Point, draw_factors, draw_tradeoff
from piibench.reports.data_tables import draw_data, tabulate_data
from piibench.reports.experiments import find_experiment
from piibench.reports.scores import check_same_data, list_unfinished, read_scores
from piibench.reports.significance import tabulate_contrasts
from piibench.reports.tables import FILLED, SMALL_MODELS, create_table
from piibench.reports.tradeoff_table import tabulate_tradeoff

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.figure import Figure

    from piibench.analysis.factors import Bin, Factor
    from piibench.data.runs import RunFolder, Task
    from piibench.data.schema import Sample
    from piibench.reports.scores import RunScores
    from piibench.reports.sheets import Sheet

_POOLED_SUBSETS = "all"


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure of a report.

    Attributes:
        name: As in "figure-04-query-related"; names files and anchors.
        title: What stands above it.
        caption: What stands below it.
        figure: What is drawn.
    """

    name: str
    title: str
    caption: str
    figure: Figure


@dataclass(frozen=True, slots=True)
class Document:
    """A report.

    Attributes:
        title: Its name.
        runs: What was run.
        tables: In the paper's layout, by number.
        contrasts: Whether systems differ, a table for each task.
        pictures: The figures.
        signatures: A line for each run: its score, and all that this depends on.
        warnings: What the reader has to know first.
    """

    title: str
    runs: tuple[RunScores, ...]
    tables: tuple[Sheet, ...]
    contrasts: tuple[Sheet, ...]
    pictures: tuple[Picture, ...]
    signatures: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """All tables."""
        return (*self.tables, *self.contrasts)


def create_document(out: str | Path, real: str | Path | None = None) -> Document:
    """Gather the report of an evaluation.

    Args:
        out: Its folder.
        real: The folder of another, of the same systems on real data; fills Tables 14 to 16.

    Raises:
        InputError: One holds no finished run, or runs on different samples, or the two have no system in
            common.
        DataError: A file is malformed, half written, or about other samples.
    """
    folders = read_runs(out)
    runs = read_all(folders, _name(out))
    samples = tuple(read_data(out))
    filled = (create_table(number, runs) for number in FILLED if number not in SMALL_MODELS)
    tables = [*tabulate_data(samples), *filter(None, filled)]
    if real is not None:
        tables += compare_folders(runs, real)
    contrasts = (tabulate_contrasts(task, runs) for task in TASKS)
    return Document(
        title=f"Evaluation {_name(out)}",
        runs=runs,
        tables=tuple(
            each for each in (*sorted(tables, key=lambda sheet: sheet.name), tabulate_tradeoff(runs)) if each
        ),
        contrasts=tuple(each for each in contrasts if each),
        pictures=tuple(_draw(folders, runs, samples)),
        signatures=tuple(sign_runs(runs)),
        warnings=tuple(
            f"{name}: is not finished and left out; repeat its evaluate command to finish it"
            for name in list_unfinished(Path(out))
        ),
    )


def read_all(folders: Sequence[RunFolder], place: str) -> tuple[RunScores, ...]:
    """Read the scores of runs on the same samples.

    Args:
        folders: The runs.
        place: Name of the evaluation, for errors.

    Raises:
        InputError: They are on different samples.
        DataError: A file is malformed or half written.
    """
    runs = tuple(read_scores(folder) for folder in folders)
    check_same_data(runs, place)
    return runs


def create_reproduction(number: int, out: str | Path, real: str | Path | None = None) -> Sheet | None:
    """One table of the paper from the runs of an evaluation; None where they have no score for it.

    Args:
        number: Of the table in the final version.
        out: Folder of the evaluation.
        real: Folder of another on real data, for a table that compares the two.

    Raises:
        InputError: There is no finished run, or that table is not made of such runs.
        DataError: A file is malformed or half written.
    """
    runs = read_folder(out)
    return create_table(number, runs) if real is None else tabulate_agreement(number, runs, read_folder(real))


def compare_folders(runs: Sequence[RunScores], real: str | Path) -> tuple[Sheet, ...]:
    """Tables 14 to 16, as far as the runs and those of a folder have their tasks in common.

    Raises:
        InputError: They have none, or no system.
        DataError: A file is malformed or half written.
    """
    others = read_folder(real)
    found = tuple(filter(None, (tabulate_agreement(number, runs, others) for number in COMPARED)))
    if not found:
        msg = f"{_name(real)}: has no system of a task in common with the first; evaluate the same on both"
        raise InputError(msg)
    return found


def read_folder(out: str | Path) -> tuple[RunScores, ...]:
    """Read the scores of an evaluation.

    Raises:
        InputError: There is no finished run, or they are on different samples.
        DataError: A file is malformed or half written.
    """
    return read_all(read_runs(out), _name(out))


def _name(folder: str | Path) -> str:
    """A folder's own name, in letters that can be written."""
    return replace_surrogates(Path(folder).resolve().name)


def sign_runs(runs: Sequence[RunScores]) -> Iterator[str]:
    """Sign the headline score of each run (and arm of a trade-off)."""
    for each in runs:
        run = each.run
        metric = HEADLINES[run.task][0]
        subsets = each.list_subsets()
        system = run.system if run.model is None else f"{run.system}:{run.model}"
        signature = Signature(
            subset=subsets[0] if len(subsets) == 1 else _POOLED_SUBSETS,
            data=run.data,
            system=system,
            strategy=run.strategy or "-",
            seed=run.seed,
            version=run.version,
            others={
                "candidates": run.candidates or "",
                **run.roles,
                "orders": str(run.orders or ""),
                "embedder": run.embedder or "",
            },
        )
        for arm in each.list_arms():
            if mean := each.average(metric, arm=arm):
                yield signature.sign(f"{metric}[{arm}]" if arm else metric, mean.value)


def _draw(
    folders: Sequence[RunFolder], runs: Sequence[RunScores], samples: Sequence[Sample]
) -> Iterator[Picture]:
    note = find_experiment("figure-4").note
    for task in TASKS[:-1]:
        metric = HEADLINES[task][0]
        chosen = [
            (folder, scores)
            for folder, scores in zip(folders, runs, strict=True)
            if scores.run.task == task and scores.average(metric)
        ]
        if chosen:
            best = sorted(chosen, key=lambda pair: -_value(pair[1], metric))[: len(INKS)]
            yield Picture(
                f"figure-04-{task.replace('_', '-')}",
                f"Figure 4. {metric} by what makes a sample hard ({task})",
                f"Means over the samples of each range, with 95 % bootstrap intervals.{_say_left_out(chosen)}"
                f" On the paper's figure: {note}",
                draw_factors({scores.name: _bin(folder, samples, metric) for folder, scores in best}, metric),
            )
    if (types := draw_data(samples)) is not None:
        yield Picture(
            "figure-05-types",
            "Figure 5. Share of each type among the entities",
            "Solid: the samples that were evaluated. Hatched: what the paper prints, by the counts of its"
            " Table 9.",
            types,
        )
    if points := tuple(_list_points(runs)):
        yield Picture(
            "tradeoff",
            "Trade-off. Privacy against utility, and their balance",
            "Left: each way to mask; the balanced score (Equation 20) is the same along a grey line. Right:"
            f" the balanced score for every weight of privacy; the paper takes 0.5.{_say_cut(points)}",
            draw_tradeoff(points[: len(INKS)]),
        )


def _bin(folder: RunFolder, samples: Sequence[Sample], metric: str) -> dict[Factor, tuple[Bin, ...]]:
    scores = tuple(folder.scores())
    binned: dict[Factor, tuple[Bin, ...]] = {
        factor: bin_means(samples, scores, factor, metric) for factor in FACTORS
    }
    return {factor: bins for factor, bins in binned.items() if bins}


def _value(scores: RunScores, metric: str) -> float:
    mean = scores.average(metric)
    return mean.value if mean else 0.0


def _say_left_out(chosen: Sequence[object]) -> str:
    return f" The best {len(INKS)} of {len(chosen)} systems." if len(chosen) > len(INKS) else ""


def _say_cut(points: Sequence[Point]) -> str:
    return f" The first {len(INKS)} of {len(points)} ways." if len(points) > len(INKS) else ""


def _list_points(runs: Sequence[RunScores]) -> Iterator[Point]:
    chosen: list[tuple[Task, RunScores]] = [(each.run.task, each) for each in runs]
    several = sum(task == "tradeoff" for task, _ in chosen) > 1
    for task, each in chosen:
        for arm in each.list_arms() if task == "tradeoff" else ():
            privacy, utility = each.average("privacy", arm=arm), each.average("utility", arm=arm)
            if privacy and utility:
                yield Point(f"{arm} ({each.name})" if several else arm, privacy.value, utility.value)
