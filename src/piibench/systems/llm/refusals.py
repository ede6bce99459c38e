"""Prompts that a model's endpoint refuses, such as too long ones: one of them does not end a long run."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from piibench.errors import PromptRefusedError
from piibench.llm.chat import Reply, Usage, WrappedChat

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from piibench.llm.chat import Chat


class LenientChat(WrappedChat):
    """A chat whose refusal of a prompt is an empty reply, which says as little as a refusal in words.

    It is one only of a model that has replied to something, before or to what is asked at the same time;
    one that refuses all it is asked is set up wrongly. Several event loops may use it at once.

    Args:
        chat: Who answers.
    """

    def __init__(self, chat: Chat) -> None:
        super().__init__(chat)
        self._has_replied = False
        self._asked: set[asyncio.Task[Reply]] = set()

    async def _receive(self, reply: Coroutine[Any, Any, Reply]) -> Reply:
        asked = asyncio.ensure_future(reply)
        self._asked.add(asked)
        asked.add_done_callback(self._asked.discard)
        try:
            received = await asked
        except PromptRefusedError:
            loop = asked.get_loop()
            if others := {one for one in self._asked - {asked} if one.get_loop() is loop}:
                await asyncio.wait(others)
            if not self._has_replied:
                raise
            return Reply("", Usage(1))
        self._has_replied = True
        return received
