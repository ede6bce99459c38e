"""Statistics of a data set as Tables 3 and 9 give them, beside the printed ones (section 3.3, App. A.3)."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from piibench.data.taxonomy import PIIType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from piibench.data.schema import Sample


@dataclass(frozen=True, slots=True)
class Statistics:
    """One row of Table 3 and one column of Table 9.

    Attributes:
        samples: Number of samples.
        subjects: Subjects a sample, on average.
        characters: Code points a description.
        entities: PII entities a description.
        query_characters: Code points a query.
        relevant: Entities a query needs, where that is known; None where it is of no sample.
        types: Entities of each type.
    """

    samples: int
    subjects: float
    characters: float
    entities: float
    query_characters: float
    relevant: float | None
    types: Mapping[PIIType, int]

    @property
    def shares(self) -> Mapping[PIIType, float]:
        """Share of each type among the entities, in [0, 1]; 0 where there are none."""
        total = sum(self.types.values())
        return MappingProxyType({each: count / (total or 1) for each, count in self.types.items()})


def summarize_subsets(samples: Iterable[Sample]) -> dict[str, Statistics]:
    """Compute the statistics of each subset in one pass, with flat memory; subsets in order of appearance."""
    totals: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sample in samples:
        totals[sample.subset].update(_count(sample))
    return {subset: _average(counts) for subset, counts in totals.items()}


def summarize(samples: Iterable[Sample]) -> Statistics | None:
    """Compute the statistics of all samples together; None where there are none."""
    totals: Counter[str] = Counter()
    for sample in samples:
        totals.update(_count(sample))
    return _average(totals) if totals else None


def _count(sample: Sample) -> Counter[str]:
    counts = Counter(str(entity.type) for entity in sample.entities)
    counts.update(
        samples=1,
        subjects=len({entity.subject for entity in sample.entities}),
        characters=len(sample.description),
        entities=len(sample.entities),
        query_characters=len(sample.query),
        relevant=len(sample.relevant or ()),
        judged=sample.relevant is not None,
    )
    return counts


def _average(totals: Counter[str]) -> Statistics:
    count = totals["samples"]
    return Statistics(
        samples=count,
        subjects=totals["subjects"] / count,
        characters=totals["characters"] / count,
        entities=totals["entities"] / count,
        query_characters=totals["query_characters"] / count,
        relevant=totals["relevant"] / totals["judged"] if totals["judged"] else None,
        types=MappingProxyType({each: totals[each] for each in PIIType}),
    )


def _types(*counts: int) -> Mapping[PIIType, int]:
    """The counts of Table 9, whose percentages for PII-multi are rotated."""
    order = ("PER", "DEM", "CODE", "ORG", "LOC", "DATETIME", "QUANTITY")
    return MappingProxyType({PIIType(name): count for name, count in zip(order, counts, strict=True)})


PUBLISHED: Mapping[str, Statistics] = MappingProxyType(
    {
        "single": Statistics(
            1214, 1.0, 893.48, 7.67, 211.21, 1.95, _types(1214, 1220, 1464, 1590, 1053, 1368, 1394)
        ),
        "multi": Statistics(
            1228, 2.0, 652.65, 13.14, 236.21, 2.06, _types(2456, 2450, 2470, 2544, 1516, 2526, 2174)
        ),
        "hard": Statistics(200, 1.5, 778.03, 10.60, 222.09, 2.10, _types(286, 286, 222, 251, 304, 251, 234)),
        "distract": Statistics(
            200, 7.5, 4403.64, 51.08, 859.69, 5.82, _types(1449, 1467, 1605, 1673, 1008, 1559, 1450)
        ),
    }
)
"""Tables 3 and 9 as printed, in the paper's row order.

Table 3 stands for the averages where the tables contradict each other: 10.60 entities a sample of PII-hard,
although Table 9 counts 1,834 in its 200 samples.
"""
