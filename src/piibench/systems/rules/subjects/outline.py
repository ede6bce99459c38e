"""How a text is laid out: sentences, paragraphs, fields of forms, turns of conversations."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from piibench.systems.rules.lexicon import read_words

if TYPE_CHECKING:
    from collections.abc import Iterator

_END = re.compile(
    r"[.!?…\n。！？](?:(?<=[.!?…])(?<![.!?…].)[.!?…]{0,5}[\"'”’)\]]{0,3}(?=\s)|(?<=[。！？])"
    r"|(?<=\n)(?=\s{0,8}(?:[^\sa-zß-öø-ÿ]|$)))"
)
_ABBREVIATIONS = frozenset(
    {
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "st",
        "no",
        "sr",
        "jr",
        "vs",
        "inc",
        "ltd",
        "co",
        "apt",
        "tel",
        "ext",
        "e.g",
        "i.e",
        "approx",
    }
)
_WORD_BEFORE = re.compile(r"([^\W_][\w.]*)$")
_LABEL = re.compile(r"[ \t>]*(?:[-•*#]{1,3}[ \t]*)?([^\W\d_][^:：\n]{0,40}?)[ \t*_]{0,3}[:：]")
_LABEL_REACH = 80
_ROLE_TAG = re.compile(r"\n[ \t>*_\[(]{0,4}([A-Za-z][A-Za-z_]{0,15}(?: [A-Z12])?)[\])*_]{0,3}[ ]?:")
_ROLES = read_words("speaker_role")


class Sentence(NamedTuple):
    """A sentence, or a line where lines are no sentences.

    Attributes:
        start: First code point.
        end: Behind the last one.
        label: The folded label where it is a field of a form ("date of birth"), else "".
        opens: Whether a blank line stands before it.
    """

    start: int
    end: int
    label: str
    opens: bool


def split_sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a text; only white space lies between them."""
    start, opens = 0, True
    for end in (*_find_ends(text), len(text)):
        lead = end - len(text[start:end].lstrip())
        opens = opens or text.count("\n", start, lead) > 1
        if lead < end:
            yield Sentence(lead, end, _read_label(text, lead), opens)
            start, opens = end, text[end - 1] == "\n" and text[end : end + 1] in {"\n", "\r"}


def _find_ends(text: str) -> Iterator[int]:
    for match in _END.finditer(text):
        if match.group()[0] != "." or not _is_abbreviated(text, match.start()):
            yield match.end()


def _is_abbreviated(text: str, dot: int) -> bool:
    match = _WORD_BEFORE.search(text, max(0, dot - 8), dot)
    if not match:
        return False
    word = match.group(1).lower()
    return word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha() and text[dot - 1].isupper())


def _read_label(text: str, start: int) -> str:
    if text.find(":", start, start + _LABEL_REACH) < 0 and text.find("：", start, start + _LABEL_REACH) < 0:
        return ""
    match = _LABEL.match(text, start)
    return match.group(1).lower() if match else ""


def find_role_turns(text: str) -> list[tuple[int, int, str]]:
    """Find the turns of speakers that are called by a role ("Doctor:"), where at least one speaks twice.

    Returns:
        Start and end of each tag, and the folded role.
    """
    turns = [
        (match.start(), match.end() - 1, role)
        # The line break in front lets a turn open the text; it shifts every offset by one.
        for match in _ROLE_TAG.finditer("\n" + text)
        if (role := match.group(1).lower()) in _ROLES
    ]
    counts = Counter(turn[2] for turn in turns)
    return turns if any(count > 1 for count in counts.values()) else []
