"""A model that knows the labels: answers each prompt of tasks 1 to 3 as the data say."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from loopback_model import Response, complete

if TYPE_CHECKING:
    from collections.abc import Iterable

    from piibench.data.schema import Sample

DETECTION_MARK = "Answer with one JSON object"
HIDDEN_MARK = "the values to hide"


class Oracle:
    """Answers what a prompt asks about the sample whose description it holds.

    Args:
        samples: All that it may be asked about.
    """

    def __init__(self, samples: Iterable[Sample]) -> None:
        self.samples = tuple(samples)
        self.asked: defaultdict[tuple[str, str], int] = defaultdict(int)

    def __call__(self, body: dict[str, Any]) -> Response:
        return complete(self.answer(body["messages"][-1]["content"]))

    def answer(self, prompt: str) -> str:
        """The right reply to a prompt."""
        sample, goal = self.recognise(prompt)
        self.asked[sample.id, goal] += 1
        if goal == "found":
            subjects = {s.id: {e.text: str(e.type) for e in s.entities} for s in sample.subjects}
            return json.dumps(subjects)
        wanted = sample.relevant_entities if goal == "needed" else sample.unrelated_entities
        return f"### Answer: {json.dumps([entity.text for entity in wanted])}"

    def recognise(self, prompt: str) -> tuple[Sample, str]:
        """Which sample a prompt is about, and what it asks for."""
        sample = next(each for each in self.samples if each.description.strip() in prompt)
        goal = "found" if DETECTION_MARK in prompt else "hidden" if HIDDEN_MARK in prompt else "needed"
        return sample, goal
