"""`piibench predict`."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from piibench.cli.options import DEFAULT_SYSTEM, PatternsFile, SystemName, collect_options
from piibench.cli.texts import warn
from piibench.errors import InputError


def predict(
    data: Annotated[
        str,
        typer.Argument(metavar="DATA.jsonl", help="Records with a description; .gz is unpacked, - is input."),
    ],
    out: Annotated[str, typer.Option("--out", metavar="PRED.jsonl", help="Where the predictions go.")],
    *,
    system: SystemName = DEFAULT_SYSTEM,
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the first N records.")] = None,
    workers: Annotated[int, typer.Option(metavar="N", min=1, max=256, help="Processes.")] = 1,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Start over instead of going on.")] = False,
    patterns: PatternsFile = None,
) -> None:
    """Protect every record of a file.

    Reads id, subset, description and query of each record; writes, in the same order, what was found, what
    was kept, and the masked texts. Interrupted and started again, it goes on where it stopped.
    """
    from piibench.batch.predict import Settings, Summary
    from piibench.batch.predict import predict as predict_all
    from piibench.cli.progress import show_progress
    from piibench.data.files import read_prompts

    if Path(out).exists() and Path(data).exists() and Path(out).samefile(data):
        msg = "--out: is the data itself; choose another file"
        raise InputError(msg)
    settings = Settings(system, collect_options(system, patterns), workers, overwrite)
    state = Summary()
    with show_progress("records", _count(None if data == "-" else data, limit)) as show:

        def advance(summary: Summary) -> None:
            nonlocal state
            state = summary
            show(summary.written + summary.resumed)

        try:
            state = predict_all(islice(read_prompts(data), limit), out, settings, advance=advance)
        except KeyboardInterrupt:
            warn(f"stopped: {state.resumed + state.written} records are whole; the same command goes on")
            raise
    speed = state.characters / state.seconds if state.seconds else 0
    warn(
        f"{state.written} records in {state.seconds:.1f} s, {speed:,.0f} characters a second"
        + (f"; {state.resumed} were there already" if state.resumed else "")
    )


def _count(data: str | None, limit: int | None) -> int | None:
    """How many records are to come, as far as one look can tell."""
    if data is None or data.endswith(".gz") or not Path(data).is_file():
        return limit
    try:
        with Path(data).open("rb") as stream:
            lines = sum(1 for line in stream if line.strip())
    except OSError:
        return limit  # the reader says what is wrong
    return min(lines, limit) if limit else lines
