"""`piibench taxonomy`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from piibench.cli.texts import write_text


def taxonomy(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON array instead of a table.")] = False,
) -> None:
    """Show the 7 types and 55 categories of personal data.

    A direct identifier singles a person out alone, a quasi-identifier only together with others.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from piibench.cli.console import create_console
    from piibench.data.taxonomy import TAXONOMY

    if as_json:
        write_text(json.dumps([asdict(row) for row in TAXONOMY], ensure_ascii=False, indent=2) + "\n")
        return
    table = Table(box=SIMPLE_HEAD, title="PII types and categories (Table 10)", title_justify="left")
    for heading in ("type", "category", "identifier", "what counts as one"):
        table.add_column(heading)
    previous = None
    for row in TAXONOMY:
        if previous not in (None, row.type):
            table.add_section()
        table.add_row("" if row.type is previous else str(row.type), row.category, row.identifier, row.gloss)
        previous = row.type
    create_console().print(table)
