"""Whether systems do on real data as on synthetic data: Tables 14 to 16, beside the printed (App. F.4)."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from piibench.analysis.real import SystemScores, compare_data_sets
from piibench.analysis.summary import HEADLINES
from piibench.errors import InputError
from piibench.reports.lines import describe_print, enter_printed, head_once
from piibench.reports.published import load_published
from piibench.reports.sheets import AUTHORS, Column, Entry, Line, Sheet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from piibench.analysis.real import Agreement
    from piibench.data.runs import Task
    from piibench.reports.printed import Axis, PublishedTable
    from piibench.reports.scores import RunScores

COMPARED = (14, 15, 16)
"""The tables, in the final version's numbers, that two evaluations of the same systems fill."""

_TASKS: Mapping[int, tuple[Task, ...]] = {
    14: ("pii_detection", "query_related", "query_unrelated_masking"),
    15: ("pii_detection",),
    16: ("query_related", "query_unrelated_masking"),
}
_RANKS, _BY_STRATEGY = 14, 16
_SYNTHETIC = ("single",)
_AVERAGE = "average"
_OVERALL = "Overall Average"
_NO_STRATEGY = "without a strategy"
_LEAST_P = 0.001


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Two evaluations.

    Attributes:
        agreements: Of the tasks of one table that both have for a system.
        lonely: What only one of them has of a task, where that is all.
        named: A system's label -> who answers, and how it is asked ("" for no strategy).
        compared: What was compared, for a note.
    """

    agreements: Mapping[Task, Agreement]
    lonely: Mapping[Task, Sequence[str]]
    named: Mapping[str, tuple[str, str]]
    compared: str


def tabulate_agreement(number: int, first: Sequence[RunScores], second: Sequence[RunScores]) -> Sheet | None:
    """Fill Table 14, 15 or 16.

    Args:
        number: Of the table in the final version; one of `COMPARED`.
        first: All runs on synthetic data. PII-single alone is compared, as in the paper, where they have it.
        second: All runs on real data.

    Returns:
        None where they have none of the table's tasks in common, for one system at least.

    Raises:
        InputError: There is no such table.
    """
    if number not in COMPARED:
        msg = f"Table {number} does not compare two data sets; choose one of {', '.join(map(str, COMPARED))}"
        raise InputError(msg)
    found = _compare(first, second, _TASKS[number])
    if not found.agreements:
        return None
    table = load_published().tables[number]
    columns, ours = _list_columns(table, found), _write_ours(number, table, found)
    return Sheet(
        name=f"table-{number:02d}",
        title=f"Table {number}. {table.title}",
        corner=" / ".join(table.rows[0].keys),
        columns=tuple(Column(_label(table, key)) for key in columns),
        lines=head_once(
            [
                *(Line(label, tuple(map(cells.get, columns)), "ours", "ours") for label, cells in ours),
                *_write_printed(table, columns),
            ]
        ),
        notes=tuple(_write_notes(table, found)),
    )


def _compare(first: Sequence[RunScores], second: Sequence[RunScores], tasks: Iterable[Task]) -> _Comparison:
    agreements: dict[Task, Agreement] = {}
    lonely: dict[Task, Sequence[str]] = {}
    compared: dict[str, None] = {}
    for task in tasks:
        theirs, ours = ([each for each in runs if each.run.task == task] for runs in (first, second))
        if theirs and ours:
            chosen = _SYNTHETIC if all(_SYNTHETIC[0] in each.list_subsets() for each in theirs) else ()
            agreement = compare_data_sets(_average(theirs, chosen), _average(ours, ()))
            if not agreement.pairings:
                lonely[task] = agreement.unmatched
                continue
            agreements[task] = agreement
            compared["+".join(chosen or theirs[0].list_subsets())] = None
    named = {each.name: (each.system, each.run.strategy or "") for each in (*first, *second)}
    return _Comparison(agreements, lonely, named, ", ".join(compared))


def _average(runs: Sequence[RunScores], subsets: Sequence[str]) -> tuple[SystemScores, ...]:
    """Mean scores of each run, over some subsets (all where empty)."""
    return tuple(
        SystemScores(
            each.name,
            {
                metric: mean.value
                for metric in HEADLINES[each.run.task]
                if (mean := each.average(metric, subsets)) is not None
            },
        )
        for each in runs
    )


def _list_columns(table: PublishedTable, found: _Comparison) -> tuple[str, ...]:
    """The printed columns; by strategy, also those that only ours have, before the average."""
    printed = table.columns[-1].keys
    if table.number != _BY_STRATEGY:
        return printed
    pairings = (pairing for agreement in found.agreements.values() for pairing in agreement.pairings)
    asked = dict.fromkeys(found.named[pairing.label][1] for pairing in pairings)
    others = sorted(each for each in asked if each and each not in printed)
    return (*([""] if "" in asked else []), *printed[:-1], *others, printed[-1])


def _label(table: PublishedTable, key: str) -> str:
    return table.label(table.columns[-1].axis, key) if key else _NO_STRATEGY


def _write_ours(
    number: int, table: PublishedTable, found: _Comparison
) -> Sequence[tuple[str, Mapping[str, Entry]]]:
    """Our rows: label, and entries by column."""
    if number == _RANKS:
        return tuple(_write_ranks(table, found))
    by_strategy = number == _BY_STRATEGY
    pairings = [pairing for agreement in found.agreements.values() for pairing in agreement.pairings]
    systems = list(dict.fromkeys(found.named[pairing.label][0] for pairing in pairings))
    rows: dict[tuple[str, str], dict[str, list[float]]] = {}
    for pairing in sorted(pairings, key=lambda each: systems.index(found.named[each.label][0])):
        system, strategy = found.named[pairing.label]
        metric = f"pcs_{pairing.metric}"
        row = rows.setdefault((system, metric if by_strategy else ""), {})
        row.setdefault(strategy if by_strategy else metric, []).append(pairing.consistency)
    if len(rows) > 1:
        columns = dict.fromkeys(column for row in rows.values() for column in row)
        rows[_OVERALL, ""] = {
            column: [value for row in rows.values() for value in row.get(column, ())] for column in columns
        }
    return [
        (", ".join((system, table.label("metric", metric)) if metric else (system,)), entries)
        for (system, metric), row in rows.items()
        for named in [_AVERAGE if system == _OVERALL else system]
        for entries in [_enter({"model": named, "metric": metric}, row, table.columns[-1])]
    ]


def _enter(keys: Mapping[str, str], row: Mapping[str, Sequence[float]], columns: Axis) -> dict[str, Entry]:
    """The mean of each column of a row, and in the last of all of them."""
    values = {column: fmean(each) for column, each in row.items()}
    values[columns.keys[-1]] = fmean(value for each in row.values() for value in each)
    return {
        column: Entry(f"{value:.3f}", "ours", value, keys={**keys, columns.axis: column})
        for column, value in values.items()
    }


def _write_ranks(table: PublishedTable, found: _Comparison) -> Iterator[tuple[str, dict[str, Entry]]]:
    for task, agreement in found.agreements.items():
        if ranks := agreement.ranks:
            keys = {"task": task}
            rho = Entry(f"{ranks.rho:.4f}", "ours", ranks.rho, keys={**keys, "metric": "spearman"})
            shown = f"<{_LEAST_P}" if ranks.p_value < _LEAST_P else f"{ranks.p_value:.3f}"
            p_value = Entry(shown, "ours", ranks.p_value, keys={**keys, "metric": "p_value"})
            label = f"{table.label('task', task)} ({ranks.n} pairs)"
            yield label, {"spearman": rho, "p_value": p_value}


def _write_printed(table: PublishedTable, columns: Sequence[str]) -> Iterator[Line]:
    axis = table.columns[-1].axis
    for row in table.rows:
        cells = {cell.keys[axis]: enter_printed(table, cell) for cell in row.cells}
        labels = [table.label(name, key) for name, key in row.keys.items()]
        label = _OVERALL if _AVERAGE in row.keys.values() else ", ".join(labels)
        yield Line(label, tuple(map(cells.get, columns)), "authors", AUTHORS)


def _write_notes(table: PublishedTable, found: _Comparison) -> Iterator[str]:
    yield (
        f"Ours: {found.compared} of the first evaluation beside all samples of the second. PCS (Equation 21)"
        " is one less the difference over the larger of two mean scores: 1 where they agree."
        f" {AUTHORS.capitalize()}: what Table {table.number} of the paper's final version prints (section"
        f" {table.section}), on the authors' own samples."
    )
    apart: dict[Task, Sequence[str]] = {
        **{task: agreement.unmatched for task, agreement in found.agreements.items()},
        **found.lonely,
    }
    for task, names in apart.items():
        if names:
            yield f"{task}: not compared, as only one of the evaluations has them: {', '.join(names)}."
    for task, agreement in found.agreements.items():
        if table.number == _RANKS and agreement.ranks is None:
            yield f"{task}: has no order of ours; it takes three scores or more that are not all the same."
    yield from describe_print(table)
