"""Whom a listed value fits: conditions, occupations and looks that not everybody can have."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol, TypeVar

from piibench.generators.wordlists import pick, split_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from piibench.generators.base import Background, Gender

_OLDEST = 120
_UNKNOWN_AGES = (20, 60)
"""Somebody of unknown age gets what some adult between these ages can have."""

_TRIES = 200
_AGES = re.compile(r"(\d+)(?:-(\d+)|\+)")
_GENDERS: dict[str, Gender] = {"f": "female", "m": "male"}


@dataclass(frozen=True, slots=True)
class Limits:
    """Whom a value fits.

    Attributes:
        youngest: Age in years, included.
        oldest: Age in years, included.
        gender: The only gender, or None for any.
        cultures: The only roots; empty for all.
    """

    youngest: int = 0
    oldest: int = _OLDEST
    gender: Gender | None = None
    cultures: frozenset[str] = frozenset()

    def admit(self, background: Background) -> bool:
        """Whether the person can have the value."""
        lowest, highest = _UNKNOWN_AGES if background.age is None else (background.age, background.age)
        return (
            self.youngest <= highest
            and lowest <= self.oldest
            and (self.gender is None or self.gender == background.gender)
            and (not self.cultures or background.roots in self.cultures)
        )


ANYBODY = Limits()


class Limited(Protocol):
    """A value that knows whom it fits."""

    @property
    def limits(self) -> Limits:
        """Whom it fits."""
        ...


Item = TypeVar("Item", bound=Limited)


@cache
def parse_limits(column: str) -> Limits:
    """Read a column such as "f 18-45 in,ke" or "60+"; an empty one fits anybody."""
    youngest, oldest, gender, cultures = 0, _OLDEST, None, frozenset[str]()
    for word in column.split():
        if ages := _AGES.fullmatch(word):
            youngest, oldest = int(ages[1]), int(ages[2] or _OLDEST)
        elif word in _GENDERS:
            gender = _GENDERS[word]
        else:
            cultures = frozenset(split_words(word))
    return Limits(youngest, oldest, gender, cultures)


def pick_fitting(rng: Random, items: Sequence[Item], background: Background) -> Item:
    """One of the items that fit the person, each as likely; any item where hardly one fits."""
    item = pick(rng, items)
    for _ in range(_TRIES):
        if item.limits.admit(background):
            break
        item = pick(rng, items)
    return item
