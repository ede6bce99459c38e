"""Parts of a name that stands in full elsewhere in the text ("Ms Okafor … Okafor", "Will Smith … Will")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, WEAK, Candidate
from piibench.systems.rules.names.runs import ACTS
from piibench.systems.rules.names.words import is_pinyin, starts_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from piibench.systems.rules.names.clues import Clues
    from piibench.systems.rules.names.words import Run, Word

_SHORTEST_PART = 2
_PAIR = 2


def find_echoes(clues: Clues, found: Sequence[Candidate]) -> Iterator[Candidate]:
    """Propose single capitalised words that are the first or last part of a name found in full.

    Args:
        clues: The passage.
        found: The names proposed so far.
    """
    parts = _read_parts(clues, found)
    if not parts:
        return
    for run in clues.runs:
        for index, word in enumerate(run):
            category = parts.get(word.text)
            if category is None or not _stands_alone(clues, run, index):
                continue
            if _is_ambiguous(clues, word) and not ACTS.match(clues.passage.text, word.end):
                continue
            yield Candidate(Span(word.start, word.end), category, LIKELY, "part of a name found in full")


def _is_ambiguous(clues: Clues, word: Word) -> bool:
    """Whether the word may owe its capital to the start of a sentence, or be a place."""
    at_start = starts_sentence(clues.passage.text, word.start)
    return at_start and (clues.is_ordinary(word) or clues.is_place(word))


def _read_parts(clues: Clues, found: Sequence[Candidate]) -> dict[str, Category]:
    parts: dict[str, Category] = {}
    for candidate in found:
        if candidate.score <= WEAK or candidate.category is not Category.FULL_NAME:
            continue
        words = candidate.span.of(clues.passage.text).split()
        # "Smith, John" and "Tan Weiling": the family name comes first.
        turned = words[0].endswith(",") or (len(words) == _PAIR and is_pinyin(words[0], words[1]))
        family, given = (words[0], words[-1]) if turned else (words[-1], words[0])
        if len(family) > _SHORTEST_PART:
            parts.setdefault(family.rstrip(","), Category.FULL_NAME)
        if len(words) > 1 and len(given.rstrip(".,")) >= _SHORTEST_PART:
            parts[given] = Category.NICKNAME
    return parts


def _stands_alone(clues: Clues, run: Run, index: int) -> bool:
    """Whether the words beside it in the run are no part of a name."""
    return all(
        clues.is_break(word) for word in (*run[max(0, index - 1) : index], *run[index + 1 : index + 2])
    )
