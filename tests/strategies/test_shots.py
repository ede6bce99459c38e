"""The choice of worked examples, with vectors of two numbers in place of an embedder's."""

from __future__ import annotations

import asyncio
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import Span
from piibench.data.schema import Entity, Sample
from piibench.data.taxonomy import Category, PIIType
from piibench.errors import InputError
from piibench.llm.scripted import ScriptedChat
from piibench.strategies.shots import LONGEST_THOUGHT, TRIES, choose_shots, cluster_queries

POINTS = {"east": (10.0, 0.0), "north": (0.0, 10.0), "home": (0.0, 0.0)}


def make_sample(place: str, number: int, *, partition: str = "train", relevant=("e2",)) -> Sample:
    name, age = f"{place.title()}{number}", str(20 + number)
    text = f"{name} is {age}."
    end = len(name)
    return Sample(
        id=f"{place}-{number}",
        subset="single",
        description=text,
        query=f"{place} {number}",
        entities=(
            Entity(id="e1", subject="A", text=name, type=PIIType.PER, category=Category.NICKNAME, mentions=(Span(0, end),)),
            Entity(id="e2", subject="A", text=age, type=PIIType.DEM, category=Category.AGE, mentions=(Span(end + 4, end + 6),)),
        ),
        relevant=relevant,
        meta={"partition": partition},
    )  # fmt: skip


class Plane:
    """Puts "east 2" at (10, 0) and a little more for each number: the lowest number is not the nearest."""

    name, dimensions = "plane", 2

    def embed(self, texts):
        places = [text.split() for text in texts]
        return np.array(
            [(POINTS[place][0] + int(number) / 10, POINTS[place][1]) for place, number in places],
            dtype=np.float32,
        )


SAMPLES = [make_sample(place, number) for place in POINTS for number in range(5)]


def answer_right(messages):
    text = messages[-1].text
    return next(
        f'### Thought: {sample.id} asks for an age.\n### Answer: ["{sample.entities[1].text}"]'
        for sample in SAMPLES
        if sample.description in text
    )


def choose(chat: ScriptedChat, samples=SAMPLES, seed: int = 1, k: int = 3):
    return asyncio.run(choose_shots(chat, samples, Plane(), k=k, rng=Random(seed)))


@pytest.mark.parametrize("seed", range(4))
def test_the_middle_of_each_cluster_is_taken(seed):
    # Numbers 0 … 4 lie in a row, so that number 2 is the centre of each of the three places.
    chat = ScriptedChat(answer_right)
    shots = choose(chat, seed=seed)
    assert {shot.query for shot in shots} == {"east 2", "north 2", "home 2"}
    assert all(shot.needed == ("22",) for shot in shots)
    assert {shot.hidden for shot in shots} == {("East2",), ("North2",), ("Home2",)}
    assert {shot.thought for shot in shots} == {f"{place}-2 asks for an age." for place in POINTS}
    assert len(chat.asked) == 3


def test_the_next_nearest_stands_in_for_a_wrong_chain():
    def answer(messages):
        return (
            '### Thought: x\n### Answer: ["East2", "22"]'
            if "22" in messages[-1].text
            else answer_right(messages)
        )

    assert {shot.query.split()[1] for shot in choose(ScriptedChat(answer))} <= {"1", "3"}


@pytest.mark.parametrize("reply", ['### Answer: ["22"]', "no answer", '### Thought: y\n### Answer: ["99"]'])
def test_without_a_valid_chain_the_nearest_stands_without_one(reply):
    chat = ScriptedChat(lambda _: reply)
    shots = choose(chat)
    assert {shot.query for shot in shots} == {"east 2", "north 2", "home 2"}
    assert all(shot.thought == "" and shot.needed == ("22",) for shot in shots)
    assert len(chat.asked) == 3 * TRIES


def test_an_endless_chain_is_not_shown():
    chat = ScriptedChat(lambda messages: answer_right(messages).replace("asks", "a" * LONGEST_THOUGHT))
    assert all(shot.thought == "" for shot in choose(chat))


def test_test_samples_are_refused():
    samples = [*SAMPLES, make_sample("east", 9, partition="test")]
    with pytest.raises(InputError, match="test partition"):
        choose(ScriptedChat([]), samples)


@pytest.mark.parametrize("relevant", [None, ()])
def test_samples_that_show_nothing_are_left_out(relevant):
    samples = [*SAMPLES[:2], *(make_sample("home", number, relevant=relevant) for number in range(5))]
    with pytest.raises(InputError, match=r"3 worked examples need .* found 2"):
        choose(ScriptedChat([]), samples)


VECTORS = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=3, max_size=20)


@given(VECTORS, st.integers(1, 3), st.integers(0, 9))
def test_clusters_part_all_rows_and_none_is_empty(points, k, seed):
    clusters = cluster_queries(np.array(points, dtype=np.float32), k, Random(seed))
    assert len(clusters) == k
    assert all(clusters)
    assert sorted(row for cluster in clusters for row in cluster) == list(range(len(points)))
    assert clusters == cluster_queries(np.array(points, dtype=np.float32), k, Random(seed))
