"""Prompts that a model's endpoint refuses, such as too long ones: one of them does not end a long run."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from piibench.errors import PromptRefusedError
from piibench.llm.chat import Reply, Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from piibench.llm.chat import Chat, Message


class LenientChat:
    """A chat whose refusal of a prompt is an empty reply, which says as little as a refusal in words.

    It is one only of a model that has replied to something, before or to what is asked at the same time;
    one that refuses all it is asked is set up wrongly. Several event loops may use it at once.

    Args:
        chat: Who answers.
    """

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._has_replied = False
        self._asked: set[asyncio.Task[Reply]] = set()

    @property
    def model(self) -> str:
        """The model's name."""
        return self._chat.model

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        temperature: float = 0.0,
        max_tokens: int = 1024,
        seed: int | None = None,
    ) -> Reply:
        """Answer the last message; see `Chat.complete`."""
        asked = asyncio.ensure_future(
            self._chat.complete(messages, temperature=temperature, max_tokens=max_tokens, seed=seed)
        )
        self._asked.add(asked)
        asked.add_done_callback(self._asked.discard)
        try:
            reply = await asked
        except PromptRefusedError:
            loop = asked.get_loop()
            if others := {one for one in self._asked - {asked} if one.get_loop() is loop}:
                await asyncio.wait(others)
            if not self._has_replied:
                raise
            return Reply("", Usage(1))
        self._has_replied = True
        return reply
