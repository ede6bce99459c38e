"""DEM: height and weight, by age and gender, and blood type (Table 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import Maker
from piibench.generators.wordlists import happens, pick

if TYPE_CHECKING:
    from piibench.generators.base import Request

_GROWTH = (
    0.37,
    0.45,
    0.51,
    0.56,
    0.60,
    0.64,
    0.68,
    0.71,
    0.75,
    0.78,
    0.81,
    0.85,
    0.88,
    0.92,
    0.95,
    0.97,
    0.98,
)
"""Height at each age in years as a share of the height as an adult."""

_MEAN_HEIGHT = {"female": 163, "male": 176, "nonbinary": 169}
_CM_PER_INCH = 2.54
_POUNDS_PER_KG = 2.20462
_IMPERIAL = frozenset({"us", "uk", "ca", "ie", "ph"})
_BLOOD_TYPES = (
    ("O+",) * 38 + ("A+",) * 30 + ("B+",) * 16 + ("O-",) * 6 + ("A-",) * 5 + ("AB+",) * 3 + ("B-", "AB-")
)


def _grown(age: int | None) -> float:
    """Share of the height as an adult that a person has at an age."""
    return 1.0 if age is None or age >= len(_GROWTH) else _GROWTH[age]


def _draw_height(request: Request) -> int:
    """Centimetres; 140 to 206 for adults."""
    grown = _grown(request.background.age)
    mean = _MEAN_HEIGHT[request.background.gender]
    return round(grown * min(206, max(140, request.rng.gauss(mean, 8 if grown == 1 else 5))))


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
    """Kilograms, by a usual body mass index for the age; 40 to 140 for adults."""
    background, rng = request.background, request.rng
    grown = _grown(background.age)
    metres = grown * _MEAN_HEIGHT[background.gender] / 100
    if grown == 1:
        return round(min(140, max(40, rng.gauss(25.5, 3.8) * metres**2)))
    mean = 15.5 + max(0, (background.age or 0) - 6) * 0.5
    return round(max(3, rng.gauss(mean, 1.2) * metres**2))


def index_mass(kg: int, cm: int) -> float:
    """The body mass index, kilograms for each square metre."""
    return kg / (cm / 100) ** 2


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


MAKERS = {
    Category.HEIGHT: Maker(_draw_height, _write_height),
    Category.WEIGHT: Maker(_draw_weight, _write_weight),
    Category.BLOOD_TYPE: Maker(lambda r: pick(r.rng, _BLOOD_TYPES), _write_blood),
}
