"""Samples and predictions, written by hand and drawn at random."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import strategies as st

from piibench.data.mentions import Span, find_occurrences
from piibench.data.schema import Entity, Labelled, Prediction, Sample, gather_entities, subject_letter
from piibench.data.taxonomy import TYPE_OF, Category

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = ("Ann", "Ann Lee", "Oslo", "王小明", "34", "€274,304.33", "nurse", "head nurse", "7 March 2024")
CATEGORIES = (Category.FULL_NAME, Category.NICKNAME, Category.CITY_REGION, Category.AGE, Category.OCCUPATION)


def draw_entities(draw: st.DrawFn, description: str) -> tuple[Entity, ...]:
    values = draw(st.lists(st.sampled_from(WORDS), max_size=7))
    places = []
    for value in values:
        category, subject = draw(st.sampled_from(CATEGORIES)), subject_letter(draw(st.integers(0, 3)))
        places += [
            Labelled(span, TYPE_OF[category], category, subject)
            for span in find_occurrences(description, value)
        ]
    return gather_entities(description, places)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Sample, Prediction]:
    """A sample and a prediction on the same description, alike by chance only."""
    description = " | ".join([*WORDS, *draw(st.lists(st.sampled_from(WORDS), max_size=5))])
    gold, pred = draw_entities(draw, description), draw_entities(draw, description)
    needed = draw(st.lists(st.sampled_from([e.id for e in gold]), unique=True)) if gold else []
    kept = draw(st.lists(st.sampled_from([e.id for e in pred]), unique=True)) if pred else []
    identifier = f"s{draw(st.integers(0, 10**9))}"
    return (
        Sample(id=identifier, subset=draw(st.sampled_from(["single", "multi"])), description=description,
               query="And Oslo?", entities=gold, relevant=tuple(needed)),
        Prediction(id=identifier, description=description, query="And Oslo?", entities=pred, relevant=tuple(kept),
                   masked=draw(st.sampled_from([description, "", "Ann | 34 | nurse", description[::2]])),
                   masked_query="And <City/Region>?"),
    )  # fmt: skip


@pytest.fixture(scope="session")
def any_pair() -> st.SearchStrategy[tuple[Sample, Prediction]]:
    return pairs()


@pytest.fixture
def make_sample() -> Callable[..., Sample]:
    """Build a sample "Ann, 34, a nurse in Oslo." with three entities; any field can be replaced."""

    def make(identifier: str = "s1", **changes: Any) -> Sample:
        fields: dict[str, Any] = {
            "id": identifier,
            "subset": "single",
            "description": "Ann, 34, a nurse in Oslo.",
            "query": "What is the pay there?",
            "entities": (
                Entity(id="e1", subject="A", text="Ann", category="Nickname", mentions=(Span(0, 3),)),
                Entity(id="e2", subject="A", text="nurse", category="Occupation", mentions=(Span(11, 16),)),
                Entity(id="e3", subject="A", text="Oslo", category="City/Region", mentions=(Span(20, 24),)),
            ),
            "relevant": ("e2",),
        }
        return Sample(**fields | changes)

    return make


@pytest.fixture
def answer() -> Callable[..., Prediction]:
    """Turn a sample into the perfect prediction; any field can be replaced."""

    def make(sample: Sample, **changes: Any) -> Prediction:
        return Prediction(**sample.model_dump(by_alias=True) | changes)

    return make
