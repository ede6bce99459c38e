"""A report as one CSV file: a line for each number, ours and the authors'."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from piibench.reports.sheets import AUTHORS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from piibench.reports.sheets import Entry, Sheet

AXES = ("task", "subset", "type", "model", "strategy", "arm", "metric", "statistic", "best")
"""The columns that say what a number is about."""
HEAD = ("table", "origin", *AXES, "value", "low", "high", "n", "note")

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_csv(sheets: Sequence[Sheet]) -> str:
    """Write every number of some tables.

    `origin` is "ours" or "authors' data, not ours"; `low` and `high` bound the 95 % interval; an empty field
    is not known. Where `note` holds "<" the authors print a bound.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(HEAD)
    for sheet in sheets:
        for entry in (entry for line in sheet.lines for entry in line.entries if entry):
            numbers = (_round(number) for number in (entry.value, entry.low, entry.high))
            writer.writerow(
                (
                    sheet.name,
                    AUTHORS if entry.origin == "authors" else entry.origin,
                    *(_defuse(entry.keys.get(axis, "")) for axis in AXES),
                    *numbers,
                    "" if entry.n is None else entry.n,
                    "<" * _is_bound(entry) + entry.mark,
                )
            )
    return buffer.getvalue()


def _is_bound(entry: Entry) -> bool:
    return entry.origin == "authors" and entry.text.startswith("<")


def _round(number: float | None) -> str:
    if number is None:
        return ""
    return f"{number:.0f}" if float(number).is_integer() else f"{number:.6g}"


def _defuse(name: str) -> str:
    """Keep a spreadsheet from running a name as a formula."""
    return f"'{name}" if name.startswith(_FORMULA) else name
