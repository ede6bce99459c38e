"""What the seven types mean, as prompts put it (Appendix A.2); the categories are the taxonomy's."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from piibench.data.taxonomy import TAXONOMY, Category, PIIType

if TYPE_CHECKING:
    from collections.abc import Mapping

MEANINGS: Mapping[PIIType, str] = MappingProxyType(
    {
        PIIType.PER: "what a person is called",
        PIIType.CODE: "a string that was issued to a person or account, or that reaches them",
        PIIType.LOC: "where a person lives, works, stays or comes from",
        PIIType.ORG: "a body that a person belongs to or deals with",
        PIIType.DEM: "what a person is like or does: body, health, origin, belief, schooling, job",
        PIIType.DATETIME: "when something about a person was, or how long it took",
        PIIType.QUANTITY: "money and financial figures of a person",
    }
)
"""One line for each type."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A type as a prompt explains it.

    Attributes:
        type: The type.
        meaning: What it stands for.
        categories: Its categories, in the order of Table 10.
    """

    type: PIIType
    meaning: str
    categories: tuple[Category, ...]


DEFINITIONS: tuple[Definition, ...] = tuple(
    Definition(kind, MEANINGS[kind], tuple(row.category for row in TAXONOMY if row.type is kind))
    for kind in PIIType
)
"""The seven types in the order of Table 10."""
