"""One scorer for all tasks: it writes what a task measures into Inspect's log."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from inspect_ai.scorer import Score, mean, scorer, stderr

from piibench.evals.ledger import SCORES

if TYPE_CHECKING:
    from inspect_ai.scorer import Scorer, Target
    from inspect_ai.solver import TaskState

    from piibench.data.runs import SampleScores
    from piibench.evals.kinds import Kind
    from piibench.evals.ledger import Ledger


def create_scorer(kind: Kind, ledger: Ledger) -> Scorer:
    """Make the scorer of a run.

    Args:
        kind: The task.
        ledger: Has the gold samples and the answers.
    """

    @scorer(metrics=[{"*": [mean(), stderr()]}], name="piibench")
    def piibench() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            del target  # the gold record says more
            scores = kind.measure(ledger.gold(state), ledger.take(state))
            # One text, not in the score: Inspect keeps a score's own metadata several times.
            state.metadata[SCORES] = json.dumps([each.model_dump(mode="json") for each in scores])
            return Score(value=dict(_show(scores, kind.headline)), answer=state.output.completion)

        return score

    return piibench()


def _show(scores: tuple[SampleScores, ...], headline: tuple[str, ...]) -> list[tuple[str, float]]:
    """The headline of each arm; Inspect takes no missing values."""
    return [
        (f"{each.arm}_{name}" if each.arm else name, value)
        for each in scores
        for name in headline
        if (value := each.scores.get(name)) is not None
    ]
