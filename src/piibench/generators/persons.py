"""PER: full names, nicknames and social media handles (Table 10)."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import Maker, Name
from piibench.generators.stems import list_stems
from piibench.generators.wordlists import happens, pick, read_rows, read_words, split_words

if TYPE_CHECKING:
    from random import Random

    from piibench.generators.base import Background, Request

_TWO_SURNAMES = frozenset({"es", "mx", "br", "ph"})
_FAMILY_FIRST = frozenset({"cn", "jp", "kr", "vn"})
_UNDECOMPOSED = str.maketrans(
    {"ł": "l", "Ł": "L", "ı": "i", "đ": "d", "Đ": "D", "ø": "o", "ß": "ss", "æ": "ae"}
)
_HANDLE_LENGTH = range(5, 16)


@cache
def _names(culture: str, kind: str) -> tuple[str, ...]:
    if kind == "nonbinary":
        return _names(culture, "female") + _names(culture, "male")
    return next(split_words(row[2]) for row in read_rows("names") if row[:2] == (culture, kind))


@cache
def fold_ascii(text: str) -> str:
    """A name as user names spell it: lower case, letters and digits of ASCII only."""
    plain = unicodedata.normalize("NFKD", text.translate(_UNDECOMPOSED))
    return "".join(char for char in plain.lower() if char.isascii() and char.isalnum())


def draw_name(rng: Random, background: Background) -> Name:
    """A given and a family name of the background's roots and gender, sometimes with a middle name."""
    given = pick(rng, _names(background.roots, background.gender))
    middle = pick(rng, _names(background.roots, background.gender)) if happens(rng, 0.3) else ""
    family = pick(rng, _names(background.roots, "family"))
    return Name(given, family, "" if middle == given else middle)


def _own_name(request: Request) -> Name:
    return request.background.name or draw_name(request.rng, request.background)


def _list_variants(name: Name, request: Request) -> tuple[str, ...]:
    """The longer and shorter ways in which papers of the culture write a name."""
    culture = request.background.roots
    if culture in _FAMILY_FIRST:
        return (f"{name.family} {name.given}",)
    initial = f"{name.given[0]}. {name.family}"
    if culture in _TWO_SURNAMES:
        return (f"{name.given} {name.family} {pick(request.rng, _names(culture, 'family'))}",) * 3 + (
            initial,
        )
    if not name.middle:
        return (initial,)
    longer = f"{name.given} {name.middle} {name.family}"
    return longer, longer, f"{name.given} {name.middle[0]}. {name.family}", initial


def _write_name(name: Name, request: Request) -> str:
    if request.form == "family":
        return name.family
    if request.is_world and happens(request.rng, 0.35):
        return pick(request.rng, _list_variants(name, request))
    return f"{name.given} {name.family}"


def _draw_nickname(request: Request) -> str:
    rng = request.rng
    if request.form == "pet":
        return pick(rng, list_stems("pet", request.background.partition))
    given = _own_name(request).given
    shorts = read_words("shorts").get(given, ())
    return pick(rng, shorts) if shorts and happens(rng, 0.5) else given


def _draw_handle(request: Request) -> str:
    """A user name without its sign: part of the own name and a word that only this partition uses."""
    rng, background = request.rng, request.background
    name = _own_name(request)
    word = pick(rng, list_stems("handle", background.partition))
    given, family = fold_ascii(name.given), fold_ascii(name.family)
    stem = pick(rng, (given, given, family, given[:1] + family, ""))
    if not request.is_world:
        joined = (stem[: 15 - len(word)] + word) if happens(rng, 0.7) else word + str(rng.randrange(10, 2020))
        return joined if len(joined) in _HANDLE_LENGTH else (joined + str(rng.randrange(1000, 9999)))[-15:]
    mark = pick(rng, ("_", ".", "", "-", "__"))
    shapes = (
        f"{stem}{mark}{word}" if stem else f"the{mark}{word}",
        f"{word}{mark}{stem or rng.randrange(100)}",
        f"{stem or 'real'}{mark}{word}{rng.randrange(60, 2012)}",
        f"its{mark}{stem or 'me'}{mark}{word}",
        f"{word}.with.{given}",
        f"x{word}{mark}{given[:2]}x",
    )
    return pick(rng, shapes)


def _write_handle(user: str, request: Request) -> str:
    return user if request.form == "bare" else f"@{user}"


MAKERS = {
    Category.FULL_NAME: Maker(_own_name, _write_name, ("family",)),
    Category.SOCIAL_MEDIA_HANDLE: Maker(_draw_handle, _write_handle, ("bare",)),
    Category.NICKNAME: Maker(_draw_nickname, lambda text, _: text, ("pet",)),
}
