"""Diversity: the measures by hand, and what the synthesised data must keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from piibench.data.datasets import load
from piibench.data.schema import Sample
from piibench.synthesis.diversity import ALL, DiversityMeter, list_patterns
from piibench.synthesis.pipeline import Recipe, make_subset

if TYPE_CHECKING:
    from collections.abc import Iterable

    from piibench.synthesis.diversity import Diversity

MOST = 0.01
"""A sentence pattern may occur in so many samples of a data set, and not in more."""


def sample(description: str, query: str = "?", *, name: str = "", subset: str = "real") -> Sample:
    start = description.find(name)
    entities = [
        {
            "id": "e1",
            "subject": "A",
            "text": name,
            "category": "Full Name",
            "mentions": [[start, start + len(name)]],
        }
        for _ in range(bool(name))
    ]
    return Sample(id="s", subset=subset, description=description, query=query, entities=entities)


def measure(samples: Iterable[Sample]) -> dict[str, Diversity]:
    meter = DiversityMeter()
    assert len(list(meter.watch(samples))) > 0
    return meter.report()


@pytest.mark.parametrize(
    ("description", "name", "patterns"),
    [
        ("Bo Lund came in again.", "Bo Lund", set()),
        ("Bo Lund came in here again.", "Bo Lund", {"<FULL NAME> came in here again."}),
        ("He gave her   his own key. Bye!", "", {"_ gave _ _ own key."}),
        ("So we met Dr. Ed Poe Jr. at dusk. Then\nwe all went home at 5.", "Dr. Ed Poe Jr.", {"so _ met <FULL NAME> at dusk.", "_ all went home at 5."}),
        ('Name: Bo Lund\nIs it true, or is it not?" she said', "Bo Lund", {"is it true, or is it not?"}),
    ],
)  # fmt: skip
def test_patterns(description: str, name: str, patterns: set[str]) -> None:
    assert list_patterns(sample(description, name=name)) == patterns


def test_patterns_of_a_query_count_as_well() -> None:
    assert list_patterns(sample("No.", "Please weigh the two offers.")) == {"please weigh the two offers."}


def test_measures_by_hand() -> None:
    found = measure([sample("a b a b a"), sample("a b a b c")])["real"]
    # Pairs: ab ba ab ba, ab ba ab bc: 3 of 8 are distinct. Fours: abab baba, abab babc: 3 of 4.
    assert (found.distinct_2, found.distinct_4) == (3 / 8, 3 / 4)
    # Both: 4 of 5 words, 3 of 4 pairs, 2 of 3 threes, 1 of 2 fours.
    assert found.self_bleu == pytest.approx(0.2**0.25)


def test_the_commonest_pattern_is_a_share_of_samples_not_of_sentences() -> None:
    twice = "Bo Lund went home early. Bo Lund went home early."
    samples = [
        sample(twice),
        sample("She went home early, alone."),
        *[sample(f"Just {n}.") for n in range(8)],
    ]
    assert measure(samples)["real"].commonest_pattern == 0.1


def test_subsets_and_all() -> None:
    samples = [sample("we all went home", subset=name) for name in ("single", "multi", "multi")]
    found = measure(samples)
    assert list(found) == ["single", "multi", ALL]
    assert found["single"].distinct_4 == 1
    assert (found["multi"].distinct_4, found[ALL].distinct_4) == (1 / 2, 1 / 3)
    assert (found["multi"].self_bleu, found[ALL].self_bleu) == pytest.approx((1, 1))


def test_no_pattern_is_in_more_than_a_hundredth_of_600_samples() -> None:
    recipe = Recipe({"single": 300, "multi": 300})
    samples = [each for subset, n in recipe.sizes.items() for each in make_subset(subset, n, recipe, map)]
    assert measure(samples)[ALL].commonest_pattern <= MOST


def test_no_pattern_is_in_more_than_a_hundredth_of_the_shipped_data() -> None:
    found = measure(load("pii-bench-v1"))
    assert found[ALL].commonest_pattern <= MOST
    assert found["single"].distinct_4 > 0.2
    assert found[ALL].self_bleu < 0.7
