"""PII-hard: harder than what it is chosen from, near the published shares, no frame again and again."""

from __future__ import annotations

import statistics
from collections import Counter

import pytest

from piibench.analysis.statistics import PUBLISHED, summarize_subsets
from piibench.data.taxonomy import Category, PIIType
from piibench.synthesis import pipeline
from piibench.synthesis.partition import CRITERIA, FRAME_USES, POOL, choose_hard, list_candidates
from piibench.synthesis.pipeline import Recipe, make_subset
from piibench.synthesis.samples import make_sample

RECIPE = Recipe({"hard": 200})


@pytest.fixture(scope="module")
def candidates():
    return [make_sample(order) for order in list_candidates(200, RECIPE.seed, RECIPE.partition)]


@pytest.fixture(scope="module")
def hard(candidates):
    return choose_hard(candidates, 200)


def test_half_is_single_and_each_criterion_chooses_a_third(hard):
    turns = Counter((sample.meta["of"], sample.meta["criterion"]) for sample in hard)
    assert set(turns) == {(kind, name) for kind in ("single", "multi") for name in CRITERIA}
    assert max(turns.values()) - min(turns.values()) <= 1


@pytest.mark.parametrize("name", CRITERIA)
@pytest.mark.parametrize("kind", ["single", "multi"])
def test_what_a_criterion_chooses_is_harder_by_it(candidates, hard, kind, name):
    criterion = CRITERIA[name]
    chosen = [
        criterion(sample) for sample in hard if (sample.meta["of"], sample.meta["criterion"]) == (kind, name)
    ]
    pool = [criterion(sample) for sample in candidates if sample.subset == kind]
    assert statistics.mean(chosen) > 1.15 * statistics.mean(pool)


def test_shares_and_averages_are_near_the_published_ones(hard):
    ours, printed = summarize_subsets(hard)["hard"], PUBLISHED["hard"]
    for field in ("subjects", "characters", "entities", "query_characters", "relevant"):
        assert getattr(ours, field) == pytest.approx(getattr(printed, field), rel=0.1), field
    for each in PIIType:
        assert ours.shares[each] == pytest.approx(printed.shares[each], abs=0.02), each


def test_all_categories_occur_and_no_frame_too_often(hard):
    assert {entity.category for sample in hard for entity in sample.entities} == set(Category)
    assert max(Counter(sample.meta["frame"] for sample in hard).values()) <= FRAME_USES
    assert len({sample.description for sample in hard}) == 200


def test_no_more_is_chosen_than_there_is(candidates):
    few = [sample for sample in candidates[:6] if sample.subset == "single"]
    assert [sample.id for sample in choose_hard(few, 9, first=7)] == [
        "hard-00008",
        "hard-00009",
        "hard-00010",
    ]


def test_blocks_go_on_where_the_last_one_ended(monkeypatch):
    monkeypatch.setattr(pipeline, "BLOCK", 4)
    samples = list(make_subset("hard", 10, Recipe({"hard": 10}), map))
    assert [sample.id for sample in samples] == [f"hard-{number:05d}" for number in range(1, 11)]
    assert len({sample.description for sample in samples}) == 10


def test_candidates_of_blocks_are_others():
    first, second = (list_candidates(5, 7, "test", first=first) for first in (0, 5))
    assert len({(order.subset, order.index) for order in first + second}) == 2 * 5 * POOL
