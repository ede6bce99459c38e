"""What is understood of a model's reply: JSON with prose around it, in code fences, cut short, in odd quotes.

Nothing is guessed: a reply in which no JSON of the wanted kind can be read gives None, which the caller
flags. A list that was cut short gives the items that are whole.
"""

from __future__ import annotations

import json
import re
from typing import Any, cast

_MOST_STARTS = 64
"""How many brackets are tried as the start of JSON; no answer of a model at work has more before it."""

_FENCE = re.compile(r"^\s*```[\w-]*[ \t]*\n?(.*?)\n?[ \t]*```\s*$", re.DOTALL)
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]*([^:\n#]{1,60}?)[ \t]*(?::|$)", re.MULTILINE)
_STRAIGHT = str.maketrans(dict.fromkeys("“”„‟″", '"') | dict.fromkeys("‘’‚‛′", "'"))
_TRAILING_COMMA = re.compile(r",(?=\s*[\]}])")
_CLOSER = {"[": "]", "{": "}"}
_DECODER = json.JSONDecoder()


def parse_list(text: str) -> list[str] | None:
    """The last list of texts in a reply; numbers in it become text.

    Returns:
        None where there is none.
    """
    for found in reversed(_find(text, "[")):
        if all(isinstance(item, str | int | float) and not isinstance(item, bool) for item in found):
            return [str(item) for item in found]
    return None


def parse_objects(text: str) -> list[dict[str, Any]] | None:
    """The last list of objects in a reply, or its objects one after the other.

    Returns:
        None where there is none.
    """
    for found in reversed(_find(text, "[")):
        if found and all(isinstance(item, dict) for item in found):
            return cast("list[dict[str, Any]]", found)
    return cast("list[dict[str, Any]]", _find(text, "{")) or None


def parse_object(text: str) -> dict[str, Any] | None:
    """The last object in a reply.

    Returns:
        None where there is none.
    """
    found = _find(text, "{")
    return cast("dict[str, Any]", found[-1]) if found else None


def split_sections(text: str) -> dict[str, str]:
    """The parts of a reply under its "## Heading:" lines, by heading in lower case."""
    headings = list(_HEADING.finditer(text))
    ends = [*(heading.start() for heading in headings), len(text)][1:]
    return {
        heading[1].casefold(): text[heading.end() : end].strip()
        for heading, end in zip(headings, ends, strict=True)
    }


def strip_fence(text: str) -> str:
    """A reply without space, or a code fence, around it."""
    fenced = _FENCE.match(text)
    return (fenced[1] if fenced else text).strip()


def _find(text: str, opener: str) -> list[Any]:
    """Every outermost JSON value that starts with a bracket, in order; read leniently where it must be."""
    for variant in (text, _TRAILING_COMMA.sub("", text.translate(_STRAIGHT))):
        found = _scan(variant, opener)
        cut = _scan_cut(variant, opener)
        if cut and (not found or cut[0] < found[0][0]):
            return [cut[1]]
        if found:
            return [value for _, value in found]
    return []


def _scan(text: str, opener: str) -> list[tuple[int, Any]]:
    """Places and values of all that is whole."""
    found: list[tuple[int, Any]] = []
    at = text.find(opener)
    for _ in range(_MOST_STARTS):
        if at < 0:
            break
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            found.append((at, value))
        at = text.find(opener, end)
    return found


def _scan_cut(text: str, opener: str) -> tuple[int, Any] | None:
    """Place and whole items of the first value whose end is missing."""
    at = text.find(opener)
    for _ in range(_MOST_STARTS):
        if at < 0:
            break
        end = _last_whole_item(text, at)
        if end is not None:
            try:
                return at, json.loads(text[at:end] + _CLOSER[opener])
            except (ValueError, RecursionError):
                pass
        at = text.find(opener, at + 1)
    return None


def _last_whole_item(text: str, start: int) -> int | None:
    """Where the last whole item of an unclosed value ends; None where the value is closed or has none."""
    depth, in_text, escaped = 0, False, False
    end: int | None = None
    for at in range(start, len(text)):
        char = text[at]
        if in_text:
            in_text = escaped or char != '"'
            escaped = char == "\\" and not escaped
            if not in_text and depth == 1 and text[start] == "[":
                end = at + 1
            continue
        if char == '"':
            in_text = True
        elif char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
            if depth == 0:
                return None
            end = at + 1 if depth == 1 else end
        elif char == "," and depth == 1:
            end = at
    return end
