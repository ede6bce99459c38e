"""Diversity enforcement: a scenario over its share is rejected, in order, whoever makes the samples."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest

from piibench.data.schema import Sample
from piibench.synthesis.pipeline import Recipe, make_subset
from piibench.synthesis.samples import Order
from piibench.synthesis.shares import SHARE, hold_shares, list_template_scenarios

FAVOURITES = ("mortgage", "budget", "savings")


def make(order: Order) -> Sample:
    """Ask by the template of the favourite scenario that is not refused, or else by a query of one's own."""
    left = [name for name in FAVOURITES if name not in order.refused]
    meta = {"scenario": left[0] if left else "own", "query": "template" if left else "own"}
    return Sample(id=f"s{order.index}", description="d", query="q", entities=[], meta=meta)


def make_thread(order: Order) -> Sample:
    left = [name for name in FAVOURITES if name not in order.refused]
    meta = {"scenario": ["own", *left[:1] * 2], "query": ["own", *["template"] * len(left[:1] * 2)]}
    return Sample(id=f"s{order.index}", description="d", query="q", entities=[], meta=meta)


def orders(n: int) -> list[Order]:
    return [Order("single", index) for index in range(n)]


def test_the_first_hundred_give_each_scenario_four() -> None:
    counts = Counter(sample.meta["scenario"] for sample in hold_shares(map, make, orders(50)))
    assert counts == {"mortgage": 4, "budget": 4, "savings": 4, "own": 38}


def test_threads_count_each_of_their_queries() -> None:
    samples = list(hold_shares(map, make_thread, orders(20)))
    counts = Counter(chain.from_iterable(map(list_template_scenarios, samples)))
    assert counts == {"mortgage": 4, "budget": 4, "savings": 4}
    assert len(samples) == 20


def test_a_models_stand_ins_are_left_as_they_are() -> None:
    def stand_in(order: Order) -> Sample:
        return make(order).model_copy(update={"meta": {**make(order).meta, "fallback": "no reply"}})

    counts = Counter(sample.meta["scenario"] for sample in hold_shares(map, stand_in, orders(50)))
    assert counts == {"mortgage": 50}


def test_what_passes_does_not_depend_on_how_far_ahead_samples_are_made() -> None:
    def hurry(make, orders):
        return iter([make(order) for order in orders])

    assert list(hold_shares(hurry, make, orders(50))) == list(hold_shares(map, make, orders(50)))


@pytest.mark.parametrize(("subset", "n"), [("single", 600), ("distract", 100)])
def test_no_scenario_has_more_than_its_share_of_real_samples(subset: str, n: int) -> None:
    samples = make_subset(subset, n, Recipe({subset: n}), map)
    counts = Counter(chain.from_iterable(map(list_template_scenarios, samples)))
    assert len(counts) > 20
    assert max(counts.values()) <= SHARE * max(100, counts.total())
