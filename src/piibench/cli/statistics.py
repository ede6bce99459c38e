"""`piibench statistics`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from piibench.synthesis.statistics import Statistics

_ROWS = {
    "samples": "samples",
    "subjects": "subjects",
    "characters": "characters",
    "entities": "entities",
    "query_characters": "query characters",
    "relevant": "needed entities",
}


def statistics(
    data: Annotated[
        list[str], typer.Argument(metavar="DATA.jsonl...", help="Labelled samples; .gz is unpacked.")
    ],
) -> None:
    """Show the statistics of Tables 3 and 9, each beside the number that the paper prints."""
    from itertools import chain

    from piibench.cli.console import create_console
    from piibench.data.files import read_samples
    from piibench.synthesis.statistics import PUBLISHED, summarize_subsets

    summaries = summarize_subsets(chain.from_iterable(read_samples(path) for path in data))
    console = create_console()
    for name, summary in summaries.items():
        console.print(_tabulate(name, summary, PUBLISHED.get(name)))


def _tabulate(name: str, ours: Statistics, printed: Statistics | None) -> object:
    from rich.table import Table

    table = Table("", "ours", "printed", "difference", title=name, title_justify="left", box=None)
    for field, label in _ROWS.items():
        value: float = getattr(ours, field)
        other: float | None = getattr(printed, field) if printed else None
        change = f"{value / other - 1:+.1%}" if other else ""
        table.add_row(label, f"{value:,.2f}", f"{other:,.2f}" if other else "", change)
    for each, share in ours.shares.items():
        other = printed.shares[each] if printed else None
        change = f"{100 * (share - other):+.1f} points" if other else ""
        table.add_row(str(each), f"{share:.1%}", f"{other:.1%}" if other else "", change)
    return table
