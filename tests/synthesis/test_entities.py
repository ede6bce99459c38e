"""How people are called and times are written, by the kind of document."""

from __future__ import annotations

import re
from random import Random

import pytest

from piibench.data.taxonomy import Category
from piibench.synthesis.entities import draw_profile, vary_names
from piibench.synthesis.framing import Slot, parse_frames


def parse(genre: str, body: str):
    (frame,) = parse_frames(f"=== x | {genre} | t | A | -\n{body}\n", "x")
    return frame


@pytest.mark.parametrize(
    ("genre", "renamed"), [("family letter", True), ("visa form", False), ("Police-station note", False)]
)
def test_formal_documents_give_whole_names(genre: str, *, renamed: bool) -> None:
    frame = parse(genre, "{A.Full Name} came")
    names = {slot.category for seed in range(50) for slot in vary_names(frame, Random(seed)).slots}
    assert (Category.NICKNAME in names) is renamed


@pytest.mark.parametrize(("genre", "clocked"), [("taxi log", True), ("phone call", False)])
def test_only_what_is_logged_has_seconds(genre: str, *, clocked: bool) -> None:
    frame = parse(genre, "{A.Full Name} {A.Time}")
    slot = Slot("A", Category.TIME)
    texts = [
        draw_profile(frame, rng, partition="dev").write(slot, rng)
        for rng in (Random(seed) for seed in range(80))
    ]
    assert any(re.fullmatch(r"\d\d:\d\d:\d\d", text) for text in texts) is clocked
