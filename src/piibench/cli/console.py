"""Where tables are printed: the terminal's width there, a fixed one in files and pipes."""

from __future__ import annotations

import sys

from rich.console import Console

WIDTH = 100
"""Columns that every table fits in."""


_SIGNS = (
    {code: chr(0x2400 + code) for code in range(32)}  # the pictures of the control characters
    | dict.fromkeys((0x7F, *range(0x80, 0xA0)), "\ufffd")
    | dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)), "\ufffd")
    | {ord("\n"): "\n", ord("\t"): "\t", ord("\r"): " "}
)


def show_signs(text: str) -> str:
    """The text, code point for code point, with visible signs for what steers a terminal.

    Colours, and the marks that turn the direction of writing, could hide what a text holds.
    """
    return text.translate(_SIGNS)


def create_console() -> Console:
    """Make the console for standard output; names of data and models are printed as they are."""
    return Console(width=None if sys.stdout.isatty() else WIDTH, markup=False, emoji=False)
