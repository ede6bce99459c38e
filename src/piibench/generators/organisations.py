"""ORG: companies, schools, agencies, charities and health facilities (Table 10), and named sights.

Names are composed by the patterns of `values/organisations.txt`; each holds at least one stem that only one
partition uses.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import Maker
from piibench.generators.stems import list_families, list_stems, list_streets
from piibench.generators.wordlists import happens, pick, read_rows, split_words

if TYPE_CHECKING:
    from random import Random

    from piibench.generators.base import Background, Request

_ANYWHERE_SHARE = 0.3


@dataclass(frozen=True, slots=True, repr=False)
class Organisation:
    """An invented organisation or sight.

    Attributes:
        name: As written, without an article.
        kind: "firm", "school", "college", "university", "agency", "charity", "facility" or "landmark".
        country: The country it stands in.
    """

    name: str
    kind: str
    country: str


@cache
def _patterns(category: Category, words: str, culture: str) -> tuple[tuple[str, str], ...]:
    """Pairs of kind and pattern for a group of cultures ("*": for all)."""
    wanted = {words, culture} - {""}
    return tuple(
        (kind, pattern)
        for name, groups, kind, patterns in read_rows("organisations")
        if name == category and wanted & set(split_words(groups))
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
    parts = _split_pattern(pattern)
    drawn = [_fill_slot(part, rng, background) if turn % 2 else part for turn, part in enumerate(parts)]
    return "".join(drawn)


def draw_named(category: Category, request: Request) -> Organisation:
    """An organisation or sight that only the background's partition can hold."""
    rng, background = request.rng, request.background
    own = _patterns(category, background.words, background.culture)
    anywhere = _patterns(category, "*", "")
    patterns = anywhere if anywhere and (not own or happens(rng, _ANYWHERE_SHARE)) else own
    kind, pattern = pick(rng, patterns)
    return Organisation(_compose(pattern, rng, background), kind, background.country)


def _make_maker(category: Category) -> Maker[Organisation]:
    return Maker(lambda request: draw_named(category, request), lambda organisation, _: organisation.name)


MAKERS = {
    category: _make_maker(category)
    for category in (
        Category.COMPANY_NAME,
        Category.EDUCATIONAL_INSTITUTION,
        Category.GOVERNMENT_AGENCY,
        Category.NGO,
        Category.HEALTHCARE_FACILITY,
    )
}
