"""One solver for all tasks: it has a sample answered and keeps the answer with it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from inspect_ai.model import ModelOutput
from inspect_ai.solver import solver

from piibench.evals.bridge import CountingChat
from piibench.evals.ledger import ANSWER, USAGE
from piibench.llm.chat import Usage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from inspect_ai.solver import Generate, Solver, TaskState

    from piibench.data.schema import Sample
    from piibench.evals.kinds import Answer
    from piibench.evals.ledger import Ledger
    from piibench.evals.meter import Meter
    from piibench.llm.chat import Chat


def create_solver(
    reply: Callable[[Sample, Mapping[str, Chat]], Awaitable[Answer]],
    chats: Callable[[], Mapping[str, Chat]],
    ledger: Ledger,
    meter: Meter,
) -> Solver:
    """Make the solver of a run.

    Args:
        reply: Answers one sample.
        chats: The models in their roles.
        ledger: Has the gold samples, and takes the answers.
        meter: Is told of every sample.
    """

    @solver(name="piibench")
    def piibench() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            del generate  # strategies talk to models in their own way
            counted = {role: CountingChat(chat) for role, chat in chats().items()}
            try:
                answer = await reply(ledger.gold(state), counted)
            except Exception as error:
                meter.fail(error)
                raise
            usage = sum((chat.usage for chat in counted.values()), Usage())
            ledger.put(state, answer)
            state.metadata[ANSWER] = answer.to_json()
            state.metadata[USAGE] = [usage.calls, usage.prompt_tokens, usage.reply_tokens]
            state.output = ModelOutput.from_content(str(state.model), _show(answer))
            state.completed = True
            meter.advance(usage)
            return state

        return solve

    return piibench()


def _show(answer: Answer) -> str:
    """What the log's reader sees first of an answer."""
    pred = answer.prediction
    if answer.flagged or pred is None:
        return "unreadable reply" if answer.flagged else json.dumps(dict(answer.details), ensure_ascii=False)
    named = next((each for each in (pred.needed, pred.hidden) if each is not None), None)
    shown = [entity.text for entity in pred.entities] if named is None else named
    return json.dumps(list(shown), ensure_ascii=False)
