"""A report as Markdown, for a README or an issue."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.reports.sheets import AUTHORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from piibench.reports.document import Document
    from piibench.reports.sheets import Column, Entry, Line, Sheet

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")


def write_markdown(document: Document, pictures: Iterable[tuple[str, str]] = ()) -> str:
    """Write a report.

    Args:
        document: What it says.
        pictures: Name and file of each figure, to be shown by a link.
    """
    files = dict(pictures)
    parts = [f"# {_escape(document.title)}"]
    parts += [f"> {_escape(warning)}" for warning in document.warnings]
    parts += [write_sheet(sheet) for sheet in document.sheets]
    for picture in document.pictures:
        shown = [f"![{_escape(picture.title)}]({files[picture.name]})"] if picture.name in files else []
        parts += [f"## {_escape(picture.title)}", *shown, _escape(picture.caption)]
    parts += ["## Signatures", "\n".join(["```text", *document.signatures, "```"])]
    return "\n\n".join(parts) + "\n"


def write_sheet(sheet: Sheet) -> str:
    """Write one table; a heading becomes a row of its own."""
    head = [_escape(sheet.corner), *(_name_column(column) for column in sheet.columns)]
    rows = [_row(head), _row([":--", *("--:" for _ in sheet.columns)])]
    for line in sheet.lines:
        rows += _write_line(line, len(sheet.columns))
    notes = "\n".join(f"- {_escape(note)}" for note in sheet.notes)
    return f"## {_escape(sheet.title)}\n\n" + "\n".join(rows) + (f"\n\n{notes}" if notes else "")


def _write_line(line: Line, columns: int) -> Iterator[str]:
    if line.heading:
        yield _row([f"**{_escape(line.heading)}**", *("" for _ in range(columns))])
    label = _escape(line.label)
    yield _row([f"*{label}*" if line.origin == "authors" else label, *map(_write_entry, line.entries)])


def _name_column(column: Column) -> str:
    """All that stands above a column in one cell, for Markdown knows a single line of heads."""
    whose = AUTHORS if column.origin == "authors" else column.origin or ""
    parts = filter(None, (column.group, column.label, f"({whose})" if whose else ""))
    return "<br>".join(map(_escape, parts))


def _write_entry(entry: Entry | None) -> str:
    if entry is None:
        return "–"
    text = _escape(entry.text) + (f" ({entry.mark})" if entry.mark else "")
    if entry.origin == "authors":
        return f"*{text}*"
    return f"{text}<br><sub>{entry.interval}</sub>" if entry.interval else text


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
