"""Stand-ins for values: of the same category and shape, drawn from the generators' lists (Appendix B.1).

Names are written part by part, so that "Maria Garcia", "Maria" and maria.garcia@… become one other person,
of the same gender where the given name is known. Codes, sums, dates and the like keep their form and change
their figures. Everything else is drawn anew, as near in length and build as a few draws come. Where nothing
fits there is no stand-in: gender (pronouns would contradict it), scripts other than Latin, figures in words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.generators.cultures import list_cultures, sample_background
from piibench.generators.persons import fold_ascii
from piibench.generators.registry import make
from piibench.generators.wordlists import read_rows, read_words, split_words
from piibench.masking import figures
from piibench.masking.figures import like_case

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from random import Random

_TRIES = 40
_TASTED = 4  # names looked at for one of about the same length
_OTHER_SCRIPT = re.compile(r"[^\W\d_\u0041-\u024f\u1e00-\u1eff]|(?![0-9])\d")
_PART = re.compile(r"(?:[^\W\d_]|[\u0300-\u036f])+(?:['’](?:[^\W\d_]|[\u0300-\u036f])+)*")
_WORD_OR_DIGIT = re.compile(r"[^\W\d_]+|[0-9]")
_PARTICLES = frozenset(
    re.findall("[a-z]+", "al bin bint da das de del den der di do dos du el ibn la las le los ter van von y")
)
_DOMAINS = ("example.com", "example.org", "example.net")
_GENDERS = ("female", "male")

_KEPT = {
    Category.PHONE_NUMBER: re.compile(r"\(?\+[0-9]{1,2}|0+"),
    Category.PASSWORD_HASH: re.compile(
        r"\$[0-9a-z-]{1,12}\$(?:v=\d+\$)?(?:(?:rounds=)?\d{1,7}\$|[a-z]=\d+(?:,[a-z]=\d+)*\$)?|(?:md5|sha\d+):"
    ),
}
_CODES = frozenset(c for c in Category if TYPE_OF[c] is PIIType.CODE) - {
    Category.IP_ADDRESS,
    Category.EMAIL_ADDRESS,
}
_REDRAWN: dict[Category, Callable[[Random, str], str | None]] = {
    **{c: figures.redraw_sum for c in Category if TYPE_OF[c] is PIIType.QUANTITY},
    Category.CREDIT_SCORE: figures.redraw_score,
    Category.AGE: figures.redraw_count,
    Category.WEIGHT: figures.redraw_count,
    Category.DURATION: figures.redraw_count,
    Category.HEIGHT: figures.redraw_height,
    Category.DATE: figures.redraw_date,
    Category.TIME: figures.redraw_time,
}


class Candidate(NamedTuple):
    """A stand-in that may be taken, if it is free.

    Attributes:
        text: What would stand in the text.
        parts: Parts of a name, in lower case, with the new ones that stand in for them; None where the
            stand-in is not made of name parts.
    """

    text: str
    parts: Mapping[str, str] | None = None


def propose(category: Category, value: str, parts: Mapping[str, str], rng: Random) -> Iterator[Candidate]:
    """Yield stand-ins for a value, the better ones first; none where nothing fits.

    Args:
        category: The value's.
        value: What is to be replaced.
        parts: Parts of names, in lower case, that have a stand-in already.
        rng: The only source of chance.
    """
    if category is Category.GENDER or _OTHER_SCRIPT.search(value):
        return
    if category in (Category.FULL_NAME, Category.NICKNAME):
        yield from _propose_names(value, parts, rng)
    elif category in (Category.EMAIL_ADDRESS, Category.SOCIAL_MEDIA_HANDLE):
        yield from (Candidate(_write_account(value, parts, rng), {}) for _ in range(_TRIES))
    elif category in _CODES:
        kept = len(match.group()) if (p := _KEPT.get(category)) and (match := p.match(value)) else 0
        yield from map(Candidate, _draw_same_pattern(category, value, rng))
        yield from _repeat(partial(figures.redraw_code, kept=kept), rng, value)
    elif category in _REDRAWN:
        yield from _repeat(_REDRAWN[category], rng, value)
    else:
        yield from map(Candidate, _draw_alike(category, value, rng))


def _repeat(redraw: Callable[[Random, str], str | None], rng: Random, value: str) -> Iterator[Candidate]:
    for _ in range(_TRIES):
        if (drawn := redraw(rng, value)) is not None:
            yield Candidate(drawn)


def _draw(category: Category, rng: Random) -> str:
    # "train": what stands in for real values may turn up anywhere, but never as test data.
    background = sample_background(rng, "train")
    return make(category, rng, background, style=rng.choice(("paper", "world"))).text


def _draw_same_pattern(category: Category, value: str, rng: Random) -> Iterator[str]:
    """Codes of reserved ranges, where the generator happens to write the value's very pattern."""
    pattern = _find_pattern(value)
    drawn = (_draw(category, rng) for _ in range(_TRIES))
    return (code for code in drawn if _find_pattern(code) == pattern)


def _find_pattern(code: str) -> str:
    return re.sub(r"[A-Z]", "A", re.sub(r"[a-z]", "a", re.sub(r"[0-9]", "0", code)))


