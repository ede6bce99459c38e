"""Processes that work for one: they leave Ctrl-C to it, and die with it."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from typing import TYPE_CHECKING, Any

from piibench.errors import SystemFailureError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from concurrent.futures import Executor


@contextmanager
def open_pool(
    workers: int, prepare: Callable[..., object] | None = None, given: Sequence[Any] = ()
) -> Generator[Executor]:
    """Start processes that take work; what waits when the block is left is not begun.

    Args:
        workers: Number of processes.
        prepare: Called first in each.
        given: Its arguments; must be picklable.

    Raises:
        SystemFailureError: A process died.
    """
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _start, (prepare, tuple(given)))
    try:
        yield pool
    except BrokenProcessPool:
        msg = "a worker process died, perhaps for lack of memory; start again with fewer --workers"
        raise SystemFailureError(msg) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _start(prepare: Callable[..., object] | None, given: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    if prepare is not None:
        prepare(*given)


def _die_with_parent() -> None:
    if parent := parent_process():
        connection.wait([parent.sentinel])
        os._exit(1)
