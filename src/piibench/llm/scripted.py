"""A chat that answers by a script: for tests and examples, without any model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from piibench.errors import EndpointError, PiibenchError
from piibench.llm.chat import Reply, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from piibench.llm.chat import Message


class ScriptedChat:
    """Answers with given replies in turn, or by a function of the messages.

    Args:
        script: The replies, an error among them being raised in its turn; or what makes a reply.
        model: The name it goes by.

    Attributes:
        model: The name it goes by.
        asked: The messages of every call, in order.
        seeds: The seed of every call.
    """

    def __init__(
        self,
        script: Iterable[str | PiibenchError] | Callable[[Sequence[Message]], str],
        model: str = "scripted",
    ) -> None:
        self.model = model
        self.asked: list[tuple[Message, ...]] = []
        self.seeds: list[int | None] = []
        self._make = script if callable(script) else None
        self._replies = iter(()) if callable(script) else iter(script)

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        temperature: float = 0.0,  # noqa: ARG002 - the protocol's
        max_tokens: int = 1024,  # noqa: ARG002 - the protocol's
        seed: int | None = None,
    ) -> Reply:
        """Give the next reply.

        Raises:
            EndpointError: The script is over.
        """
        self.asked.append(tuple(messages))
        self.seeds.append(seed)
        reply = self._make(messages) if self._make else next(self._replies, None)
        if isinstance(reply, PiibenchError):
            raise reply
        if reply is None:
            msg = f"the script has no reply for call {len(self.asked)}"
            raise EndpointError(msg)
        return Reply(reply, Usage(1, sum(len(each.text.split()) for each in messages), len(reply.split())))
