"""Models that are asked, put to tasks 1 to 3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from piibench.data.mentions import find_values, replace_surrogates
from piibench.data.schema import Prediction
from piibench.data.taxonomy import Category
from piibench.evals.grid import OWN
from piibench.evals.shots import count_bare
from piibench.strategies.base import Question
from piibench.systems.llm.detector import LLMDetector

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping

    from piibench.data.mentions import Span
    from piibench.data.schema import Entity, Sample
    from piibench.llm.chat import Chat
    from piibench.strategies.base import Goal, Shot, Strategy
    from piibench.systems.base import Detector

HIDDEN = "<PII>"
"""Stands for a value that a model would mask, of which it did not say what it is."""

_NAMES = (Category.FULL_NAME, Category.NICKNAME)


async def find_by_model(gold: Sample, chat: Chat) -> Prediction:
    """Ask for every entity of the description (task 1).

    Raises:
        EndpointError: No reply came.
    """
    notes: dict[str, Any] = {"model": chat.model}
    detector = LLMDetector(chat, on_unreadable=lambda: notes.update(flagged=True))
    entities = await detector.detect(gold.description)
    return _record(gold, notes, entities=entities)


@dataclass(frozen=True, slots=True)
class Interview:
    """How a model is asked about a query (tasks 2 and 3).

    Attributes:
        strategy: The way.
        goal: "needed" for task 2; "hidden" for task 3, where the model lists what to mask.
        candidates: What it chooses from, where the strategy gives a list: "own" for what the model detects,
            "gold" for the labels of the data.
        detector: Who else detects it.
        shots: Finds the worked examples that the strategy shows.
        seed: Of the model's choices, where it can do that.
    """

    strategy: Strategy
    goal: Goal
    candidates: str | None
    detector: Detector | None
    shots: Callable[[Chat], Awaitable[tuple[Shot, ...]]]
    seed: int

    async def answer(self, gold: Sample, chat: Chat) -> Prediction:
        """Ask about one sample.

        Raises:
            EndpointError: No reply came.
        """
        notes: dict[str, Any] = {"model": chat.model, "strategy": self.strategy.name}
        candidates = (
            await self._list_candidates(gold, chat, notes) if self.strategy.needs_candidates else None
        )
        shots = await self.shots(chat)
        if bare := count_bare(shots):
            notes["bare_shots"] = bare
        question = Question(gold.prompt, candidates, goal=self.goal, shots=shots, seed=self.seed)
        choice = await self.strategy.choose(chat, question)
        if choice.values is None:
            notes["flagged"] = True
        values = tuple(dict.fromkeys(map(replace_surrogates, choice.values or ())))
        if self.goal == "needed":
            return _record(gold, notes, needed=values)
        return _record(gold, notes, hidden=values, masked=hide(gold.description, values))

    async def _list_candidates(self, gold: Sample, chat: Chat, notes: dict[str, Any]) -> tuple[str, ...]:
        entities = await self._find_candidates(gold, chat, notes)
        # No query needs a name, and the prompts say so; what is to be hidden may well be one.
        wanted = (each for each in entities if self.goal == "hidden" or each.category not in _NAMES)
        return tuple(dict.fromkeys(entity.text for entity in wanted))

    async def _find_candidates(self, gold: Sample, chat: Chat, notes: dict[str, Any]) -> tuple[Entity, ...]:
        if self.detector:
            return await self.detector.detect(gold.description)
        if self.candidates == OWN:
            detector = LLMDetector(chat, on_unreadable=lambda: notes.update(flagged=True))
            return await detector.detect(gold.description)
        return gold.entities


def hide(text: str, values: Iterable[str]) -> str:
    """Replace every whole occurrence of each value; those that overlap become one."""
    pieces, at = list[str](), 0
    for start, end in _merge(span for _, span in find_values(text, values)):
        pieces += (text[at:start], HIDDEN)
        at = end
    return "".join((*pieces, text[at:]))


def _merge(spans: Iterable[Span]) -> Iterator[tuple[int, int]]:
    """Join overlapping spans; they come in order."""
    start, end = 0, 0
    for span in spans:
        if span.start >= end:
            if end:
                yield start, end
            start = span.start
        end = max(end, span.end)
    if end:
        yield start, end


def _record(gold: Sample, notes: Mapping[str, Any], **fields: Any) -> Prediction:
    return Prediction(
        id=gold.id,
        subset=gold.subset,
        description=gold.description,
        query=gold.query,
        meta={"system": {"name": "llm"}, **notes},
        **fields,
    )
