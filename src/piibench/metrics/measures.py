"""All that is measured on one sample, and the scores by name in the paper's order."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from piibench.metrics.detection import compare_detection
from piibench.metrics.offsets import compare_offsets, pool
from piibench.metrics.relevance import compare_masked, compare_query
from piibench.metrics.tradeoff import measure_exposure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from piibench.data.schema import Prediction, Sample
    from piibench.data.taxonomy import Category, PIIType
    from piibench.metrics.detection import Detection
    from piibench.metrics.offsets import OffsetCounts
    from piibench.metrics.prf import Counts
    from piibench.metrics.relevance import SetComparison
    from piibench.metrics.tradeoff import Exposure


@dataclass(frozen=True, slots=True)
class Measures:
    """The scores and counts of one sample; free of its text.

    Attributes:
        detection: Task 1.
        query: Task 2; None where no relevance is known.
        masked: Task 3; None where no relevance is known.
        exposure: What the masked text shows and hides.
        offsets: Mentions of all types.
        offsets_by_type: Mentions of each type; add up to `offsets`.
        offsets_by_category: Mentions of each category; empty where a gold entity has none.
    """

    detection: Detection
    query: SetComparison | None
    masked: SetComparison | None
    exposure: Exposure
    offsets: OffsetCounts
    offsets_by_type: Mapping[PIIType, OffsetCounts]
    offsets_by_category: Mapping[Category, OffsetCounts]


def measure(gold: Sample, pred: Prediction) -> Measures:
    """Measure one prediction; both must be about the same description.

    Where the sample's `meta["labels_types"]` lists the types that its source labels, predicted entities of
    other types count neither way: nobody knows whether they are right.
    """
    pred = restrict(pred, gold)
    by_type = compare_offsets(gold.entities, pred.entities, of=lambda entity: entity.type)
    complete = all(entity.category is not None for entity in gold.entities)
    return Measures(
        detection=compare_detection(gold.entities, pred.entities),
        query=compare_query(gold, pred),
        masked=compare_masked(gold, pred),
        exposure=measure_exposure(gold, pred),
        offsets=pool(by_type),
        offsets_by_type=by_type,
        offsets_by_category=(
            compare_offsets(gold.entities, pred.entities, of=lambda entity: entity.category)
            if complete
            else {}
        ),
    )


def restrict(pred: Prediction, gold: Sample) -> Prediction:
    """Leave out the predicted entities of types that the sample's source does not label.

    Args:
        pred: The prediction.
        gold: Its sample; see `Sample.labelled_types`.

    Raises:
        DataError: Its `meta["labels_types"]` is no list of types.
    """
    types = gold.labelled_types
    if types is None:
        return pred
    entities = tuple(entity for entity in pred.entities if entity.type in types)
    known = {entity.id for entity in entities}
    relevant = None if pred.relevant is None else tuple(each for each in pred.relevant if each in known)
    return pred.model_copy(update={"entities": entities, "relevant": relevant})


@dataclass(frozen=True, slots=True)
class Metric:
    """A score that is averaged over samples.

    Attributes:
        source: Equation or section of the paper, or "-" where it is ours.
        gloss: What it says, in one line.
        of: Reads it from the measures of a sample; None where the sample has no such score.
    """

    source: str
    gloss: str
    of: Callable[[Measures], float | None]


METRICS: Mapping[str, Metric] = MappingProxyType(
    {
        "strict_p": Metric("Eq. 8", "text, type, subject: precision", lambda m: m.detection.strict.precision),
        "strict_r": Metric("Eq. 9", "text, type, subject: recall", lambda m: m.detection.strict.recall),
        "strict_f1": Metric("Eq. 10", "text, type, subject: F1", lambda m: m.detection.strict.f1),
        "ent_p": Metric("4.1", "text alone: precision", lambda m: m.detection.pooled.precision),
        "ent_r": Metric("4.1", "text alone: recall", lambda m: m.detection.pooled.recall),
        "ent_f1": Metric("4.1", "text alone: F1", lambda m: m.detection.pooled.f1),
        "ent_p_matched": Metric("Eq. 4", "text, subject: precision", lambda m: m.detection.matched.precision),
        "ent_r_matched": Metric("Eq. 5", "text, subject: recall", lambda m: m.detection.matched.recall),
        "ent_f1_matched": Metric("Eq. 6", "text, subject: F1", lambda m: m.detection.matched.f1),
        "rouge_f1": Metric("Eq. 16", "strict F1 with Rouge-L", lambda m: m.detection.rouge.f1),
        "query_p": Metric("Eq. 11", "needed: precision", lambda m: m.query and m.query.counts.precision),
        "query_r": Metric("Eq. 12", "needed: recall", lambda m: m.query and m.query.counts.recall),
        "query_f1": Metric("Eq. 13", "needed: F1", lambda m: m.query and m.query.counts.f1),
        "query_rouge_f1": Metric("Eq. 16", "needed: F1 with Rouge-L", lambda m: m.query and m.query.rouge.f1),
        "mask_p": Metric("Table 4", "hidden: precision", lambda m: m.masked and m.masked.counts.precision),
        "mask_r": Metric("Table 4", "hidden: recall", lambda m: m.masked and m.masked.counts.recall),
        "mask_f1": Metric("Table 4", "hidden: F1", lambda m: m.masked and m.masked.counts.f1),
        "mask_rouge_f1": Metric(
            "Table 4", "hidden: F1 with Rouge-L", lambda m: m.masked and m.masked.rouge.f1
        ),
        "privacy": Metric("Eq. 17", "all PII: share gone", lambda m: _share(m.exposure.privacy)),
        "privacy_unrelated": Metric(
            "Eq. 17", "unneeded PII: share gone", lambda m: _share(m.exposure.privacy_unrelated)
        ),
        "kept": Metric("-", "needed values: share still shown", lambda m: _share(m.exposure.kept)),
        "span_exact_f1": Metric("-", "mentions, exact range: F1", lambda m: m.offsets.exact.f1),
        "span_overlap_f1": Metric("-", "mentions, any overlap: F1", lambda m: m.offsets.overlap.f1),
    }
)
"""The averaged scores, in the order of the paper."""

POOLED: Mapping[str, Callable[[Measures], Counts | None]] = MappingProxyType(
    {
        "strict": lambda m: m.detection.micro,
        "ent": lambda m: m.detection.pooled,
        "query": lambda m: m.query and m.query.counts,
        "mask": lambda m: m.masked and m.masked.counts,
        "privacy": lambda m: m.exposure.privacy,
        "privacy_unrelated": lambda m: m.exposure.privacy_unrelated,
        "kept": lambda m: m.exposure.kept,
        "span_exact": lambda m: m.offsets.exact,
        "span_overlap": lambda m: m.offsets.overlap,
    }
)
"""The counts that are added up over samples (micro-averaged scores)."""


def _share(counts: Counts | None) -> float | None:
    return None if counts is None else counts.recall
