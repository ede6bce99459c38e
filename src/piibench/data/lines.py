"""JSON Lines coming in: open a file or a stream, cut it into lines, parse each.

What cannot be read gives a `DataError` that names the file and the line and never repeats what stands there.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import stat
import sys
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from piibench.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from io import BufferedReader

STANDARD_STREAM = "-"
LONGEST_LINE = 1 << 28
"""Bytes that one line may have (256 MiB); a file without line ends must not fill the memory."""

Stream: TypeAlias = "IO[bytes] | gzip.GzipFile"

_NO_RECORDS = "holds no records; one JSON object a line is expected"
_HEAD = 64
_BOM = b"\xef\xbb\xbf"
_GZIP_MAGIC = b"\x1f\x8b"
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_REASONS: dict[type[Exception], str] = {
    gzip.BadGzipFile: "is named .gz but is not gzip or is damaged; rename or unpack it",
    EOFError: "is a gzip file that is cut short; fetch or pack it again",
    zlib.error: "is a gzip file that is damaged; fetch or pack it again",
    FileNotFoundError: "no such file; check the name",
    NotADirectoryError: "no such file; check the name",
    IsADirectoryError: "is a directory; give a file",
    PermissionError: "no permission to read it; check the file's mode",
}
_LIKE_TEXT = re.compile(r"[\s@]|[^\x00-\x7f]|.{200}")
_PLAIN_KEY = re.compile(r"[a-z][a-z_]{0,29}")
_KINDS: dict[type[object], str] = {
    list: "an array",
    str: "a string",
    int: "a number",
    float: "a number",
    bool: "a truth value",
}


class Line(NamedTuple):
    """One parsed object and where it stands.

    Attributes:
        place: Name of the file.
        number: 1-based line, or position in the file's one array.
        fields: The object.
        in_array: Whether `number` counts the elements of an array.
    """

    place: str
    number: int
    fields: dict[str, Any]
    in_array: bool = False

    def error(self, problem: str, field: str | None = None) -> DataError:
        """Make the error that names this place."""
        if self.in_array:
            field = ".".join(part for part in (f"[{self.number - 1}]", field) if part)
        return DataError(problem, place=self.place, line=None if self.in_array else self.number, field=field)


def name_place(path: str | Path) -> str:
    """How messages call a file: its name without its folder, or "standard input".

    One that is not there and looks like a text to protect, given in place of a file, is not repeated.
    """
    if str(path) == STANDARD_STREAM:
        return "standard input"
    name = Path(path).name or str(path)
    return "the file named" if _LIKE_TEXT.search(name) and not os.path.exists(path) else name  # noqa: PTH110 - no errors


def read_lines(path: str | Path) -> Iterator[Line]:
    """Yield every object of a JSON Lines file, one line in memory at a time.

    Empty lines are passed over, a byte order mark is accepted, and a name that ends in `.gz` is unpacked.

    Args:
        path: A file, or "-" for standard input.

    Raises:
        DataError: The file cannot be read, a line is not one JSON object, or there is no line at all.
    """
    place = name_place(path)
    with _reading(path, place) as stream:
        yield from _parse_lines(stream, place)


def read_objects(path: str | Path) -> Iterator[Line]:
    """Yield every object of a JSON Lines file or of a file that is one JSON array (held in memory whole).

    Raises:
        DataError: As for `read_lines`.
    """
    place = name_place(path)
    with _reading(path, place) as stream:
        whole = stream.read() if _starts_array(stream) else b""
        if not whole:
            yield from _parse_lines(stream, place)
            return
    elements = cast("list[object]", _load(whole.removeprefix(_BOM), place))
    if not elements:
        raise DataError(_NO_RECORDS, place=place)
    is_suspect = _has_surrogate(whole)
    for number, element in enumerate(elements, 1):
        if not isinstance(element, dict):
            problem = "is not an object; the array must hold one object for each record"
            raise DataError(problem, place=place, field=f"[{number - 1}]")
        line = Line(place, number, cast("dict[str, Any]", element), in_array=True)
        yield _check_texts(line) if is_suspect else line


@contextmanager
def _reading(path: str | Path, place: str) -> Generator[Stream]:
    try:
        if str(path) == STANDARD_STREAM:
            yield sys.stdin.buffer
        elif stat.S_ISDIR(Path(path).stat().st_mode):
            raise IsADirectoryError
        elif Path(path).suffix == ".gz":
            with gzip.open(path, "rb") as packed:
                yield packed
        else:
            with Path(path).open("rb") as stream:
                yield stream
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise DataError(explain_read_error(error), place=place) from error


def explain_read_error(error: Exception) -> str:
    """What kept a file from being read and what to do, in one phrase without its content."""
    for kind, reason in _REASONS.items():
        if isinstance(error, kind):
            return reason
    number = error.errno if isinstance(error, OSError) else None
    return f"cannot be read: {os.strerror(number)}" if number else "cannot be read; check the name"


def _split(stream: Stream, place: str) -> Iterator[tuple[int, bytes]]:
    number = 0
    while raw := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(raw) > LONGEST_LINE:
            problem = f"is longer than {LONGEST_LINE >> 20} MiB; put one record on each line"
            raise DataError(problem, place=place, line=number)
        yield number, raw.removeprefix(_BOM) if number == 1 else raw


def _parse_lines(stream: Stream, place: str) -> Iterator[Line]:
    empty = True
    for number, raw in _split(stream, place):
        if raw.strip():
            empty = False
            yield _parse(raw, place, number)
    if empty:
        raise DataError(_NO_RECORDS, place=place)


def _parse(raw: bytes, place: str, number: int) -> Line:
    parsed = _load(raw, place, number)
    if not isinstance(parsed, dict):
        problem = (
            f"is {_KINDS.get(type(parsed), 'null')}, not an object; each line must hold one whole object"
        )
        raise DataError(problem, place=place, line=number)
    line = Line(place, number, cast("dict[str, Any]", parsed))
    return _check_texts(line) if _has_surrogate(raw) else line


def _load(raw: bytes, place: str, number: int | None = None) -> object:
    try:
        return json.loads(raw.decode(), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        problem = (
            f"is not UTF-8 at byte {error.start + 1}{' of the line' if number else ''}; save it as UTF-8"
        )
        if raw.startswith(_GZIP_MAGIC):
            problem = "is gzip; give the file a name that ends in .gz, or unpack it"
    except json.JSONDecodeError as error:
        where = f"column {error.colno}" if number else f"line {error.lineno}, column {error.colno}"
        whole = "each line must hold one whole object" if number else "the array must be whole"
        problem = f"is not valid JSON at {where}; {whole}"
        if b"\0" in raw:
            problem = "holds NUL bytes; the file is damaged or not text"
    except RecursionError:
        problem = "is nested too deeply for a record"
    except ValueError:
        problem = "holds a number that JSON does not allow (NaN, Infinity or one too long)"
    raise DataError(problem, place=place, line=number)


def _starts_array(stream: Stream) -> bool:
    head = cast("BufferedReader", stream).peek(_HEAD)[:_HEAD]
    return head.removeprefix(_BOM).lstrip()[:1] == b"["


def _has_surrogate(raw: bytes) -> bool:
    """Whether half a character, or a whole one in two halves, is written as an escape."""
    return _SURROGATE_ESCAPE.search(raw) is not None


def _check_texts(line: Line) -> Line:
    if location := _find_surrogate(line.fields):
        problem = "holds half of a surrogate pair; write the character whole, in UTF-8"
        raise line.error(problem, show_field(location))
    return line


def _refuse_constant(_: str) -> float:
    raise ValueError


def _find_surrogate(value: Any, location: tuple[str | int, ...] = ()) -> tuple[str | int, ...] | None:
    """Return the path of the first text that holds a lone surrogate, or None."""
    if isinstance(value, str):
        return location if _SURROGATE.search(value) else None
    children: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        children = cast("dict[str, Any]", value).items()
    elif isinstance(value, list):
        children = enumerate(cast("list[Any]", value))
    for key, child in children:
        place = (*location, key)
        if isinstance(key, str) and _SURROGATE.search(key):
            return place
        if found := _find_surrogate(child, place):
            return found
    return None


def show_field(location: tuple[str | int, ...]) -> str:
    """Write a path as "entities[2].mentions[0]"; a key that is no plain word may be personal: "?"."""
    shown = ""
    for part in location:
        if isinstance(part, int):
            shown += f"[{part}]"
        else:
            shown += ("." if shown else "") + (part if _PLAIN_KEY.fullmatch(part) else "?")
    return shown
