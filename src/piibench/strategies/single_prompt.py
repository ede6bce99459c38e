"""Strategies that ask once: each has its prompt and its settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from piibench.errors import InputError
from piibench.llm.chat import Message
from piibench.prompts.answers import parse_answer
from piibench.prompts.render import render
from piibench.strategies.base import Choice

if TYPE_CHECKING:
    from piibench.llm.chat import Chat, Reply
    from piibench.strategies.base import Question


@dataclass(frozen=True, slots=True)
class SinglePrompt:
    """Asks once, by the prompt of its name.

    Attributes:
        name: What `--strategy` takes; also the prompt's name.
        title: The name of its rows in the paper's tables.
        max_tokens: Longest reply.
        temperature: 0 throughout, as in the paper.
        needs_candidates: Whether the prompt lists values to choose from.
        needs_shots: Whether the prompt shows worked examples.
    """

    name: str
    title: str
    max_tokens: int
    temperature: float = 0.0
    needs_candidates: bool = False
    needs_shots: bool = False

    async def choose(self, chat: Chat, question: Question) -> Choice:
        """Ask; where there is nothing to choose from, nobody is asked and nothing is chosen.

        Raises:
            EndpointError: No reply came.
            EndpointSetupError: None ever will.
            InputError: The question lacks candidates or examples.
        """
        if self.needs_candidates and question.candidates == ():
            return Choice((), ())
        reply = await chat.complete(
            [Message("user", self.write(question))],
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            seed=question.seed,
        )
        return Choice(read_values(reply), (reply,))

    def write(self, question: Question) -> str:
        """The prompt of a question.

        Raises:
            InputError: The question lacks candidates or examples.
        """
        variables: dict[str, Any] = {
            "goal": question.goal,
            "description": question.prompt.description,
            "query": question.prompt.query,
        }
        if self.needs_candidates:
            if question.candidates is None:
                msg = (
                    f"the strategy {self.name} needs candidates to choose from; take another, or detect first"
                )
                raise InputError(msg)
            variables["candidates"] = question.candidates
        if self.needs_shots:
            if not question.shots:
                msg = f"the strategy {self.name} needs worked examples, which only `piibench evaluate` finds"
                raise InputError(msg)
            variables["shots"] = question.shots
        return render(self.name, **variables)


def read_values(reply: Reply) -> tuple[str, ...] | None:
    """The values that a reply names; None where it cannot be read."""
    values = parse_answer(reply.text, is_cut=reply.is_cut)
    return None if values is None else tuple(values)
