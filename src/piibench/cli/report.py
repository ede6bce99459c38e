"""Scores as tables that fit 100 columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rich.console import Console

    from piibench.metrics.prf import Counts
    from piibench.metrics.report import GroupReport, LabelCounts, Mean, Pooled, Report

MEANS: Mapping[str, tuple[str, ...]] = {
    "Task 1, detection: means over samples, 95 % intervals": (
        "strict_p",
        "strict_r",
        "strict_f1",
        "ent_f1",
        "ent_f1_matched",
        "rouge_f1",
    ),
    "Tasks 2 and 3, what the query needs and what is hidden: means over samples, 95 % intervals": (
        "query_f1",
        "query_rouge_f1",
        "mask_f1",
        "privacy",
        "privacy_unrelated",
        "kept",
    ),
}
POOLED = "All counts pooled over samples (micro): F1 with 95 % interval; precision/recall"
POOLED_NAMES = ("strict", "ent", "span_exact", "span_overlap", "query", "mask")

_CELL_WIDTH = len("0.123–0.456")
_LABEL_WIDTH = len("overlap")


def print_report(report: Report, console: Console, *, brief: bool = False, per_label: bool = False) -> None:
    """Print the scores of each subset and of all samples, and what they depend on.

    Args:
        report: What `score` returned.
        console: Where to.
        brief: Leave the pooled counts out.
        per_label: Add the tables by type and by category.
    """
    groups = list(report.subsets.values())
    if len(groups) > 1:
        groups.append(report.overall)
    for title, names in MEANS.items():
        if any(group.means[name] is not None for group in groups for name in names):
            console.print(_tabulate_means(title, names, groups))
    if not brief:
        console.print(_tabulate_pooled(groups))
    if per_label:
        console.print(_tabulate_labels("By type, all samples", "type", report.overall.by_type.items()))
        if report.overall.by_category:
            rows = report.overall.by_category.items()
            console.print(_tabulate_labels("By category, all samples", "category", rows))
    for line in filter(None, (group.sign() for group in groups)):
        console.print(line, highlight=False, soft_wrap=True)


def _tabulate_means(title: str, names: tuple[str, ...], groups: list[GroupReport]) -> Table:
    table = _create_table(title, ("subset", "n", *(name.replace("_", " ") for name in names)))
    for group in groups:
        table.add_row(group.name, str(group.n), *(_show_mean(group.means[name]) for name in names))
    return table


def _tabulate_pooled(groups: list[GroupReport]) -> Table:
    names = [name for name in POOLED_NAMES if any(group.pooled[name] for group in groups)]
    table = _create_table(POOLED, ("subset", "n", *(name.replace("_", " ") for name in names)))
    for group in groups:
        table.add_row(group.name, str(group.n), *(_show_pooled(group.pooled[name]) for name in names))
    return table


def _tabulate_labels(title: str, kind: str, rows: Iterable[tuple[str, LabelCounts]]) -> Table:
    headings = ("gold", *(f"strict {score}" for score in ("P", "R", "F1")), "exact F1")
    headings += tuple(f"overlap {score}" for score in ("P", "R", "F1"))
    table = _create_table(title, (kind, *headings), narrow=_LABEL_WIDTH)
    for label, row in rows:
        scores = (*_list_scores(row.strict), row.exact.f1, *_list_scores(row.overlap))
        table.add_row(label, str(row.strict.gold), *(f"{score:.3f}" for score in scores))
    return table


def _list_scores(counts: Counts) -> tuple[float, float, float]:
    return counts.precision, counts.recall, counts.f1


def _create_table(title: str, headings: tuple[str, ...], *, narrow: int = _CELL_WIDTH) -> Table:
    """Make a table with a column of names and columns of numbers, their headings cut to `narrow` columns."""
    table = Table(
        box=SIMPLE_HEAD, title=title, title_justify="left", title_style="bold", padding=(0, 1, 0, 0)
    )
    table.add_column(headings[0], overflow="fold")
    for heading in headings[1:]:
        table.add_column(heading, justify="right", overflow="fold", max_width=narrow)
    return table


def _show_mean(mean: Mean | None) -> Text:
    if mean is None:
        return Text("-")
    return Text.assemble(f"{mean.value:.3f}\n", (f"{mean.low:.3f}–{mean.high:.3f}", "dim"))


def _show_pooled(pooled: Pooled | None) -> Text:
    if pooled is None:
        return Text("-")
    counts = pooled.counts
    return Text.assemble(
        f"{counts.f1:.3f}\n",
        (f"{pooled.low:.3f}–{pooled.high:.3f}\n", "dim"),
        (f"{counts.precision:.3f}/{counts.recall:.3f}", "dim"),
    )
