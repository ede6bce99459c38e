"""ORG: companies, schools, agencies, charities and health facilities (Table 10), and named sights.

Names are composed by the patterns of `values/organisations.txt`, or of `values/kinds.txt` where a slot asks
for a kind by its form; each holds at least one stem that only one partition uses.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import ADULT, Maker
from piibench.generators.stems import list_families, list_stems, list_streets
from piibench.generators.wordlists import happens, pick, read_rows, split_words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from piibench.generators.base import Background, Request

_ANYWHERE_SHARE = 0.3

KINDS: Mapping[Category, tuple[str, ...]] = MappingProxyType(
    {
        Category.GOVERNMENT_AGENCY: (
            *("tax", "police", "registry", "land", "immigration", "benefits", "health"),
            *("transport", "council", "court", "labour", "education", "customs"),
        ),
        Category.COMPANY_NAME: (
            *("bank", "insurer", "telecom", "retail", "food", "tech", "logistics", "factory"),
            *("builder", "media", "property", "energy", "law", "travel", "garage"),
        ),
        Category.NGO: (
            *("food", "refugee", "health", "animals", "nature"),
            *("youth", "housing", "legal", "heritage", "women"),
        ),
        Category.EDUCATIONAL_INSTITUTION: ("university", "college", "school", "primary", "nursery"),
        Category.HEALTHCARE_FACILITY: (
            *("hospital", "clinic", "dental", "maternity", "hospice", "eye", "mental", "pharmacy"),
        ),
        Category.LANDMARK: (
            *("park", "museum", "market", "station", "worship", "water"),
            *("castle", "bridge", "hill", "square"),
        ),
    }
)
"""The forms of organisations and sights: kinds that the name alone makes plain."""

_SCHOOLS_BY_AGE = ((5, "nursery"), (11, "primary"), (ADULT, "school"))
"""The age from which on one is too old for a kind of school."""


@dataclass(frozen=True, slots=True, repr=False)
class Organisation:
    """An invented organisation or sight.

    Attributes:
        name: As written, without an article.
        kind: One of KINDS, or a word for any: "firm", "group", "agency", "charity", "facility", "landmark".
        country: The country it stands in.
    """

    name: str
    kind: str
    country: str


@cache
def _patterns(category: Category, form: str | None, words: str, culture: str) -> tuple[tuple[str, str], ...]:
    """Pairs of kind and pattern for a group of cultures ("*": for all)."""
    wanted = {words, culture} - {""}
    rows = read_rows("organisations") + (read_rows("kinds") if form else ())
    return tuple(
        (kind, pattern)
        for name, groups, kind, patterns in rows
        if name == category and form in (None, kind) and wanted & set(split_words(groups))
        for pattern in split_words(patterns, ";")
    )


@cache
def _sectors() -> tuple[str, ...]:
    return next(split_words(row[3], ";") for row in read_rows("organisations") if row[0] == "{sector}")


def _fill_slot(slot: str, rng: Random, background: Background) -> str:
    match slot.removesuffix("2"):
        case "sector":
            return pick(rng, _sectors())
        case "family":
            return pick(rng, list_families(background.culture, background.partition))
        case "street":
            return pick(rng, list_streets(background.words, background.partition))
        case stem:
            return pick(rng, list_stems(stem, background.partition))


@cache
def _split_pattern(pattern: str) -> tuple[str, ...]:
    """Text and slots in turn: the odd ones are slots."""
    return tuple(part for piece in pattern.split("{") for part in piece.split("}"))


def _compose(pattern: str, rng: Random, background: Background) -> str:
    drawn: list[str] = []
    for turn, part in enumerate(_split_pattern(pattern)):
        text = _fill_slot(part, rng, background) if turn % 2 else part
        while turn % 2 and text in drawn:
            text = _fill_slot(part, rng, background)
        drawn.append(text)
    return "".join(drawn)


def draw_named(category: Category, request: Request) -> Organisation:
    """An organisation or sight that only the background's partition can hold."""
    rng, background = request.rng, request.background
    form = request.form or _find_kind(category, request)
    own = _patterns(category, form, background.words, background.culture)
    anywhere = _patterns(category, form, "*", "")
    patterns = anywhere if anywhere and (not own or happens(rng, _ANYWHERE_SHARE)) else own
    kind, pattern = pick(rng, patterns)
    return Organisation(_compose(pattern, rng, background), kind, background.country)


def _find_kind(category: Category, request: Request) -> str | None:
    """The kind that the person's age or work asks for: a child's school, a baker's firm; None for any."""
    background = request.background
    if category is Category.COMPANY_NAME and background.employers:
        return pick(request.rng, background.employers)
    if category is not Category.EDUCATIONAL_INSTITUTION or background.age is None:
        return None
    return next((kind for limit, kind in _SCHOOLS_BY_AGE if background.age < limit), None)


def _make_maker(category: Category) -> Maker[Organisation]:
    return Maker(
        lambda request: draw_named(category, request),
        lambda organisation, _: organisation.name,
        KINDS[category],
    )


MAKERS = {category: _make_maker(category) for category in KINDS}
