"""Forms and résumés: the person that their fields are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from piibench.systems.rules.lexicon import read_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from piibench.systems.rules.candidates import Candidate
    from piibench.systems.rules.passage import Passage
    from piibench.systems.rules.subjects.narration import Narration
    from piibench.systems.rules.subjects.outline import Sentence
    from piibench.systems.rules.subjects.people import People

_MAIN_LABELS, _SECONDARY = read_words("main_label"), read_words("secondary_word")
_HEADING = 40
"""How much of a line counts when it is asked whether a heading speaks of somebody else."""


class FormState:
    """Whom the fields read so far are about.

    Args:
        passage: The text.
        found: All candidates, by start.
        people: The persons among them.
        narration: Its narrator becomes the person of the form where nothing else names one.
    """

    def __init__(
        self, passage: Passage, found: Sequence[Candidate], people: People, narration: Narration
    ) -> None:
        self._passage, self._narration = passage, narration
        self._main: int | None = None
        self._primary: int | None = None
        self._named: int | None = None
        self._heading = ""
        if 0 in people.named and self._stands_over_text(found[0].span.start, found[0].span.end):
            narration.name_unnamed(people.named[0])

    def open(self, sentence: Sentence) -> None:
        """Begin a sentence; a paragraph ends the part about somebody beside the main person."""
        self._named = None
        if sentence.opens and self._primary is not None:
            self._main = self._primary

    def meet(self, node: int) -> None:
        """Note a name in the sentence."""
        self._named = node if self._named is None else self._named

    def close(self, sentence: Sentence) -> int | None:
        """End a sentence; return the person of the form where the sentence is a field of one."""
        if not sentence.label:
            end = min(sentence.end, sentence.start + _HEADING)
            self._heading = self._passage.folded[sentence.start : end]
            return None
        if self._named is not None and sentence.label in _MAIN_LABELS:
            self._main = self._named
            beside = not _SECONDARY.isdisjoint(self._heading.split())
            if not beside or self._primary is None:
                self._primary = self._named
                self._narration.name_unnamed(self._named)
        return self._main

    def _stands_over_text(self, start: int, end: int) -> bool:
        """Whether a name is the first line of the text, as over a résumé."""
        text = self._passage.text
        line, newline, _ = text[end : end + 5].partition("\n")
        return bool(newline) and not line.strip("* \t\r") and not text[:start].strip("#* \t\r\n")
