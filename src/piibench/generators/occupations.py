"""DEM: occupations with the age, the schooling and the income that usually go with them (Table 10)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import Maker
from piibench.generators.limits import ANYBODY, Limits, parse_limits, pick_fitting
from piibench.generators.wordlists import happens, read_rows, split_words

if TYPE_CHECKING:
    from piibench.generators.base import Request

_RANKED_SHARE = 0.12
_SENIOR, _JUNIOR = (32, 3), 24
"""From which age and schooling on somebody is a senior, and up to which age a trainee."""

_SMALL_WORDS = frozenset({"in", "of", "a", "and", "the"})


@dataclass(frozen=True, slots=True)
class Job:
    """An occupation.

    Attributes:
        title: Lower-case singular noun without an article.
        education: Usual schooling, 0 (none) to 5 (postgraduate), the ranks of `education.txt`.
        income_band: Usual income, 1 (low) to 5 (very high), the bands of `quantities.INCOME_BANDS`.
        limits: Who works as one.
        employers: Kinds of companies that employ one, as in `organisations.KINDS`, or "group".
        studies: What leads to it: groups of `degrees.txt` and subjects of `fields.txt`; empty for anything.
    """

    title: str
    education: int
    income_band: int
    limits: Limits = ANYBODY
    studies: tuple[str, ...] = ()
    employers: tuple[str, ...] = ()


@cache
def list_jobs() -> tuple[Job, ...]:
    """All occupations of the list."""
    return tuple(
        Job(
            title,
            int(education),
            int(band),
            parse_limits(limits),
            split_words(studies),
            split_words(employers),
        )
        for title, education, band, limits, studies, employers in read_rows("occupations")
    )


def _draw_job(request: Request) -> Job:
    job = pick_fitting(request.rng, list_jobs(), request.background)
    if not request.is_world or not happens(request.rng, _RANKED_SHARE):
        return job
    rank = _find_rank(job, request.background.age)
    return replace(job, title=f"{rank} {job.title}") if rank else job


def _find_rank(job: Job, age: int | None) -> str | None:
    """What may stand in front of the title at that age."""
    if age is None or " " in job.title:
        return None
    if age <= _JUNIOR:
        return "trainee" if job.education else None
    oldest, schooling = _SENIOR
    return "senior" if age >= oldest and job.education >= schooling else "part-time"


def _write_job(job: Job, request: Request) -> str:
    if request.form != "title":
        return job.title
    words = job.title.split(" ")
    return " ".join(word if word in _SMALL_WORDS else word[0].upper() + word[1:] for word in words)


MAKERS = {Category.OCCUPATION: Maker(_draw_job, _write_job, ("title",))}
