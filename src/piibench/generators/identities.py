"""DEM: age, gender, orientation, nationality, ethnicity, race, religion and politics (Table 10)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import ADULT, Maker
from piibench.generators.cultures import name_country
from piibench.generators.numerals import spell
from piibench.generators.wordlists import happens, pick, read_for, read_own, read_rows, split_words

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from piibench.generators.base import Gender, Request

_OWN_SHARE, _NATURALISED_SHARE, _OWN_GROUP_SHARE = 0.75, 0.5, 0.92
_GENDERS: dict[Gender, tuple[str, str, str]] = {
    "female": ("female", "woman", "F"),
    "male": ("male", "man", "M"),
    "nonbinary": ("non-binary", "non-binary person", "X"),
}
_WORLD_GENDERS: dict[Gender, tuple[str, ...]] = {
    "female": ("female", "female", "female", "cisgender female", "trans female", "Female"),
    "male": ("male", "male", "male", "cisgender male", "trans male", "Male"),
    "nonbinary": (
        "non-binary",
        "nonbinary",
        "genderqueer",
        "genderfluid",
        "agender",
        "bigender",
        "Non-binary",
    ),
}


@dataclass(frozen=True, slots=True)
class Nation:
    """A citizenship.

    Attributes:
        country: Such as "Kenya".
        adjective: Such as "Kenyan".
    """

    country: str
    adjective: str


@dataclass(frozen=True, slots=True)
class Belief:
    """A religion or the lack of one.

    Attributes:
        adherent: Fits "is a ___" and "a ___ family".
        faith: The religion's name.
    """

    adherent: str
    faith: str


@dataclass(frozen=True, slots=True)
class Party:
    """A party or movement.

    Attributes:
        name: Without an article.
        adjective: The leaning, such as "conservative".
    """

    name: str
    adjective: str


def draw_age(rng: Random) -> int:
    """An adult's age in years, 18 to 88, most between 20 and 60."""
    return ADULT + int(rng.triangular(0, 70, 16))


def _draw_age(request: Request) -> int:
    age = request.background.age
    return draw_age(request.rng) if age is None else age


def _write_age(age: int, request: Request) -> str:
    return spell(age) if request.form == "word" else str(age)


def _write_gender(gender: Gender, request: Request) -> str:
    plain, noun, letter = _GENDERS[gender]
    if request.form:
        return noun if request.form == "noun" else letter
    return pick(request.rng, _WORLD_GENDERS[gender]) if request.is_world else plain


@cache
def _orientations(gender: Gender) -> tuple[str, ...]:
    """The orientations of a gender, each as often as its weight says."""
    entries = next(split_words(row[1]) for row in read_rows("orientations") if row[0] == gender)
    pairs = (entry.split("*") for entry in entries)
    return tuple(name for name, weight in pairs for _ in range(int(weight)))


@cache
def _nations() -> dict[str, Nation]:
    return {country: Nation(country, adjective) for country, adjective in read_rows("nationalities")}


def _draw_nation(request: Request) -> Nation:
    nations, background = _nations(), request.background
    if happens(request.rng, _OWN_SHARE):
        code = background.culture if happens(request.rng, _NATURALISED_SHARE) else background.roots
        return nations[name_country(code)]
    return pick(request.rng, tuple(nations.values()))


@cache
def _groups(name: str, culture: str) -> tuple[str, ...]:
    rows = (row for row in read_rows(name) if culture in split_words(row[0]))
    return tuple(dict.fromkeys(word for row in rows for word in split_words(row[1])))


def _draw_group(name: str) -> Callable[[Request], str]:
    """A drawer from a list that knows which groups are at home in a culture."""

    def draw(request: Request) -> str:
        own = happens(request.rng, _OWN_GROUP_SHARE)
        return pick(request.rng, _groups(name, request.background.roots if own else "*"))

    return draw


def _draw_row(name: str, culture: str, rng: Random) -> tuple[str, ...]:
    own = read_own(name, culture)
    return pick(rng, own if own and happens(rng, 0.6) else read_for(name, culture))


def _draw_belief(request: Request) -> Belief:
    return Belief(*_draw_row("religions", request.background.roots, request.rng)[:2])


def _draw_party(request: Request) -> Party:
    return Party(*_draw_row("parties", request.background.culture, request.rng)[:2])


def _write_plain(text: str, _request: Request) -> str:
    return text


MAKERS = {
    Category.AGE: Maker(_draw_age, _write_age, ("word",)),
    Category.GENDER: Maker(lambda r: r.background.gender, _write_gender, ("noun", "letter")),
    Category.SEXUAL_ORIENTATION: Maker(
        lambda r: pick(r.rng, _orientations(r.background.gender)), _write_plain
    ),
    Category.NATIONALITY: Maker(
        _draw_nation,
        lambda nation, r: nation.country if r.form == "country" else nation.adjective,
        ("country",),
    ),
    Category.ETHNICITY: Maker(_draw_group("ethnicities"), _write_plain),
    Category.RACE: Maker(_draw_group("races"), _write_plain),
    Category.RELIGIOUS_BELIEF: Maker(
        _draw_belief, lambda belief, r: belief.faith if r.form == "faith" else belief.adherent, ("faith",)
    ),
    Category.POLITICAL_AFFILIATION: Maker(
        _draw_party, lambda party, r: party.adjective if r.form == "adj" else party.name, ("adj",)
    ),
}
