"""Self-consistency by sampling: several chains of reasoning, and what most of them agree on.

The paper has one prompt reason from five viewpoints; this variant draws the chains one by one, as the method
was first proposed.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from piibench.strategies.base import Choice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from piibench.llm.chat import Chat
    from piibench.strategies.base import Question, Strategy


@dataclass(frozen=True, slots=True)
class Vote:
    """Asks the same question many times and takes the values of the majority.

    Attributes:
        name: What `--strategy` takes.
        title: The name of its rows in tables.
        path: Gives one chain; asks at this strategy's temperature.
        n: How many chains, at least 1.
    """

    name: str
    title: str
    path: Strategy = field(repr=False)
    n: int = 5

    @property
    def temperature(self) -> float:
        """That of a single chain."""
        return self.path.temperature

    @property
    def max_tokens(self) -> int:
        """That of a single chain."""
        return self.path.max_tokens

    @property
    def needs_candidates(self) -> bool:
        """Whether a chain needs them."""
        return self.path.needs_candidates

    @property
    def needs_shots(self) -> bool:
        """Whether a chain needs them."""
        return self.path.needs_shots

    async def choose(self, chat: Chat, question: Question) -> Choice:
        """Ask `n` times at once, each with a seed of its own; see `Strategy.choose`."""
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(self.path.choose(chat, replace(question, seed=question.seed + index)))
                    for index in range(self.n)
                ]
        except ExceptionGroup as failures:
            # One failure stops the others; callers know the single error.
            raise failures.exceptions[0] from None
        choices = [task.result() for task in tasks]
        values = take_majority(choice.values for choice in choices)
        return Choice(values, tuple(reply for choice in choices for reply in choice.replies))


def take_majority(answers: Iterable[tuple[str, ...] | None]) -> tuple[str, ...] | None:
    """The values that more than half of the readable answers name, the most frequent first.

    An unreadable answer has no vote.

    Returns:
        None where no answer is readable.
    """
    readable = [answer for answer in answers if answer is not None]
    if not readable:
        return None
    votes = Counter(value for answer in readable for value in dict.fromkeys(answer))
    return tuple(value for value, count in votes.most_common() if 2 * count > len(readable))
