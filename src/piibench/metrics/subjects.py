"""Which predicted subject is which person: the optimal one-to-one mapping M* (Eq. 7)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from piibench.metrics.assignment import assign
from piibench.metrics.prf import Counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from piibench.data.schema import Entity
    from piibench.data.taxonomy import Category, PIIType

TIE_WEIGHT = 1e-9
"""Weight of the entity-only F1 beside the strict one: small enough to decide only between ties."""


@dataclass(frozen=True, slots=True)
class SubjectValues:
    """The sets of one subject that the scores compare.

    An entity counts by its text, so a value mentioned twice counts once: the answers of language models
    are lists of values without offsets.

    Attributes:
        typed: E, the pairs of text and type.
        categorised: The pairs of text and category, of the entities whose category is known.
        texts: S, the texts alone.
    """

    typed: frozenset[tuple[str, PIIType]]
    categorised: frozenset[tuple[str, Category]]
    texts: frozenset[str]


def group_by_subject(entities: Iterable[Entity]) -> tuple[SubjectValues, ...]:
    """Gather the values of each subject, in an order that depends on the values alone.

    Subjects with the same content are interchangeable in every score, so neither the letters of the
    subjects nor the order of the entities can change which of several equally good mappings is chosen.
    """
    grouped: defaultdict[str, list[Entity]] = defaultdict(list)
    for entity in entities:
        grouped[entity.subject].append(entity)
    subjects = [
        SubjectValues(
            typed=frozenset((entity.text, entity.type) for entity in owned),
            categorised=frozenset((e.text, e.category) for e in owned if e.category is not None),
            texts=frozenset(entity.text for entity in owned),
        )
        for owned in grouped.values()
    ]
    return tuple(sorted(subjects, key=_content))


def _content(values: SubjectValues) -> tuple[list[tuple[str, PIIType]], list[tuple[str, Category]]]:
    return sorted(values.typed), sorted(values.categorised)


def match_subjects(
    gold: Sequence[SubjectValues], pred: Sequence[SubjectValues]
) -> tuple[tuple[int, int], ...]:
    """Find M*: the one-to-one mapping that maximises the sum of strict F1 (Eq. 7).

    Of mappings with the same sum, the one with the higher sum of entity-only F1 is taken; what is still
    equal is decided by the order of the arguments, which `group_by_subject` makes canonical.

    Args:
        gold: The true subjects.
        pred: The predicted subjects.

    Returns:
        Pairs of positions (in `gold`, in `pred`), ascending; min(len(gold), len(pred)) of them.
    """
    if not gold or not pred:
        return ()
    if len(gold) == len(pred) == 1:
        return ((0, 0),)
    return assign([[_similarity(theirs, ours) for ours in pred] for theirs in gold])


def _similarity(gold: SubjectValues, pred: SubjectValues) -> float:
    strict = Counts.of(gold.typed, pred.typed).f1
    return strict + TIE_WEIGHT * Counts.of(gold.texts, pred.texts).f1
