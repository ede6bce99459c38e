"""DATETIME: dates, times of day and durations (Table 10)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import TODAY, Maker
from piibench.generators.numerals import spell
from piibench.generators.wordlists import happens, pick

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from piibench.generators.base import Request

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_MONTH_FIRST = frozenset({"us", "ph"})
_YEAR_FIRST = frozenset({"cn", "jp", "kr"})
_DOTTED = frozenset({"de", "pl", "ua", "tr"})
_ADULT_YEARS, _LONGEST, _GENERATION = 16, 55, 35
_EARLIEST_DAYS, _LATEST_DAYS = 110, 75
"""How long before and after the day of the scene its other dates lie."""

_WAKING = (6, 22)
_HOURS = {"morning": (6, 11), "evening": (17, 22)}
"""The first and the last hour in which things happen, and so by the forms that ask for a part of the day."""

_YEAR_DAYS = 365.25
_UNITS = {"d": "day", "h": "hour", "m": "minute", "s": "second", "w": "week", "mo": "month", "y": "year"}
_USUAL: dict[str, Sequence[int]] = {
    "mo": (*range(2, 13), 14, 15, 16, 18, 18, 20, 24, 24, 30, 36),
    "w": (*range(2, 13), 14, 16, 20, 26),
    "d": (*range(2, 15), 18, 20, 21, 28, 30, 30, 45, 60, 90),
    "h": (*range(1, 13), 14, 16, 18, 20, 24, 36, 48, 72),
    "m": (*range(5, 60, 5), 75, 90),
    "s": range(10, 60),
}
"""How many of each unit people tell of; years depend on the age."""

_FORM_UNITS = {"years": "y", "months": "mo", "weeks": "w", "days": "d", "hours": "h"}
_TEEN_DAYS = range(11, 14)


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time.

    Attributes:
        number: How many, above 0.
        unit: "s", "m" (minutes), "h", "d", "w", "mo" (months) or "y".
    """

    number: int
    unit: str


def _draw_birth(request: Request) -> date:
    """A birthday that makes the person as old as the background says, on the day of the scene."""
    background = request.background
    age = background.age if background.age is not None else request.rng.randrange(18, 90)
    days = int(age * _YEAR_DAYS) + 1 + request.rng.randrange(364)
    return (background.scene or TODAY) - timedelta(days=days)


def draw_scene(rng: Random) -> date:
    """The day around which the dates of one sample lie, within the last three years."""
    return TODAY - timedelta(days=rng.randrange(_LATEST_DAYS, 3 * 365))


def _draw_date(request: Request) -> date:
    rng, background = request.rng, request.background
    if request.form == "birth":
        return _draw_birth(request)
    scene = background.scene or draw_scene(rng)
    if request.form == "year":
        span = _count_past_years(background.age)
        return date(scene.year - int(rng.triangular(0, span + 1, span / 5)), scene.month, min(scene.day, 28))
    earliest = _EARLIEST_DAYS if background.age != 0 else 0
    return scene + timedelta(days=rng.randrange(-earliest, _LATEST_DAYS))


