"""DEM: education levels and academic degrees (Table 10)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import Maker
from piibench.generators.limits import Limits, pick_fitting
from piibench.generators.wordlists import happens, pick, read_for, read_own, read_words

if TYPE_CHECKING:
    from piibench.generators.base import Background, Request


_YOUNGEST = (0, 11, 17, 19, 21, 23)
"""The age at which each rank of schooling is usually reached, in years."""

_DOCTOR_FROM = 27


@cache
def _old_enough(rank: int, *, is_doctor: bool) -> Limits:
    return Limits(youngest=_DOCTOR_FROM if is_doctor else _YOUNGEST[rank])


@dataclass(frozen=True, slots=True)
class Schooling:
    """An education level.

    Attributes:
        name: Noun phrase without an article.
        rank: 0 none, 1 lower school, 2 school leaving, 3 vocational, 4 bachelor's, 5 postgraduate.
    """

    name: str
    rank: int

    @property
    def limits(self) -> Limits:
        """Who is old enough."""
        return _old_enough(self.rank, is_doctor=self.name.startswith(("doctor", "postdoctor")))


@dataclass(frozen=True, slots=True)
class Degree:
    """An academic degree.

    Attributes:
        short: Such as "MSc".
        long: Such as "Master of Science".
        field: The subject, empty where the title names it itself.
        rank: 4 or 5, as in `Schooling`.
    """

    short: str
    long: str
    field: str
    rank: int

    @property
    def limits(self) -> Limits:
        """Who is old enough."""
        return _old_enough(self.rank, is_doctor=self.long.startswith("Doctor"))


@cache
def _list_schooling(culture: str, *, own: bool) -> tuple[Schooling, ...]:
    rows = (read_own if own else read_for)("education", culture)
    return tuple(Schooling(name, int(rank)) for name, rank, _ in rows)


def _draw_schooling(request: Request) -> Schooling:
    background = request.background
    own = _list_schooling(background.culture, own=True) if happens(request.rng, 0.5) else ()
    return pick_fitting(request.rng, own or _list_schooling(background.culture, own=False), background)


@cache
def _list_titles(culture: str, *, own: bool) -> tuple[tuple[Degree, str, str], ...]:
    """The degrees of a culture without a subject, the groups of subjects each is in, and its own group."""
    rows = (read_own if own else read_for)("degrees", culture)
    return tuple(
        (Degree(short, long, "", int(rank)), groups, own_group)
        for short, long, rank, groups, own_group, _ in rows
    )


@cache
def _list_subjects(groups: str, own_group: str, studies: tuple[str, ...]) -> tuple[str, ...]:
    """The subjects of a degree that lead to a job; one empty where the title names the subject itself."""
    if not groups:
        return ("",) if not studies or own_group in studies else ()
    return tuple(
        field
        for group in dict.fromkeys(groups)
        for field in read_words("fields")[group]
        if not studies or group in studies or field in studies
    )


def _offer_degrees(background: Background, *, own: bool) -> list[tuple[Degree, tuple[str, ...]]]:
    return [
        (degree, subjects)
        for degree, groups, own_group in _list_titles(background.culture, own=own)
        if degree.limits.admit(background)
        and (subjects := _list_subjects(groups, own_group, background.studies))
    ]


def _draw_degree(request: Request) -> Degree:
    """A degree that fits the job and the age, else one that everybody might have."""
    rng, background = request.rng, request.background
    offered = _offer_degrees(background, own=True) if happens(rng, 0.5) else []
    offered = offered or _offer_degrees(background, own=False)
    if not offered:
        return _draw_degree(replace(request, background=replace(background, age=None, studies=())))
    degree, subjects = pick(rng, offered)
    return replace(degree, field=pick(rng, subjects))


def _write_degree(degree: Degree, request: Request) -> str:
    short, long, field = degree.short, degree.long, degree.field
    if request.form == "short":
        return short
    if not field:
        return pick(request.rng, (short, short, long)) if request.is_world else short
    plain = f"{short} in {field}"
    shapes = (
        plain,
        plain,
        plain,
        f"{long} in {field}",
        f"{short} {field}",
        f"{short} ({field})",
        f"{long}, {field}",
    )
    return pick(request.rng, shapes) if request.is_world else plain


MAKERS = {
    Category.EDUCATION_LEVEL: Maker(_draw_schooling, lambda schooling, _: schooling.name),
    Category.ACADEMIC_DEGREE: Maker(_draw_degree, _write_degree, ("short",)),
}
