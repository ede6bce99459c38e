"""Processes that each run a system of their own."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import connection, get_context, parent_process
from typing import TYPE_CHECKING, Any

from piibench.batch.records import Records, Written, write_record
from piibench.errors import SystemFailureError
from piibench.systems.registry import load_system

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping
    from concurrent.futures import Future

    from piibench.data.files import PromptRecord
    from piibench.systems.base import System

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
    ahead, waiting = iter(source), deque["Future[list[Written]]"]()
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _start_worker, (system, dict(options)))
    try:
        while True:
            while len(waiting) < workers * CHUNKS_AHEAD and (chunk := list(islice(ahead, CHUNK))):
                with _interrupts_held():
                    waiting.append(pool.submit(_protect_chunk, chunk))
            if not waiting:
                source.finish()
                return
            yield from waiting.popleft().result()
    except BrokenProcessPool:
        msg = "a worker process died, perhaps for lack of memory; start again with fewer --workers"
        raise SystemFailureError(msg) from None
    finally:
        pool.shutdown(cancel_futures=True)


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


def _start_worker(system: str, options: dict[str, Any]) -> None:
    """Prepare a worker: it leaves Ctrl-C to its parent, dies with it, and makes its own system."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    _worker.append((load_system(system, **options), asyncio.Runner()))


def _die_with_parent() -> None:
    if parent := parent_process():
        connection.wait([parent.sentinel])
        os._exit(1)


def _protect_chunk(chunk: list[PromptRecord]) -> list[Written]:
    system, runner = _worker[0]
    return [write_record(record, system, runner) for record in chunk]
