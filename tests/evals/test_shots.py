"""Worked examples come from the train partition and are chosen once for a model."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from oracle import Oracle
from piibench.errors import PromptRefusedError
from piibench.evals.shots import SHOTS, ShotFinder, count_bare, make_pool, no_shots
from piibench.llm.embed import ModelEmbedder
from piibench.llm.scripted import ScriptedChat


@pytest.fixture
def embedder():
    """Tells queries apart by their letters."""
    return ModelEmbedder(
        "letters", 26, lambda texts: np.array([[t.count(chr(97 + i)) for i in range(26)] for t in texts])
    )


def test_the_pool_is_of_the_train_partition_and_repeats():
    pool = make_pool(7)
    assert {sample.subset for sample in pool} == {"single", "multi"}
    assert {sample.meta["partition"] for sample in pool} == {"train"}
    assert pool == make_pool(7)
    assert pool != make_pool(8)


def test_a_model_gets_its_examples_once(embedder):
    oracle = Oracle(make_pool(7))
    chat = ScriptedChat(lambda talk: f"### Thought: it depends.\n{oracle.answer(talk[-1].text)}", "small")
    finder = ShotFinder(7, embedder)

    async def ask():
        return await asyncio.gather(finder.find(chat), finder.find(chat))

    first, second = asyncio.run(ask())
    assert first is second
    assert len(first) == SHOTS == len(chat.asked)
    texts = {sample.description for sample in make_pool(7)}
    assert all(shot.description in texts and shot.thought for shot in first)


def test_examples_without_a_chain_are_counted(embedder):
    chat = ScriptedChat(lambda _: "### Thought: no idea.\n### Answer: []", "small")
    shots = asyncio.run(ShotFinder(7, embedder).find(chat))
    assert count_bare(shots) == SHOTS == len(shots)
    assert count_bare(()) == 0


def test_other_strategies_show_none():
    assert asyncio.run(no_shots(ScriptedChat([]))) == ()


def test_a_provider_that_refuses_an_example_keeps_none_of_the_others_back(embedder):
    oracle = Oracle(make_pool(7))
    asked = []

    def answer(talk):
        asked.append(talk)
        if len(asked) == 2:
            told = "the provider refuses the request"
            raise PromptRefusedError(told)
        return f"### Thought: it depends.\n{oracle.answer(talk[-1].text)}"

    shots = asyncio.run(ShotFinder(7, embedder).find(ScriptedChat(answer, "small")))
    assert len(shots) == SHOTS < len(asked)
