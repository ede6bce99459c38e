"""How many entities a description should have, and of which types: so that Tables 3 and 9 come out."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from piibench.data.taxonomy import TYPE_OF, Category, PIIType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from piibench.synthesis.framing import Slot

_RARE = frozenset(
    {
        Category.SOCIAL_MEDIA_HANDLE,
        Category.GENDER,
        Category.SEXUAL_ORIENTATION,
        Category.RACE,
        Category.POLITICAL_AFFILIATION,
        Category.EDUCATION_LEVEL,
        Category.PHYSICAL_FEATURES,
    }
)
"""Categories that few documents of any kind tell. Where a frame has one, it is mostly taken, so that all 55
stand in a few hundred samples."""

_RARE_WEIGHT = 20.0


@dataclass(frozen=True, slots=True)
class Appetite:
    """How many entities a description should have, and of which types rather.

    Attributes:
        mean: Entities on average.
        spread: Standard deviation.
        weights: How readily an optional clause of a type is taken, beside the others.
    """

    mean: float
    spread: float
    weights: Mapping[PIIType, float]

    def weigh(self, slot: Slot) -> float:
        """How readily a clause with a slot is taken."""
        return self.weights[TYPE_OF[slot.category]] * (_RARE_WEIGHT if slot.category in _RARE else 1.0)


def _weigh(**weights: float) -> Mapping[PIIType, float]:
    return MappingProxyType({PIIType(name): weight for name, weight in weights.items()})


_ALONE = _weigh(PER=0.2, CODE=1.4, LOC=0.8, ORG=1.2, DEM=0.33, DATETIME=0.7, QUANTITY=1.5)
_SEVERAL = _weigh(PER=0.1, CODE=0.8, LOC=1.2, ORG=0.9, DEM=1.3, DATETIME=0.7, QUANTITY=1.5)
_ALONE_HARD = _weigh(PER=1.0, CODE=0.2, LOC=60.0, ORG=0.2, DEM=0.8, DATETIME=0.3, QUANTITY=0.4)
_SEVERAL_HARD = _weigh(PER=1.0, CODE=0.3, LOC=60.0, ORG=0.3, DEM=1.4, DATETIME=0.3, QUANTITY=0.6)

APPETITES: Mapping[tuple[str, str], Appetite] = MappingProxyType(
    {
        ("single", "single"): Appetite(7.3, 1.9, _ALONE),
        ("multi", "multi"): Appetite(12.7, 2.2, _SEVERAL),
        ("single", "hard"): Appetite(7.3, 1.6, _ALONE_HARD),
        ("multi", "hard"): Appetite(11.8, 1.8, _SEVERAL_HARD),
        ("single", "distract"): Appetite(7.2, 1.9, _ALONE),
        ("multi", "distract"): Appetite(12.6, 2.2, _SEVERAL),
    }
)
"""By number of subjects and by the subset that a description is for. Places are what frames tell of least and
what PII-hard has most of (Table 9), hence their weight there."""