def _draw_alike(category: Category, value: str, rng: Random) -> Iterator[str]:
    drawn = sorted((_draw(category, rng) for _ in range(_TRIES)), key=partial(_distance, value))
    for text in dict.fromkeys(drawn):
        first = text[0].upper() if value[0].isupper() else text[0]
        yield like_case(first + text[1:], value)


def _distance(value: str, other: str) -> int:
    """How unlike two values are in build: kind of address, marks, words, length."""
    kind = (":" in value) != (":" in other)
    marks = abs(value.count(",") - other.count(","))
    words = abs(value.count(" ") - other.count(" "))
    return 100 * kind + 12 * marks + 6 * words + abs(len(value) - len(other))


@cache
def _read_names() -> tuple[dict[tuple[str, str], tuple[str, ...]], dict[str, frozenset[tuple[str, str]]]]:
    """Names by culture and kind; and for each part of a name where it is at home, short forms included."""
    pools = {(row[0], row[1]): split_words(row[2]) for row in read_rows("names")}
    homes: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for home, names in pools.items():
        for part in (part for name in names for part in _PART.findall(name)):
            homes[part.lower()].add(home)
    for given, shorts in read_words("shorts").items():
        for short in shorts:
            homes[short.lower()] |= homes.get(given.lower(), set())
    return pools, {part: frozenset(home) for part, home in homes.items()}


def _propose_names(value: str, parts: Mapping[str, str], rng: Random) -> Iterator[Candidate]:
    names = [part.group() for part in _PART.finditer(value) if not _is_particle(part)]
    if not any(len(name) > 1 for name in names) or any(char.isdigit() for char in value):
        return
    for attempt in range(_TRIES):
        new: dict[str, str] = {}
        kinds = _find_kinds(names)
        culture = _find_culture(names) if attempt < _TRIES // 2 else rng.choice(list_cultures())
        for name, kind in zip(names, kinds, strict=True):
            if len(name) > 1 and name.lower() not in parts:
                new[name.lower()] = _draw_part(name, culture, kind, rng)
        known = {**parts, **new}
        yield Candidate(_PART.sub(partial(_replace_part, known, rng, attempt), value), new)


def _is_particle(part: re.Match[str]) -> bool:
    """Whether a part of a name is one like "von", not a name that is spelt so, as "Le" in "Mai Le"."""
    if part.group() not in _PARTICLES:
        return False
    is_last = not _PART.search(part.string, part.end())
    is_first = not _PART.search(part.string[: part.start()])
    return not is_last and not (is_first and part.string.islower())


def _find_kinds(names: list[str]) -> list[tuple[str, ...]]:
    """What each part is: a family name, or a given name of one gender or of either."""
    homes = [{kind for _, kind in _read_names()[1].get(name.lower(), ())} for name in names]
    given = [tuple(g for g in _GENDERS if g in kinds) or _GENDERS for kinds in homes]
    if len(names) == 1:
        return [("family",)] if homes[0] == {"family"} else given
    # Where the lists are sure that the family name leads, as in "Nguyen Thi Mai", they are believed.
    leads = homes[0] == {"family"} and bool(homes[-1]) and "family" not in homes[-1]
    return [("family",), *given[1:]] if leads else [*given[:-1], ("family",)]


def _find_culture(names: list[str]) -> str:
    homes = _read_names()[1]
    scores = dict.fromkeys(list_cultures(), 0)
    for name in names:
        for culture in {culture for culture, _ in homes.get(name.lower(), ())}:
            scores[culture] += 1
    return max(scores, key=scores.__getitem__)


def _draw_part(name: str, culture: str, kinds: tuple[str, ...], rng: Random) -> str:
    pool = _read_names()[0][culture, rng.choice(kinds)]
    single = [other for other in pool if _PART.fullmatch(other)]
    return min(rng.choices(single or pool, k=_TASTED), key=lambda other: abs(len(other) - len(name)))


def _replace_part(known: Mapping[str, str], rng: Random, attempt: int, match: re.Match[str]) -> str:
    part = match.group()
    low = part.lower()
    if _is_particle(match):
        return part
    if len(part) > 1:
        return like_case(known[low], part)
    same = (new for old, new in known.items() if old.startswith(low) and not attempt)
    return like_case(next(same, rng.choice("ABCDEFGHJKLMNPRSTVW"))[0].upper(), part)


def _write_account(value: str, parts: Mapping[str, str], rng: Random) -> str:
    """An address or handle with other names and figures; addresses lie in the domains kept for examples."""
    sign = "@" if value.startswith("@") else ""
    user, at, _ = value.removeprefix(sign).partition("@")
    by_ascii = {fold_ascii(old): fold_ascii(new) for old, new in parts.items()}

    def redraw(match: re.Match[str]) -> str:
        piece = match.group()
        if piece.isdecimal():
            return rng.choice("0123456789")
        if len(piece) == 1:
            return like_case(rng.choice("ABCDEFGHJKLMNPRSTVW"), piece)
        old = fold_ascii(piece)
        drawn = old
        while drawn == old:
            drawn = fold_ascii(_draw_part(piece, "us", ("female", "male", "family"), rng))
        return like_case(by_ascii.get(old, drawn), piece)

    domain = f"@{rng.choice(_DOMAINS)}" if at else ""
    return sign + _WORD_OR_DIGIT.sub(redraw, user) + domain
