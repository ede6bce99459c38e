"""Diversity enforcement (Appendix D.2): no scenario takes more than its share of the template queries.

Samples are made in any number of processes, each from its order alone. They come by here in order: one whose
scenario has had its share is made anew without it. What passes depends on the orders alone, not on who made
them when.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import tee
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from piibench.data.schema import Sample
    from piibench.synthesis.samples import Order

    Mapper = Callable[[Callable[[Order], Sample], Iterable[Order]], Iterator[Sample]]

SHARE = 0.04
"""Most of the template queries of a subset that one scenario may have."""

_FEWEST = 100
"""Template queries that the share is reckoned of at least: the first of all would else exceed it."""


def hold_shares(mapper: Mapper, make: Callable[[Order], Sample], orders: Iterable[Order]) -> Iterator[Sample]:
    """Make samples, and reject the scenarios that are over their share.

    Queries of a frame's own are not counted: frames are dealt evenly. What a model wrote, or the frames in
    its stead, is left as it is.

    Args:
        mapper: Makes many samples, in order.
        make: Makes one.
        orders: Which ones.
    """
    ahead, behind = tee(orders)
    counts: Counter[str] = Counter()
    for sample, order in zip(mapper(make, ahead), behind, strict=True):
        passed, refused = sample, frozenset[str]()
        while over := _find_excess(counts, passed):
            refused |= over | _find_full(counts)
            passed = make(replace(order, refused=refused))
        counts.update(list_template_scenarios(passed))
        yield passed


def list_template_scenarios(sample: Sample) -> list[str]:
    """The scenarios of a sample's queries, one or in a thread several, that are spelt from a template."""
    if "fallback" in sample.meta:
        return []
    scenarios, sources = (sample.meta[name] for name in ("scenario", "query"))
    pairs = [(scenarios, sources)] if isinstance(scenarios, str) else zip(scenarios, sources, strict=True)
    return [scenario for scenario, source in pairs if source == "template"]


def _find_excess(counts: Counter[str], sample: Sample) -> frozenset[str]:
    """The scenarios of a sample that it would bring over their share."""
    fresh = Counter(list_template_scenarios(sample))
    most = SHARE * max(_FEWEST, counts.total() + fresh.total())
    return frozenset(name for name, count in fresh.items() if counts[name] + count > most)


def _find_full(counts: Counter[str]) -> frozenset[str]:
    """The scenarios that have had their share by now."""
    most = SHARE * max(_FEWEST, counts.total() + 1)
    return frozenset(name for name, count in counts.items() if count + 1 > most)
