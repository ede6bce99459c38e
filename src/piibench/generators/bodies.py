"""DEM: height, weight, blood type, visible features, conditions and disabilities (Table 10)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import Maker
from piibench.generators.wordlists import happens, pick, read_rows, read_words, split_words

if TYPE_CHECKING:
    from random import Random

    from piibench.generators.base import Request

_MEAN_HEIGHT = {"female": 163, "male": 176, "nonbinary": 169}
_CM_PER_INCH = 2.54
_POUNDS_PER_KG = 2.20462
_IMPERIAL = frozenset({"us", "uk", "ca", "ie", "ph"})
_BLOOD_TYPES = (
    ("O+",) * 38 + ("A+",) * 30 + ("B+",) * 16 + ("O-",) * 6 + ("A-",) * 5 + ("AB+",) * 3 + ("B-", "AB-")
)


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
class Disability:
    """An impairment.

    Attributes:
        noun: Fits "lives with ___".
        adjective: Fits "is ___".
    """

    noun: str
    adjective: str


def _draw_height(request: Request) -> int:
    """Centimetres, 140 to 206."""
    return round(min(206, max(140, request.rng.gauss(_MEAN_HEIGHT[request.background.gender], 8))))


def _write_height(cm: int, request: Request) -> str:
    rng = request.rng
    feet, inches = divmod(round(cm / _CM_PER_INCH), 12)
    if not request.is_world:
        return f"{feet}'{inches}\"" if inches < 10 and happens(rng, 0.3) else f"{cm}cm"  # noqa: PLR2004
    metres = f"{cm / 100:.2f}"
    metric = (
        f"{cm} cm",
        f"{metres} m",
        f"{cm}cm",
        metres.replace(".", "m"),
        f"{metres}m",
        f"{metres.replace('.', ',')} m",
    )
    imperial = (
        f"{feet}'{inches}\"",
        f"{feet} ft {inches} in",
        f"{feet} foot {inches}",
        f"{feet}′{inches}″",
        f"{feet}ft {inches}",
    )
    own = request.background.culture in _IMPERIAL
    return pick(rng, imperial if happens(rng, (0.75 if own else 0.1)) else metric)


def _draw_weight(request: Request) -> int:
    """Kilograms, 42 to 148."""
    mean = 82 if request.background.gender == "male" else 69
    return round(min(148, max(42, request.rng.gauss(mean, 13))))


def _write_weight(kg: int, request: Request) -> str:
    rng = request.rng
    pounds = round(kg * _POUNDS_PER_KG)
    if not request.is_world:
        return f"{pounds}lbs" if happens(rng, 0.3) else f"{kg}kg"
    stones, rest = divmod(pounds, 14)
    metric = (f"{kg} kg", f"{kg} kilos", f"{kg}kg", f"{kg}.{rng.randrange(1, 10)} kg", f"{kg} kilograms")
    imperial = (
        f"{pounds} lbs",
        f"{pounds} lb",
        f"{pounds} pounds",
        f"{stones} stone {rest}",
        f"{stones} st {rest}",
    )
    british = request.background.culture in {"uk", "ie"}
    imperial = imperial if british else imperial[:3]
    own = request.background.culture in _IMPERIAL
    return pick(rng, imperial if happens(rng, (0.7 if own else 0.05)) else metric)


def _write_blood(blood: str, request: Request) -> str:
    if not request.is_world:
        return blood
    group, positive = blood[:-1], blood.endswith("+")
    word, short = ("positive", "pos") if positive else ("negative", "neg")
    shapes = (
        blood,
        f"{group} {word}",
        f"{group} {short}",
        f"{group} Rh{blood[-1]}",
        f"{group} Rh-{word}",
        f"{group}{short}",
    )
    return pick(request.rng, shapes)


def _draw_hair(rng: Random, words: dict[str, tuple[str, ...]]) -> str:
    lengths, textures, colours = words["hair length"], words["hair texture"], words["hair colour"]
    kind = pick(rng, words["hair kind"]) if happens(rng, 0.3) else "hair"
    parts = (
        [pick(rng, textures), pick(rng, colours)],
        [pick(rng, lengths), pick(rng, colours)],
        [pick(rng, colours)],
        [pick(rng, lengths), pick(rng, textures)],
    )
    return " ".join([*pick(rng, parts), kind])


def _draw_eyes(rng: Random, words: dict[str, tuple[str, ...]]) -> str:
    shape = f"{pick(rng, words['eye shape'])} " if happens(rng, 0.35) else ""
    return f"{shape}{pick(rng, words['eye colour'])} eyes"


def _draw_trait(rng: Random, words: dict[str, tuple[str, ...]]) -> str:
    """A mass or plural noun phrase that fits "has ___"."""
    part = pick(rng, ("hair", "hair", "hair", "eyes", "eyes", "face", "body", "skin"))
    if part == "hair":
        return _draw_hair(rng, words)
    return _draw_eyes(rng, words) if part == "eyes" else pick(rng, words[part])


def _draw_mark(rng: Random, words: dict[str, tuple[str, ...]]) -> str:
    """A countable noun phrase that fits "a ___"."""
    part = pick(rng, ("mark", "mark", "mark", "tattoo", "tattoo", "beard"))
    if part == "mark":
        return f"{pick(rng, words['mark'])} {pick(rng, words['mark place'])}"
    if part == "tattoo":
        return f"{pick(rng, words['tattoo'])} tattoo {pick(rng, words['tattoo place'])}"
    colour = pick(rng, ("", "", "grey ", "red ", "black ", "white ", "brown "))
    return f"{pick(rng, words['beard length'])} {colour}{pick(rng, words['beard'])}"


def _draw_feature(request: Request) -> Feature:
    words = read_words("features")
    is_mark = request.form == "mark"
    return Feature((_draw_mark if is_mark else _draw_trait)(request.rng, words), is_mark)


@cache
def _injuries() -> tuple[str, ...]:
    parts = ((kind, part) for kind, column in read_rows("injuries") for part in split_words(column))
    return tuple(
        f"{kind} {part.replace('{side}', side)}"
        for kind, part in parts
        for side in (("left", "right") if "{side}" in part else ("",))
    )


def _draw_condition(request: Request) -> str:
    if happens(request.rng, 0.08):
        return pick(request.rng, _injuries())
    return pick(request.rng, read_rows("conditions"))[0]


def _draw_disability(request: Request) -> Disability:
    return Disability(*pick(request.rng, read_rows("disabilities")))


def _write_disability(disability: Disability, request: Request) -> str:
    return disability.adjective if request.form == "pred" else disability.noun


MAKERS = {
    Category.HEIGHT: Maker(_draw_height, _write_height),
    Category.WEIGHT: Maker(_draw_weight, _write_weight),
    Category.BLOOD_TYPE: Maker(lambda r: pick(r.rng, _BLOOD_TYPES), _write_blood),
    Category.PHYSICAL_FEATURES: Maker(_draw_feature, lambda feature, _: feature.text, ("mark",)),
    Category.MEDICAL_CONDITION: Maker(_draw_condition, lambda condition, _: condition),
    Category.DISABILITY_STATUS: Maker(_draw_disability, _write_disability, ("pred",)),
}
