"""LOC: street addresses, towns and regions (Table 10); sights are named in `organisations`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import Maker
from piibench.generators.shapes import fill
from piibench.generators.stems import list_families, list_street_patterns, list_streets
from piibench.generators.wordlists import happens, pick, read_rows, split_words

if TYPE_CHECKING:
    from random import Random

    from piibench.generators.base import Background, Request

_UNITS = ("Apt 4#", "Unit #", "Apt. 1#", "Suite 2##", "#B", "Floor #")


@dataclass(frozen=True, slots=True)
class City:
    """A town or region.

    Attributes:
        name: As written.
        country: The country it lies in.
    """

    name: str
    country: str


@dataclass(frozen=True, slots=True, repr=False)
class Address:
    """A postal address.

    Attributes:
        text: The whole address on one line.
        city: The town in it.
        country: The country it lies in.
    """

    text: str
    city: str
    country: str


@cache
def _places(culture: str) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """The towns of a culture with the state that addresses name, and its regions."""
    towns, regions = next(row[1:] for row in read_rows("cities") if row[0] == culture)
    cut = (town.partition("/") for town in split_words(towns))
    return tuple((name, state) for name, _, state in cut), split_words(regions)


def draw_town(rng: Random, culture: str) -> str:
    """The name of a town where somebody of a culture may live."""
    towns, _ = _places(culture)
    return pick(rng, towns)[0]


def _draw_city(request: Request) -> City:
    rng, country = request.rng, request.background.country
    towns, regions = _places(request.background.culture)
    if happens(rng, 0.8):
        return City(pick(rng, towns)[0], country)
    return City(pick(rng, regions), country)


def _draw_street(rng: Random, background: Background) -> str:
    """A street whose name only this partition uses."""
    if happens(rng, 0.6):
        stem = pick(rng, list_streets(background.words, background.partition))
        return pick(rng, list_street_patterns(background.words)).format(stem)
    family = pick(rng, list_families(background.culture, background.partition))
    return pick(rng, list_street_patterns(background.words, for_family=True)).format(family)


def _draw_address(request: Request) -> Address:
    rng, background = request.rng, request.background
    towns, _ = _places(background.culture)
    home = tuple(town for town in towns if town[0] == background.town)
    city, region = pick(rng, home or towns)
    templates = _templates(background.culture)
    template = fill(rng, pick(rng, templates) if request.is_world else templates[0])
    text = template.format(
        n=rng.randrange(1, 300) if happens(rng, 0.8) else rng.randrange(300, 4000),
        m=rng.randrange(1, 10),
        unit=fill(rng, pick(rng, _UNITS)),
        street=_draw_street(rng, background),
        street2=_draw_street(rng, background),
        city=city,
        region=region,
    )
    return Address(text, city, background.country)


@cache
def _templates(culture: str) -> tuple[str, ...]:
    return next(split_words(templates, ";") for code, templates in read_rows("addresses") if code == culture)


def _write_city(city: City, request: Request) -> str:
    return city.country if request.form == "country" else city.name


MAKERS = {
    Category.STREET_ADDRESS: Maker(_draw_address, lambda address, _: address.text),
    Category.CITY_REGION: Maker(_draw_city, _write_city, ("country",)),
}
