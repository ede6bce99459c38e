"""What was evaluated: its size (Table 3) and its types (Table 9, Figure 5), beside the printed numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from piibench.analysis.statistics import PUBLISHED, summarize, summarize_subsets
from piibench.data.taxonomy import PIIType
from piibench.reports.figures import draw_type_shares
from piibench.reports.lines import describe_print, enter_printed
from piibench.reports.published import load_published
from piibench.reports.sheets import AUTHORS, Column, Entry, Line, Sheet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from matplotlib.figure import Figure

    from piibench.analysis.statistics import Statistics
    from piibench.data.schema import Sample
    from piibench.reports.printed import PublishedTable

_SIZE, _TYPES = 3, 9
_ALL = "all"


def tabulate_data(samples: Sequence[Sample]) -> tuple[Sheet, ...]:
    """Tables 3 and 9 of the samples that were evaluated; none where there are no samples."""
    subsets = _summarize(samples)
    return (_tabulate_size(subsets), _tabulate_types(subsets)) if subsets else ()


def draw_data(samples: Sequence[Sample]) -> Figure | None:
    """Draw Figure 5 of the samples that were evaluated; None where they have no entity."""
    subsets = {name: each for name, each in _summarize(samples).items() if any(each.types.values())}
    if len(subsets) > 1:
        subsets.pop(_ALL, None)
    printed = {name: each.shares for name, each in PUBLISHED.items()}
    return (
        draw_type_shares({name: each.shares for name, each in subsets.items()}, printed) if subsets else None
    )


def _summarize(samples: Sequence[Sample]) -> dict[str, Statistics]:
    """Each subset, in the paper's order; then all together, where there are several."""
    found = summarize_subsets(samples)
    ordered = {name: found[name] for name in (*PUBLISHED, *found) if name in found}
    total = summarize(samples)
    return ordered | ({_ALL: total} if total and len(ordered) > 1 else {})


def _tabulate_size(subsets: Mapping[str, Statistics]) -> Sheet:
    table = load_published().tables[_SIZE]
    metrics = table.columns[-1].keys
    ours = [
        Line(
            table.label("subset", name),
            tuple(_enter_size(name, metric, getattr(each, metric)) for metric in metrics),
            "ours",
            "" if index else "ours",
        )
        for index, (name, each) in enumerate(subsets.items())
    ]
    theirs = [
        Line(
            table.label("subset", row.keys["subset"]),
            tuple(enter_printed(table, cell) for cell in row.cells),
            "authors",
            "" if index else AUTHORS,
        )
        for index, row in enumerate(table.rows)
    ]
    columns = tuple(Column(table.label("metric", metric)) for metric in metrics)
    return _create_sheet(table, "subset", columns, (*ours, *theirs))


def _tabulate_types(subsets: Mapping[str, Statistics]) -> Sheet:
    table = load_published().tables[_TYPES]
    names = [name for name in subsets if name != _ALL or len(subsets) == 1]
    subset_axis, metric_axis = table.columns
    ours = (
        Column(table.label("metric", metric), name, "ours") for name in names for metric in metric_axis.keys
    )
    theirs = (
        Column(table.label("metric", metric), table.label("subset", name), "authors")
        for name in subset_axis.keys
        for metric in metric_axis.keys
    )
    lines = [
        Line(
            table.label("type", row.keys["type"]),
            (
                *(entry for name in names for entry in _enter_type(name, row.keys["type"], subsets[name])),
                *(enter_printed(table, cell) for cell in row.cells),
            ),
        )
        for row in table.rows
    ]
    return _create_sheet(table, "type", (*ours, *theirs), lines)


def _create_sheet(
    table: PublishedTable, corner: str, columns: Sequence[Column], lines: Sequence[Line]
) -> Sheet:
    return Sheet(
        name=f"table-{table.number:02d}",
        title=f"Table {table.number}. {table.title}",
        corner=corner,
        columns=tuple(columns),
        lines=tuple(lines),
        notes=tuple(_write_notes(table)),
    )


def _enter_size(subset: str, metric: str, value: float | None) -> Entry:
    keys = {"subset": subset, "metric": metric}
    if value is None:
        return Entry("–", "ours", keys=keys)
    text = f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
    return Entry(text, "ours", float(value), keys=keys)


def _enter_type(subset: str, name: str, each: Statistics) -> tuple[Entry, Entry]:
    """Count and share of a type; of all types where the name is none."""
    total = sum(each.types.values())
    count = total if name == _ALL else each.types[PIIType(name)]
    share = count / (total or 1)
    keys = {"subset": subset, "type": name}
    return (
        Entry(f"{count:,}", "ours", float(count), keys=keys | {"metric": "entities"}),
        Entry(f"{100 * share:.2f}", "ours", share, keys=keys | {"metric": "share"}),
    )


def _write_notes(table: PublishedTable) -> Iterator[str]:
    yield (
        f"Ours: the samples that were evaluated. {AUTHORS.capitalize()}: what Table {table.number} of the"
        f" paper's final version prints (section {table.section})."
    )
    yield from describe_print(table)
