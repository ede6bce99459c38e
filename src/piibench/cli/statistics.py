"""`piibench statistics`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from piibench.cli.options import check_output
from piibench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from rich.console import Console
    from rich.table import Table

    from piibench.analysis.statistics import Statistics
    from piibench.synthesis.diversity import Diversity

_ROWS = {
    "samples": "samples",
    "subjects": "subjects",
    "characters": "characters",
    "entities": "entities",
    "query_characters": "query characters",
    "relevant": "needed entities",
}
_MEASURES = {
    "distinct_2": ("distinct 2-grams", ".3f"),
    "distinct_4": ("distinct 4-grams", ".3f"),
    "self_bleu": ("self-BLEU", ".3f"),
    "commonest_pattern": ("commonest pattern", ".2%"),
}


def statistics(
    data: Annotated[
        list[str], typer.Argument(metavar="DATA.jsonl...", help="Labelled samples; .gz is unpacked.")
    ],
    *,
    json_file: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Write every number here too; - prints them alone."),
    ] = None,
    figure: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw the types' shares (Figure 5): .svg, .png or .pdf."),
    ] = None,
) -> None:
    """Show the statistics of Tables 3 and 9, each beside the number that the paper prints.

    A table of the texts' diversity follows; the paper prints none. All subsets together should have no
    sentence pattern in more than 1 % of the samples.
    """
    from itertools import chain

    from piibench.analysis.statistics import PUBLISHED, summarize_subsets
    from piibench.cli.console import create_console
    from piibench.data.files import read_samples
    from piibench.data.output import write_lines
    from piibench.synthesis.diversity import DiversityMeter

    check_output("--json", json_file, *data)
    check_output("--figure", figure, *data)
    drawing = import_drawing(figure) if figure else None
    meter = DiversityMeter()
    found = summarize_subsets(meter.watch(chain.from_iterable(read_samples(path) for path in data)))
    summaries = {name: found[name] for name in (*PUBLISHED, *found) if name in found}
    diversity = meter.report()
    if json_file != "-":
        _print_tables(create_console(), summaries, PUBLISHED, diversity)
    if drawing and figure:
        shares, printed = ({name: each.shares for name, each in d.items()} for d in (summaries, PUBLISHED))
        drawing.save_figure(drawing.draw_type_shares(shares, printed), figure)
    if json_file:
        numbers = _collect_numbers(summaries, PUBLISHED, diversity)
        write_lines(json_file, [json.dumps(numbers, ensure_ascii=False, indent=2)])


def import_drawing(figure: str) -> ModuleType:
    """The room that draws, or one clear line where matplotlib or a known ending is missing."""
    try:
        from piibench.reports import figures
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        msg = "--figure: drawing needs matplotlib; install it: pip install 'piibench[eval]'"
        raise InputError(msg) from None
    figures.check_format(figure)
    return figures


def _collect_numbers(
    summaries: Mapping[str, Statistics],
    printed: Mapping[str, Statistics],
    diversity: Mapping[str, Diversity],
) -> dict[str, Any]:
    def write(table: Mapping[str, Statistics]) -> dict[str, Any]:
        return {
            name: {field: getattr(table[name], field) for field in _ROWS}
            | {"shares": dict(table[name].shares)}
            for name in summaries
            if name in table
        }

    return {
        "ours": write(summaries),
        "printed": write(printed),
        "diversity": {name: asdict(each) for name, each in diversity.items()},
    }


def _print_tables(
    console: Console,
    summaries: Mapping[str, Statistics],
    printed: Mapping[str, Statistics],
    diversity: Mapping[str, Diversity],
) -> None:
    for name, summary in summaries.items():
        console.print(_tabulate(name, summary, printed.get(name)))
    console.print(_tabulate_diversity({name: diversity[name] for name in (*summaries, *diversity)}))


def _tabulate(name: str, ours: Statistics, printed: Statistics | None) -> Table:
    from rich.table import Table

    table = Table("", "ours", "printed", "difference", title=name, title_justify="left", box=None)
    for field, label in _ROWS.items():
        value: float | None = getattr(ours, field)
        other: float | None = getattr(printed, field) if printed else None
        change = f"{value / other - 1:+.1%}" if other and value is not None else ""
        table.add_row(
            label, "–" if value is None else f"{value:,.2f}", f"{other:,.2f}" if other else "", change
        )
    for each, share in ours.shares.items():
        other = printed.shares[each] if printed else None
        change = f"{100 * (share - other):+.1f} points" if other else ""
        table.add_row(str(each), f"{share:.1%}", f"{other:.1%}" if other else "", change)
    return table


def _tabulate_diversity(diversity: Mapping[str, Diversity]) -> Table:
    from rich.table import Table

    headings = (label for label, _ in _MEASURES.values())
    table = Table("", *headings, title="diversity (ours alone)", title_justify="left", box=None)
    for name, each in diversity.items():
        table.add_row(name, *(format(getattr(each, field), form) for field, (_, form) in _MEASURES.items()))
    return table
