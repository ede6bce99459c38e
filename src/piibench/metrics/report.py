"""The result of an evaluation: averages with intervals, pooled counts and tables by label."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from piibench.metrics.prf import Counts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from piibench.data.taxonomy import Category, PIIType
    from piibench.metrics.signature import Signature

L = TypeVar("L", bound=str)


@dataclass(frozen=True, slots=True)
class Mean:
    """A score averaged over samples, with its 95 % interval.

    Attributes:
        value: Mean over the samples that have the score.
        low: Lower end.
        high: Upper end.
        n: How many samples have it.
    """

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Pooled:
    """Counts added up over samples, with the 95 % interval of their F1."""

    counts: Counts
    low: float
    high: float

    def to_dict(self) -> dict[str, float]:
        """Return scores, interval and counts as plain values."""
        return {**_plain(self.counts), "low": self.low, "high": self.high}


class LabelCounts(NamedTuple):
    """One row of a table by type or category.

    Attributes:
        strict: Values that agree in text, label and subject.
        exact: Mentions that agree in range and label.
        overlap: Mentions of the same label that overlap.
    """

    strict: Counts = Counts()
    exact: Counts = Counts()
    overlap: Counts = Counts()


@dataclass(frozen=True, slots=True)
class GroupReport:
    """The scores of one subset, or of all samples together.

    Attributes:
        name: The subset, or "all".
        n: Number of samples.
        flagged: How many predictions are marked as unreadable answers (`meta["flagged"]`).
        missing: How many samples had no prediction and were scored as if nothing was found.
        means: Every score of `METRICS`; None where no sample has it.
        pooled: Every count of `POOLED`; None where no sample has it.
        by_type: The types that occur, in the paper's order.
        by_category: The categories that occur, in the paper's order; empty where gold has none.
        signature: What the scores depend on.
    """

    name: str
    n: int
    flagged: int
    missing: int
    means: Mapping[str, Mean | None]
    pooled: Mapping[str, Pooled | None]
    by_type: Mapping[PIIType, LabelCounts]
    by_category: Mapping[Category, LabelCounts]
    signature: Signature

    def sign(self, metric: str = "strict_f1") -> str | None:
        """Write one averaged score as a line that says all it depends on; None where there is none."""
        mean = self.means[metric]
        return None if mean is None else self.signature.sign(metric, mean.value)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold."""
        return {
            "n": self.n,
            "flagged": self.flagged,
            "missing": self.missing,
            "means": {name: mean and asdict(mean) for name, mean in self.means.items()},
            "pooled": {name: pooled and pooled.to_dict() for name, pooled in self.pooled.items()},
            "by_type": _plain_table(self.by_type),
            "by_category": _plain_table(self.by_category),
            "signature": asdict(self.signature),
        }


@dataclass(frozen=True, slots=True)
class Report:
    """The scores of all samples, and of each subset.

    Attributes:
        overall: All samples together.
        subsets: Each subset by name, sorted.
    """

    overall: GroupReport
    subsets: Mapping[str, GroupReport]

    @property
    def signatures(self) -> tuple[str, ...]:
        """The signed Strict-F1 of each subset, then of all samples."""
        groups = (*self.subsets.values(), self.overall)
        return tuple(line for group in groups if (line := group.sign()) is not None)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold."""
        return {
            "schema": 1,
            "overall": self.overall.to_dict(),
            "subsets": {name: group.to_dict() for name, group in self.subsets.items()},
            "signatures": list(self.signatures),
        }


def _plain(counts: Counts) -> dict[str, float]:
    return {**asdict(counts.prf), **asdict(counts)}


def _plain_table(table: Mapping[L, LabelCounts]) -> dict[str, Any]:
    return {
        str(label): {view: _plain(counts) for view, counts in row._asdict().items()}
        for label, row in table.items()
    }
