"""A model as selector (task 2): asked by a strategy which of the found values the query needs."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from piibench.data.outcomes import Decision, Selection
from piibench.masking.occurrences import value_key
from piibench.strategies.base import Question

if TYPE_CHECKING:
    from collections.abc import Callable

    from piibench.data.schema import Entity, Prompt
    from piibench.llm.chat import Chat
    from piibench.strategies.base import Shot, Strategy


def hide_all() -> None:
    """Go on without the reply: what no reply asks to keep is hidden."""


@dataclass(frozen=True, slots=True)
class LLMSelector:
    """Asks a model what the query needs.

    Attributes:
        chat: The model.
        strategy: How it is asked.
        shots: Worked examples, for a strategy that shows some.
        on_unreadable: Is called where a reply cannot be understood; all is hidden then.
    """

    chat: Chat
    strategy: Strategy
    shots: tuple[Shot, ...] = ()
    on_unreadable: Callable[[], None] = hide_all

    async def select(self, prompt: Prompt, found: tuple[Entity, ...]) -> Selection:
        """Keep the entities whose value the model names, in any letter case from three letters on.

        Without a query, or without entities, nobody is asked.

        Raises:
            EndpointError: No usable reply came.
            EndpointSetupError: The address, the key or the model's name is wrong.
        """
        if not prompt.query.strip() or not found:
            return _decide(found, frozenset(), "nothing is asked")
        values = tuple(dict.fromkeys(entity.text for entity in found))
        candidates = values if self.strategy.needs_candidates else None
        question = Question(prompt, candidates=candidates, goal="needed", shots=self.shots)
        choice = await self.strategy.choose(self.chat, question)
        if choice.values is None:
            self.on_unreadable()
            return _decide(found, frozenset(), f"{self.chat.model} gave no readable answer")
        return _decide(found, frozenset(map(_key, choice.values)), f"{self.chat.model} does not name it")


def _decide(found: tuple[Entity, ...], named: frozenset[str], why_not: str) -> Selection:
    return Selection(
        tuple(
            Decision(entity.id, keep=True, reason=f"kept: the model names it; {entity.label}")
            if _key(entity.text) in named
            else Decision(entity.id, keep=False, reason=f"hidden: {why_not}; {entity.label}")
            for entity in found
        )
    )


def _key(value: str) -> str:
    return value_key(unicodedata.normalize("NFC", value.strip()))
