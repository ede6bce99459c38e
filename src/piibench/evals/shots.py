"""Worked examples for the strategy that shows some, from the train partition: never from what is measured."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING

from piibench.evals.bridge import ExcusedChat
from piibench.strategies.shots import choose_shots
from piibench.synthesis.pipeline import Recipe, make_subset

if TYPE_CHECKING:
    from collections.abc import Iterable

    from piibench.data.schema import Sample
    from piibench.llm.chat import Chat
    from piibench.llm.embed import Embedder
    from piibench.strategies.base import Shot

SHOTS = 3
"""Examples in a prompt (section 4.1)."""
_POOL = {"single": 24, "multi": 24}
"""Samples to choose from, a subset."""


class ShotFinder:
    """Finds the examples of each model once.

    Args:
        seed: Of the samples to choose from and of the choice.
        embedder: Tells which queries are alike.
    """

    def __init__(self, seed: int, embedder: Embedder) -> None:
        self._seed = seed
        self._embedder = embedder
        self._lock = asyncio.Lock()
        self._found: dict[str, tuple[Shot, ...]] = {}

    async def find(self, chat: Chat) -> tuple[Shot, ...]:
        """The examples for a model, whose own thoughts they show.

        Raises:
            EndpointError: No reply came.
        """
        async with self._lock:
            if chat.model not in self._found:
                rng = Random(self._seed)  # noqa: S311 - repeats a choice, protects nothing
                pool = make_pool(self._seed)
                # What a provider refuses is no right chain of thought; the next sample is tried.
                asked = ExcusedChat(chat)
                self._found[chat.model] = await choose_shots(asked, pool, self._embedder, k=SHOTS, rng=rng)
        return self._found[chat.model]


def count_bare(shots: Iterable[Shot]) -> int:
    """How many examples show no chain of thought, as the model had no right one to any sample near them."""
    return sum(not shot.thought for shot in shots)


async def no_shots(_: Chat) -> tuple[Shot, ...]:
    """For strategies that show none."""
    return ()


def make_pool(seed: int) -> tuple[Sample, ...]:
    """Make the samples to choose from, offline."""
    recipe = Recipe(_POOL, seed, "train")
    return tuple(sample for subset, n in _POOL.items() for sample in make_subset(subset, n, recipe, map))
