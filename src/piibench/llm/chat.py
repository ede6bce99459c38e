"""What every language model is to the rest of the package: messages in, one reply out."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a talk.

    Attributes:
        role: Who speaks.
        text: What is said.
    """

    role: Role
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Usage:
    """What replies cost; usages add up.

    Attributes:
        calls: Replies received.
        prompt_tokens: Tokens read, as the endpoint counts them.
        reply_tokens: Tokens written.
    """

    calls: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.reply_tokens + other.reply_tokens,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered.

    Attributes:
        text: The answer; may be empty.
        usage: What it cost.
        is_cut: Whether it ended at the limit of tokens rather than by itself.
    """

    text: str = field(repr=False)
    usage: Usage = Usage()
    is_cut: bool = False


class Chat(Protocol):
    """A model that answers."""

    @property
    def model(self) -> str:
        """The model's name."""
        ...

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        temperature: float = 0.0,
        max_tokens: int = 1024,
        seed: int | None = None,
    ) -> Reply:
        """Answer the last message.

        Args:
            messages: The talk so far, oldest first.
            temperature: 0 for the likeliest words, higher for more variety; at most 2.
            max_tokens: Longest reply.
            seed: The same seed asks for the same reply, where the model can do that.

        Raises:
            EndpointSetupError: The address, the key or the model's name is wrong.
            EndpointError: No usable reply came, after as many tries as the implementation makes.
        """
        ...


class WrappedChat:
    """A chat around another; what differs is what becomes of the other's reply.

    Args:
        chat: Who answers.
    """

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

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
        return await self._receive(
            self._chat.complete(messages, temperature=temperature, max_tokens=max_tokens, seed=seed)
        )

    @abstractmethod
    async def _receive(self, reply: Coroutine[Any, Any, Reply]) -> Reply:
        """Wait for the other's reply, or its failure."""