def _count_past_years(age: int | None) -> int:
    """How far back the years of somebody's story go: into the youth; a generation at an unknown age."""
    if age is None:
        return _GENERATION
    return min(_LONGEST, age - _ADULT_YEARS if age > _ADULT_YEARS + 2 else age // 3)


def _name_ordinal(day: int) -> str:
    ending = "th" if day in _TEEN_DAYS else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


def _write_part(day: date, request: Request) -> str:
    month = _MONTHS[day.month - 1]
    if request.form == "year":
        return str(day.year)
    if request.form == "month":
        shapes = (
            (f"{month} {day.year}", f"{month[:3]} {day.year}")
            if request.is_world
            else (f"{month} {day.year}",)
        )
        return pick(request.rng, shapes)
    shapes = (
        f"{day.day} {month}",
        f"{month} {day.day}",
        f"{_name_ordinal(day.day)} {month}",
        f"{day.day} {month[:3]}",
    )
    if request.background.culture in _MONTH_FIRST:
        shapes = (f"{month} {day.day}", f"{month[:3]} {day.day}", f"{month} {_name_ordinal(day.day)}")
    return pick(request.rng, shapes) if request.is_world else shapes[0]


def _write_date(day: date, request: Request) -> str:
    if request.form in {"year", "month", "day"}:
        return _write_part(day, request)
    if not request.is_world or request.form == "iso":
        return day.isoformat()
    month, d, m, y = _MONTHS[day.month - 1], day.day, day.month, day.year
    culture = request.background.culture
    spelled = (
        f"{d} {month} {y}",
        f"{d} {month[:3]} {y}",
        f"{_name_ordinal(d)} {month} {y}",
        f"{_name_ordinal(d)} of {month} {y}",
    )
    figures = (
        f"{d:02d}/{m:02d}/{y}",
        f"{d}/{m}/{y}",
        f"{d:02d}-{m:02d}-{y}",
        f"{d:02d}.{m:02d}.{y}",
        f"{d}-{month[:3]}-{y}",
    )
    if culture in _MONTH_FIRST or (culture == "ca" and happens(request.rng, 0.5)):
        spelled = (f"{month} {d}, {y}", f"{month[:3]} {d}, {y}", f"{month} {_name_ordinal(d)}, {y}")
        figures = (
            f"{m:02d}/{d:02d}/{y}",
            f"{m}/{d}/{y}",
            f"{m:02d}/{d:02d}/{y % 100:02d}",
            f"{m:02d}-{d:02d}-{y}",
        )
    elif culture in _YEAR_FIRST:
        figures = (f"{y}/{m:02d}/{d:02d}", f"{y}.{m:02d}.{d:02d}", f"{y}/{m}/{d}", day.isoformat())
    elif culture in _DOTTED:
        figures = (f"{d:02d}.{m:02d}.{y}", f"{d}.{m}.{y}", f"{d:02d}.{m:02d}.{y % 100:02d}")
    return pick(request.rng, spelled if happens(request.rng, 0.6) else figures)


def _draw_time(request: Request) -> time:
    rng = request.rng
    low, high = _HOURS.get(request.form or "", _WAKING)
    hour = min(high, max(low, round(rng.gauss((low + high) / 2, (high - low) / 4))))
    if request.form == "hour":
        return time(hour)
    if not request.is_world:
        return time(hour, rng.randrange(60), rng.randrange(60))
    minute = pick(rng, (0, 0, 15, 30, 30, 45)) if happens(rng, 0.6) else rng.randrange(0, 60, 5)
    return time(hour, minute)


def _write_hour(moment: time, request: Request) -> str:
    hour = moment.hour % 12 or 12
    half = "am" if moment.hour < 12 else "pm"  # noqa: PLR2004
    shapes = (f"{hour} {half}", f"{hour} o'clock", f"{hour}{half}", f"{spell(hour)} o'clock")
    return pick(request.rng, shapes[:2] if not request.is_world else shapes)


def _write_time(moment: time, request: Request) -> str:
    if request.form == "hour":
        return _write_hour(moment, request)
    if not request.is_world:
        return moment.isoformat("seconds")
    hour, minute = moment.hour % 12 or 12, moment.minute
    half = "am" if moment.hour < 12 else "pm"  # noqa: PLR2004
    dotted = f"{half[0]}.m."
    shapes = [
        f"{hour}:{minute:02d} {half}",
        f"{hour}:{minute:02d} {half.upper()}",
        f"{moment.hour:02d}:{minute:02d}",
        f"{hour}.{minute:02d}{half}",
        f"{hour}:{minute:02d} {dotted}",
        f"{moment.hour}h{minute:02d}",
        f"{hour}:{minute:02d}{half}",
        f"{moment.hour:02d}:{minute:02d}",
    ]
    spoken = {
        15: f"quarter past {spell(hour)}",
        30: f"half past {spell(hour)}",
        45: f"quarter to {spell(hour % 12 + 1)}",
    }
    if minute in spoken:
        shapes.append(spoken[minute])
    return pick(request.rng, shapes)


def _draw_duration(request: Request) -> Duration:
    rng = request.rng
    if request.form in _FORM_UNITS:
        unit = _FORM_UNITS[request.form]
    elif request.form == "adj":
        unit = pick(rng, ("y", "y", "y", "mo", "mo", "w", "d"))
    elif request.is_world:
        unit = pick(rng, ("y", "y", "y", "mo", "mo", "w", "d", "h", "m"))
    else:
        unit = pick(rng, ("d", "d", "h", "h", "m", "s"))
    if unit == "y":
        high = max(1, _count_past_years(request.background.age))
        low = min(2, high)
        return Duration(int(rng.triangular(low, high + 1, min(high, max(4, high / 3)))), unit)
    number = pick(rng, _USUAL[unit])
    return Duration(max(2, number) if request.form else number, unit)


def _write_duration(duration: Duration, request: Request) -> str:
    n, unit, rng = duration.number, _UNITS[duration.unit], request.rng
    word = spell(n)
    if request.form == "adj":
        return f"{word if n <= 12 else n}-{unit}"  # noqa: PLR2004 - longer words are unusual
    units = unit if n == 1 else f"{unit}s"
    short = {
        "h": f"{n}h",
        "d": f"{n}d",
        "m": f"{n} min",
        "y": f"{n} yrs",
        "mo": f"{n} mos",
        "w": f"{n} wks",
        "s": f"{n} s",
    }
    if request.form:
        return (
            pick(rng, (f"{n} {units}", f"{word} {units}", f"{n} {units}"))
            if request.is_world
            else f"{n} {units}"
        )
    if not request.is_world:
        return f"{n}{duration.unit}" if duration.unit in "dhms" else f"{n} {units}"
    shapes = (f"{n} {units}", f"{n} {units}", f"{word} {units}", short[duration.unit])
    return pick(rng, shapes if n > 1 else shapes[:3])


MAKERS = {
    Category.DATE: Maker(_draw_date, _write_date, ("year", "month", "birth", "iso", "day")),
    Category.TIME: Maker(_draw_time, _write_time, ("hour", *_HOURS)),
    Category.DURATION: Maker(_draw_duration, _write_duration, ("adj", *_FORM_UNITS)),
}
