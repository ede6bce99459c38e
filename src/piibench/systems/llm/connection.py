"""A model behind an address, connected to while somebody asks."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from piibench.llm.openai_chat import Limits, OpenAIChat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from piibench.llm.chat import Message, Reply


class Connection:
    """A chat that may be used again after it was closed, and in several event loops, also at once.

    Args:
        model: The name by which the endpoint knows it.
        base_url: As in `OpenAIChat`.
        at_once: Requests at the same time, in each event loop.

    Raises:
        EndpointSetupError: No address is given, or it is none.
    """

    def __init__(self, model: str, *, base_url: str | None = None, at_once: int = 8) -> None:
        self.model = model
        limits = Limits(concurrency=at_once)
        self._open = partial(OpenAIChat, model, base_url=base_url, limits=limits, option="--model")
        self._unused = [self._open()]  # here, so that a wrong address shows before any work
        # Connections live and die with the loop that made them.
        self._chats: dict[asyncio.AbstractEventLoop, OpenAIChat] = {}

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        temperature: float = 0.0,
        max_tokens: int = 1024,
        seed: int | None = None,
    ) -> Reply:
        """Answer the last message; see `Chat.complete`."""
        loop = asyncio.get_running_loop()
        if loop not in self._chats:
            for dead in [each for each in tuple(self._chats) if each.is_closed()]:
                self._chats.pop(dead, None)
            try:
                self._chats[loop] = self._unused.pop()
            except IndexError:
                self._chats[loop] = self._open()
        return await self._chats[loop].complete(
            messages, temperature=temperature, max_tokens=max_tokens, seed=seed
        )

    async def close(self) -> None:
        """Close the running event loop's connections; its next question opens them again."""
        chat = self._chats.pop(asyncio.get_running_loop(), None)
        if chat is not None:
            await chat.close()
