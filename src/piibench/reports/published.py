"""Reads `published.toml`: every number that the paper's tables print. The file's head explains its format."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, NoReturn

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from piibench.data.runs import Task
from piibench.errors import DataError
from piibench.reports.printed import Axis, AxisName, Cell, Published, PublishedTable, Quote, Row, Slip

if TYPE_CHECKING:
    from collections.abc import Mapping

_FILE = "published.toml"
_NOT_MEASURED = "-"
_NUMBER = re.compile(
    r"(?P<bound><?)(?P<number>[0-9][0-9,]*(?:\.[0-9]+)?)(?:±(?P<spread>[0-9]+(?:\.[0-9]+)?))?"
)


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Axis(_Model):
    axis: AxisName
    keys: tuple[str, ...]


class _Slip(_Model):
    at: dict[AxisName, str]
    why: str
    reads: str | None = None


class _Quote(_Model):
    at: dict[AxisName, str]
    section: str
    printed: str


class _Table(_Model):
    number: int
    review: int | None = None
    section: str
    title: str
    task: Task | None = None
    fixed: dict[AxisName, str] = Field(default_factory=dict[AxisName, str])
    rows: tuple[AxisName, ...]
    columns: tuple[_Axis, ...]
    percent: frozenset[str] = frozenset()
    headings: dict[str, str] = Field(default_factory=dict[str, str])
    labels: dict[AxisName, dict[str, str]] = Field(default_factory=dict[AxisName, dict[str, str]])
    note: str = ""
    slips: tuple[_Slip, ...] = ()
    quotes: tuple[_Quote, ...] = ()
    cells: dict[str, str]


class _File(_Model):
    models: dict[str, str]
    labels: dict[AxisName, dict[str, str]]
    table: tuple[_Table, ...]


@cache
def load_published() -> Published:
    """The paper's numbers, as they ship with piibench."""
    return parse_published((files("piibench.reports") / _FILE).read_text("utf-8"))


def parse_published(text: str, place: str = _FILE) -> Published:
    """Read a file of printed tables.

    Args:
        text: Its content.
        place: Its name, for errors.

    Raises:
        DataError: It is no TOML, a field is missing, unknown or of the wrong kind, a row has not as many
            numbers as the table has columns, a number cannot be read, or a name stands in no list of names.
    """
    try:
        content = _File.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        msg = f"is no valid TOML ({error}); correct its syntax there"
        raise DataError(msg, place=place) from None
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        field = ".".join(map(str, first["loc"]))
        msg = f"{first['msg'].lower()}; the head of the file that ships lists the fields"
        raise DataError(msg, place=place, field=field) from None
    tables: dict[int, PublishedTable] = {}
    for table in content.table:
        if table.number in tables:
            msg = "stands twice; give each table of the final version once"
            raise DataError(msg, place=place, field=f"table {table.number}")
        tables[table.number] = _TableReader(content, table, place).read()
    return Published(MappingProxyType(tables), MappingProxyType(content.models))


class _TableReader:
    """Turns one `[[table]]` into a record, checking every name and number."""

    def __init__(self, content: _File, table: _Table, place: str) -> None:
        self._table = table
        self._place = place
        self._columns: list[dict[AxisName, str]] = [
            dict(zip((axis.axis for axis in table.columns), keys, strict=True))
            for keys in product(*(axis.keys for axis in table.columns))
        ]
        self._names: dict[AxisName, set[str]] = {axis: set(names) for axis, names in content.labels.items()}
        self._names["model"] = set(content.models)
        self._labels: dict[AxisName, Mapping[str, str]] = {
            axis: MappingProxyType({**content.labels.get(axis, {}), **table.labels.get(axis, {})})
            for axis in (*content.labels, *table.labels)
        }

    def read(self) -> PublishedTable:
        table = self._table
        record = PublishedTable(
            number=table.number,
            review=table.review,
            section=table.section,
            title=table.title,
            task=table.task,
            rows=tuple(self._read_row(name, line) for name, line in table.cells.items()),
            columns=tuple(Axis(axis.axis, axis.keys) for axis in table.columns),
            labels=MappingProxyType(self._labels),
            slips=tuple(Slip(MappingProxyType(slip.at), slip.why, slip.reads) for slip in table.slips),
            quotes=tuple(
                Quote(MappingProxyType(quote.at), quote.printed, quote.section) for quote in table.quotes
            ),
            note=table.note,
        )
        self._check_references(record)
        return record

    def _read_row(self, name: str, line: str) -> Row:
        field = f"cells.{name}"
        names, numbers, axes = name.split(", "), line.split(), self._table.rows
        if len(names) != len(axes):
            self._fail(f"names {len(names)} axes, rows lists {len(axes)}; split names by ', '", field)
        if len(numbers) != len(self._columns):
            problem = f"has {len(numbers)} numbers for {len(self._columns)} columns"
            self._fail(f"{problem}; write '-' where none is printed", field)
        keys: dict[AxisName, str] = dict(zip(axes, names, strict=True))
        cells: list[Cell] = []
        for column, printed in zip(self._columns, numbers, strict=True):
            at: dict[AxisName, str] = {**self._table.fixed, **keys, **column}
            cells.append(self._read_cell(at, printed, field))
        return Row(MappingProxyType(keys), self._table.headings.get(name), tuple(cells))

    def _read_cell(self, keys: dict[AxisName, str], printed: str, field: str) -> Cell:
        for axis, key in keys.items():
            self._check_name(axis, key, field)
        if printed == _NOT_MEASURED:
            return Cell(MappingProxyType(keys), printed, None)
        found = _NUMBER.fullmatch(printed)
        if found is None:
            self._fail(f"{printed!r} is no number; write it as in 0.72, 1,214, 97.2±1.1 or <0.001", field)
        scale = 100 if keys.get("metric") in self._table.percent else 1
        return Cell(
            MappingProxyType(keys),
            printed,
            value=float(found["number"].replace(",", "")) / scale,
            spread=float(found["spread"]) / scale if found["spread"] else None,
            is_bound=bool(found["bound"]),
        )

    def _check_name(self, axis: AxisName, key: str, field: str) -> None:
        for name in key.split("+"):
            if name not in self._names.get(axis, ()):
                source = "[models]" if axis == "model" else f"[labels.{axis}]"
                self._fail(f"{name!r} is no {axis} of {source}; correct it or list it there", field)

    def _check_references(self, record: PublishedTable) -> None:
        """Every slip and quote names exactly one cell, every heading a row."""
        for kind, references in (("slips", record.slips), ("quotes", record.quotes)):
            for index, reference in enumerate(references):
                if record.find_cell(reference.at) is None:
                    self._fail("names no cell, or several; name one on every axis", f"{kind}[{index}]")
        for name in self._table.headings:
            if name not in self._table.cells:
                self._fail("is no row; correct the name", f"headings.{name}")

    def _fail(self, problem: str, field: str) -> NoReturn:
        raise DataError(problem, place=self._place, field=f"table {self._table.number}, {field}")
