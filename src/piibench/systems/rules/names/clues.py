"""What the tables say about the words of a passage, as name rules ask for it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from piibench.systems.rules.lexicon import read_words
from piibench.systems.rules.names.words import (
    FUNCTION_WORDS,
    Run,
    Word,
    find_runs,
    map_starts,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from piibench.systems.rules.passage import Passage

ORDINARY = read_words("name_stopword")
"""Names that are ordinary words too ("Will", "Rose")."""

_BREAKS = read_words("name_break")
_HEADS = read_words("name_head") | read_words("landmark_head") | read_words("street_word")

NO, MAYBE, YES = 0, 1, 2
"""How well a table supports a word: not listed, listed but an ordinary word as well, listed."""

_ACRONYM = 3
"""Capitals up to this length are abbreviations unless a cue says otherwise."""


@dataclass(frozen=True)
class Clues:
    """Table entries of a passage by their start, and its capitalised runs."""

    passage: Passage

    @cached_property
    def runs(self) -> Sequence[Run]:
        """Runs of capitalised words, in order."""
        return find_runs(self.passage)

    @cached_property
    def place_in_run(self) -> Mapping[int, tuple[Run, int]]:
        """Start of each capitalised word -> its run and its index there."""
        return {word.start: (run, index) for run in self.runs for index, word in enumerate(run)}

    @cached_property
    def ending_at(self) -> Mapping[int, Word]:
        """End of each capitalised word -> the word."""
        return {word.end: word for run in self.runs for word in run}

    @cached_property
    def _firsts(self) -> Mapping[int, int]:
        return map_starts(self.passage, "first_names")

    @cached_property
    def _lasts(self) -> Mapping[int, int]:
        return map_starts(self.passage, "last_names")

    @cached_property
    def _roles(self) -> Mapping[int, int]:
        return map_starts(self.passage, "titles", "kinship")

    @cached_property
    def titles(self) -> Mapping[int, int]:
        """Start of each title -> its end."""
        return map_starts(self.passage, "titles")

    @cached_property
    def relatives(self) -> frozenset[int]:
        """Ends of the words for relatives and acquaintances."""
        return frozenset(hit.end for hit in self.passage.of("kinship"))

    @cached_property
    def _places(self) -> Mapping[int, int]:
        return map_starts(self.passage, "cities", "city_exonyms", "regions", "region", "landmark")

    @cached_property
    def _described(self) -> Mapping[int, int]:
        """Nationalities, religions, jobs and the like, which follow "I'm" as names do."""
        return map_starts(self.passage, *(name for name in self.passage.hits if name not in _NAME_TABLES))

    @cached_property
    def _lines(self) -> list[int]:
        text, starts = self.passage.text, [0]
        while (end := text.find("\n", starts[-1])) >= 0:
            starts.append(end + 1)
        return starts

    def first(self, word: Word) -> int:
        """How well the tables support a word as a first name."""
        return self._support(word, self._firsts)

    def last(self, word: Word) -> int:
        """How well the tables support a word as a family name."""
        return self._support(word, self._lasts)

    def _support(self, word: Word, table: Mapping[int, int]) -> int:
        end = table.get(word.start, 0)
        # "Maria" supports "Maria-Luisa"; "De" does not support "Deirdre", as hits are whole words.
        if not end or (word.text.isupper() and len(word.text) <= _ACRONYM):
            return NO
        return MAYBE if word.text.lower() in ORDINARY else YES

    def is_break(self, word: Word) -> bool:
        """Whether a word is a function word, greeting, label, title or the like."""
        low = word.text.lower().replace("’", "'")
        return low in FUNCTION_WORDS or low in _BREAKS or self._roles.get(word.start, 0) >= word.end

    def is_ordinary(self, word: Word) -> bool:
        """Whether a name is an ordinary word too ("Will", "Rose")."""
        return word.text.lower() in ORDINARY

    def is_head(self, word: Word) -> bool:
        """Whether a word makes the run before it an organisation, a place or a street."""
        return word.text.lower() in _HEADS

    def is_place(self, word: Word) -> bool:
        """Whether a word begins the name of a city, region or landmark."""
        return self._places.get(word.start, 0) >= word.end

    def is_described(self, word: Word) -> bool:
        """Whether another recognizer's word list claims the word."""
        return self._described.get(word.start, 0) >= word.end

    def in_heading(self, start: int) -> bool:
        """Whether the line around `start` is a heading: several words, all capitalised, no full stop."""
        line = bisect_right(self._lines, start) - 1
        return self._headings[line]

    @cached_property
    def _headings(self) -> list[bool]:
        text, bounds = self.passage.text, [*self._lines, len(self.passage.text) + 1]
        return [_is_heading(text[bounds[n] : bounds[n + 1] - 1]) for n in range(len(bounds) - 1)]


_NAME_TABLES = frozenset(
    {
        "first_names", "last_names", "titles", "kinship",
        "name_cue_intro", "name_cue_named", "name_cue_field", "name_cue_close", "name_cue_greet",
        "cities", "regions", "region", "city_exonyms", "landmark",
    }
)  # fmt: skip
_LONGEST_NAME = 5
_LONGEST_HEADING = 80
_FEWEST_WORDS = 2


def _is_heading(line: str) -> bool:
    if (
        len(line) > _LONGEST_HEADING
        or line.rstrip().endswith((".", ",", "!", "?"))
        or ":" in line.rstrip()[:-1]
    ):
        return False
    words = [word for word in line.split() if word[0].isalpha() and word.lower() not in FUNCTION_WORDS]
    return len(words) >= _FEWEST_WORDS and all(word[0].isupper() for word in words)


def take_name(clues: Clues, start: int, *, titled: bool = False) -> Run:
    """Return the capitalised words of a name that begins at `start`, () where none does.

    Args:
        clues: The passage.
        start: First code point.
        titled: Whether a title stands before it, so that "So" and "An" are names.
    """
    place = clues.place_in_run.get(start)
    if place is None:
        return ()
    run, first = place
    taken: list[Word] = []
    for word in run[first : first + _LONGEST_NAME]:
        if clues.is_head(word) and not clues.last(word):
            return ()
        if clues.is_break(word) and not (titled and not taken and word.text.lower() in FUNCTION_WORDS):
            break
        taken.append(word)
    while len(taken) > 1 and len(taken[-1].text) == 1:
        taken.pop()
    return tuple(taken)


def skip_title(clues: Clues, start: int) -> int:
    """Return where a name begins, behind the title that may stand at `start`."""
    text, end = clues.passage.text, clues.titles.get(start)
    if end is None or start not in clues.place_in_run:
        return start
    end += text[end : end + 1] == "."
    return end + (text[end : end + 1] == " ")


def is_known(clues: Clues, words: Iterable[Word]) -> bool:
    """Whether any of the words is listed as a name."""
    return any(clues.first(word) or clues.last(word) for word in words)
