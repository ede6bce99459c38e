"""How well the entities of a description were found (task 1; Eq. 1-10 and 14-16)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, TypeVar

from piibench.metrics.prf import PRF, Counts
from piibench.metrics.rouge import soft_prf_within
from piibench.metrics.subjects import group_by_subject, match_subjects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from piibench.data.schema import Entity
    from piibench.data.taxonomy import Category, PIIType
    from piibench.metrics.subjects import SubjectValues

L = TypeVar("L", bound=str)


@dataclass(frozen=True, slots=True)
class Detection:
    """The detection scores of one sample.

    Attributes:
        strict: Text, type and subject must agree (Eq. 1-3, 8-10).
        matched: Text and subject must agree (Eq. 4-6, averaged as in Eq. 8-10 over the same mapping).
        rouge: As `strict`, with Rouge-L between the texts of one type in place of equality (Eq. 14-16).
            Table 6 prints it a few thousandths above Strict-F1 and far below Ent-F1, so it can neither
            ignore types nor pool subjects.
        pooled: Texts alone, whoever they belong to: the words of section 4.1 on Ent-F1.
        micro: The strict pairs of all subjects, right where they agree under the mapping. Unlike Eq. 8-10
            it weighs each entity the same, not each subject.
        by_type: `micro` for each type; adds up to it.
        by_category: The same with categories; empty where a gold entity has none.
    """

    strict: PRF
    matched: PRF
    rouge: PRF
    pooled: Counts
    micro: Counts
    by_type: Mapping[PIIType, Counts]
    by_category: Mapping[Category, Counts]


def compare_detection(gold: Sequence[Entity], pred: Sequence[Entity]) -> Detection:
    """Score the entities that a system found in one description.

    The order of the entities and the letters of the subjects change nothing.
    """
    theirs, ours = group_by_subject(gold), group_by_subject(pred)
    mapping = [(theirs[row], ours[column]) for row, column in match_subjects(theirs, ours)]
    by_type = _count_labels(theirs, ours, mapping, of=lambda subject: subject.typed)
    complete = all(entity.category is not None for entity in gold)

    def average(compare: Callable[[SubjectValues, SubjectValues], PRF]) -> PRF:
        return average_over_subjects((compare(g, p) for g, p in mapping), gold=len(theirs), pred=len(ours))

    return Detection(
        strict=average(lambda g, p: Counts.of(g.typed, p.typed).prf),
        matched=average(lambda g, p: Counts.of(g.texts, p.texts).prf),
        rouge=average(lambda g, p: soft_prf_within(g.typed, p.typed)),
        pooled=Counts.of({entity.text for entity in gold}, {entity.text for entity in pred}),
        micro=sum(by_type.values(), Counts()),
        by_type=by_type,
        by_category=_count_labels(theirs, ours, mapping, of=lambda s: s.categorised) if complete else {},
    )


def average_over_subjects(matched: Iterable[PRF], *, gold: int, pred: int) -> PRF:
    """Average the scores of matched subjects (Eq. 8-10), where unmatched subjects count as 0.

    As printed, precision is divided by the number of predicted subjects, recall by that of the true ones
    and F1 by the larger of the two; F1 is therefore not the harmonic mean of the other two. A reading
    that divides recall by the predicted subjects as well is in circulation: subjects that a system misses
    would cost nothing there.

    Args:
        matched: The scores of the pairs in M*.
        gold: Number of true subjects, |G|.
        pred: Number of predicted subjects, |P|.
    """
    scores = list(matched)
    if not gold and not pred:
        return PRF(1.0, 1.0, 1.0)
    return PRF(
        fsum(score.precision for score in scores) / pred if pred else 0.0,
        fsum(score.recall for score in scores) / gold if gold else 0.0,
        fsum(score.f1 for score in scores) / max(gold, pred),
    )


def _count_labels(
    gold: Iterable[SubjectValues],
    pred: Iterable[SubjectValues],
    mapping: Iterable[tuple[SubjectValues, SubjectValues]],
    *,
    of: Callable[[SubjectValues], frozenset[tuple[str, L]]],
) -> dict[L, Counts]:
    right = Counter(label for g, p in mapping for _, label in of(g) & of(p))
    found = Counter(label for subject in pred for _, label in of(subject))
    there = Counter(label for subject in gold for _, label in of(subject))
    return {label: Counts(right[label], found[label], there[label]) for label in found | there}
