"""Form fields: "Nationality: Peruvian", `"bloodType": "O-"`, tables and lines of comma-separated values.

One table (`fields.toml`) maps labels to categories and says what a value of each kind must look like. Labels
are looked up to the left of every separator, so the cost is linear in the text.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.systems.rules.fields.values import LABELS, read_value, trim_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from piibench.data.taxonomy import Category
    from piibench.systems.rules.candidates import Candidate
    from piibench.systems.rules.passage import Passage

_LONGEST_LABEL = 40
_LONGEST_LINE = 400
_FEWEST_COLUMNS = 2

_SEPARATOR = re.compile(r":|=|\t| [–—-](?= )")
_CLOSE_SEPARATOR = re.compile("[:=]")
"""Within a line: a dash may as well part the words of a value."""
_LABEL = re.compile(r"(?:^|[\n\r\t;,|{(\[•*·.!?<>#\"'-])[ \t]*([^\W\d_][\w '’/-]*)$")
_WORD = re.compile(r"(?<![\w'’-])[^\W\d_][\w'’-]*")
_LABEL_WORDS = 4
_GAP = re.compile(r"[ \t*]{0,8}")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_OWNER = re.compile(
    r"^(?:(?:my|your|his|her|their|the|current|patient'?s?|client'?s?|applicant'?s?|customer'?s?"
    r"|employee'?s?|student'?s?|user'?s?"
    r"|spouse'?s?|mother'?s?|father'?s?|partner'?s?|tenant'?s?|contact|primary|secondary) )+"
)
_QUOTED = re.compile(r"\"([^\"\n]{1,120})\"|'([^'\n]{1,120})'")
_CELLS = {
    mark: re.compile(rf' *"(?:[^"]|"")*"[ \r]*(?![^{mark}])|[^{mark}]*') for mark in (",", "|", "\t", ";")
}
"""Delimiter -> a cell, from where the one before it ended."""
_REST = re.compile(r"[^\n\r;|{}\t\"<>•]{1,160}")


def find_fields(passage: Passage) -> Iterator[Candidate]:
    """Propose the values of labelled form fields and of tables with a header."""
    return chain(_find_labelled(passage.text), _find_columns(passage.text))


def _find_labelled(text: str) -> Iterator[Candidate]:
    within: dict[int, Category] = {}  # where a field's line holds another separator: its label
    for separator in _SEPARATOR.finditer(text):
        category = within.get(separator.start()) or _read_label(text, separator.start())
        if category is None:
            continue
        gap = _GAP.match(text, separator.end())
        begin = gap.end() if gap else separator.end()
        if quoted := _QUOTED.match(text, begin):
            yield from read_value(text, Span(*quoted.span(1 if quoted[1] else 2)), category, whole=True)
        elif rest := _REST.match(text, begin):
            stop = rest.end()
            if following := _find_next_label(text, Span(*rest.span())):
                stop, place, within[place] = following
            if stop > begin and not _is_heading(text, separator, Span(begin, stop)):
                yield from read_value(text, Span(begin, stop), category)


def _is_heading(text: str, separator: re.Match[str], value: Span) -> bool:
    """Whether what stands behind a separator is a label itself: of the next field, or in a table's header."""
    followed = separator.group() == "\t" or _SEPARATOR.match(text, value.end)
    return bool(followed) and _look_up(value.of(text).strip(" \t*")) is not None


def _find_next_label(text: str, rest: Span) -> tuple[int, int, Category] | None:
    """The next label of the same line: where it begins, where its separator stands, what it stands for."""
    for separator in _CLOSE_SEPARATOR.finditer(text, *rest):
        start = max(rest.start, separator.start() - _LONGEST_LABEL)
        for word in [*_WORD.finditer(text, start, separator.start())][-_LABEL_WORDS:]:
            label = text[word.start() : separator.start()].rstrip(" \t*")
            if (category := _look_up(label)) is not None:
                return word.start(), separator.start(), category
    return None


def _read_label(text: str, end: int) -> Category | None:
    start = max(0, end - _LONGEST_LABEL)
    label = text[start:end].rstrip(" \t*").rstrip("\"'.")
    if not label or not label[-1].isalnum():
        return None
    match = _LABEL.search(text, start, start + len(label))
    return _look_up(match[1]) if match else None


def _look_up(label: str) -> Category | None:
    words = " ".join(_CAMEL.sub(" ", label).replace("_", " ").replace("-", " ").lower().split())
    words = words.replace("’", "'").rstrip(".")
    return LABELS.get(words) or LABELS.get(_OWNER.sub("", words))


def _find_columns(text: str) -> Iterator[Candidate]:
    """Read lines below a header of known labels ("name,age,blood_type") while the columns agree.

    A line of a wide table may lack its last cell.
    """
    header: list[Category | None] = []
    delimiter, start = "", 0
    for line in text.split("\n"):
        cells = _split_cells(line, delimiter) if header else []
        short = len(header) - 1 > _FEWEST_COLUMNS and len(cells) == len(header) - 1
        if header and (len(cells) == len(header) or short):
            yield from _read_row(text, start, cells, header)
        elif header and set(line) <= set("|-: \t+\r") and line.strip():
            pass
        else:
            delimiter, header = _read_header(line)
        start += len(line) + 1


def _split_cells(line: str, delimiter: str) -> list[Span]:
    """Where the cells of a line stand; a delimiter in double quotes parts none."""
    cells: list[Span] = []
    start = 0
    while start <= len(line) and (cell := _CELLS[delimiter].match(line, start)):
        cells.append(Span(*cell.span()))
        start = cell.end() + 1
    return cells


def _read_header(line: str) -> tuple[str, list[Category | None]]:
    """The delimiter and the categories of a header, ("", []) for any other line."""
    if len(line) <= _LONGEST_LINE and ":" not in line:
        for delimiter in _CELLS:
            if delimiter in line:
                cells = [cell.of(line).strip(' "\r') for cell in _split_cells(line, delimiter)]
                columns = [_look_up(cell) for cell in cells]
                named = sum(map(bool, cells))
                known = sum(column is not None for column in columns)
                if known >= _FEWEST_COLUMNS and 2 * known > named:
                    return delimiter, columns
    return "", []


def _read_row(
    text: str, start: int, cells: Sequence[Span], header: Sequence[Category | None]
) -> Iterator[Candidate]:
    for cell, category in zip(cells, header, strict=False):
        span = trim_value(text, Span(start + cell.start, start + cell.end)) if cell.end > cell.start else None
        if category is not None and span:
            quoted = text[span.start - 1 : span.start] == '"' == text[span.end : span.end + 1]
            yield from read_value(text, span, category, whole=quoted)
