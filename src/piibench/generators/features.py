"""DEM: visible features that fit the person's age, gender and origin (Table 10)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import ADULT, Maker
from piibench.generators.limits import ANYBODY, Limits, parse_limits, pick_fitting
from piibench.generators.wordlists import happens, pick, read_rows, split_words

if TYPE_CHECKING:
    from piibench.generators.base import Request

_BEARDED_FROM = 25
_TRAITS = ("hair", "hair", "hair", "eyes", "eyes", "face", "body", "skin")


@dataclass(frozen=True, slots=True)
class Feature:
    """A visible trait.

    Attributes:
        text: Noun phrase without an article.
        is_mark: Whether it is one countable thing ("a scar on the chin").
    """

    text: str
    is_mark: bool


@dataclass(frozen=True, slots=True)
class Word:
    """A word of `values/features.txt` and whom it fits."""

    text: str
    limits: Limits


@cache
def _list_words(part: str) -> tuple[Word, ...]:
    return tuple(
        Word(word, parse_limits(rest[0]) if rest else ANYBODY)
        for name, words, *rest in read_rows("features")
        if name == part
        for word in split_words(words)
    )


def _pick_word(part: str, request: Request) -> str:
    return pick_fitting(request.rng, _list_words(part), request.background).text


def _draw_hair(request: Request) -> str:
    rng = request.rng
    if happens(rng, 0.2):
        return f"{_pick_word('hair colour', request)} {_pick_word('hair kind', request)}"
    shapes = (("hair texture", "hair colour"), ("hair length", "hair colour"), ("hair colour",))
    return " ".join([*(_pick_word(part, request) for part in pick(rng, shapes)), "hair"])


def _draw_eyes(request: Request) -> str:
    shape = f"{_pick_word('eye shape', request)} " if happens(request.rng, 0.35) else ""
    return f"{shape}{_pick_word('eye colour', request)} eyes"


def _draw_trait(request: Request) -> str:
    """A mass or plural noun phrase that fits "has ___"."""
    part = pick(request.rng, _TRAITS)
    if part == "hair":
        return _draw_hair(request)
    return _draw_eyes(request) if part == "eyes" else _pick_word(part, request)


def _draw_mark(request: Request) -> str:
    """A countable noun phrase that fits "a ___"."""
    background = request.background
    parts = ["line", "line", "spot", "spot"]
    if background.age is None or background.age >= ADULT:
        parts += ["tattoo", "tattoo"]
    if background.gender == "male" and (background.age or 0) >= _BEARDED_FROM:
        parts += ["beard", "beard"]
    part = pick(request.rng, parts)
    if part == "beard":
        colour = f"{_pick_word('beard colour', request)} " if happens(request.rng, 0.5) else ""
        return _pick_word("beard", request).replace("{}", colour)
    noun = "tattoo " if part == "tattoo" else ""
    return f"{_pick_word(part, request)} {noun}{_pick_word(f'{part} place', request)}"


def _draw_feature(request: Request) -> Feature:
    is_mark = request.form == "mark"
    return Feature((_draw_mark if is_mark else _draw_trait)(request), is_mark)


MAKERS = {
    Category.PHYSICAL_FEATURES: Maker(_draw_feature, lambda feature, _: feature.text, ("mark",)),
}
