"""Processes that each run a system of their own."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections import deque
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

from piibench.batch.records import Records, Written, write_record
from piibench.errors import PiibenchError
from piibench.processes import open_pool
from piibench.systems.registry import load_system

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping
    from concurrent.futures import Future

    from piibench.data.files import PromptRecord
    from piibench.systems.base import System

_Chunk = tuple[list[Written], PiibenchError | None]
CHUNK = 16
"""Records that a worker takes at once."""
CHUNKS_AHEAD = 3
"""Chunks in flight for each worker: enough to keep it busy, few enough to keep memory flat."""


def protect_in_processes(
    records: Iterable[PromptRecord], system: str, options: Mapping[str, Any], workers: int
) -> Iterator[Written]:
    """Yield what `write_record` gives for each record, in order, computed by several processes.

    Args:
        records: Read only a few chunks ahead.
        system: A name of the registry; each process makes its own.
        options: For the system's factory; must be picklable.
        workers: Number of processes.

    Raises:
        SystemFailureError: The system failed on a record, or a process died.
        InputError: A record cannot be read; those before it are done.
    """
    source = Records(records)
    ahead, waiting = iter(source), deque["Future[_Chunk]"]()
    with open_pool(workers, _make_system, (system, dict(options))) as pool:
        while True:
            while len(waiting) < workers * CHUNKS_AHEAD and (chunk := list(islice(ahead, CHUNK))):
                with _interrupts_held():
                    waiting.append(pool.submit(_protect_chunk, chunk))
            if not waiting:
                source.finish()
                return
            written, failure = waiting.popleft().result()
            yield from written
            if failure:
                raise failure


@contextmanager
def _interrupts_held() -> Generator[None]:
    """Hold Ctrl-C back while a process may be born: it inherits that, and leaves Ctrl-C to its parent."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_worker: list[tuple[System, asyncio.Runner]] = []


def _make_system(system: str, options: dict[str, Any]) -> None:
    _worker.append((load_system(system, **options), asyncio.Runner()))


def _protect_chunk(chunk: list[PromptRecord]) -> _Chunk:
    """What could be written, and why the rest was not."""
    system, runner = _worker[0]
    written: list[Written] = []
    for record in chunk:
        try:
            written.append(write_record(record, system, runner))
        except PiibenchError as failure:
            return written, failure
    return written, None
