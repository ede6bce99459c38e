"""`piibench predict`."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from piibench.cli.options import (
    DEFAULT_SYSTEM,
    BaseUrl,
    DetectorName,
    KeepThreshold,
    ModelName,
    PatternsFile,
    SelectorName,
    StrategyName,
    SystemName,
    WeightsFolder,
    check_distinct,
    collect_options,
)
from piibench.cli.texts import warn
from piibench.errors import EndpointError

if TYPE_CHECKING:
    from piibench.batch.predict import Summary

MODEL_SYSTEM = "llm"


def predict(
    data: Annotated[
        str,
        typer.Argument(metavar="DATA.jsonl", help="Records with a description; .gz is unpacked, - is input."),
    ],
    out: Annotated[str, typer.Option("--out", metavar="PRED.jsonl", help="Where the predictions go.")],
    *,
    system: SystemName = DEFAULT_SYSTEM,
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the first N records.")] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=256, help="Processes, 1 where absent; with a model prompts at once, 8."
        ),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Start over instead of going on.")] = False,
    patterns: PatternsFile = None,
    model: ModelName = None,
    base_url: BaseUrl = None,
    strategy: StrategyName = None,
    detector: DetectorName = None,
    selector: SelectorName = None,
    weights: WeightsFolder = None,
    keep_threshold: KeepThreshold = None,
) -> None:
    """Protect every record of a file.

    Reads id, subset, description and query of each record; writes, in the same order, what was found, what
    was kept, and the masked texts. Interrupted and started again, it goes on where it stopped.

    A model's replies are kept beside the output until all is done, so that no question is asked twice. A
    record for which a reply could not be understood counts as if nothing had been said, and is flagged.
    """
    from piibench.batch.predict import Settings, Summary
    from piibench.batch.predict import predict as predict_all
    from piibench.cli.progress import show_progress
    from piibench.data.files import read_prompts

    check_distinct("--out", out, data, *filter(None, [patterns]))
    options = collect_options(
        system,
        patterns=patterns,
        model=model,
        base_url=base_url,
        strategy=strategy,
        detector=detector,
        selector=selector,
        weights=weights,
        keep_threshold=keep_threshold,
    )
    replies = _name_replies(out) if system == MODEL_SYSTEM else None
    if system == MODEL_SYSTEM:
        options |= {"replies": replies} | ({"at_once": workers} if workers else {})
    settings, state = Settings(system, options, workers or 1, overwrite, replies), Summary()
    with show_progress("records", _count(None if data == "-" else data, limit)) as show:

        def advance(summary: Summary) -> None:
            nonlocal state
            state = summary
            show(summary.written + summary.resumed)

        try:
            state = predict_all(islice(read_prompts(data), limit), out, settings, advance=advance)
        except (KeyboardInterrupt, EndpointError):
            if _is_file(out):
                command = "the same command" + (" without --overwrite" if overwrite else "")
                warn(f"stopped: {state.resumed + state.written} records are whole; {command} goes on")
            raise
    _report(state)


def _name_replies(out: str) -> Path | None:
    """The file of a model's replies, kept until all predictions are written; none beside a pipe or device."""
    return Path(f"{out}.replies") if _is_file(out) else None


def _is_file(out: str) -> bool:
    return out != "-" and (Path(out).is_file() or not Path(out).exists())


def _report(state: Summary) -> None:
    speed = state.characters / state.seconds if state.seconds else 0
    warn(
        f"{state.written} records in {state.seconds:.1f} s, {speed:,.0f} characters a second"
        + (f"; {state.resumed} were there already" if state.resumed else "")
    )
    if state.flagged:
        warn(f"{state.flagged} records are flagged: a reply of the model could not be understood")


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
