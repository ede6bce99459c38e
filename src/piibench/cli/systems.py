"""`piibench systems`."""

from __future__ import annotations


def systems() -> None:
    """List the privacy protection systems that --system takes."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from piibench.cli.console import create_console
    from piibench.systems.registry import DEFAULT_SYSTEM, list_systems

    table = Table(box=SIMPLE_HEAD)
    for heading in ("system", "what it is", "package"):
        table.add_column(heading)
    for info in list_systems():
        name = f"{info.name} (default)" if info.name == DEFAULT_SYSTEM else info.name
        table.add_row(name, info.summary, info.package)
    create_console().print(table)
