"""What rows and footnotes of our tables are made of."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

from piibench.reports.sheets import Entry, Line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from piibench.metrics.report import Mean
    from piibench.reports.printed import Cell, PublishedTable
    from piibench.reports.scores import RunScores


def create_entry(mean: Mean | None, keys: Mapping[str, str], system: str) -> Entry | None:
    """Make an entry of ours; None where nothing was measured.

    Args:
        mean: The score.
        keys: What it is about, by axis; an empty name says nothing.
        system: Who answered.
    """
    if mean is None:
        return None
    named = {axis: key for axis, key in keys.items() if key} | {"model": system}
    return Entry(f"{mean.value:.3f}", "ours", mean.value, mean.low, mean.high, mean.n, keys=named)


def enter_printed(table: PublishedTable, cell: Cell) -> Entry | None:
    """Make an entry of a printed number, marked where it contradicts others; None where none is printed."""
    if cell.value is None:
        return None
    named = {str(axis): key for axis, key in cell.keys.items()}
    marks = (
        letter for letter, slip in zip(ascii_lowercase, table.slips, strict=False) if cell.matches(slip.at)
    )
    return Entry(cell.printed, "authors", cell.value, mark="".join(marks), keys=named)


def describe_print(table: PublishedTable) -> Iterator[str]:
    """Say what else to know of a printed table, and which of its numbers contradict others."""
    if table.note:
        yield f"On the paper's table: {' '.join(table.note.split())}"
    for letter, slip in zip(ascii_lowercase, table.slips, strict=False):
        reads = f"; it should read {slip.reads}" if slip.reads else ""
        yield f"({letter}) {' '.join(slip.why.split())}{reads}"


def head_once(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Keep a heading only above the first of the rows that it stands for."""
    kept, last = list[Line](), ""
    for line in lines:
        repeated = line.heading == last
        last = line.heading or last
        kept.append(Line(line.label, line.entries, line.origin, "" if repeated else line.heading))
    return tuple(kept)


def describe_gaps(scores: RunScores, subsets: Sequence[str]) -> Iterator[str]:
    """Say what a run's means leave out, or count as nothing.

    Args:
        scores: Of the run.
        subsets: Those that a table asks for.
    """
    run = scores.run
    there = scores.list_subsets()
    if missing := [subset for subset in subsets if subset not in there]:
        yield f"{scores.name}: has no sample of {', '.join(missing)}."
    if run.unreadable and run.task == "tradeoff":
        told = f"in {run.unreadable} of {run.n} samples a model's reply could not be read or was empty"
        yield f"{scores.name}: {told}; a judgement that could not be read is in no mean."
    elif run.unreadable:
        yield f"{scores.name}: {run.unreadable} of {run.n} replies could not be read; they count as empty."
    if run.bare_shots:
        shown = f"{run.bare_shots} worked examples show no chain of thought"
        yield f"{scores.name}: {shown}, as the model had no right one."
    if run.failed:
        yield f"{scores.name}: {run.failed} samples got no answer and are in no mean."


def count_samples(lines: Sequence[Line]) -> Iterator[str]:
    """Say how many samples our means are of, by subset."""
    counts: dict[str, set[int]] = {}
    for entry in (entry for line in lines for entry in line.entries if entry and entry.n is not None):
        counts.setdefault(entry.keys.get("subset", "all"), set()).add(entry.n or 0)
    if counts:
        parts = (f"{name} {_span(found)}" for name, found in counts.items())
        yield f"Samples of ours: {', '.join(parts)}."


def _span(counts: set[int]) -> str:
    return f"{min(counts):,}" if len(counts) == 1 else f"{min(counts):,} to {max(counts):,}"
