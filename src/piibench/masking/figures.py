"""Write codes, sums, counts, dates and times again with other figures in the same form.

Every function keeps separators, signs, words, number of digits and padding. It returns None where it finds
nothing that it can change without giving the value away: so beside figures in words that it leaves as they
are, if they are English, and beside words of a date that it does not know.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from stdnum import luhn
from stdnum.iso7064 import mod_97_10

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

_Item = TypeVar("_Item")

_VEILED = re.compile(r"[xX]{2,}|[*•#.…]+")  # the hidden part of a code that is already masked
_HEXADECIMAL = re.compile(r"(?=.*[0-9])(?=.*[A-Fa-f])[0-9A-Fa-f]{8,}")
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[0-9A-Z]{10,30}")
_CARD_LENGTHS = range(13, 20)
_RUN = re.compile(r"[0-9]+")
_NUMBER = re.compile(r"[0-9]+(?:[.,' \u00a0\u202f][0-9]+)*")
_CENTS = re.compile(r"[.,][0-9]{1,2}\Z")
_WORD = re.compile(r"[^\W\d_]+")
_WORD_OR_RUN = re.compile(r"[0-9]+|[^\W\d_]+")

_ADULT = 18
_LARGEST_COUNT = 9999
_SCORES = (300, 850)
_HIGHEST_SCORES = frozenset({"850", "900", "999"})
_INCHES = 11
_MONTHS, _SAFE_DAYS, _DAYS = 12, 28, 31
_YEAR_DIGITS = 4
_HALF_DAY = 12

_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_FIGURE_WORDS = re.compile(
    r"(?<![^\W_])(?:(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|fou?r|fif|six|seven|eigh|nine)t(?:y|ies)(?:one|two|three|four|five|six|seven|eight|nine)?"
    r"|(?<![0-9])(?<![0-9] )(?:hundred|thousand|million|billion|lakh|crore|dozen)s?)(?![^\W_])",
    re.IGNORECASE,
)
_COUNT_WORDS = re.compile(rf"(?<![^\W_])(?:one|{'|'.join(_COUNTS)})(?![^\W_])", re.IGNORECASE)
_MONTH_NAMES = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_DAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WORDS = (
    _MONTH_NAMES,
    _DAY_NAMES,
    tuple(name[:3] for name in _MONTH_NAMES),
    tuple(name[:3] for name in _DAY_NAMES),
)
_DATE_WORDS = frozenset(
    re.findall(
        "[a-z]+",
        "a ad am and around at bc bce beginning by ce circa early end from h in late m mid middle nd of on or"
        " p pm rd s since st t th the to until z",
    )
).union(*_WORDS)
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_ORDINAL = re.compile(r"([0-9]{1,2})(st|nd|rd|th)\b")


def like_case(word: str, model: str) -> str:
    """Write a word in the capitals of another: all, none, or as it is."""
    if model.islower():
        return word.lower()
    return word.upper() if len(model) > 1 and model.isupper() else word


def redraw_code(rng: Random, value: str, kept: int = 0) -> str | None:
    """Other digits and letters in the same places; check digits of cards and IBANs stay valid.

    Args:
        rng: Source of chance.
        value: The code.
        kept: How many characters at the start stay, such as a country's prefix.

    Returns:
        Another code; None where the value is none, or comes out as it was: a short one may, and an IBAN of
        which only country and check digits are shown.
    """
    still = set(range(kept)).union(*(range(*match.span()) for match in _VEILED.finditer(value)))
    hexadecimal = bool(_HEXADECIMAL.fullmatch(value[kept:]))
    moved = [at for at, char in enumerate(value) if char.isalnum() and char.isascii() and at not in still]
    if len(moved) < 2:  # noqa: PLR2004 - one character is no code
        return None
    signs = list(value)
    for at in moved:
        signs[at] = _redraw_sign(rng, value[at], hexadecimal=hexadecimal)
    drawn = _mend_checks("".join(signs), value)
    return drawn if drawn != value else None


def _redraw_sign(rng: Random, char: str, *, hexadecimal: bool) -> str:
    if char.isdigit():
        return rng.choice("0123456789")
    return like_case(rng.choice("ABCDEF" if hexadecimal else "ABCDEFGHJKLMNPRSTUVWXYZ"), char)


def _mend_checks(drawn: str, value: str) -> str:
    old, new = (re.sub(r"[ -]", "", code) for code in (value, drawn))
    if len(old) in _CARD_LENGTHS and old.isascii() and old.isdigit() and luhn.is_valid(old):
        return drawn[:-1] + luhn.calc_check_digit(new[:-1])
    if _IBAN.fullmatch(old):
        country, body = old[:2], new[4:]
        signs = iter(country + mod_97_10.calc_check_digits(body + country) + body)
        return "".join(next(signs) if char.isalnum() else char for char in drawn)
    return drawn


def redraw_sum(rng: Random, value: str) -> str | None:
    """Other figures of the same length, as round as before: "$4,500" may become "$7,200"."""
    if _has_figures_in_words(value):
        return None

    def redraw(match: re.Match[str]) -> str:
        number = match.group()
        has_cents = _CENTS.search(number)
        round_from = len(number) if has_cents else len(number.rstrip("0.,' \u00a0\u202f"))
        leading, drawn = True, list[str]()
        for at, char in enumerate(number):
            zero = char == "0" and (leading or at >= round_from)
            drawn.append(char if zero or not char.isdigit() else str(rng.randint(int(leading), 9)))
            leading = leading and not (char.isdigit() and char != "0")
        return "".join(drawn)

    return _changed(_NUMBER.sub(redraw, value), value)


def redraw_score(rng: Random, value: str) -> str | None:
    """Another credit score; the highest one that is named beside it stays."""
    if _has_figures_in_words(value):
        return None

    def redraw(match: re.Match[str]) -> str:
        if match.group() in _HIGHEST_SCORES and "/" in value[: match.start()]:
            return match.group()
        return str(rng.randint(*_SCORES))

    return _changed(_RUN.sub(redraw, value), value)


def redraw_count(rng: Random, value: str) -> str | None:
    """Other numbers nearby, so that age, weight or length of time stay likely; grown-ups stay grown up."""
    if _FIGURE_WORDS.search(value) or _is_long(value):
        return None

    def redraw(match: re.Match[str]) -> str:
        piece = match.group()
        if piece.isdecimal():
            return str(_draw_near(rng, int(piece))).zfill(len(piece))
        if piece.lower() in _COUNTS:
            return like_case(_draw_other(rng, _COUNTS, piece), piece)
        return piece

    return _changed(_WORD_OR_RUN.sub(redraw, value), value)


def redraw_height(rng: Random, value: str) -> str | None:
    """Another height nearby; whole feet or metres stay, inches and centimetres change."""
    if _has_figures_in_words(value) or _is_long(value):
        return None
    last = len(_RUN.findall(value)) - 1
    turn = iter(range(last + 1))

    def redraw(match: re.Match[str]) -> str:
        run, at = match.group(), next(turn)
        if len(run) == 1 and at < last:
            return run
        if int(run) <= _INCHES and at:
            return str(_draw_other(rng, range(_INCHES + 1), int(run)))
        return str(_draw_near(rng, int(run), share=15)).zfill(len(run))

    return _changed(_RUN.sub(redraw, value), value)


def redraw_date(rng: Random, value: str) -> str | None:
    """Another date of the same format: days up to 28, months, weekdays, years at most twelve away."""
    if any(len(run) not in (1, 2, _YEAR_DIGITS) for run in _RUN.findall(value)):
        return None
    if any(word.lower() not in _DATE_WORDS for word in _WORD.findall(value)):
        return None

    def redraw(match: re.Match[str]) -> str:
        piece = match.group()
        if not piece.isdecimal():
            names = next((names for names in _WORDS if piece.lower() in names), None)
            return like_case(_draw_other(rng, names, piece).capitalize(), piece) if names else piece
        if piece[0] == "0" and len(piece) == _YEAR_DIGITS:
            return piece
        if len(piece) == _YEAR_DIGITS:
            step = 10 if value[match.end() : match.end() + 1] == "s" else 1
            return str(int(piece) + step * rng.randint(1, 12 // step) * rng.choice((-1, 1)))
        return _draw_day_or_month(rng, piece)

    return _changed(_ORDINAL.sub(_write_ending, _WORD_OR_RUN.sub(redraw, value)), value)


def redraw_time(rng: Random, value: str) -> str | None:
    """Another time of day of the same format and half of the day; full hours stay full."""
    runs = _RUN.findall(value)
    if _has_figures_in_words(value):
        return None
    if any(len(run) > 2 for run in runs):  # noqa: PLR2004 - hours, minutes and seconds have two digits
        return None
    turn = iter(range(len(runs)))

    def redraw(match: re.Match[str]) -> str:
        run, at = match.group(), next(turn)
        if at:
            return run if run == "00" else f"{rng.randrange(60):0{len(run)}d}"
        late = int(run) > _HALF_DAY
        return str(rng.randint(13, 23)) if late else _draw_small(rng, run, _HALF_DAY)

    return _changed(_RUN.sub(redraw, value), value)


def _has_figures_in_words(value: str) -> bool:
    return bool(_FIGURE_WORDS.search(value) or _COUNT_WORDS.search(value))


def _is_long(value: str) -> bool:
    """Whether a run of digits is too long for a count, so that nothing near it is drawn."""
    return any(len(run) > len(str(_LARGEST_COUNT)) for run in _RUN.findall(value))


def _draw_near(rng: Random, number: int, share: int = 5) -> int:
    """A number at most one `share`th (or 3) away, of as many digits; 0 and 1 stay, for grammar's sake."""
    reach = max(3, number // share)
    digits = len(str(number))
    choices = [
        near
        for near in range(max(2, number - reach), number + reach + 1)
        if near != number and len(str(near)) == digits and (near < _ADULT) == (number < _ADULT)
    ]
    return rng.choice(choices) if choices and number > 1 else number


def _draw_other(rng: Random, items: Sequence[_Item], item: object) -> _Item:
    known = item.lower() if isinstance(item, str) else item
    return rng.choice([other for other in items if other != known])


def _draw_small(rng: Random, run: str, highest: int) -> str:
    """From 1 to `highest`, in as many digits as the run has."""
    lowest = 10 if len(run) == 2 and run[0] != "0" else 1  # noqa: PLR2004
    return f"{rng.randint(lowest, highest if len(run) > 1 else 9):0{len(run)}d}"


def _draw_day_or_month(rng: Random, run: str) -> str:
    number = int(run)
    if number <= _MONTHS:
        return _draw_small(rng, run, _MONTHS)
    return str(rng.randint(13, _SAFE_DAYS) if number <= _DAYS else rng.randint(_DAYS + 1, 99))


def _write_ending(match: re.Match[str]) -> str:
    day = int(match[1])
    teen = day // 10 == 1
    return match[1] + ("th" if teen else _ENDINGS.get(day % 10, "th"))


def _changed(drawn: str, value: str) -> str | None:
    return drawn if drawn != value else None
