"""JSON in a model's reply: with prose around it, in odd quotes, with a comma too many, cut short."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MOST_STARTS = 64
"""How many brackets are tried as the start of JSON; no answer of a model at work has more before it."""
_DEEPEST = 32
"""Levels of brackets that are followed in JSON that was cut short; answers have three."""

_STRAIGHT = str.maketrans(dict.fromkeys("“”„‟″", '"') | dict.fromkeys("‘’‚‛′", "'"))
_TRAILING = re.compile(r",(?=\s*[\]}])")
"""A comma behind the last item."""
_SINGLE_QUOTED = re.compile(
    r"(?<=[\[{,:])(?P<space>\s{0,20})'(?P<text>(?:[^'\\\n]|\\.|'(?!\s{0,20}[\],}:])){0,500})'(?=\s{0,20}[\],}:])"
)
"""A text in single quotes where JSON wants double ones; an apostrophe in it ends nothing."""
_CLOSER = {"[": "]", "{": "}"}
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|"', re.DOTALL)
"""A whole text, a sign, or the start of a text without an end."""


def find_json(text: str, opener: str, *, deep: bool = False) -> list[Any]:
    """Every outermost JSON value that starts with a bracket, in order.

    A repeated key of an object adds to the first one's list or object. A number's text is as it was written.

    Args:
        text: The reply.
        opener: "[" or "{".
        deep: Whether a value that was cut short gives what is whole in its inner parts, too, rather than
            only inner parts that are whole; and whether different texts of a repeated key become a list,
            rather than the last one count.
    """
    for variant in _vary(text):
        found = _scan(variant, opener, deep=deep)
        cut = _scan_cut(variant, opener, deep=deep)
        if cut and (not found or cut[0] < found[0].start):
            return [cut[1]]
        if found:
            return [one.value for one in found]
    return []


def is_series(text: str, opener: str) -> bool:
    """Whether the outermost JSON values that start with a bracket follow each other with no word between."""
    for variant in _vary(text):
        if found := _scan(variant, opener):
            return not any(re.search(r"\w", one.between) for one in found[1:])
    return False


def _vary(text: str) -> Iterator[str]:
    """The text as it is, then with its punctuation mended."""
    yield text
    yield _TRAILING.sub("", text)
    straight = _TRAILING.sub("", text.translate(_STRAIGHT))
    yield straight
    yield _SINGLE_QUOTED.sub(_requote, straight)


def _requote(match: re.Match[str]) -> str:
    return match["space"] + json.dumps(match["text"].replace("\\'", "'"), ensure_ascii=False)


class _Number(float):
    """A number that prints as it was written."""

    def __new__(cls, literal: str) -> Self:
        made = super().__new__(cls, literal)
        made._literal = literal
        return made

    def __str__(self) -> str:
        return self._literal

    _literal: str


def _merge(pairs: Iterable[tuple[str, Any]], *, gather: bool) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for key, value in pairs:
        known = merged.get(key)
        if isinstance(known, dict) and isinstance(value, dict):
            merged[key] = known | value
        elif isinstance(known, list) and isinstance(value, list):
            merged[key] = known + value
        elif gather and key in merged and known != value:
            merged[key] = _listed(known) + _listed(value)
        else:
            merged[key] = value
    return merged


def _listed(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else [value]


_DECODERS = {
    gather: json.JSONDecoder(
        object_pairs_hook=partial(_merge, gather=gather), parse_float=_Number, strict=False
    )
    for gather in (False, True)
}
"""By whether the texts of a repeated key are gathered. Texts may hold line ends."""


class _Found(NamedTuple):
    """A value, where it starts, and what stands between it and the one before."""

    start: int
    value: Any
    between: str


def _scan(text: str, opener: str, *, deep: bool = False) -> list[_Found]:
    """All that is whole."""
    found: list[_Found] = []
    last, at = 0, text.find(opener)
    for _ in range(_MOST_STARTS):
        if at < 0:
            break
        try:
            value, end = _DECODERS[deep].raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            found.append(_Found(at, value, text[last:at]))
            last = end
        at = text.find(opener, end)
    return found


def _scan_cut(text: str, opener: str, *, deep: bool) -> tuple[int, Any] | None:
    """Place and whole items of the first value whose end is missing."""
    at = text.find(opener)
    for _ in range(_MOST_STARTS):
        if at < 0:
            break
        whole = _find_whole(text, at, deepest=_DEEPEST if deep else 1)
        if whole is not None:
            try:
                return at, _DECODERS[deep].decode(text[at : whole.end] + whole.closers)
            except (ValueError, RecursionError):
                pass
        at = text.find(opener, at + 1)
    return None


class _Whole(NamedTuple):
    """Where the last whole item of an unclosed value ends, and the brackets that close the value there."""

    end: int
    closers: str


def _find_whole(text: str, start: int, *, deepest: int) -> _Whole | None:
    """The last whole item; None where the value is closed or has none."""
    open_: list[str] = []
    whole: _Whole | None = None
    after_colon = False
    for token in _TOKEN.finditer(text, start):
        sign, end = token[0], token.end()
        if sign == '"':
            break
        if sign in _CLOSER:
            open_.append(_CLOSER[sign])
        elif sign in "]}":
            open_.pop()
            if not open_:
                return None
        is_text = len(sign) > 1
        is_end = sign in "]}," or (is_text and (open_[-1] == "]" or after_colon))
        if is_end and len(open_) <= deepest:
            whole = _Whole(end - (sign == ","), "".join(reversed(open_)))
        after_colon = sign == ":" or (after_colon and is_text)
        if len(open_) > _DEEPEST:
            break
    return whole
