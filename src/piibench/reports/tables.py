"""Our scores in the layout of the paper's tables, beside what the paper prints."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from piibench.errors import InputError
from piibench.reports.lines import (
    count_samples,
    create_entry,
    describe_gaps,
    describe_print,
    enter_printed,
    head_once,
)
from piibench.reports.published import load_published
from piibench.reports.sheets import AUTHORS, Column, Entry, Line, Sheet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from piibench.reports.printed import AxisName, PublishedTable, Row
    from piibench.reports.scores import RunScores

FILLED = (4, 5, 6, 7, 8, 11, 12, 13, 17, 18, 19, 20)
"""The tables, in the final version's numbers, that the runs of one evaluation fill."""
SMALL_MODELS = (11, 12, 13)
"""Those that repeat an earlier layout for the authors' small models."""

_NO_STRATEGY = "without a strategy"
_OTHERS = "not in the paper"
_OWN = (None, "own")
_TABLE_13 = 13


def create_table(number: int, runs: Sequence[RunScores]) -> Sheet | None:
    """Fill one table of the paper with our runs, and keep what the paper prints beside them.

    Where the paper has a column for each model, each system of ours has columns of its own, left of the
    authors'; elsewhere our rows stand above theirs. A system that no prompt asks has one row, "without a
    strategy".

    Args:
        number: Of the table in the final version; one of `FILLED`.
        runs: All runs; those of another task are left out.

    Returns:
        None where no run has a score for it.

    Raises:
        InputError: The runs of one evaluation cannot fill that table.
    """
    if number not in FILLED:
        known = ", ".join(map(str, FILLED))
        msg = f"Table {number} is not made of the scores of one evaluation; choose one of {known}"
        raise InputError(msg)
    table = load_published().tables[number]
    chosen = [each for each in runs if each.run.task == table.task and _belongs(each, number)]
    builder = _Builder(table, chosen)
    sheet = builder.build()
    ours = (entry for line in sheet.lines for entry in line.entries if entry and entry.origin == "ours")
    return sheet if any(ours) else None


def _belongs(scores: RunScores, number: int) -> bool:
    """Table 13 is about candidates that a model found itself."""
    return number != _TABLE_13 or scores.run.candidates in _OWN


