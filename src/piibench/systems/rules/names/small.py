"""Names in small letters, as people type them in chats: they need a cue, and must not be ordinary words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.systems.rules.lexicon import read_words
from piibench.systems.rules.names.clues import YES, Clues
from piibench.systems.rules.names.words import FUNCTION_WORDS, PARTICLES, Run, Word

if TYPE_CHECKING:
    from collections.abc import Iterator

_STATES = read_words("state_word")
_NAME = re.compile(r"[^\W\d_]{2,15}(?: [^\W\d_]{2,20}){0,2}")
_NOT_A_NAME = re.compile(r"(?:ed|ing|ly|ful|less|ous|able|ible|ive|ish|ese|ian|ist)$")
_SET_OFF = re.compile(r", (?:an?|and i|the|from|your) ")


def introduced(clues: Clues, start: int, *, sure: bool) -> Run:
    """Return the name at `start`: listed, or set off by a comma ("i'm tarvolo, a …"), or after a sure cue.

    Args:
        clues: The passage.
        start: Behind the cue.
        sure: Whether the cue announces nothing but names ("my name is").
    """
    words: list[Word] = []
    for word in _words(clues.passage.text, start):
        listed = clues.first(word) == YES or (words and clues.last(word) == YES)
        if not (listed or (sure and not words)) or is_plain(clues, word):
            break
        words.append(word)
    if words:
        return tuple(words)
    first = next(_words(clues.passage.text, start), None)
    if first and _SET_OFF.match(clues.passage.text, first.end) and not is_plain(clues, first):
        return (first,)
    return ()


def listed(clues: Clues, start: int) -> Run:
    """Return the listed first name at `start`, if it is no ordinary word."""
    first = next(_words(clues.passage.text, start), None)
    return (first,) if first and clues.first(first) == YES and not is_plain(clues, first) else ()


def field_value(clues: Clues, start: int) -> Run:
    """Return the words at `start` where they fill a field for names."""
    words = tuple(_words(clues.passage.text, start))
    if not words or not clues.first(words[0]):
        return ()
    return () if any(word.text in FUNCTION_WORDS - PARTICLES for word in words) else words


def is_plain(clues: Clues, word: Word) -> bool:
    """Whether a word in small letters looks like an ordinary English word."""
    low = word.text.lower()
    return (
        low in FUNCTION_WORDS
        or low in _STATES
        or len(low) < 3  # noqa: PLR2004 - "ed", "bo": too short to tell from words
        or clues.is_break(word)
        or clues.is_described(word)
        or clues.is_ordinary(word)
        or _NOT_A_NAME.search(low) is not None
    )


def _words(text: str, start: int) -> Iterator[Word]:
    match = _NAME.match(text, start)
    if match and not text[start].isupper():
        for part in match.group().split(" "):
            yield Word(start, start + len(part), part)
            start += len(part) + 1
