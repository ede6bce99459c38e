"""Dataset partitioning (section 3.3): PII-hard is chosen from further samples by three criteria."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from piibench.analysis.statistics import PUBLISHED
from piibench.data.taxonomy import PIIType
from piibench.synthesis.samples import Order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from piibench.data.schema import Sample
    from piibench.generators.base import Partition

POOL = 4
"""How many candidates are made for each hard sample."""

REACH = 32
"""Among how many of the hardest candidates a choice is made with an eye to the types' shares."""

FRAME_USES = 3
"""How often a frame may serve among the hard samples of a block."""

BLOCK = 200
"""Hard samples that are chosen from one pool: any number of them takes the same memory."""

_WANTED = PUBLISHED["hard"].shares


def _length(sample: Sample) -> float:
    return len(sample.description)


def _density(sample: Sample) -> float:
    return len(sample.entities) / len(sample.description)


def _needed(sample: Sample) -> float:
    return len(sample.relevant or ())


CRITERIA: dict[str, Callable[[Sample], float]] = {
    "length": _length,
    "density": _density,
    "needed": _needed,
}
"""Characters of the description; entities a character; entities that the query needs."""


def list_candidates(n: int, seed: int | str, partition: Partition, *, first: int = 0) -> list[Order]:
    """The orders of the candidates for `n` hard samples, half single and half multi.

    Args:
        n: Hard samples wanted.
        seed: Of the data set.
        partition: Whose frames are used.
        first: Hard samples that are there already; their candidates are not offered again.
    """
    own_seed = f"{seed}/hard"
    return [
        Order(("single", "multi")[place % 2], place // 2, own_seed, partition, aim="hard")
        for place in range(POOL * first, POOL * (first + n))
    ]


def choose_hard(candidates: Iterable[Sample], n: int, *, first: int = 0) -> list[Sample]:
    """Choose hard samples: a third by each criterion in turn, half of them single, none twice.

    Of the `REACH` candidates that a criterion puts first, the one is taken after which the types' shares are
    nearest to the published ones of PII-hard (Table 9): frames speak of places less often than it does. A
    frame serves `FRAME_USES` times at most, or the longest would come again and again.

    Args:
        candidates: What `list_candidates` ordered.
        n: How many to choose.
        first: Hard samples that are there already, for the ids.
    """
    ranked = {
        (kind, name): sorted(group, key=lambda sample: (-criterion(sample), sample.id))
        for kind, group in _split(candidates).items()
        for name, criterion in CRITERIA.items()
    }
    choice = _Choice()
    turns = list(ranked)
    while len(choice.chosen) < n and turns:
        turn = turns[len(choice.chosen) % len(turns)]
        within = list(islice(filter(choice.is_free, ranked[turn]), REACH))
        if not within:
            turns.remove(turn)
            continue
        best = min(within, key=choice.measure_deviation)
        choice.take(best, first + len(choice.chosen), criterion=turn[1])
    return choice.chosen


@dataclass(slots=True)
class _Choice:
    """What is chosen so far."""

    chosen: list[Sample] = field(default_factory=list["Sample"])
    _taken: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    _frames: Counter[str] = field(default_factory=Counter[str])
    _types: Counter[PIIType] = field(default_factory=Counter[PIIType])

    def is_free(self, sample: Sample) -> bool:
        fresh = (sample.subset, sample.id) not in self._taken
        return fresh and self._frames[sample.meta["frame"]] < FRAME_USES

    def measure_deviation(self, sample: Sample) -> float:
        """Sum of squares of the entities too many or too few of each type, were this sample taken as well."""
        counts = self._types + Counter(entity.type for entity in sample.entities)
        total = counts.total()
        return sum((counts[each] - _WANTED[each] * total) ** 2 for each in PIIType)

    def take(self, sample: Sample, place: int, *, criterion: str) -> None:
        self._taken.add((sample.subset, sample.id))
        self._frames[sample.meta["frame"]] += 1
        self._types.update(entity.type for entity in sample.entities)
        self.chosen.append(_enter(sample, place, criterion=criterion))


def _split(candidates: Iterable[Sample]) -> dict[str, list[Sample]]:
    groups: dict[str, list[Sample]] = {"single": [], "multi": []}
    for sample in candidates:
        groups[sample.subset].append(sample)
    return groups


def _enter(sample: Sample, place: int, *, criterion: str) -> Sample:
    return sample.model_copy(
        update={
            "id": f"hard-{place + 1:05d}",
            "subset": "hard",
            "meta": {**sample.meta, "of": sample.subset, "criterion": criterion},
        }
    )
