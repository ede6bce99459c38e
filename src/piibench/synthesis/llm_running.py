"""Many samples at once by a model: orders are worked on side by side and come out in order."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from piibench.data.output import explain_write_errors
from piibench.llm.openai_chat import Limits, OpenAIChat
from piibench.llm.stored import StoredChat
from piibench.synthesis.llm_writers import LLMWriter, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from pathlib import Path

    from piibench.data.schema import Sample
    from piibench.synthesis.samples import Order

REPLIES = "replies.jsonl"
"""File beside the data that keeps the model's replies, so that a stopped run goes on where it stood."""


class LLMAuthor:
    """Gives a writer many orders at once.

    Args:
        writer: Writes one sample.
        runner: The event loop that all of it runs in.
        at_once: Orders that are worked on at the same time.

    Attributes:
        total: What became of all orders whose counts were taken.
    """

    def __init__(self, writer: LLMWriter, runner: asyncio.Runner, *, at_once: int) -> None:
        self.total = Tally()
        self._writer = writer
        self._runner = runner
        self._at_once = at_once

    def map(self, make: Callable[[Order], Sample], orders: Iterable[Order]) -> Iterator[Sample]:
        """Yield a sample for each order, in order.

        Raises:
            EndpointError: The model is dead.
            EndpointSetupError: Its address, key or name is wrong.
        """
        waiting: deque[asyncio.Task[Sample]] = deque()
        loop = self._runner.get_loop()
        try:
            for order in orders:
                waiting.append(loop.create_task(self._writer.write(order, make)))
                if len(waiting) >= self._at_once:
                    yield self._runner.run(_wait_for(waiting.popleft()))
            while waiting:
                yield self._runner.run(_wait_for(waiting.popleft()))
        finally:
            _give_up(waiting)

    def take_counts(self) -> dict[str, Any]:
        """What became of the orders since the last call."""
        counts, self._writer.tally = self._writer.tally, Tally()
        self.total += counts
        return counts.to_json()


@contextmanager
def open_author(
    model: str, *, base_url: str | None, at_once: int, folder: Path, limits: Limits | None = None
) -> Generator[LLMAuthor]:
    """Open an author that asks an OpenAI-compatible endpoint.

    Args:
        model: The model's name there.
        base_url: As in `OpenAIChat`.
        at_once: Samples, and so requests, at the same time.
        folder: Where the replies are kept; made where it does not exist.
        limits: How patient the client is.

    Raises:
        EndpointSetupError: No address is given, or it is none.
    """
    with explain_write_errors(folder.resolve().name):
        folder.mkdir(parents=True, exist_ok=True)
    with asyncio.Runner() as runner:
        chat = OpenAIChat(
            model, base_url=base_url, limits=limits or Limits(concurrency=at_once), option="--writer"
        )
        try:
            yield LLMAuthor(LLMWriter(StoredChat(chat, folder / REPLIES)), runner, at_once=at_once)
        finally:
            runner.run(chat.close())


async def _wait_for(task: asyncio.Task[Sample]) -> Sample:
    return await task


def _give_up(tasks: Iterable[asyncio.Task[Sample]]) -> None:
    """Cancel tasks; of those that are over, take note of the error, or asyncio would report it."""
    for task in tasks:
        if not task.cancel() and not task.cancelled():
            task.exception()
