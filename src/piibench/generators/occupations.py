"""DEM: occupations with the schooling and the income that usually go with them (Table 10)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import Maker
from piibench.generators.wordlists import happens, pick, read_rows

if TYPE_CHECKING:
    from piibench.generators.base import Request

_SENIORITIES = ("senior", "trainee", "freelance", "part-time", "former", "retired", "newly qualified")
_SMALL_WORDS = frozenset({"in", "of", "a", "and", "the"})


@dataclass(frozen=True, slots=True)
class Job:
    """An occupation.

    Attributes:
        title: Lower-case singular noun without an article.
        education: Usual schooling, 0 (none) to 5 (postgraduate), the ranks of `education.txt`.
        income_band: Usual income, 1 (low) to 5 (very high), the bands of `quantities.INCOME_BANDS`.
    """

    title: str
    education: int
    income_band: int


@cache
def list_jobs() -> tuple[Job, ...]:
    """All occupations of the list."""
    return tuple(Job(title, int(education), int(band)) for title, education, band in read_rows("occupations"))


def _draw_job(request: Request) -> Job:
    job = pick(request.rng, list_jobs())
    if not request.is_world or not happens(request.rng, 0.12):
        return job
    return Job(f"{pick(request.rng, _SENIORITIES)} {job.title}", job.education, job.income_band)


def _write_job(job: Job, request: Request) -> str:
    if request.form != "title":
        return job.title
    words = job.title.split(" ")
    return " ".join(word if word in _SMALL_WORDS else word[0].upper() + word[1:] for word in words)


MAKERS = {Category.OCCUPATION: Maker(_draw_job, _write_job, ("title",))}
