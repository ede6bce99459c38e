"""Kinds of errors, and how many there are of each in each category."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from piibench.data.taxonomy import Category, PIIType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class ErrorKind(StrEnum):
    """What went wrong with a value; each wrong or absent value has exactly one kind in a task."""

    MISSED = "missed"
    """A true value that nothing answers to."""
    WRONG_SPAN = "wrong span"
    """A true value of which another stretch was found: more, less, or a part and something else."""
    WRONG_TYPE = "wrong type"
    """The right text and subject, of another of the seven types (task 1)."""
    WRONG_SUBJECT = "wrong subject"
    """The right text, of another person (task 1); the type may be wrong besides."""
    SPURIOUS = "spurious"
    """A predicted value that answers to no true one."""
    OVER_KEPT = "over-kept"
    """A value that the query does not need, kept (task 2) or not hidden (task 3)."""
    OVER_MASKED = "over-masked"
    """A value that the query needs, not kept (task 2) or hidden (task 3)."""


NO_LABEL = "unlabelled"
"""Stands for the category of a value that only a list without labels names."""

_ORDER = {str(label): place for place, label in enumerate((*Category, *PIIType))}


@dataclass(frozen=True, slots=True)
class Errors:
    """The errors of one task on one sample, or on many: they add up.

    Labels are categories, or types where data knows only these. An error counts under the true value's
    label; only one that has none, a spurious value, counts under what the system called it.

    Attributes:
        right: Values that are right.
        there: True values, by label.
        found: Predicted values.
        counts: Errors, by kind and label.
    """

    right: int = 0
    there: Mapping[str, int] = field(default_factory=Counter[str])
    found: int = 0
    counts: Mapping[tuple[ErrorKind, str], int] = field(default_factory=Counter[tuple[ErrorKind, str]])

    def __add__(self, other: Errors) -> Errors:
        return Errors(
            self.right + other.right,
            Counter(self.there) + Counter(other.there),
            self.found + other.found,
            Counter(self.counts) + Counter(other.counts),
        )

    @property
    def by_kind(self) -> Mapping[ErrorKind, int]:
        """The errors of each kind that occurs, in the order of `ErrorKind`."""
        return _add_up(ErrorKind, ((kind, count) for (kind, _), count in self.counts.items()))

    @property
    def by_label(self) -> Mapping[str, Mapping[ErrorKind, int]]:
        """Label -> errors of each kind; every label that was there or went wrong, in the taxonomy's order."""
        labels = {*self.there, *(label for _, label in self.counts)}
        return {
            label: _add_up(
                ErrorKind, ((kind, count) for (kind, where), count in self.counts.items() if where == label)
            )
            for label in sorted(labels, key=lambda label: (_ORDER.get(label, len(_ORDER)), label))
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold."""
        return {
            "right": self.right,
            "gold": sum(self.there.values()),
            "pred": self.found,
            "by_kind": {str(kind): count for kind, count in self.by_kind.items()},
            "by_label": {
                label: {"gold": self.there.get(label, 0)} | {str(kind): n for kind, n in kinds.items()}
                for label, kinds in self.by_label.items()
            },
        }


def _add_up(order: Iterable[ErrorKind], counted: Iterable[tuple[ErrorKind, int]]) -> dict[ErrorKind, int]:
    totals: Counter[ErrorKind] = Counter()
    for kind, count in counted:
        totals[kind] += count
    return {kind: totals[kind] for kind in order if totals[kind]}
