"""`piibench detect`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from piibench.cli.options import (
    DEFAULT_SYSTEM,
    BaseUrl,
    ModelName,
    PatternsFile,
    SystemName,
    TextFile,
    WeightsFolder,
    collect_options,
)
from piibench.cli.texts import read_text, write_text

if TYPE_CHECKING:
    from piibench.data.schema import Entity


def detect(
    file: TextFile = "-",
    system: SystemName = DEFAULT_SYSTEM,
    patterns: PatternsFile = None,
    *,
    model: ModelName = None,
    base_url: BaseUrl = None,
    weights: WeightsFolder = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON array instead of a table.")] = False,
) -> None:
    """List every piece of personal data in a text, and whose it is.

    The output shows the values themselves: it is for your eyes. Offsets count Unicode code points, half-open.
    """
    from piibench.systems.compose import detect_sync
    from piibench.systems.registry import load_system

    options = collect_options(system, patterns=patterns, model=model, base_url=base_url, weights=weights)
    entities = detect_sync(load_system(system, **options), read_text(file))
    if as_json:
        rows = [describe_entity(entity) for entity in entities]
        write_text(json.dumps(rows, ensure_ascii=False, indent=2) + "\n")
    else:
        _print_table(entities)


def describe_entity(entity: Entity) -> dict[str, Any]:
    """The entity in the form of the canonical record."""
    return entity.model_dump(mode="json", exclude_none=True)


def _print_table(entities: tuple[Entity, ...]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    from piibench.cli.console import create_console, show_signs

    if not entities:
        create_console().print("no personal data found")
        return
    table = Table(box=SIMPLE_HEAD)
    for heading in ("whose", "type", "category", "value", "where"):
        table.add_column(heading)
    for entity in entities:
        places = " ".join(f"{start}-{end}" for start, end in entity.mentions)
        table.add_row(
            entity.subject, entity.type, entity.category or "-", Text(show_signs(entity.text)), places
        )
    create_console().print(table)
