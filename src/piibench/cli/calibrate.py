"""`piibench calibrate`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from piibench.cli.options import (
    DEFAULT_SYSTEM,
    THRESHOLD_TAKERS,
    SystemName,
    WeightsFolder,
    check_output,
    collect_options,
)
from piibench.cli.statistics import import_drawing
from piibench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from piibench.analysis.calibration import Judged, Point
    from piibench.data.schema import Sample
    from piibench.systems.base import System

HEADINGS = {
    "query_f1": "query F1",
    "mask_f1": "masking F1",
    "privacy_unrelated": "unneeded gone",
    "kept": "needed kept",
}
"""How the scores of a threshold are headed."""


def calibrate(
    data: Annotated[
        list[str], typer.Argument(metavar="DATA.jsonl...", help="Labelled samples with needed sets.")
    ],
    *,
    system: SystemName = DEFAULT_SYSTEM,
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Only the first N samples of each file.")
    ] = None,
    figure: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the curve: .svg, .png or .pdf.")
    ] = None,
    json_file: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Write every point here too; - prints them alone."),
    ] = None,
    weights: WeightsFolder = None,
) -> None:
    """Show what the keep threshold of a system costs and gives, on your own labelled samples.

    A value is kept where the system holds it at least that likely that the query needs it. A higher threshold
    hides more: privacy rises, answers lose facts. Take the row that suits you and hand its threshold to
    `mask` or `predict` as --keep-threshold, to the library as keep_threshold (systems encoder, zero-shot).
    """
    import asyncio
    from itertools import chain, islice

    from piibench.analysis.calibration import choose_threshold, select_judgeable, trace_thresholds
    from piibench.cli.progress import show_progress
    from piibench.data.files import read_samples
    from piibench.data.output import write_lines
    from piibench.systems.registry import load_system

    if system not in THRESHOLD_TAKERS:
        msg = f"--system: only the systems {' and '.join(THRESHOLD_TAKERS)} take a threshold"
        raise InputError(msg)
    check_output("--json", json_file, *data)
    check_output("--figure", figure, *data)
    drawing = import_drawing(figure) if figure else None
    worker = load_system(system, **collect_options(system, weights=weights))
    read = chain.from_iterable(islice(read_samples(path), limit) for path in data)
    samples = select_judgeable(read)
    with show_progress("samples", len(samples)) as advance:
        judged = asyncio.run(_judge_all(worker, samples, advance))
    points = trace_thresholds(judged)
    chosen = choose_threshold(points).threshold
    if json_file != "-":
        _print_points(points, chosen)
    if drawing and figure:
        from piibench.reports.calibration import draw_thresholds

        drawing.save_figure(draw_thresholds(points, chosen), figure)
    if json_file:
        lines = {"system": worker.name, "best": chosen, "points": [asdict(point) for point in points]}
        write_lines(json_file, [json.dumps(lines, indent=2)])


async def _judge_all(
    worker: System, samples: Sequence[Sample], advance: Callable[[int], None]
) -> list[Judged]:
    from piibench.analysis.calibration import Judged
    from piibench.systems.compose import choose_asked, detect_and_select

    judged: list[Judged] = []
    for sample in samples:
        found, asked, selection = await detect_and_select(worker, sample.prompt)
        chances = {decision.entity_id: decision.score for decision in selection.decisions}
        known = {name: chance for name, chance in chances.items() if chance is not None}
        if len(known) < len(chances):
            msg = f"system {worker.name} does not say how likely a value is needed; nothing can be calibrated"
            raise InputError(msg)
        judged.append(Judged(sample, found, known, choose_asked(asked)))
        advance(len(judged))
    return judged


def _print_points(points: Sequence[Point], chosen: float) -> None:
    from rich.table import Table

    from piibench.analysis.calibration import NOISE
    from piibench.cli.console import create_console

    table = Table(title="Keep threshold", title_justify="left")
    for heading in ("threshold", *HEADINGS.values()):
        table.add_column(heading, justify="right")
    for point in points:
        mark = " *" if point.threshold == chosen else "  "
        scores = (f"{point.scores[name]:.3f}" if name in point.scores else "-" for name in HEADINGS)
        table.add_row(f"{point.threshold:.2f}{mark}", *scores)
    console = create_console()
    console.print(table)
    console.print(
        "* keeps most of what is needed where query F1 and masking F1 together are best,"
        f" or at most {NOISE} below"
    )
