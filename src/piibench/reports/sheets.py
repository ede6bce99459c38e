"""A table of a report: what every writer writes, in its own way."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Origin = Literal["ours", "authors"]
"""Measured by the runs of the report, or printed in the paper."""

AUTHORS = "authors' data, not ours"
"""Stands wherever a printed number stands: the samples are not the same."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A number.

    Attributes:
        text: As it is shown.
        origin: Whose it is.
        value: The number; a percentage as a share of 1.
        low: Lower end of its 95 % interval; None where there is none.
        high: Upper end.
        n: Samples that it is the mean of; None where that is not known.
        mark: Of a footnote, such as "a", or "".
        keys: What it is about, by axis, such as {"subset": "single", "metric": "query_f1"}.
    """

    text: str
    origin: Origin
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    mark: str = ""
    keys: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def interval(self) -> str:
        """The interval, as in "0.61–0.66", or ""."""
        return "" if self.low is None or self.high is None else f"{self.low:.3f}–{self.high:.3f}"


@dataclass(frozen=True, slots=True)
class Column:
    """A column.

    Attributes:
        label: Its name.
        group: What stands above it and its neighbours, or "".
        origin: Whose numbers it holds; None where that is said by the rows.
    """

    label: str
    group: str = ""
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A row.

    Attributes:
        label: Its name.
        entries: One for each column; None where nothing was measured.
        origin: Whose numbers it holds; None where that is said by the columns.
        heading: What stands above it, or "".
    """

    label: str
    entries: tuple[Entry | None, ...]
    origin: Origin | None = None
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table.

    Attributes:
        name: As in "table-07"; names files and anchors.
        title: What stands above it.
        corner: What the rows are.
        columns: From left to right.
        lines: From top to bottom.
        notes: What stands below it.
    """

    name: str
    title: str
    corner: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()

    @property
    def groups(self) -> tuple[tuple[str, Origin | None, int], ...]:
        """The upper level of the columns: name, whose, how many columns; empty where there is none."""
        runs = groupby(self.columns, key=lambda column: (column.group, column.origin))
        found = tuple((*key, len(list(columns))) for key, columns in runs)
        return found if any(group for group, _, _ in found) else ()
