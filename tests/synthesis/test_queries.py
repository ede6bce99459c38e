"""Queries: what gives a value away, and that every query of a frame can be asked."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import get_args

import pytest

from piibench.data.taxonomy import Category
from piibench.generators.base import Partition
from piibench.generators.cultures import sample_background
from piibench.synthesis.descriptions import load_frames, write_description
from piibench.synthesis.entities import draw_profile
from piibench.synthesis.framing import Slot, parse_frames
from piibench.synthesis.queries import list_scenario_queries, repeats_value, tells_of_itself
from piibench.synthesis.samples import Order
from piibench.synthesis.scenarios import Template, spell_query


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


@pytest.mark.parametrize(
    ("body", "itself"),
    [
        ("I am here and my cat too", True),
        ("It rained", False),
        ("I met {A.him} and I paid my share", False),
    ],
)
def test_a_narrator_is_not_spoken_of(body: str, *, itself: bool) -> None:
    (frame,) = parse_frames(f"=== x | g | t | A | -\n{{A.Full Name}} {body}\n", "x")
    assert tells_of_itself(frame) is itself


@pytest.mark.parametrize("asked", ["City/Region", "Company Name:bank", "Monthly Income#2"])
def test_a_template_takes_no_second_fact_and_no_bank_for_an_employer(asked: str) -> None:
    (frame,) = parse_frames(f"=== x | g | t | A | -\n{{A.Full Name}} {{A.{asked}}}\n", "x")
    profile = draw_profile(frame, Random(1), partition="train")
    shown = dict.fromkeys(frame.slots, "value")
    assert list(list_scenario_queries(shown, profile, frame, partition="train")) == []


def test_they_take_plural_verbs() -> None:
    person = sample_background(Random(1), "train", gender="nonbinary")
    template = Template((Category.AGE,), "{I} {am} old; {I} write{s} to {my} aunt, as {I} {was} told.")
    assert spell_query(template, person) == "They are old; they write to their aunt, as they were told."
    assert spell_query(template, replace(person, gender="male")) == (
        "He is old; he writes to his aunt, as he was told."
    )


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
