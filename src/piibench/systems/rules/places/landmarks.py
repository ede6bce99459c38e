"""Landmarks: well-known ones by a list, others by the word that ends or begins their names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, STRONG, WEAK, Candidate
from piibench.systems.rules.lexicon import read_words
from piibench.systems.rules.names.words import FUNCTION_WORDS, Run, find_runs, map_starts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from piibench.systems.rules.passage import Passage

_HEADS = frozenset(head.split()[-1] for head in read_words("landmark_head"))
_MODIFIERS = read_words("landmark_modifier")
_BREAKS = read_words("name_break")
_LEADING = read_words("landmark_opener")
_VISITED = re.compile(
    r"(?:at|near|visit|visited|visits|visiting|to|in|from|around|see|saw|by|past|climb|climbed|climbing"
    r"|hike|hiked|"
    r"hiking|toured|of|view of|views of|opposite|beside|behind|outside|overlooking|enjoyed|through|across"
    r"|on) (?:the )?$"
)


def find_landmarks(passage: Passage) -> Iterator[Candidate]:
    """Propose landmarks."""
    text = passage.text
    for hit in passage.of("landmark"):
        if hit.exact:
            score = STRONG if " " in text[hit.start : hit.end] else LIKELY
            yield Candidate(Span(hit.start, hit.end), Category.LANDMARK, score, "well-known landmark")
    firsts, towns = map_starts(passage, "first_names"), map_starts(passage, "cities", "city_exonyms")
    persons = {start: end for start, end in firsts.items() if start not in towns}
    for run in find_runs(passage):
        for words in _in_run(run):
            if towns.get(words[0].start, 0) < words[1].end:
                yield _landmark(text, words, persons)


def _in_run(run: Run) -> Iterator[Run]:
    """Yield the words of each landmark in a run, two or more."""
    first = 0
    for index, word in enumerate(run):
        low = word.text.lower()
        if low in FUNCTION_WORDS or low in _BREAKS:
            first = index + 1
        elif low in _HEADS and index > first and _is_proper(run[first:index]):
            if index + 1 < len(run) and run[index + 1].text.lower() in _HEADS:
                continue
            yield run[first : index + 1]
            first = index + 1
        elif low in _LEADING and index + 1 < len(run) and index == first:
            yield run[index : index + 3]


def _is_proper(words: Run) -> bool:
    return any(word.text.lower() not in _MODIFIERS and word.text.lower() not in _HEADS for word in words)


def _landmark(text: str, words: Run, persons: Mapping[int, int]) -> Candidate:
    start, end = words[0].start, words[-1].end
    visited = _VISITED.search(text, max(0, start - 20), start)
    # "Min Park" may be a person; a place is where people go.
    person = len(words) == 2 and persons.get(start) == words[0].end and words[0].text.lower() not in _LEADING  # noqa: PLR2004
    score = STRONG if visited else WEAK if person else LIKELY
    return Candidate(Span(start, end), Category.LANDMARK, score, "capitalised words with a word for a sight")