class _Builder:
    def __init__(self, table: PublishedTable, runs: Sequence[RunScores]) -> None:
        self._table = table
        printed = [row.keys.get("strategy", "") for row in table.rows]
        systems = list(dict.fromkeys(each.system for each in runs))
        self._runs = sorted(
            runs, key=lambda each: (systems.index(each.system), _rank(each.run.strategy, printed))
        )
        self._rows = tuple(table.rows[0].keys)
        self._is_own = table.number == _TABLE_13
        self._has_model_columns = any(axis.axis == "model" for axis in table.columns)
        self._fixed: dict[AxisName, str] = {
            axis: key
            for axis, key in table.cells[0].keys.items()
            if axis not in self._rows and axis != "model" and axis not in self._list_column_axes()
        }

    def build(self) -> Sheet:
        columns, lines = self._stand_beside() if self._has_model_columns else self._stand_above()
        table = self._table
        return Sheet(
            name=f"table-{table.number:02d}",
            title=f"Table {table.number}. {table.title}",
            corner=" / ".join(self._rows),
            columns=columns,
            lines=lines,
            notes=(*self._write_notes(), *count_samples(lines)),
        )

    def _name(self, scores: RunScores) -> str:
        """A system's name above its columns; Table 13 does not say again whose candidates they are."""
        return scores.run.label if self._is_own else scores.system

    def _list_column_axes(self) -> tuple[AxisName, ...]:
        return tuple(axis.axis for axis in self._table.columns)

    def _list_places(self) -> list[dict[AxisName, str]]:
        """The names of each of our columns; a model's are left out."""
        axes = [axis for axis in self._table.columns if axis.axis != "model"]
        names = product(*(axis.keys for axis in axes))
        return [dict(zip((axis.axis for axis in axes), keys, strict=True)) for keys in names]

    def _stand_beside(self) -> tuple[tuple[Column, ...], tuple[Line, ...]]:
        systems = tuple(dict.fromkeys(map(self._name, self._runs)))
        places = self._list_places()
        ours = [Column(self._label_last(at), system, "ours") for system in systems for at in places]
        theirs = self._list_printed_columns()
        by_strategy = {(self._name(each), each.run.strategy): each for each in self._runs}
        printed = {row.keys["strategy"]: row for row in self._table.rows}
        asked = dict.fromkeys(strategy for _, strategy in by_strategy)
        others = [strategy for strategy in asked if strategy not in printed]
        first_other = min(filter(None, others), default=None)
        nothing = (None,) * len(theirs)
        lines = list[Line]()
        # A system without a strategy leads; a strategy that the paper lacks comes last.
        for strategy in sorted({*printed, *others}, key=lambda each: _rank(each, list(printed))):
            row = printed.get(strategy or "")
            entries = (
                self._average(by_strategy.get((system, strategy)), {**at, "strategy": strategy or ""})
                for system in systems
                for at in places
            )
            label = self._table.label("strategy", strategy) if strategy else _NO_STRATEGY
            heading = row.heading if row else _OTHERS if strategy and strategy == first_other else None
            lines.append(
                Line(label, (*entries, *(self._print(row) if row else nothing)), heading=heading or "")
            )
        return (*ours, *theirs), tuple(lines)

    def _list_printed_columns(self) -> list[Column]:
        outer = self._list_column_axes()[:-1]
        return [
            Column(
                self._label_last(cell.keys),
                " · ".join(self._table.label(axis, cell.keys[axis]) for axis in outer),
                "authors",
            )
            for cell in self._table.rows[0].cells
        ]

    def _stand_above(self) -> tuple[tuple[Column, ...], tuple[Line, ...]]:
        columns = tuple(
            Column(
                self._label_last(at),
                " · ".join(self._table.label(axis, key) for axis, key in list(at.items())[:-1]),
            )
            for at in self._list_places()
        )
        lines = [line for scores in self._runs for line in self._write_ours(scores)]
        heading = ""
        for row in self._table.rows:
            above = f"{AUTHORS} · {row.heading}" if row.heading else "" if heading else AUTHORS
            label = ", ".join(self._table.label(axis, key) for axis, key in row.keys.items())
            lines.append(Line(label, tuple(self._print(row)), "authors", heading=above))
            heading = above or heading
        return columns, head_once(lines)

    def _write_ours(self, scores: RunScores) -> Iterator[Line]:
        for arm in scores.list_arms():
            keys: dict[AxisName, str] = {"strategy": scores.run.strategy or "", "arm": arm}
            entries = tuple(self._average(scores, {**at, **keys}, arm) for at in self._list_places())
            if any(entries):
                yield Line(self._label_run(scores, arm), entries, "ours", heading=self._head_run(scores))

    def _label_run(self, scores: RunScores, arm: str) -> str:
        if arm:
            return self._table.label("arm", arm)
        if self._rows == ("strategy",):
            strategy = scores.run.strategy
            return self._table.label("strategy", strategy) if strategy else _NO_STRATEGY
        return scores.name

    def _head_run(self, scores: RunScores) -> str:
        if self._rows == ("model",):
            return "ours"
        roles = (f"{role} {model}" for role, model in scores.run.roles.items())
        return "ours · " + ", ".join((scores.system, *roles))

    def _label_last(self, at: Mapping[AxisName, str]) -> str:
        axis = self._list_column_axes()[-1]
        return self._table.label(axis, at[axis])

    def _average(self, scores: RunScores | None, at: Mapping[AxisName, str], arm: str = "") -> Entry | None:
        keys: dict[AxisName, str] = {**self._fixed, **at}
        mean = scores and scores.average(keys["metric"], _split(keys), arm)
        named = {str(axis): key for axis, key in keys.items()}
        return create_entry(mean, named, scores.system) if scores else None

    def _print(self, row: Row) -> Iterator[Entry | None]:
        return (enter_printed(self._table, cell) for cell in row.cells)

    def _write_notes(self) -> Iterator[str]:
        table = self._table
        review = f", Table {table.review} of its review version" if table.review else ""
        yield (
            f"Ours: means over samples with 95 % bootstrap intervals. {AUTHORS.capitalize()}: what Table"
            f" {table.number} of the paper's final version prints{review} (section {table.section}), on the"
            " authors' own samples. Compare magnitude and order, not digits."
        )
        for scores in self._runs:
            yield from describe_gaps(scores, self._list_subsets())
        yield from describe_print(table)

    def _list_subsets(self) -> tuple[str, ...]:
        named = dict.fromkeys(name for cell in self._table.cells for name in _split(cell.keys))
        return tuple(named)


def _rank(strategy: str | None, printed: Sequence[str]) -> tuple[int, int, str]:
    if strategy is None:
        return 0, 0, ""
    return (1, printed.index(strategy), "") if strategy in printed else (2, 0, strategy)


def _split(keys: Mapping[AxisName, str]) -> tuple[str, ...]:
    """The subsets that are taken together; none where all are."""
    named = keys.get("subset", "")
    return tuple(named.split("+")) if named and named != "all" else ()
