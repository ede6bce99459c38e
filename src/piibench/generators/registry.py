"""Values of all 55 categories: draw one, or write a known fact again (Appendix B.1, Table 10)."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from piibench.data.taxonomy import Category
from piibench.errors import InputError
from piibench.generators import (
    accounts,
    bodies,
    codes,
    conditions,
    datetimes,
    education,
    features,
    identities,
    networks,
    occupations,
    organisations,
    papers,
    persons,
    places,
    quantities,
)
from piibench.generators.base import Background, Maker, Request, Style, Value

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

_ROOMS = (
    persons,
    codes,
    papers,
    accounts,
    networks,
    places,
    organisations,
    occupations,
    identities,
    bodies,
    features,
    conditions,
    education,
    datetimes,
    quantities,
)
_FOUND: dict[Category, Maker[Any]] = {
    category: maker for room in _ROOMS for category, maker in room.MAKERS.items()
}

MAKERS: Mapping[Category, Maker[Any]] = MappingProxyType(
    {category: _FOUND[category] for category in Category}
)
"""The maker of each category, in the row order of Table 10."""

FORMS: Mapping[Category, tuple[str, ...]] = MappingProxyType({c: maker.forms for c, maker in MAKERS.items()})
"""The forms that a slot may ask for besides the default (None)."""


def _check_form(category: Category, form: str | None) -> None:
    if form is not None and form not in FORMS[category]:
        known = ", ".join(FORMS[category]) or "none"
        msg = f"{category} has no such form; its forms are: {known}"
        raise InputError(msg)


def make(
    category: Category,
    rng: Random,
    background: Background,
    *,
    form: str | None = None,
    style: Style = "paper",
) -> Value:
    """Draw a value.

    Args:
        category: Which of the 55.
        rng: The only source of chance; the same state gives the same value.
        background: Whose value it is.
        form: One of `FORMS[category]`, or None for the default form.
        style: "paper" for the format of Table 10, "world" for the formats that people use.

    Raises:
        InputError: The category has no such form.
    """
    _check_form(category, form)
    request = Request(rng, background, form, style)
    maker = MAKERS[category]
    fact = maker.draw(request)
    return Value(category, maker.write(fact, request), fact, form)


def render(  # noqa: PLR0913 - the fact and what `make` takes
    category: Category,
    fact: Any,
    rng: Random,
    background: Background,
    *,
    form: str | None = None,
    style: Style = "paper",
) -> str:
    """Write a fact that `make` drew, or that a rule changed, perhaps in another form.

    Args:
        category: The fact's category.
        fact: As in `Value.fact` of that category.
        rng: Chooses among the ways to write it.
        background: Whose value it is.
        form: As in `make`.
        style: As in `make`.

    Raises:
        InputError: The category has no such form.
    """
    _check_form(category, form)
    return MAKERS[category].write(fact, Request(rng, background, form, style))
