"""What a task's solver and scorer share while it runs: the gold samples, and answers not scored yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspect_ai.solver import TaskState

    from piibench.data.schema import Sample
    from piibench.evals.kinds import Answer

ANSWER, USAGE, SCORES = "answer", "usage", "scores"
"""Keys in a sample's metadata in the log: the answer, calls and tokens, the whole scores."""


class Ledger:
    """Keeps gold samples by id, and answers from solver to scorer.

    Args:
        samples: All of the task's.
    """

    def __init__(self, samples: Iterable[Sample]) -> None:
        self._golds = {sample.id: sample for sample in samples}
        self._answers: dict[tuple[str, int], Answer] = {}

    def gold(self, state: TaskState) -> Sample:
        """The gold sample that a state is about."""
        return self._golds[str(state.sample_id)]

    def put(self, state: TaskState, answer: Answer) -> None:
        """Keep an answer until it is scored."""
        self._answers[str(state.sample_id), state.epoch] = answer

    def take(self, state: TaskState) -> Answer:
        """The answer to score."""
        return self._answers.pop((str(state.sample_id), state.epoch))
