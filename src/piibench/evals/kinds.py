"""What an evaluation must know of a task, and nothing else."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from piibench.data.schema import Prediction

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from piibench.data.runs import Run, SampleScores
    from piibench.data.schema import Sample
    from piibench.evals.bench import Bench
    from piibench.evals.grid import Grid
    from piibench.llm.chat import Chat

MODEL = "model"
"""The role of a model that answers by itself."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came out for one sample.

    Attributes:
        prediction: In canonical form; None where a task has several or none.
        flagged: Whether a reply could not be understood.
        bare_shots: Worked examples that the model saw without a chain of thought.
        details: What else the task measures; plain values that JSON can hold.
    """

    prediction: Prediction | None = None
    flagged: bool = False
    bare_shots: int = 0
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def to_json(self) -> str:
        """One text, which Inspect copies and compares faster than what it says."""
        pred = self.prediction
        record = pred and pred.model_dump(mode="json", by_alias=True, exclude_none=True)
        fields = {"prediction": record, "flagged": self.flagged, "details": dict(self.details)}
        return json.dumps(fields | ({"bare_shots": self.bare_shots} if self.bare_shots else {}))

    @classmethod
    def from_json(cls, text: str) -> Answer:
        """The answer of which `to_json` made this text."""
        values = json.loads(text)
        pred = values["prediction"]
        read = pred and Prediction.model_validate(pred)
        return cls(read, values["flagged"], values.get("bare_shots", 0), values["details"])


@dataclass(frozen=True, slots=True)
class Kind:
    """A task.

    Attributes:
        expand: The runs that a grid asks for, with `n` 0 as nothing is done yet.
        prepare: For one run, what answers a sample; it is handed the models by their roles.
        measure: The scores of an answer: one, or one for each arm.
        headline: The scores that Inspect's log shows.
    """

    expand: Callable[[Grid], tuple[Run, ...]]
    prepare: Callable[[Run, Bench], Callable[[Sample, Mapping[str, Chat]], Awaitable[Answer]]]
    measure: Callable[[Sample, Answer], tuple[SampleScores, ...]]
    headline: tuple[str, ...]
