"""The scores of an evaluation's runs as tables that fit 100 columns."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from piibench.data.datasets import SUBSETS
from piibench.metrics.bootstrap import mean_intervals

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import Console

    from piibench.data.runs import RunFolder, SampleScores, Task

COLUMNS: Mapping[Task, tuple[str, tuple[str, ...]]] = {
    "pii_detection": ("Task 1, detection", ("strict_p", "strict_r", "strict_f1", "ent_f1", "rouge_f1")),
    "query_related": ("Task 2, what the query needs", ("query_p", "query_r", "query_f1", "query_rouge_f1")),
    "query_unrelated_masking": (
        "Task 3, what is hidden",
        ("mask_f1", "mask_rouge_f1", "privacy", "privacy_unrelated", "kept"),
    ),
    "tradeoff": (
        "Trade-off",
        ("privacy", "similarity", "rating", "utility", "balanced", "utility_restored"),
    ),
}
EVERYTHING = "all"

_RESAMPLES = 1000
_CELL_WIDTH = len("0.123–0.456")


def print_results(runs: Sequence[RunFolder], console: Console) -> None:
    """Print a table for each task: of a single run by subset, or arm; of several over all samples."""
    for task, (title, names) in COLUMNS.items():
        chosen = [folder for folder in runs if folder.run.task == task]
        by = f" by {chosen[0].run.describe(', ')}" if len(chosen) == 1 else ""
        if chosen:
            console.print(_tabulate(f"{title}{by}: means over samples, 95 % intervals", names, chosen))


def _tabulate(title: str, names: tuple[str, ...], runs: Sequence[RunFolder]) -> Table:
    table = Table(
        box=SIMPLE_HEAD,
        title=title,
        title_justify="left",
        title_style="bold",
        caption="\n".join(note for folder in runs if (note := _note(folder))) or None,
        caption_justify="left",
        padding=(0, 1, 0, 0),
    )
    single = len(runs) == 1
    row = "arm" if runs[0].run.arms else "subset"
    table.add_column(row if single else "run", overflow="fold")
    for heading in ("n", *(name.replace("_", " ") for name in names)):
        table.add_column(heading, justify="right", overflow="fold", max_width=_CELL_WIDTH)
    labels = {folder.path: folder.run.describe("\n", among=(each.run for each in runs)) for folder in runs}
    for folder in runs:
        for subset, scores in _group(folder.scores()).items():
            if single or subset == EVERYTHING:
                cells = _average(scores, names, seed=folder.run.seed)
                table.add_row(subset if single else labels[folder.path], f"{len(scores)}\n", *cells)
    return table


def _group(scores: Iterable[SampleScores]) -> dict[str, list[SampleScores]]:
    grouped: defaultdict[str, list[SampleScores]] = defaultdict(list)
    by_arm: defaultdict[str, list[SampleScores]] = defaultdict(list)
    for each in scores:
        (by_arm[each.arm] if each.arm else grouped[each.subset]).append(each)
    if by_arm:
        return dict(by_arm)
    order = sorted(grouped, key=lambda name: (SUBSETS.index(name) if name in SUBSETS else len(SUBSETS), name))
    everything = [each for name in order for each in grouped[name]]
    return {name: grouped[name] for name in order} | {EVERYTHING: everything}


def _average(scores: Sequence[SampleScores], names: Sequence[str], *, seed: int) -> list[Text]:
    columns = [[each.scores.get(name) for name in names] for each in scores]
    table = np.array(columns, dtype=np.float64)
    bounds = mean_intervals(table, rng=np.random.default_rng(seed), resamples=_RESAMPLES)
    return [
        Text("-")
        if np.isnan(column).all()
        else Text.assemble(f"{np.nanmean(column):.3f}\n", (f"{low:.3f}–{high:.3f}", "dim"))
        for column, (low, high) in zip(table.T, bounds.tolist(), strict=True)
    ]


def _note(folder: RunFolder) -> str:
    """What was left out of, or counted as nothing in, a run's means; and how steady a judge was."""
    run = folder.run
    unread = (
        "samples had a reply that was not understood: a rating is not scored, a masker masks less"
        if "masker" in run.roles
        else "answers were not, or not fully, judged, and that is not scored"
        if run.arms
        else "replies could not be understood and count as empty"
    )
    parts = (
        f"{run.unreadable} of {run.n} {unread}" if run.unreadable else "",
        f"{run.failed} samples without an answer are not in the means" if run.failed else "",
        f"{run.bare_shots} worked examples show no chain of thought, as the model had no right one"
        if run.bare_shots
        else "",
        _describe_judge(list(folder.scores())) if run.arms else "",
    )
    return f"{run.describe(', ')}: {'; '.join(filter(None, parts))}" if any(parts) else ""


def _describe_judge(scores: Sequence[SampleScores]) -> str:
    """How many judgements could be read, and whether they hold when the order of the answers is turned."""
    read, asked = _add_counts(scores, "judgements")
    same, compared = _add_counts(scores, "agreement")
    gaps = [gap for each in scores if (gap := each.scores.get("rating_gap")) is not None]
    parts = (
        f"{read} of {asked} ratings were readable",
        f"{same / compared:.0%} of verdicts keep their sign in the other order" if compared else "",
        f"ratings differ by {np.mean(gaps):.2f} of 10 between orders" if gaps else "",
    )
    return ", ".join(filter(None, parts))


def _add_counts(scores: Sequence[SampleScores], name: str) -> tuple[int, int]:
    counts = [each.counts[name] for each in scores if name in each.counts]
    return sum(int(agreed) for agreed, _, _ in counts), sum(total for _, _, total in counts)
