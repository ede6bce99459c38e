"""How well the entities that a query needs were told from those to hide (tasks 2 and 3; Eq. 11-16)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from piibench.metrics.prf import PRF, Counts
from piibench.metrics.rouge import soft_prf

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from piibench.data.schema import Entity, Prediction, Sample


@dataclass(frozen=True, slots=True)
class SetComparison:
    """Two sets of entity texts, compared exactly (Eq. 11-13) and softly (Eq. 14-16)."""

    counts: Counts
    rouge: PRF


def compare_texts(gold: AbstractSet[str], pred: AbstractSet[str]) -> SetComparison:
    """Compare two sets of texts; both empty give 1, one empty gives 0."""
    return SetComparison(Counts.of(gold, pred), soft_prf(gold, pred))


def compare_query(gold: Sample, pred: Prediction) -> SetComparison | None:
    """Compare the entities that the query needs, E_q, with those the system keeps (task 2).

    Returns:
        None where the sample does not know or the system does not decide what the query needs; that is
        not a wrong answer, and a score of 0 would call it one.
    """
    if gold.relevant is None:
        return None
    if pred.needed is not None:
        return compare_texts(_texts(gold.relevant_entities), frozenset(pred.needed))
    if pred.relevant is None:
        return None
    return compare_texts(_texts(gold.relevant_entities), _texts(pred.relevant_entities))


def compare_masked(gold: Sample, pred: Prediction) -> SetComparison | None:
    """Compare the entities to hide, E minus E_q, with those the system found and does not keep (task 3).

    Returns:
        None in the same cases as `compare_query`.
    """
    if gold.relevant is None:
        return None
    if pred.hidden is not None:
        return compare_texts(_texts(gold.unrelated_entities), frozenset(pred.hidden))
    if pred.relevant is None:
        return None
    return compare_texts(_texts(gold.unrelated_entities), _texts(pred.unrelated_entities))


def _texts(entities: Iterable[Entity]) -> frozenset[str]:
    return frozenset(entity.text for entity in entities)
