"""Text of users in a prompt: fenced, so that what it says is not taken for instructions."""

from __future__ import annotations

import hashlib
import json

_MARK_LENGTH = 6


def fence(text: str, name: str) -> str:
    """Put a text between two marks that it cannot hold.

    The mark is a hash of the text, so that no text can close its own fence, and the same text always makes
    the same prompt.

    Args:
        text: Any text.
        name: What it is, in a word.
    """
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK_LENGTH]
    while mark in text:
        mark = hashlib.sha256(mark.encode()).hexdigest()[:_MARK_LENGTH]
    return f"<{name} {mark}>\n{text.strip()}\n</{name} {mark}>"


def quote_list(values: list[str] | tuple[str, ...]) -> str:
    """Write values as a JSON list on one line, letters of all scripts as they are."""
    return json.dumps(list(values), ensure_ascii=False)
