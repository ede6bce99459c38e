"""Options that several verbs share."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from piibench.errors import InputError

DEFAULT_SYSTEM = "rules"
"""The registry's own default; spelt here so that --help need not load the registry."""

TextFile = Annotated[
    str, typer.Argument(metavar="FILE|-", help="Plain text in UTF-8; - or nothing reads standard input.")
]
SystemName = Annotated[
    str, typer.Option("--system", metavar="NAME", help="Who protects; `piibench systems` lists them.")
]
PatternsFile = Annotated[
    str | None,
    typer.Option(
        "--patterns", metavar="FILE", help="TOML file with patterns and lists of your own (system rules)."
    ),
]


def collect_options(system: str, patterns: str | None) -> dict[str, Any]:
    """Return the options for the system's factory.

    Raises:
        InputError: Patterns are given to a system that takes none.
    """
    if patterns is None:
        return {}
    if system != DEFAULT_SYSTEM:
        msg = f"--patterns: only the system {DEFAULT_SYSTEM} takes patterns"
        raise InputError(msg)
    return {"patterns": patterns}
