"""The ages of a frame's people (App. C.1, C.2).

They are as the text fixes them, old enough for what it tells, and as kin, peers, teachers and pupils are to
each other.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import ADULT
from piibench.generators.identities import draw_age

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from piibench.synthesis.framing import Frame, Relation

    Ages = tuple[int, int]

YOUNGEST: Mapping[Category, int] = MappingProxyType(
    {
        Category.OCCUPATION: 16,
        Category.EMPLOYEE_ID: 16,
        Category.MONTHLY_INCOME: 16,
        Category.TAX_PAYMENT: 16,
        Category.MONTHLY_EXPENSES: 16,
        Category.DRIVERS_LICENSE: 17,
        **dict.fromkeys(
            (
                *(Category.LOAN_AMOUNT, Category.CREDIT_LIMIT, Category.CREDIT_CARD, Category.CREDIT_SCORE),
                *(Category.DEBT_RATIO, Category.INVESTMENT_RETURN, Category.ROI, Category.ANNUAL_BONUS),
                *(Category.POLITICAL_AFFILIATION, Category.SEXUAL_ORIENTATION),
            ),
            ADULT,
        ),
        Category.ACADEMIC_DEGREE: 21,
    }
)
"""The age from which on one has each of these, in years."""

_AT_WORK = frozenset({Category.OCCUPATION, Category.MONTHLY_INCOME, Category.EMPLOYEE_ID})
_RETIREMENT, _OLDEST, _YOUNGEST_CHILD = 68, 95, 3
_TRIES = 40
_YOUNGEST_ABOVE = 23
"""The age of the youngest teacher or manager."""

_PARENT_YEARS = (ADULT, 45)
_PEER_YEARS: Mapping[str, int] = MappingProxyType({"siblings": 14, "partners": 10, "friends": 20})
_CLASSMATE_YEARS = 2


def draw_ages(frame: Frame, rng: Random) -> dict[str, int]:
    """Draw an age for every subject, also where the text does not tell it.

    What a frame fixes stands before what a relation wants.
    """
    ranges = {subject: _find_range(frame, subject) for subject in frame.genders}
    ages: dict[str, int] = {}
    for _ in range(_TRIES):
        ages = {}
        fits = True
        for subject, wanted in ranges.items():
            low, high = _narrow(wanted, subject, frame.relations, ages)
            fits = fits and low <= high
            ages[subject] = _draw_between(rng, min(low, high), high, is_fixed=subject in frame.ages)
        if fits:
            return ages
    return {subject: min(max(age, ranges[subject][0]), ranges[subject][1]) for subject, age in ages.items()}


def _draw_between(rng: Random, low: int, high: int, *, is_fixed: bool) -> int:
    if not is_fixed:
        for _ in range(_TRIES):
            if low <= (age := draw_age(rng)) <= high:
                return age
    return rng.randint(low, high)


def _find_range(frame: Frame, subject: str) -> Ages:
    """The ages of which the frame's own range and what it tells of the person leave some."""
    told = {slot.category for slot in frame.slots if slot.subject == subject}
    lowest = max((YOUNGEST[category] for category in told if category in YOUNGEST), default=0)
    if subject in frame.ages:
        low, high = frame.ages[subject]
        return min(max(low, lowest), high), high
    is_child = any(relation.kind == "parent" and relation.second == subject for relation in frame.relations)
    if not (is_child and Category.AGE in told):
        lowest = max(lowest, ADULT)
    return max(lowest, _YOUNGEST_CHILD), _RETIREMENT if told & _AT_WORK else _OLDEST


def _narrow(wanted: Ages, subject: str, relations: tuple[Relation, ...], ages: Mapping[str, int]) -> Ages:
    """The part of a range that the relations to people of known age leave; low above high where none."""
    low, high = wanted
    for relation in relations:
        other = relation.second if relation.first == subject else relation.first
        if subject in (relation.first, relation.second) and other in ages:
            lowest, highest = _relate(relation.kind, ages[other], is_first=relation.first == subject)
            low, high = max(low, lowest), min(high, highest)
    return low, high


def _relate(kind: str, age: int, *, is_first: bool) -> Ages:
    """The ages that somebody can have who stands so to a person of that age."""
    if kind == "parent":
        least, most = _PARENT_YEARS
        return (age + least, age + most) if is_first else (age - most, age - least)
    if kind == "classmates":
        years = _CLASSMATE_YEARS if age < _OLDEST // 4 else _PEER_YEARS["siblings"]
        return age - years, age + years
    if kind in ("teacher", "manager"):
        if is_first:
            return _YOUNGEST_ABOVE, _OLDEST
        return 0, _OLDEST if age >= _YOUNGEST_ABOVE else -1
    years = _PEER_YEARS.get(kind, _OLDEST)
    return age - years, age + years
