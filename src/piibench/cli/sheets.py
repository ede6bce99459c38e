"""A table of a report on the terminal: without intervals, and the scores of a group in one column."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from piibench.reports.sheets import Column, Entry, Line, Sheet

_OURS = "ours"

Cell = TypeVar("Cell")


def print_sheet(sheet: Sheet, console: Console) -> None:
    """Print a table; ours is bold, and what is the authors' says so."""
    table = Table(
        box=SIMPLE_HEAD,
        title=Text(sheet.title),
        title_justify="left",
        title_style="bold",
        caption=Text("\n".join(sheet.notes)),
        caption_justify="left",
        padding=(0, 1, 0, 0),
    )
    spans = [span for _, _, span in sheet.groups] or [1] * len(sheet.columns)
    table.add_column(Text(sheet.corner), overflow="fold")
    for columns in _cut(sheet.columns, spans):
        table.add_column(Text(_name(columns)), justify="right", overflow="fold")
    for line in sheet.lines:
        cells = (_show(entries) for entries in _cut(line.entries, spans))
        table.add_row(Text(_label(line)), *cells)
    console.print(table)


def _cut(row: Sequence[Cell], spans: Sequence[int]) -> Iterator[Sequence[Cell]]:
    at = 0
    for span in spans:
        yield row[at : at + span]
        at += span


def _label(line: Line) -> str:
    return f"{line.label} ({line.origin})" if line.origin else line.label


def _name(columns: Sequence[Column]) -> str:
    first = columns[0]
    whose = f"({first.origin})" if first.origin else ""
    return "\n".join(filter(None, (first.group, whose, " / ".join(column.label for column in columns))))


def _show(entries: Sequence[Entry | None]) -> Text:
    texts = ["-" if entry is None else f"{entry.text}{entry.mark}" for entry in entries]
    is_ours = any(entry and entry.origin == _OURS for entry in entries)
    return Text("-" if not any(entries) else "/".join(texts), style="bold" if is_ours else "dim")
