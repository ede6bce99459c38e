"""Counts first, scores second: precision, recall and F1 that add up over samples.

Empty sets, everywhere in this room: where gold and pred are both empty the answer is right and every
score is 1; where only one of them is empty every score is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PRF:
    """Precision, recall and F1, each in [0, 1].

    The F1 of a mean over samples or subjects is the mean of their F1, not the harmonic mean of the
    other two; that is why all three are kept.
    """

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, precision: float, recall: float) -> Self:
        """Build the triple with F1 as the harmonic mean (Eq. 3, 6, 13, 16), 0 where both are 0."""
        total = precision + recall
        return cls(precision, recall, 2 * precision * recall / total if total else 0.0)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many things were predicted, how many there are, and how many of them agree.

    Adding counts pools them, so micro-averaged scores, bootstrap resamples and subsets all come from
    the same numbers.

    Attributes:
        tp: Things in both sets; a fraction where agreement is soft.
        pred: Things predicted.
        gold: Things there are.
    """

    tp: float = 0
    pred: int = 0
    gold: int = 0

    @classmethod
    def of(cls, gold: AbstractSet[T], pred: AbstractSet[T]) -> Self:
        """Count two sets and their intersection."""
        return cls(len(gold & pred), len(pred), len(gold))

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.pred + other.pred, self.gold + other.gold)

    @property
    def precision(self) -> float:
        """Share of the predicted things that are right (Eq. 1, 4, 11)."""
        return self.tp / self.pred if self.pred else float(not self.gold)

    @property
    def recall(self) -> float:
        """Share of the things there are that were found (Eq. 2, 5, 12)."""
        return self.tp / self.gold if self.gold else float(not self.pred)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall (Eq. 3, 6, 13), as 2 tp / (pred + gold)."""
        total = self.pred + self.gold
        return 2 * self.tp / total if total else 1.0

    @property
    def prf(self) -> PRF:
        """The three scores of these counts."""
        return PRF(self.precision, self.recall, self.f1)
