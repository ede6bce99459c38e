"""Many prompts at once in one event loop, for a system that waits on a network."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from piibench.batch.records import Records, Written, write_followed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from piibench.data.files import PromptRecord
    from piibench.systems.base import Networked

AHEAD = 16
"""Finished prompts, for each one at work, that may wait for a slower one before them."""
GRACE_S = 10.0
"""Seconds that prompts at work get after another one failed: whoever keeps replies keeps theirs, too."""


def protect_at_once(records: Iterable[PromptRecord], system: Networked) -> Iterator[Written]:
    """Yield what `write_followed` gives for each record, in order, `system.at_once` of them at work.

    Connections are closed at the end.

    Args:
        records: Read only as they are worked on.
        system: Waits on a network.

    Raises:
        SystemFailureError: The system failed on a record.
        InputError: A record cannot be read; those before it are done.
        EndpointError: The model is dead.
        EndpointSetupError: Its address, key or name is wrong.
    """
    source, waiting = Records(records), deque["asyncio.Task[Written]"]()
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        try:
            for record in source:
                waiting.append(loop.create_task(write_followed(record, system)))
                while len(working := _list_working(waiting)) >= system.at_once or (
                    len(waiting) >= AHEAD * system.at_once and working
                ):
                    runner.run(_wait_for_any(working))
                    yield from _take_finished(waiting)
            while waiting:
                runner.run(_wait_for_any([waiting[0]]))
                yield from _take_finished(waiting)
            source.finish()
        except Exception:
            runner.run(_settle(waiting))
            raise
        finally:
            _give_up(waiting)
            runner.run(system.close())


def _list_working(tasks: Iterable[asyncio.Task[Written]]) -> list[asyncio.Task[Written]]:
    return [task for task in tasks if not task.done()]


async def _wait_for_any(tasks: Iterable[asyncio.Task[Written]]) -> None:
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)


async def _settle(tasks: Collection[asyncio.Task[Written]]) -> None:
    if tasks:
        await asyncio.wait(tasks, timeout=GRACE_S)


def _take_finished(tasks: deque[asyncio.Task[Written]]) -> Iterator[Written]:
    """Yield from the left what is finished."""
    while tasks and tasks[0].done():
        yield tasks.popleft().result()


def _give_up(tasks: Iterable[asyncio.Task[Written]]) -> None:
    """Cancel tasks; of those that are over, take note of the error, or asyncio would report it."""
    for task in tasks:
        if not task.cancel() and not task.cancelled():
            task.exception()
