"""Run a system over many prompts: in order, resumable, in flat memory.

What computes works on one prompt at a time, in one process or several; what waits on a network works on
several prompts at a time, in this process.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from piibench.batch.concurrency import protect_at_once
from piibench.batch.predictions import Maker, PredictionLog
from piibench.batch.records import write_record
from piibench.batch.workers import protect_in_processes
from piibench.systems.base import Networked
from piibench.systems.registry import DEFAULT_SYSTEM, load_system

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
    from pathlib import Path

    from piibench.batch.records import Written
    from piibench.data.files import PromptRecord
    from piibench.systems.base import System


@dataclass(frozen=True, slots=True)
class Settings:
    """How to predict.

    Attributes:
        system: A name of the registry.
        options: For the system's factory; must be picklable where `workers` is above 1.
        workers: Number of processes; 1 works in this one. A system that waits on a network has its own
            number of prompts at once instead.
        overwrite: Start the output over instead of going on with it.
        replies: File where the system keeps a model's replies; removed when all is done, and before all is
            started over.
    """

    system: str = DEFAULT_SYSTEM
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    workers: int = 1
    overwrite: bool = False
    replies: Path | None = None


@dataclass(slots=True)
class Summary:
    """What a run did.

    Attributes:
        written: Records predicted by this run.
        resumed: Records that were there already.
        characters: Code points of the descriptions predicted by this run.
        flagged: Records of this run for which a reply could not be understood; what it said is missing.
        seconds: Wall time of the run.
    """

    written: int = 0
    resumed: int = 0
    characters: int = 0
    flagged: int = 0
    seconds: float = 0.0


def predict(
    records: Iterable[PromptRecord],
    out: str | Path,
    settings: Settings | None = None,
    *,
    advance: Callable[[Summary], None] | None = None,
) -> Summary:
    """Protect every prompt and append its prediction to a file, in the order of the input.

    What the file already holds is not done again, so an interrupted run is resumed by the same call.

    Args:
        records: The prompts; read as they are needed.
        out: The predictions file, "-" for standard output.
        settings: System, processes, and whether to start over.
        advance: Is told the state after each record.

    Raises:
        InputError: A record or the predictions file cannot be used.
        SystemFailureError: The system failed on a record; what was written before stays.
        EndpointError: So did the model that it asks.
        PiibenchError: The file cannot be written; every line in it is whole.
    """
    settings = settings or Settings()
    system = load_system(settings.system, **settings.options)
    begun, summary = time.perf_counter(), Summary()
    coming = iter(records)
    head = list(islice(coming, 1))  # before the output is opened, which may empty it
    with PredictionLog(out, Maker(system.name, system.fingerprint), overwrite=settings.overwrite) as log:
        if settings.replies and settings.overwrite:
            settings.replies.unlink(missing_ok=True)
        todo = _pass_over(chain(head, coming), log, summary, advance)
        with closing(_protect_all(todo, system, settings)) as predictions:
            for written in predictions:
                log.append(written.line)
                summary.written += 1
                summary.characters += written.characters
                summary.flagged += written.flagged
                summary.seconds = time.perf_counter() - begun
                if advance:
                    advance(summary)
        if settings.replies:
            settings.replies.unlink(missing_ok=True)
    summary.seconds = time.perf_counter() - begun
    return summary


def _pass_over(
    records: Iterable[PromptRecord],
    log: PredictionLog,
    summary: Summary,
    advance: Callable[[Summary], None] | None,
) -> Iterator[PromptRecord]:
    for record in records:
        if log.holds(record):
            summary.resumed += 1
            if advance:
                advance(summary)
        else:
            yield record


def _protect_all(records: Iterable[PromptRecord], system: System, settings: Settings) -> Generator[Written]:
    if isinstance(system, Networked):
        yield from protect_at_once(records, system)
    elif settings.workers > 1:
        yield from protect_in_processes(records, settings.system, settings.options, settings.workers)
    else:
        with asyncio.Runner() as runner:
            for record in records:
                yield write_record(record, system, runner)
