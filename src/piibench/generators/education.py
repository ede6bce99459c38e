"""DEM: education levels and academic degrees (Table 10)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import Maker
from piibench.generators.wordlists import happens, pick, read_for, read_own, read_words

if TYPE_CHECKING:
    from piibench.generators.base import Request


@dataclass(frozen=True, slots=True)
class Schooling:
    """An education level.

    Attributes:
        name: Noun phrase without an article.
        rank: 0 none, 1 lower school, 2 school leaving, 3 vocational, 4 bachelor's, 5 postgraduate.
    """

    name: str
    rank: int


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


def _draw_schooling(request: Request) -> Schooling:
    culture = request.background.culture
    own = read_own("education", culture)
    rows = own if own and happens(request.rng, 0.5) else read_for("education", culture)
    name, rank, _ = pick(request.rng, rows)
    return Schooling(name, int(rank))


@cache
def _fields(groups: str) -> tuple[str, ...]:
    return tuple(field for group in dict.fromkeys(groups) for field in read_words("fields")[group])


def _draw_degree(request: Request) -> Degree:
    rng, culture = request.rng, request.background.culture
    own = read_own("degrees", culture)
    rows = own if own and happens(rng, 0.5) else read_for("degrees", culture)
    short, long, rank, groups, _ = pick(rng, rows)
    return Degree(short, long, pick(rng, _fields(groups)) if groups else "", int(rank))


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
