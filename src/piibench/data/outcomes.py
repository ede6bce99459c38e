"""What systems and masking hand on: decisions about entities, and the text that leaves.

Inside the process these are frozen slotted dataclasses; `Prediction` (schema) is their form on disk.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from piibench.data.mentions import Span
    from piibench.data.schema import Entity

Part = Literal["description", "query"]


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether one entity is kept, and why, in words free of its value.

    Attributes:
        entity_id: The entity decided on.
        keep: True where the query needs it.
        reason: For people, such as "kept: the query asks about a mortgage; Monthly Income".
        score: Confidence that the query needs it, in [0, 1]; None where the system has none.
    """

    entity_id: str
    keep: bool
    reason: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """The decisions of a selector, one for each entity it was shown."""

    decisions: tuple[Decision, ...] = ()

    @property
    def relevant(self) -> frozenset[str]:
        """Ids of the entities to keep: the predicted E_q."""
        return frozenset(decision.entity_id for decision in self.decisions if decision.keep)

    @classmethod
    def of(cls, entities: Iterable[Entity], keep: Iterable[str]) -> Selection:
        """Build a selection from bare ids, with a plain reason for each decision."""
        kept = frozenset(keep)
        return cls(
            tuple(
                Decision(
                    entity.id,
                    entity.id in kept,
                    "kept: named by the caller" if entity.id in kept else "hidden",
                )
                for entity in entities
            )
        )


class Findings(NamedTuple):
    """What a system makes of a prompt.

    Attributes:
        found: Entities of the description.
        asked: Entities of the query; their mentions point into it.
        selection: Decisions about `found`.
    """

    found: tuple[Entity, ...]
    asked: tuple[Entity, ...]
    selection: Selection


@dataclass(frozen=True, slots=True)
class Replacement:
    """One place of the original text that a placeholder or stand-in is for.

    Attributes:
        part: Which text the span points into.
        span: The place in the original text.
        placeholder: What stands there now.
        entity_id: The hidden entity that caused it.
    """

    part: Part
    span: Span
    placeholder: str
    entity_id: str


@dataclass(frozen=True, slots=True)
class Masked:
    """A prompt p' = (d', q') that may leave the machine (section 3.1, task 3).

    Attributes:
        description: The masked description d'.
        query: The masked query.
        entities: What was found in the description.
        asked: What was found in the query alone (mentions point into the query).
        selection: The decisions about `entities` and `asked`.
        replacements: Every place that was replaced, in order of part and offset.
        exposed: Ids of hidden entities whose value still shows because a kept entity contains it.
        lost: Ids of kept entities that show nowhere because hidden ones cover all their mentions.
    """

    description: str = field(repr=False)
    query: str = field(repr=False)
    entities: tuple[Entity, ...] = ()
    asked: tuple[Entity, ...] = ()
    selection: Selection = field(default_factory=Selection)
    replacements: tuple[Replacement, ...] = ()
    exposed: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
