"""The best row of tags, and the places it marks."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from piibench.data.taxonomy import Category
from piibench.systems.bilstm_crf.viterbi import CATEGORIES, TAGS, Transitions, decode, read_places


def draw(rng: np.random.Generator, count: int, tags: int) -> tuple[np.ndarray, Transitions]:
    sizes = ((count, tags), (tags, tags), (tags,), (tags,))
    emissions, *scores = (rng.normal(size=size).astype(np.float32) for size in sizes)
    return emissions, Transitions(*scores)


def add_up(path: tuple[int, ...], emissions: np.ndarray, transitions: Transitions) -> float:
    moves = sum(transitions.moves[a, b] for a, b in pairwise(path))
    own = sum(emissions[place, tag] for place, tag in enumerate(path))
    return float(transitions.start[path[0]] + own + moves + transitions.stop[path[-1]])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_best_row_is_that_of_all_rows(seed: int, count: int) -> None:
    emissions, transitions = draw(np.random.default_rng(seed), count, 4)
    best = max(product(range(4), repeat=count), key=lambda path: add_up(path, emissions, transitions))
    assert tuple(decode(emissions, transitions)) == best


def test_no_words_have_no_tags() -> None:
    _, transitions = draw(np.random.default_rng(0), 1, TAGS)
    assert decode(np.zeros((0, TAGS), np.float32), transitions).shape == (0,)


@pytest.mark.parametrize("scale", [5, 1e6])
def test_an_inside_stands_behind_its_own_category_alone(scale: float) -> None:
    emissions, transitions = draw(np.random.default_rng(1), 400, TAGS)
    tags = decode(emissions * np.float32(scale), transitions.forbid()).tolist()
    assert any(tag and tag % 2 == 0 for tag in tags)
    for before, tag in zip([0, *tags], tags, strict=False):
        assert tag == 0 or tag % 2 == 1 or before in (tag, tag - 1)


def test_a_long_text_keeps_its_precision() -> None:
    zeros = Transitions(np.zeros((3, 3), np.float32), np.zeros(3, np.float32), np.zeros(3, np.float32))
    emissions = np.zeros((20_000, 3), np.float32)
    emissions[:] = (1000.0, 1000.001, 1000.0)
    assert (decode(emissions, zeros) == 1).all()


def test_places_and_categories() -> None:
    name, age = CATEGORIES.index(Category.FULL_NAME), CATEGORIES.index(Category.AGE)
    tags = [1 + 2 * name, 2 + 2 * name, 0, 1 + 2 * age, 1 + 2 * age, 1 + 2 * name]
    offsets = [(3 * number, 3 * number + 2) for number in range(len(tags))]
    found = list(read_places(np.array(tags), np.array(offsets)))
    assert found == [
        ((0, 5), Category.FULL_NAME),
        ((9, 11), Category.AGE),
        ((12, 14), Category.AGE),
        ((15, 17), Category.FULL_NAME),
    ]
    assert list(read_places(np.zeros(0, np.int64), np.zeros((0, 2), np.int64))) == []


def test_there_are_111_tags() -> None:
    assert TAGS == 111
