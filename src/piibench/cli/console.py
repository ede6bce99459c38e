"""Where tables are printed: the terminal's width there, a fixed one in files and pipes."""

from __future__ import annotations

import sys

from rich.console import Console

WIDTH = 100
"""Columns that every table fits in."""


def create_console() -> Console:
    """Make the console for standard output; names of data and models are printed as they are."""
    return Console(width=None if sys.stdout.isatty() else WIDTH, markup=False, emoji=False)
