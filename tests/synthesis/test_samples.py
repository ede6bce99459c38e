"""Whole samples: exact labels, published statistics, partitions that share nothing."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, get_args

import pytest

from piibench.analysis.statistics import PUBLISHED, summarize_subsets
from piibench.data.mentions import Span
from piibench.data.taxonomy import Category, PIIType
from piibench.generators.base import Partition
from piibench.generators.registry import FORMS
from piibench.synthesis.descriptions import load_frames
from piibench.synthesis.framing import Reference, show
from piibench.synthesis.samples import Order, deal, make_sample
from piibench.synthesis.scenarios import load_scenarios, load_templates
from piibench.synthesis.threads import make_thread
from piibench.synthesis.verification import verify
from piibench.systems.encoder.references import load_words

if TYPE_CHECKING:
    from piibench.data.schema import Sample

PARTITIONS = get_args(Partition)


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    sizes = {"single": 1214, "multi": 1228}
    return [make_sample(Order(subset, index)) for subset, n in sizes.items() for index in range(n)]


def test_nothing_is_open_after_verification(samples: list[Sample]) -> None:
    assert list(verify(samples)) == []


def test_every_category_occurs_in_both_subsets(samples: list[Sample]) -> None:
    for subset in ("single", "multi"):
        found = {entity.category for each in samples if each.subset == subset for entity in each.entities}
        assert set(Category) - found == set()


def test_statistics_are_near_the_published_ones(samples: list[Sample]) -> None:
    for subset, ours in summarize_subsets(samples).items():
        printed = PUBLISHED[subset]
        for field in ("subjects", "characters", "entities", "query_characters", "relevant"):
            assert getattr(ours, field) == pytest.approx(getattr(printed, field), rel=0.1), (subset, field)
        for each in PIIType:
            assert ours.shares[each] == pytest.approx(printed.shares[each], abs=0.02), (subset, each)


def test_names_are_never_needed_and_something_always_is(samples: list[Sample]) -> None:
    for sample in samples:
        assert 1 <= len(sample.relevant_entities) <= 6
        assert all(entity.type is not PIIType.PER for entity in sample.relevant_entities)


def test_the_same_order_gives_the_same_sample() -> None:
    assert make_sample(Order("multi", 17, 3)) == make_sample(Order("multi", 17, 3))
    assert make_sample(Order("multi", 17, 3)) != make_sample(Order("multi", 17, 4))


def test_dealing_gives_every_item_equally_often_and_not_in_turn() -> None:
    hands = [deal("abcdefg", Order("single", index), "letters", 2) for index in range(9)]
    for start in (0, 3, 6):
        dealt = [letter for hand in hands[start : start + 3] for letter in hand]
        assert len(dealt) == len(set(dealt)) == 6
    assert hands[:3] != hands[3:6]
    assert hands == [deal("abcdefg", Order("single", index), "letters", 2) for index in range(9)]


def test_no_frame_makes_more_than_a_hundredth(samples: list[Sample]) -> None:
    frames = Counter(sample.meta["frame"] for sample in samples)
    assert max(frames.values()) / 2842 <= 0.01


@pytest.mark.parametrize("partition", PARTITIONS)
def test_every_frame_parses_and_asks_for_known_forms(partition: Partition) -> None:
    frames = load_frames(partition)
    assert len({frame.id for frame in frames}) == len(frames) >= 80
    for slot in chain.from_iterable(frame.slots for frame in frames):
        assert slot.form is None or slot.form in FORMS[slot.category]
    assert all(len(frame.queries) >= 3 for frame in frames)


def word_grams(text: str, n: int = 8) -> set[str]:
    words = re.findall(r"[\w']+", text.casefold())
    return {" ".join(words[at : at + n]) for at in range(len(words) - n + 1)}


def test_no_phrase_of_the_test_partition_occurs_in_train() -> None:
    """No eight words in a row of a test frame, query or template stand in a training one."""

    def phrases(partition: Partition) -> set[str]:
        found: set[str] = set()
        for frame in load_frames(partition):
            for clause in frame.clauses:
                for words in show(clause.pieces, "\0").split("\0"):
                    found |= word_grams(words)
            for query in frame.queries:
                found |= word_grams(query.text)
        for template in chain.from_iterable(load_templates(partition).values()):
            found |= word_grams(template.text)
        return found

    test, train = phrases("test"), phrases("train")
    assert len(test) > 10_000
    assert len(train) > 100_000
    assert test & train == set()
    assert test & phrases("dev") == set()


def test_whole_genres_of_the_test_partition_are_new() -> None:
    genres = {partition: {frame.genre for frame in load_frames(partition)} for partition in PARTITIONS}
    assert len(genres["test"] - genres["train"] - genres["dev"]) >= 30
    assert len(set().union(*genres.values())) >= 60


def test_scenarios_cover_every_category_but_names() -> None:
    scenarios = load_scenarios()
    assert len(scenarios) >= 60
    needed = set(chain.from_iterable(scenario.needs for scenario in scenarios.values()))
    assert {category.value for category in set(Category) - needed} == {
        "Full Name", "Nickname", "Social Media Handle",
    }  # fmt: skip
    for scenario in scenarios.values():
        sets = (scenario.needs, scenario.blocking, scenario.tempting)
        assert len(set(chain.from_iterable(sets))) == sum(map(len, sets)), scenario.name


def test_words_that_mean_somebody_are_listed_ones_of_the_samples_persons() -> None:
    """In a training text of several persons; `{A=co-pilot}` holds one listed word, "pilot"."""
    words = load_words()
    orders = [
        Order(kind, index, 3, "train") for kind, n in (("multi", 60), ("single", 20)) for index in range(n)
    ]
    made = [*map(make_sample, orders), *(make_thread(Order("distract", n, 3, "train")) for n in range(4))]
    told = [(sample, *reference) for sample in made for reference in sample.meta.get("references", ())]
    assert len(told) > 1000
    for sample, start, end, subject in told:
        said = sample.description[start:end]
        listed = not words.isdisjoint(re.findall(r"[^\W\d_]+", said.lower()))
        assert listed or (said.isalpha() and len(said) > 3)  # noise misspells long words
        assert subject in {entity.subject for entity in sample.entities}
        assert not any(span.overlaps(Span(start, end)) for e in sample.entities for span in e.mentions)
    assert not any("references" in sample.meta for sample in made if sample.subset == "single")


def test_every_mark_of_a_frame_holds_a_listed_word() -> None:
    words = load_words()
    marked = [
        piece.word
        for frame in load_frames("train")
        for clause in frame.clauses
        for piece in clause.pieces
        if isinstance(piece, Reference)
    ]
    assert len(marked) > 49_000
    assert [word for word in marked if words.isdisjoint(re.findall(r"[^\W\d_]+", word.lower()))] == []
