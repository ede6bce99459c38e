"""What a printed table is: rows of cells, each with a name on every axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from piibench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from piibench.data.runs import Task

AxisName = Literal["subset", "model", "strategy", "metric", "arm", "task", "type"]
"""What the rows and columns of a table can stand for."""

Version = Literal["final", "review"]
"""The two versions of the paper; they number their tables differently."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One level of a table's columns.

    Attributes:
        axis: What the names are.
        keys: Our names, from left to right.
    """

    axis: AxisName
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One printed number.

    Attributes:
        keys: Its name on every axis, such as {"subset": "single", "model": "GPT4o", "metric": "query_f1"}. A
            subset "single+multi" is both taken together.
        printed: As the paper prints it; "-" where nothing was measured.
        value: The number, a percentage as a share of 1; None where nothing was measured.
        spread: What follows "±", on the same scale; None where nothing does.
        is_bound: Whether the true value lies below `value` (printed as "<0.001").
    """

    keys: Mapping[AxisName, str]
    printed: str
    value: float | None
    spread: float | None = None
    is_bound: bool = False

    def matches(self, at: Mapping[AxisName, str]) -> bool:
        """Whether the cell has these names on these axes; the other axes are free."""
        return all(self.keys.get(axis) == key for axis, key in at.items())


@dataclass(frozen=True, slots=True)
class Row:
    """One row.

    Attributes:
        keys: Its name on each of the row's axes.
        heading: The line printed above it, or None.
        cells: From left to right.
    """

    keys: Mapping[AxisName, str]
    heading: str | None
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Slip:
    """A cell that contradicts other numbers of the paper.

    Attributes:
        at: Which cell.
        why: What it contradicts.
        reads: What it should say, as it would be printed; None where that cannot be known.
    """

    at: Mapping[AxisName, str]
    why: str
    reads: str | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """The number of a cell as the text repeats it, with more digits.

    Attributes:
        at: Which cell.
        printed: As the text has it.
        section: Where.
    """

    at: Mapping[AxisName, str]
    printed: str
    section: str


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """One table of the paper, from top to bottom.

    Attributes:
        number: Its number in the final version.
        review: Its number in the review version, which prints the same values; None where that lacks it.
        section: Where the final version speaks of it.
        title: What it shows, in our words.
        task: The task that its scores measure; None where it measures none, or several.
        rows: Its rows.
        columns: Its columns: the product of these, the outermost first.
        labels: Axis -> our name -> the name as this table prints it.
        slips: Cells that contradict others.
        quotes: Cells that the text gives with more digits.
        note: What else to know, or "".
    """

    number: int
    review: int | None
    section: str
    title: str
    task: Task | None
    rows: tuple[Row, ...]
    columns: tuple[Axis, ...]
    labels: Mapping[AxisName, Mapping[str, str]]
    slips: tuple[Slip, ...]
    quotes: tuple[Quote, ...]
    note: str

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row."""
        return tuple(cell for row in self.rows for cell in row.cells)

    def list_cells(self, at: Mapping[AxisName, str]) -> tuple[Cell, ...]:
        """The cells with these names on these axes, row by row; all of them where `at` is empty."""
        return tuple(cell for cell in self.cells if cell.matches(at))

    def find_cell(self, at: Mapping[AxisName, str]) -> Cell | None:
        """The one cell with these names; None where there is none, or more than one."""
        found = self.list_cells(at)
        return found[0] if len(found) == 1 else None

    def label(self, axis: AxisName, key: str) -> str:
        """The printed name of one of our names; the name itself where the paper has no other."""
        return self.labels.get(axis, {}).get(key, key)


@dataclass(frozen=True, slots=True)
class Published:
    """All tables that hold numbers.

    Attributes:
        tables: Number in the final version -> table, in that order.
        models: A model's name in the tables -> its full name, in the order of Table 6.
    """

    tables: Mapping[int, PublishedTable]
    models: Mapping[str, str]

    def find(self, number: int, *, version: Version = "final") -> PublishedTable:
        """The table of that number.

        Raises:
            InputError: That version of the paper prints no numbers in a table of that number.
        """
        numbered = self._by_number(version)
        if number not in numbered:
            known = ", ".join(map(str, sorted(numbered)))
            msg = f"Table {number} of the {version} version holds no numbers; choose one of {known}"
            raise InputError(msg)
        return numbered[number]

    def _by_number(self, version: Version) -> Mapping[int, PublishedTable]:
        if version == "final":
            return self.tables
        return {table.review: table for table in self.tables.values() if table.review is not None}
