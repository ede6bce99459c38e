"""User descriptions (section 3.2.2): a frame is filled with the facts of a profile."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from piibench.data.mentions import find_values
from piibench.data.schema import gather_entities
from piibench.data.taxonomy import PIIType
from piibench.synthesis.entities import key_of
from piibench.synthesis.filling import fill
from piibench.synthesis.framing import Reference, parse_frames
from piibench.synthesis.noise import draw_noise

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from random import Random

    from piibench.data.mentions import Span
    from piibench.data.schema import Entity
    from piibench.generators.base import Partition
    from piibench.synthesis.appetites import Appetite
    from piibench.synthesis.entities import Profile
    from piibench.synthesis.filling import Filled
    from piibench.synthesis.framing import Clause, Frame, Slot

LEAST = 4
"""How many entities a description is meant to have at least, the lower end of n in section 3.2.2."""


@dataclass(frozen=True, slots=True)
class Description:
    """A description with exact labels.

    Attributes:
        text: The document.
        entities: Its entities, by construction.
        shown: The slots that stand in it, each with its text.
        references: The words that mean one of its subjects, and whom; none where the frame has none marked.
    """

    text: str
    entities: tuple[Entity, ...]
    shown: Mapping[Slot, str]
    references: tuple[tuple[Span, str], ...]


@cache
def load_frames(partition: Partition) -> tuple[Frame, ...]:
    """The frames of a partition, in order of file and place."""
    room = files("piibench.synthesis") / "frames" / partition
    return tuple(
        frame
        for path in sorted(room.iterdir(), key=lambda path: path.name)
        if path.name.endswith(".frames")
        for frame in parse_frames(path.read_text("utf-8"), path.name)
    )


def write_description(
    frame: Frame, profile: Profile, rng: Random, *, appetite: Appetite, needed: Collection[Slot] = ()
) -> Description | None:
    """Fill a frame.

    Args:
        frame: The document with slots.
        profile: A consistent profile with a fact for each slot.
        rng: Source of chance.
        appetite: How many entities are wanted.
        needed: Slots that must be in, such as those of a query.

    Returns:
        None where a required or needed value was dropped, or a value stands in the text without a label.
    """
    clauses = _choose_clauses(frame, profile, rng, appetite, frozenset(needed))
    if clauses is None:
        return None
    slots = sorted({slot for clause in clauses for slot in clause.slots}, key=lambda slot: slot.order)
    values = {slot: profile.write(slot, rng) for slot in slots}
    filled = fill(clauses, values, profile.backgrounds, smudge=draw_noise(rng))
    if _has_unlabelled(filled):
        return None
    marked = any(isinstance(piece, Reference) for clause in frame.clauses for piece in clause.pieces)
    entities = gather_entities(filled.text, filled.places)
    return Description(filled.text, entities, values, filled.references if marked else ())


def _choose_clauses(
    frame: Frame, profile: Profile, rng: Random, appetite: Appetite, needed: frozenset[Slot]
) -> Sequence[Clause] | None:
    """Keep the required clauses, and optional ones until the appetite is met."""
    if any(key_of(slot) in profile.dropped for slot in frame.required | needed):
        return None
    target = round(min(max(rng.gauss(appetite.mean, appetite.spread), LEAST), appetite.mean * 2))
    shown = set(frame.required)
    taken: set[int] = set()
    for index in _rank_optional(frame, rng, appetite, needed):
        clause = frame.clauses[index]
        if any(key_of(slot) in profile.dropped for slot in clause.slots):
            continue
        if needed <= shown and len(shown) + len(clause.slots - shown) > target:
            continue
        taken.add(index)
        shown |= clause.slots
    if not needed <= shown:
        return None
    return [clause for index, clause in enumerate(frame.clauses) if index in taken or not clause.optional]


def _rank_optional(frame: Frame, rng: Random, appetite: Appetite, needed: frozenset[Slot]) -> list[int]:
    """The optional clauses, those with needed values first, then by weighted chance."""

    def rank(index: int) -> tuple[bool, float]:
        slots = frame.clauses[index].slots
        weight = sum(map(appetite.weigh, slots)) / len(slots)
        return not slots & needed, -(rng.random() ** (1 / weight))

    return sorted((index for index, clause in enumerate(frame.clauses) if clause.optional), key=rank)


def _has_unlabelled(filled: Filled) -> bool:
    """Whether a value stands somewhere without a label, by chance or by the frame's own words."""
    labelled = sorted(place.span for place in filled.places)
    telling = {
        value
        for place in filled.places
        if len(value := place.span.of(filled.text)) > 3 or place.type is PIIType.PER  # noqa: PLR2004
    }
    return any(
        not any(span.overlaps(other) for other in labelled) for _, span in find_values(filled.text, telling)
    )
