"""Dataset partitioning (section 3.3): PII-hard is chosen from further samples by three criteria."""

from __future__ import annotations

from typing import TYPE_CHECKING

from piibench.synthesis.samples import Order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from piibench.data.schema import Sample
    from piibench.generators.base import Partition

POOL = 2
"""How many candidates are made for each hard sample."""


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


def list_candidates(n: int, seed: int | str, partition: Partition) -> list[Order]:
    """The orders of the candidates for `n` hard samples, half single and half multi."""
    own_seed = f"{seed}/hard"
    return [
        Order(("single", "multi")[place % 2], place // 2, own_seed, partition) for place in range(POOL * n)
    ]


def choose_hard(candidates: Iterable[Sample], n: int) -> list[Sample]:
    """Choose the hardest samples: a third by each criterion in turn, none twice.

    Single and multi samples are ranked apart, so that both make half of the set.
    """
    chosen: list[Sample] = []
    ranked = {
        (kind, name): iter(sorted(group, key=lambda sample: (-criterion(sample), sample.id)))
        for kind, group in _split(candidates).items()
        for name, criterion in CRITERIA.items()
    }
    taken: set[tuple[str, str]] = set()
    turns = list(ranked)
    while len(chosen) < n and turns:
        turn = turns[len(chosen) % len(turns)]
        fresh = next((each for each in ranked[turn] if (each.subset, each.id) not in taken), None)
        if fresh is None:
            turns.remove(turn)
            continue
        taken.add((fresh.subset, fresh.id))
        chosen.append(_enter(fresh, len(chosen), criterion=turn[1]))
    return chosen


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
