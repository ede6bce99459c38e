"""Plain text in and out: files and standard streams as UTF-8, line ends left as they are."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from piibench.data.lines import STANDARD_STREAM, explain_read_error, name_place
from piibench.errors import DataError, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

_BOM = "\ufeff"


def read_text(file: str) -> str:
    """Return the text of a file; "-" is standard input.

    Raises:
        DataError: It cannot be read, is not UTF-8, or holds a NUL byte (the mark of UTF-16 and binary files,
            in which nothing would be found and so nothing hidden).
    """
    place = name_place(file)
    try:
        data = _read_standard_input() if file == STANDARD_STREAM else Path(file).read_bytes()
    except (OSError, ValueError) as error:
        raise DataError(explain_read_error(error), place=place) from error
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        problem = f"is not UTF-8 at byte {error.start + 1}; save it as UTF-8 text"
        raise DataError(problem, place=place) from None
    if (position := data.find(b"\0")) >= 0:
        problem = f"holds a NUL byte at byte {position + 1}; it is UTF-16 or no text: save it as UTF-8 text"
        raise DataError(problem, place=place)
    if not text:
        warn(f"{place} is empty; there is nothing to do")
    return text.removeprefix(_BOM)


def check_argument(name: str, text: str) -> str:
    """Return the text of an option if it is whole.

    Raises:
        InputError: The terminal handed over bytes that are not UTF-8.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        msg = f"{name}: is not UTF-8 at character {error.start + 1}; set the terminal to UTF-8"
        raise InputError(msg) from None
    return text


def write_text(text: str) -> None:
    """Write text to standard output as it is, in UTF-8 whatever the locale."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def warn(message: str) -> None:
    """Tell people something on standard error, in one line."""
    print(f"piibench: {message}", file=sys.stderr)  # noqa: T201 - the terminal is the purpose


def name_some(names: Sequence[str], most: int = 10) -> str:
    """Put the first `most` names in a line, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def _read_standard_input() -> bytes:
    if sys.stdin.isatty():
        warn("type or paste the text, then press Enter and Ctrl-D (Ctrl-Z on Windows)")
    return sys.stdin.buffer.read()
