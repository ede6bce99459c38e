"""Builders for the worked examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from piibench.data.mentions import find_occurrences
from piibench.data.schema import Entity, Prediction, Sample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Row = tuple[str, str, str]
Pairing = tuple[Sample, Prediction]


def list_entities(description: str, rows: Iterable[Row]) -> tuple[Entity, ...]:
    return tuple(
        Entity(
            id=f"e{number}",
            subject=subject,
            text=text,
            category=category,
            mentions=tuple(find_occurrences(description, text)),
        )
        for number, (subject, text, category) in enumerate(rows, 1)
    )


@pytest.fixture
def make_pair() -> Callable[..., Pairing]:
    """Build a sample and its prediction from rows of (subject, text, category)."""

    def make(
        description: str, gold: Iterable[Row], pred: Iterable[Row], **extra: tuple[str, ...] | str
    ) -> Pairing:
        needed, kept = extra.pop("needed", None), extra.pop("kept", None)
        sample = Sample(
            id="s1", description=description, entities=list_entities(description, gold), relevant=needed
        )
        answer = Prediction(
            id="s1",
            description=description,
            entities=list_entities(description, pred),
            relevant=kept,
            **extra,
        )
        return sample, answer

    return make
