"""JSON in a model's reply: with prose around it, in odd quotes, with a comma too many, cut short.

A bracket that is no JSON is mended as a whole or counts as cut: what is whole within it is given, but never
as all of it, or what is wrong with one person's values would lose that person unsaid.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MOST_FAILURES = 64
"""How many brackets that are no JSON are looked at; no answer of a model at work has more before it."""
_DEEPEST = 32
"""Levels of brackets that are followed in what is no JSON as it stands; answers have three."""

_STRAIGHT = str.maketrans(dict.fromkeys("“”„‟″", '"') | dict.fromkeys("‘’‚‛′", "'"))
_SINGLE_QUOTED = re.compile(
    r"(?<=[\[{,:])(?P<space>\s{0,20})'(?P<text>(?:[^'\\\n]|\\.|'(?!\s{0,20}[\],}:])){0,500})'(?=\s{0,20}[\],}:])"
)
"""A text in single quotes where JSON wants double ones; an apostrophe in it ends nothing."""
_MEANT = re.compile(r"(?:\[\s*)*(?:[\[{]\s*[\"'“”„‟″‘’‚‛′]|\{\s*\w+\s*:)")
"""What is meant as JSON begins with quotes, or with a key that lacks them; a bracket in prose with a word."""
_OPENER = re.compile(r"[\[{]")
_KEY = re.compile(r'"([^"\\\n]{1,80})"\s{0,9}:\s{0,9}\Z')
"""A key in front of what it holds."""
_CLOSER = {"[": "]", "{": "}"}
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|"', re.DOTALL)
"""A whole text, a sign, or the start of a text without an end."""
_PIECE = re.compile(
    r"""
    "(?P<text>(?:[^"\\]|\\.)*)"(?P<apart>\s+(?=["\[{]))?     # a text, and where a comma is missing behind it
    | (?P<closed>[\]}])(?=\s*["\[{])                         # a comma is missing here, too
    | (?P<surplus>,(?=(?:\s|(?://|\#)[^\n]*+\n)*+[,\]}])|(?://|\#)[^\n]*)  # a comma too many, or a comment
    | (?<=[\[{,:])(?P<space>\s*)(?P<bare>[\w+](?:[^"'\[\]{},:\n]*[^\s"'\[\]{},:])?)(?=\s*(?P<next>[,:\]}]))
    """,
    re.DOTALL | re.VERBOSE,
)
"""Where JSON is mended; "bare" is a word, or a number, without quotes."""
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|(.))", re.DOTALL)
_ESCAPED = "\"\\/bfnrt'"
"""What may stand behind a backslash; JSON knows all of it but the last."""
_LITERAL = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_PYTHON = {"None": "null", "True": "true", "False": "false"}


class Found(NamedTuple):
    """An outermost JSON value of a reply.

    Attributes:
        value: The list or object; None where what stands there is unreadable.
        between: What stands between it and the one before.
        is_cut: Whether its end is missing, or it cannot be mended; then it holds what is whole of it.
    """

    value: Any
    between: str
    is_cut: bool = False


def read_json(text: str, openers: str, *, deep: bool = False) -> list[Found]:
    """Every outermost JSON value that starts with one of some brackets, in order, and what is unreadable.

    A repeated key of an object adds to the first one's list or object. A number's text is as it was written.

    Args:
        text: The reply.
        openers: "[", "{" or both.
        deep: Whether a value that was cut short gives what is whole in its inner parts, too, rather than
            only inner parts that are whole; and whether different texts of a repeated key become a list,
            rather than the last one count.
    """
    opener = re.compile(f"[{re.escape(openers)}]")
    best: list[Found] = []
    for variant in _vary(text) if opener.search(text) else ():
        found = _scan(variant, opener, deep=deep)
        if found and is_whole(found):
            return found
        if not best and any(one.value is not None for one in found):
            best = found
    return best


def find_json(text: str, opener: str) -> list[Any]:
    """The readable ones among what `read_json` gives."""
    return [one.value for one in read_json(text, opener) if one.value is not None]


def is_whole(found: Iterable[Found]) -> bool:
    """Whether all that was found could be read from its start to its end."""
    return not any(one.value is None or one.is_cut for one in found)


def _vary(text: str) -> Iterator[str]:
    """The text as it is, then with plain quotes."""
    yield text
    straight = text.translate(_STRAIGHT)
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


def _scan(text: str, opener: re.Pattern[str], *, deep: bool) -> list[Found]:
    found: list[Found] = []
    last = at = failures = 0
    while opening := opener.search(text, at):
        start = opening.start()
        try:
            value, at = _DECODERS[deep].raw_decode(text, start)
            is_cut = False
        except (ValueError, RecursionError):
            failures += 1
            if failures > _MOST_FAILURES:
                found.append(Found(None, text[last:start]))
                break
            if not _MEANT.match(text, start):
                at = start + 1
                continue
            reach = _follow(text, start, deepest=_DEEPEST if deep else 1)
            value = _mend(text[start : reach.whole] + reach.closers, deep=deep)
            at = reach.end
            is_cut = bool(reach.closers)
            if value is None and deep:
                value = _gather(text, start, reach.end)
                is_cut = value is not None
        found.append(Found(value, text[last:start], is_cut))
        last = at
    return found


class _Reach(NamedTuple):
    """How far a value reaches.

    Attributes:
        end: Where it ends; the text's end where its own is missing.
        whole: Where the last whole item of it ends.
        closers: The brackets that close it there; "" where it is closed, or has no whole item.
    """

    end: int
    whole: int
    closers: str = ""


def _follow(text: str, start: int, *, deepest: int) -> _Reach:
    open_: list[str] = []
    whole, closers = start, ""
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
                return _Reach(end, end)
        is_text = len(sign) > 1
        is_end = sign in "]}," or (is_text and (open_[-1] == "]" or after_colon))
        if is_end and len(open_) <= deepest:
            whole, closers = end - (sign == ","), "".join(reversed(open_))
        after_colon = sign == ":" or (after_colon and is_text)
        if len(open_) > _DEEPEST:
            break
    return _Reach(len(text), whole, closers)


def _mend(text: str, *, deep: bool) -> Any:
    """What a bracket that is no JSON holds once it is mended; None where it is none even then."""
    for version in (text, _PIECE.sub(_mend_piece, text)):
        try:
            return _DECODERS[deep].decode(version)
        except (ValueError, RecursionError):
            pass
    return None


def _gather(text: str, start: int, end: int) -> list[Any] | None:
    """The objects that are whole within what cannot be mended, and the lists with a key; None without any."""
    gathered: list[Any] = []
    at, failures = start + 1, 0
    while failures < _MOST_FAILURES and (opening := _OPENER.search(text, at, end)):
        try:
            value, at = _DECODERS[True].raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            failures += 1
            at = opening.end()
            continue
        key = _KEY.search(text[max(start, opening.start() - 100) : opening.start()])
        if value and (key or isinstance(value, dict)):
            gathered.append({key[1]: value} if key else value)
    return gathered or None


def _mend_piece(piece: re.Match[str]) -> str:
    match piece.lastgroup:
        case "surplus":
            return ""
        case "closed":
            return piece[0] + ","
        case "next":
            bare = piece["bare"]
            if piece["next"] != ":":
                bare = _PYTHON.get(bare, bare)
                if _LITERAL.fullmatch(bare):
                    return piece["space"] + bare
            return piece["space"] + json.dumps(bare, ensure_ascii=False)
        case _:
            return f'"{_mend_escapes(piece["text"])}"' + ("," if piece["apart"] else "")


def _mend_escapes(text: str) -> str:
    """Take backslashes for themselves in a text where one of them can be nothing else, as in a path."""
    are_signs = any(escape[1] and escape[1] not in _ESCAPED for escape in _ESCAPE.finditer(text))
    kept = '"\\' if are_signs else _ESCAPED[:-1]

    def mend(escape: re.Match[str]) -> str:
        if escape[1] == "'":
            return "'"
        is_kept = escape[1] in kept if escape[1] else not are_signs
        return escape[0] if is_kept else "\\" + escape[0]

    return _ESCAPE.sub(mend, text)
