"""Queries: what gives a value away, and that every query of a frame can be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest

from piibench.data.taxonomy import Category
from piibench.generators.base import Partition
from piibench.synthesis.descriptions import load_frames, write_description
from piibench.synthesis.entities import draw_profile
from piibench.synthesis.framing import Slot
from piibench.synthesis.queries import repeats_value
from piibench.synthesis.samples import Order

if TYPE_CHECKING:
    from random import Random


@pytest.mark.parametrize(
    ("value", "query", "repeated"),
    [
        ("Oslo", "Is oslo far?", True),
        ("Oslo", "Is Osloborg far?", False),
        ("M", "I'm on the jury.", False),
        ("42", "Is 42 a lot?", False),
        ("420", "Is 420 a lot?", True),
        ("42 kg", "Is 42 kg a lot?", True),
    ],
)
def test_a_repeated_value(value: str, query: str, *, repeated: bool) -> None:
    assert repeats_value(query, {Slot("A", Category.CITY_REGION): value}) is repeated


@pytest.mark.parametrize("partition", get_args(Partition))
def test_every_query_of_a_frame_can_be_asked(partition: Partition) -> None:
    """A query that some word of its own, or the frame, makes impossible would stop a whole run."""

    def can_be_asked(frame, query, rng: Random) -> bool:
        profile = draw_profile(frame, rng, partition=partition)
        appetite = Order("multi" if len(frame.genders) > 1 else "single", 0).appetite
        description = write_description(frame, profile, rng, appetite=appetite, needed=query.needs)
        return description is not None and not repeats_value(query.text, description.shown)

    rng = Order("single", 0, 3, partition).rng("queries")
    never = [
        (frame.id, query.text)
        for frame in load_frames(partition)
        for query in frame.queries
        if not any(can_be_asked(frame, query, rng) for _ in range(12))
    ]
    assert never == []
