"""The records that ship with the package: samples to try a system on, and prompts to demonstrate it.

All are fictional and labelled by hand; numbers, domains and addresses are reserved or fake. In a demo,
`meta["title"]` says what the prompt is, and `meta["answer"]` holds a model's reply in which "{e3}" stands
for the placeholder that entity e3 received.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING

from piibench.data.schema import Sample

if TYPE_CHECKING:
    from collections.abc import Iterable

    from piibench.data.outcomes import Replacement

_SLOT = re.compile(r"\{(e\d+)\}")


def load_shipped() -> tuple[Sample, ...]:
    """The shipped samples: single, multi, hard and distract, all 55 categories among them."""
    return _load("shipped.jsonl")


def load_demos() -> tuple[Sample, ...]:
    """The demonstration prompts, each with `meta["title"]` and `meta["answer"]`."""
    return _load("demo.jsonl")


def fill_answer(demo: Sample, replacements: Iterable[Replacement]) -> str:
    """Write a demo's reply as a model would that saw only the masked prompt.

    Args:
        demo: One of `load_demos()`.
        replacements: What masking replaced; the entity that a slot names is found by its place, so that
            any system's ids will do.

    Returns:
        The reply with each slot filled by the placeholder at one of its entity's places, or by the value
        where that was not masked.
    """
    placed = [(part.span, part.placeholder) for part in replacements if part.part == "description"]
    filling = {
        entity.id: next(
            (holder for span, holder in placed if any(map(span.overlaps, entity.mentions))), entity.text
        )
        for entity in demo.entities
    }
    return _SLOT.sub(lambda slot: filling[slot[1]], demo.meta["answer"])


def _load(name: str) -> tuple[Sample, ...]:
    text = (files("piibench.data") / "samples" / name).read_text("utf-8")
    return tuple(map(Sample.model_validate_json, text.splitlines()))
