"""Capitalised words and the runs they form: the raw material of names and places."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from piibench.systems.rules.lexicon import read_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from piibench.systems.rules.passage import Passage

FUNCTION_WORDS = read_words("function_word")
"""Words that stand between names, never in them (as capitals at the start of a sentence)."""

PARTICLES = read_words("name_particle")
"""Small words inside a family name ("van der Berg", "de la Cruz")."""

LONGEST_RUN = 6
"""Words in a run; longer runs are cut, so that no name rule ever looks at more."""

# The capital leads, so that the search leaps from capital to capital.
_WORD = re.compile(
    r"[^\W\d_a-zß-öø-ÿ](?<![\w\u0300-\u036f].)[\w\u0300-\u036f]*(?:['’ʼ‑-][\w\u0300-\u036f]+)*"
)
_INSIDE_WORD = frozenset("'’ʼ‑-")
_JOINED_BEFORE = frozenset("@_\\#&")
_JOINED_AFTER = frozenset("@_\\&")
_WIDEST_GAP = 14
_BLANKS = frozenset(" \u00a0")
_SENTENCE_ENDS = frozenset(".!?:;。！？…•|*>\n\r")
_OPENERS = frozenset(" \t\u00a0\"'“”‘’([{-–—_~")


_SYLLABLE = (
    r"(?:[bpmfdtnlgkhjqxrzcsyw]|[zcs]h)?(?:i?ang|i?ong|uang|eng|ing|iao|ian|uai|uan|ang|ong|ai|ei|ao|ou|an"
    r"|en|ia|ie|iu|in|"
    r"ua|uo|ui|un|ue|er|a|o|e|i|u)"
)
_SYLLABLES = re.compile(rf"(?:{_SYLLABLE}){{1,3}}", re.IGNORECASE)
_ONE_SYLLABLE = re.compile(_SYLLABLE, re.IGNORECASE)


class Word(NamedTuple):
    """A capitalised word, without a possessive 's.

    Attributes:
        start: First code point.
        end: Behind the last code point.
        text: The word as it stands.
    """

    start: int
    end: int
    text: str


Run: TypeAlias = "Sequence[Word]"
"""Capitalised words of one line with nothing but a space, an initial's dot or particles between them."""


def find_capitalised(text: str) -> Iterator[Word]:
    """Yield the words that begin with a capital and hold only letters, outside addresses and handles."""
    length = len(text)
    for match in _WORD.finditer(text):
        start, end = match.span()
        if not text[start].isupper():
            continue
        if end < length and text[end] in _JOINED_AFTER:
            continue
        if start and (before := text[start - 1]) not in _BLANKS and _continues(text, start, before):
            continue
        if end + 1 < length and text[end] == "." and text[end + 1].islower() and end - start > 1:
            continue
        word = match.group()
        if word[-2:] in {"'s", "’s", "'S", "’S"}:
            word = word[:-2]
        if "_" not in word and not any(map(str.isdigit, word)):
            yield Word(start, start + len(word), word)


def _continues(text: str, start: int, before: str) -> bool:
    """Whether a capital stands inside a longer word, a handle or an address ("e-Mail", "@Ana")."""
    return before in _JOINED_BEFORE or (before in _INSIDE_WORD and start > 1 and text[start - 2].isalnum())


def find_runs(passage: Passage) -> Sequence[Run]:
    """Return the runs of capitalised words of a passage, in order; looked for once."""
    return passage.view(_find_runs)


def _find_runs(passage: Passage) -> Sequence[Run]:
    return tuple(read_runs(passage.text, tuple(find_capitalised(passage.text))))


def read_runs(text: str, words: Sequence[Word]) -> Iterator[Run]:
    """Gather neighbouring words into runs of at most `LONGEST_RUN`."""
    run: list[Word] = []
    for word in words:
        if run and (len(run) >= LONGEST_RUN or not _joins(text, run[-1], word)):
            yield tuple(run)
            run = []
        run.append(word)
    if run:
        yield tuple(run)


def _joins(text: str, left: Word, right: Word) -> bool:
    width = right.start - left.end
    if width == 1:
        return text[left.end] in _BLANKS or (text[left.end] == "." and is_initial(left))
    if width == 2:  # noqa: PLR2004 - a dot and a space
        return text[left.end] == "." and text[left.end + 1] == " " and is_initial(left)
    if width > _WIDEST_GAP or text[left.end] not in _BLANKS:
        return False
    gap = text[left.end : right.start]
    return gap.isprintable() and PARTICLES.issuperset(gap.split())


def is_initial(word: Word) -> bool:
    """Whether a word is a single letter."""
    return word.end - word.start == 1


def is_pinyin(family: str, given: str) -> bool:
    """Whether two words read as a Chinese family name and given name in Latin letters ("Sun Yuwei")."""
    if len(given) < 2 or family.isupper() or not _ONE_SYLLABLE.fullmatch(family):  # noqa: PLR2004 - "Li A" is no name
        return False
    return _SYLLABLES.fullmatch(given.replace("-", "")) is not None


def starts_sentence(text: str, start: int) -> bool:
    """Whether only opening punctuation stands between a sentence's end (or a line's start) and `start`.

    Looks back over at most eight characters.
    """
    place = start - 1
    for _ in range(8):
        if place < 0 or text[place] in _SENTENCE_ENDS:
            return True
        if text[place] not in _OPENERS:
            return False
        place -= 1
    return False


def map_starts(passage: Passage, *tables: str) -> Mapping[int, int]:
    """Map the start of each hit in some tables, whatever its capitals, to its end (the longest one)."""
    starts: dict[int, int] = {}
    for table in tables:
        for hit in passage.of(table):
            if hit.end > starts.get(hit.start, 0):
                starts[hit.start] = hit.end
    return starts
