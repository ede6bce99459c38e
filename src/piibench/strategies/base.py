"""The seam of a strategy: a question about a prompt in, the values that the model chose out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from piibench.llm.chat import Usage

if TYPE_CHECKING:
    from piibench.data.schema import Prompt
    from piibench.llm.chat import Chat, Reply

Goal = Literal["needed", "hidden"]
"""What is asked for: the values that the query needs (task 2), or all others, to be masked (task 3)."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A worked example.

    Attributes:
        description: The text.
        query: What is asked about it.
        thought: The chain of reasoning; empty where no valid one was found.
        needed: The values that the query needs, as the text spells them.
        hidden: The other PII values of the text.
    """

    description: str = field(repr=False)
    query: str = field(repr=False)
    thought: str = field(repr=False)
    needed: tuple[str, ...] = field(repr=False)
    hidden: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Question:
    """What a strategy asks a model.

    Attributes:
        prompt: The description and the query.
        candidates: Values to choose from; None where the model finds them by itself.
        goal: What to list.
        shots: Worked examples, for a strategy that shows some.
        seed: Asks for the same replies again, where the model can do that.
    """

    prompt: Prompt
    candidates: tuple[str, ...] | None = field(default=None, repr=False)
    goal: Goal = "needed"
    shots: tuple[Shot, ...] = ()
    seed: int = 7


@dataclass(frozen=True, slots=True)
class Choice:
    """What a model chose.

    Attributes:
        values: The values in the model's order, each once; None where no reply could be read.
        replies: Every reply that was asked for.
    """

    values: tuple[str, ...] | None = field(repr=False)
    replies: tuple[Reply, ...]

    @property
    def usage(self) -> Usage:
        """What the replies cost together."""
        return sum((reply.usage for reply in self.replies), Usage())


@runtime_checkable
class Strategy(Protocol):
    """A way to ask a model."""

    @property
    def name(self) -> str:
        """What `--strategy` takes."""
        ...

    @property
    def title(self) -> str:
        """The name of its rows in the paper's tables."""
        ...

    @property
    def temperature(self) -> float:
        """At which it asks; 0 but where it needs variety."""
        ...

    @property
    def max_tokens(self) -> int:
        """Longest reply that it allows for."""
        ...

    @property
    def needs_candidates(self) -> bool:
        """Whether a question must bring candidates."""
        ...

    @property
    def needs_shots(self) -> bool:
        """Whether a question should bring worked examples."""
        ...

    async def choose(self, chat: Chat, question: Question) -> Choice:
        """Ask.

        Raises:
            EndpointError: No reply came.
            EndpointSetupError: None ever will.
            InputError: The question lacks what the strategy needs.
        """
        ...
