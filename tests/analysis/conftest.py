"""Samples, predictions and a whole evaluation to analyse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import strategies as st

from evaluations import write_evaluation
from piibench.data.mentions import Span, find_occurrences
from piibench.data.runs import SampleScores
from piibench.data.schema import Entity, Labelled, Prediction, Sample, gather_entities, subject_letter
from piibench.data.taxonomy import TYPE_OF, Category

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

WORDS = ("Ann", "Ann Lee", "Lee", "Oslo", "Oslo Hospital", "34", "head nurse", "nurse")
CATEGORIES = (
    Category.FULL_NAME,
    Category.NICKNAME,
    Category.CITY_REGION,
    Category.HEALTHCARE_FACILITY,
    Category.AGE,
)
TEXT = " | ".join((*WORDS, "Ann Lee", "nurse at Oslo Hospital"))


@st.composite
def entities(draw: st.DrawFn) -> tuple[Entity, ...]:
    places = [
        Labelled(span, TYPE_OF[category], category, subject_letter(draw(st.integers(0, 3))))
        for value in draw(st.lists(st.sampled_from(WORDS), max_size=9))
        for category in [draw(st.sampled_from(CATEGORIES))]
        for span in find_occurrences(TEXT, value)
    ]
    return gather_entities(TEXT, places)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Sample, Prediction]:
    """A sample and a prediction about one text, which agree by chance; the prediction may only name values."""

    def choose(found: tuple[Entity, ...]) -> tuple[str, ...]:
        return tuple(draw(st.lists(st.sampled_from([e.id for e in found]), unique=True))) if found else ()

    gold, pred = draw(entities()), draw(entities())
    names = st.none() | st.lists(st.sampled_from([*WORDS, "Dr. Ann Lee", "nowhere"])).map(tuple)
    return (
        Sample(id="s", description=TEXT, entities=gold, relevant=choose(gold)),
        Prediction(
            id="s",
            description=TEXT,
            entities=pred,
            relevant=choose(pred),
            needed=draw(names),
            hidden=draw(names),
        ),
    )


@pytest.fixture(scope="session")
def any_pair() -> st.SearchStrategy[tuple[Sample, Prediction]]:
    return pairs()


@pytest.fixture(scope="session")
def make_entities() -> Callable[[str, Iterable[tuple[str, str, str]]], tuple[Entity, ...]]:
    """Build entities of (subject, text, category); their mentions are all occurrences in the text."""

    def make(text: str, rows: Iterable[tuple[str, str, str]]) -> tuple[Entity, ...]:
        return tuple(
            Entity(id=f"e{n}", subject=subject, text=value, category=category, mentions=tuple(find_occurrences(text, value)))
            for n, (subject, value, category) in enumerate(rows, 1)
        )  # fmt: skip

    return make


@pytest.fixture(scope="session")
def make_scored() -> Callable[..., tuple[Sample, SampleScores]]:
    """Build a sample of so many subjects, entities, characters and needed entities, with its score."""

    def make(identifier: str, value: float | None, **factors: Any) -> tuple[Sample, SampleScores]:
        relevant = factors.get("relevant", 1)
        found = tuple(
            Entity(
                id=f"e{n}",
                subject=subject_letter(n % factors.get("subjects", 1)),
                text="x" * (n + 1),
                category=Category.AGE,
                mentions=(Span(0, n + 1),),
            )
            for n in range(factors.get("entities", 3))
        )
        needed = None if relevant is None else tuple(f"e{n}" for n in range(relevant))
        return (
            Sample(
                id=identifier,
                description="x" * factors.get("characters", 200),
                entities=found,
                relevant=needed,
            ),
            SampleScores(id=identifier, subset="single", scores={"f1": value}),
        )

    return make


@pytest.fixture(scope="session")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the runs of two systems on the shipped samples."""
    return write_evaluation(tmp_path_factory.mktemp("evaluation"))
