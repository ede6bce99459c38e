"""Cue words: the words beside a value that say what it is.

A number alone seldom tells whether it is a salary or a rent, a passport or an order. A `CueTable` maps each
meaning to the words that announce it and finds the cue that stands nearest to a value in its own sentence.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from piibench.data.mentions import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from piibench.systems.rules.passage import Passage

Meaning = TypeVar("Meaning")

_BREAK = re.compile(
    r"[.!?](?=\s+[\"'(\u201c]?[A-Z])(?<!\b[A-Z].)(?<!\b[NnDM][or].)(?<!\b[TtEe][ex][lt].)(?<!\bMrs.)(?<!\b[Aa]cct.)"
    r"|[.!?](?=\s+\d)(?<=[a-z]{4}.)(?<!pprox.)(?<!nr.)(?<!acct.)|[\u3002\uff01\uff1f]|\n(?:(?!\s*[a-z])|\s{0,9}\n)"
)
_CLAUSE = re.compile(r"[,;]\s|[,;]?\s(?:and|but|while|plus|then|whereas)\s")
_NUMBER = re.compile(r"\d[\d.,]*")
_LEAD = " \t\n\r:=-\u2013\u2014*|>(#\"'"

_CLAUSE_COST = 15
_NUMBER_COST = 20
_AFTER_COST = 4
_CLAIMED_COST = 15
_CLAIMED_REACH = 20


class Cue(NamedTuple, Generic[Meaning]):
    """The cue that stands nearest to a value.

    Attributes:
        meaning: What it announces.
        span: Where the cue stands.
        cost: Its distance in characters, raised by each clause border and number in between, and where it
            stands behind the value.
    """

    meaning: Meaning
    span: Span
    cost: int


class CueTable(Generic[Meaning]):
    """Words by meaning, searched together.

    Args:
        cues: Meaning -> alternatives of a regular expression, on folded text (see `lexicon.fold`): lower
            case, and a space for punctuation that may precede a word. At one place the first meaning of
            the table wins, so longer phrases belong to earlier rows.
        before: How many characters before the value a cue may start.
        after: How many characters behind it a cue may end.
    """

    def __init__(self, cues: Mapping[Meaning, str], *, before: int = 40, after: int = 20) -> None:
        self._meanings = tuple(cues)
        groups = "|".join(f"({words})" for words in cues.values())
        self._pattern = re.compile(rf"\b(?=[^\W\d_]|\d\d?[a-z])(?:{groups})(?![^\W_])")
        self._before = before
        self._after = after

    def nearest(self, passage: Passage, span: Span, *, before: int | None = None) -> Cue[Meaning] | None:
        """Find the nearest cue in the value's sentence, or None. Looks at a window of fixed size.

        Args:
            passage: The text.
            span: The value.
            before: Overrides how far back to look.
        """
        window = find_window(passage.text, span, self._before if before is None else before, self._after)
        best: Cue[Meaning] | None = None
        for low, high in ((window.start, span.start), (span.end, window.end)):
            for match in self._pattern.finditer(passage.folded, low, high):
                place = Span(*match.span())
                cue = Cue(self._meanings[(match.lastindex or 1) - 1], place, _cost(passage.text, span, place))
                if best is None or cue.cost < best.cost:
                    best = cue
        return best


def find_window(text: str, span: Span, before: int, after: int) -> Span:
    """The characters around a value that belong to its sentence or line.

    A label on the line above counts where nothing else stands between it and the value, not even a number.
    """
    start = max(0, span.start - before)
    lead = len(text[start : span.start].rstrip(_LEAD)) + start
    if lead > start and text[lead - 1].isdecimal():
        lead = span.start
    for match in _BREAK.finditer(text, start, min(span.start + 2, len(text))):
        if match.end() <= lead:
            start = match.end()
    end = min(span.end + after, len(text))
    stop = _BREAK.search(text, span.end, min(end + 2, len(text)))
    return Span(start, min(stop.start(), end) if stop else end)


def _cost_behind(text: str, cue: Span) -> int:
    """A cue behind a value counts less, least of all where it announces the number that comes next."""
    ahead = text[cue.end : cue.end + _CLAIMED_REACH]
    return _AFTER_COST + _CLAIMED_COST * bool(_NUMBER.search(ahead))


def _cost(text: str, span: Span, cue: Span) -> int:
    follows = cue.start >= span.end
    gap = text[span.end : cue.start] if follows else text[cue.end : span.start]
    return (
        len(gap)
        + _CLAUSE_COST * len(_CLAUSE.findall(gap))
        + _NUMBER_COST * len(_NUMBER.findall(gap))
        + (_cost_behind(text, cue) if follows else 0)
    )
