"""The parts that an address has before and behind its street: unit, town, region, postcode, country."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from piibench.systems.rules.lexicon import read_words
from piibench.systems.rules.names.words import map_starts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from piibench.systems.rules.passage import Passage

STATE_CODES = read_words("state_code")
PLACE_TABLES = ("cities", "city_exonyms", "regions", "region")

_LONGEST_TAIL = 12
_LEFT_WINDOW = 110

_UNIT = (
    r"(?:(?:Apt|APT|Apartment|Appt|Suite|Ste|STE|Unit|Flat|FLAT|Room|Rm|Bldg|Building|Block|Tower|Level|Lot"
    r"|Wing|Piso|"
    r"Escalera|Esc|Puerta|Depto|Dpto|Interior|Int|Sector|Phase|Plot|Door|Shop|Villa|Bloque|Bl|Et|Apto|"
    r"кв|корп|стр|оф|д|apt|suite|unit|flat|floor|Floor|Fl|FL)\b\.?(?: ?[Nn]o\.?)?[ ]?#?[\dA-Z][\w/-]{0,5}"
    r"|\#[ ]?\w{1,6}|\d{1,2}[º°ª](?: ?(?:izq|dcha|dch|[A-Z])\b\.?)?"
    r"|(?:\d{1,3}(?:st|nd|rd|th)|[GU]round|First|Second|Third|Fourth|Fifth|Top)[ ][Ff]loor)"
)
_POSTCODE = (
    r"(?:[A-Z]{1,2}\d[A-Z\d]?[ ]?\d[A-Z]{2}|[A-Z]\d[A-Z][ ]?\d[A-Z]\d|(?:[A-Z]{1,2}-)?\d{4,6}(?:-\d{3,4})?"
    r"|\d{3}-\d{4}|\d{3}[ ]\d{2}|\d{2}-\d{3})(?![\w/]|[.,:]\d|-\d)"
)
_DUTCH = r"\d{4}[ ]?[A-Z]{2}(?!\w)"
_CAP = r"[^\W\d_a-zß-öø-ÿ][\w'’-]{0,30}"
_ADMIN = (
    rf"(?:{_CAP}[ ]){{1,3}}(?:District|County|Province|City|Town|Township|Ward|State|Prefecture"
    rf"|Municipality|Village|"
    r"Region|Tehsil|Taluk|Mandal|Nagar|Colony|Layout|Enclave|Vihar|Estate|Extension|Area|Parish)\b"
    rf"|{_CAP}-(?:ku|shi|cho|chome|machi|gun|gu|dong|si|do|ro|eup|myeon)\b"
)
_SEPARATOR = re.compile(r"[ \t]{0,2}[,;·]?[ \t]{0,2}(?:\r?\n[ \t]{0,4},?[ \t]{0,2})?|[ \t]?[-–][ \t]?")
_TAIL = re.compile(rf"(?P<unit>{_UNIT})|(?P<postcode>{_DUTCH}|{_POSTCODE})|(?P<admin>{_ADMIN})")
_STATE = re.compile(r"([A-Z]{2,3}|[A-Z][a-z]{2}\.)(?=[\s,.]|$)")
_NAMES = re.compile(rf"{_CAP}(?:[ -](?:(?:de|del|la|le|sur|upon|on|am|an der|do|da)[ -])?{_CAP}){{0,2}}")
_FOLLOWED = re.compile(
    rf"[ \t]{{0,2}},?[ \t]{{0,2}}(?:\r?\n[ \t]{{0,4}},?[ \t]{{0,2}})?"
    rf"(?:(?:[A-Z]{{2,3}}[ ])?{_POSTCODE}|[A-Z]{{2}}\b)"
)
_BUILDING = (
    rf"(?:{_CAP}[ ]){{1,3}}(?:House|Building|Towers?|Apartments|Apts|Court|Mansions?|Residency|Residences?"
    rf"|Heights|"
    r"Complex|Plaza|Lodge|Cottage|Villas?|Hall|Estate)"
)
_LEFT = re.compile(
    rf"(?<![\w-])(?:(?:{_UNIT}|(?:[Nn]o|NO|Nr|№|[Hh]\.?[ ]?[Nn]o|House [Nn]o|D\.?[ ]?[Nn]o"
    rf"|Plot [Nn]o)\.?:?[ ]?\d[\w/-]{{0,10}}"
    rf"|\d{{1,5}}[A-Z]?|{_BUILDING})[ ]?,?(?:[ ]{{1,2}}|[ ]?\r?\n[ ]{{0,4}})){{0,5}}(?:(?:Sector|Phase"
    rf"|Block|Plot|Unit|Flat|House|Lot)[ ](?:[Nn]o\.?[ ])?)?$"
)


@dataclass(frozen=True, slots=True)
class Tail:
    """What follows a street.

    Attributes:
        end: Behind its last character; the street's own end where nothing follows.
        parts: How many parts it has.
        located: Whether a town, region or postcode is among them.
    """

    end: int
    parts: int
    located: bool


def map_places(passage: Passage) -> Mapping[int, int]:
    """Start -> end of every listed town, region and country."""
    return passage.view(_map_places)


def _map_places(passage: Passage) -> Mapping[int, int]:
    return map_starts(passage, *PLACE_TABLES)


def read_tail(text: str, end: int, places: Mapping[int, int]) -> Tail:
    """Read the parts behind a street, joined by commas, spaces and single line breaks.

    Args:
        text: The whole text.
        end: Behind the street.
        places: Listed places by start.
    """
    parts, located, coded, previous = 0, False, False, ""
    while parts < _LONGEST_TAIL:
        gap = _SEPARATOR.match(text, end)
        start = gap.end() if gap else end
        if start == end:
            break
        kind, stop = _read_part(text, start, places, text[end:start].strip(" \t") + previous)
        if not kind or text[stop : stop + 1] == ":" or (coded and kind == "postcode"):
            break
        end, previous = stop, kind
        parts += 1
        coded = coded or kind == "postcode"
        located = located or kind in {"postcode", "place", "admin", "state"}
    return Tail(end, parts, located)


def _read_part(text: str, start: int, places: Mapping[int, int], before: str) -> tuple[str, int]:
    """Tell what part begins at `start`: its kind ("" for none) and its end."""
    match = _TAIL.match(text, start)
    if match and not (match.lastgroup == "postcode" and _is_year(match.group(), before)):
        return match.lastgroup or "", match.end()
    state = _STATE.match(text, start)
    if state and state.group(1).rstrip(".").lower() in STATE_CODES:
        return "state", state.end()
    if start in places and text[start].isupper():
        return "place", places[start]
    names = _NAMES.match(text, start)
    if names and ("postcode" in before or (before[:1] in {",", "\n"} and _FOLLOWED.match(text, names.end()))):
        return "place", names.end()
    return "", start


def _is_year(digits: str, before: str) -> bool:
    """Whether four digits are rather a year: a comma stands before them, or no place does."""
    return len(digits) == 4 and digits[:2] in {"19", "20"} and not before.endswith(("place", "state"))  # noqa: PLR2004


def read_lead(text: str, start: int, covered: int) -> int:
    """Return where an address begins whose street begins at `start`: at its unit, floor, number or building.

    Looks back over a window of fixed size, and not before `covered`.
    """
    low = max(covered, start - _LEFT_WINDOW)
    match = _LEFT.search(text[low:start])
    lead = low + match.start() if match else start
    while lead < start and text[lead] in " ,;.\n\r":
        lead += 1
    return lead
