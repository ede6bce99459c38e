"""DEM: medical conditions and disabilities (Table 10).

A condition fits the person's age, gender and part of the world; some slots ask for a long illness, a short
one or an injury.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import Maker
from piibench.generators.limits import ANYBODY, Limits, parse_limits, pick_fitting
from piibench.generators.wordlists import happens, pick, read_rows, split_words

if TYPE_CHECKING:
    from piibench.generators.base import Request

_INJURED_SHARE = 0.08
_KINDS = ("chronic", "acute", "injury")


@dataclass(frozen=True, slots=True)
class Condition:
    """An illness or injury.

    Attributes:
        name: Noun phrase without an article.
        kind: "chronic", "acute" (over in weeks or months) or "injury".
        limits: Whom it befalls.
    """

    name: str
    kind: str
    limits: Limits = ANYBODY


@dataclass(frozen=True, slots=True)
class Disability:
    """An impairment.

    Attributes:
        noun: Fits "lives with ___".
        adjective: Fits "is ___".
        limits: Whom it fits.
    """

    noun: str
    adjective: str
    limits: Limits = ANYBODY


@cache
def list_conditions(kind: str | None = None) -> tuple[Condition, ...]:
    """The illnesses of a kind, or all; as injuries also every part of the body that can be hurt."""
    listed = (Condition(name, what, parse_limits(limits)) for name, what, limits in read_rows("conditions"))
    found = tuple(condition for condition in listed if kind in (None, condition.kind))
    return found + (_list_injuries() if kind == "injury" else ())


@cache
def _list_injuries() -> tuple[Condition, ...]:
    parts = ((kind, part) for kind, column in read_rows("injuries") for part in split_words(column))
    return tuple(
        Condition(f"{kind} {part.replace('{side}', side)}", "injury")
        for kind, part in parts
        for side in (("left", "right") if "{side}" in part else ("",))
    )


@cache
def _list_disabilities() -> tuple[Disability, ...]:
    return tuple(
        Disability(noun, adjective, parse_limits(rest[0]) if rest else ANYBODY)
        for noun, adjective, *rest in read_rows("disabilities")
    )


def _draw_condition(request: Request) -> Condition:
    if request.form is None and happens(request.rng, _INJURED_SHARE):
        return pick(request.rng, _list_injuries())
    return pick_fitting(request.rng, list_conditions(request.form), request.background)


def _draw_disability(request: Request) -> Disability:
    return pick_fitting(request.rng, _list_disabilities(), request.background)


def _write_disability(disability: Disability, request: Request) -> str:
    return disability.adjective if request.form == "pred" else disability.noun


MAKERS = {
    Category.MEDICAL_CONDITION: Maker(_draw_condition, lambda condition, _: condition.name, _KINDS),
    Category.DISABILITY_STATUS: Maker(_draw_disability, _write_disability, ("pred",)),
}
