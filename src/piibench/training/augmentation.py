"""The same facts in other clothes: other values and layouts, typos, words left out, other case and line ends.

The query may go, or state who asks. Every change keeps the marks true: a text is cut between its places, or
taken apart where they begin and end, its pieces are changed, and it is put together again.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.training.examples import Place, find_plain
from piibench.training.introductions import INTRODUCTIONS
from piibench.training.layouts import lay_out

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable

    from piibench.training.examples import Example

_NEVER_EXCHANGED = frozenset({"Gender", "Age", "Nickname"})
"""Their form hangs on the words around them, or other values are built from them."""

_NAMES = frozenset({Category.FULL_NAME, Category.NICKNAME})
_NAMES_COUNT = 7
"""So that a query names somebody as often as it states one of the fourteen others."""
_SENTENCE_END = re.compile(r"\n+|(?<=[.!?]) +")
_SHARE_LEFT_OUT = 0.08
_SHARE_ANYWHERE = 0.2
"""Of the excerpts, those from anywhere: some hold nothing personal."""


@dataclass(frozen=True, slots=True)
class Chances:
    """Probability of each change for one example and pass."""

    excerpt: float = 0.15
    exchange: float = 0.7
    laid_out: float = 0.08
    cut: float = 0.2
    words_left_out: float = 0.2
    typos: float = 0.15
    lower: float = 0.10
    upper: float = 0.02
    joined_lines: float = 0.07
    no_query: float = 0.12
    introduced: float = 0.2


class Augmentation:
    """Changes examples at random.

    Args:
        examples: Values are exchanged for theirs; one in which another stands is not put elsewhere.
        chances: How often each change is made.
    """

    def __init__(self, examples: Iterable[Example], chances: Chances | None = None) -> None:
        self._chances = chances or Chances()
        values: dict[Category, set[str]] = defaultdict(set)
        for example in examples:
            for place in find_plain(example.places):
                if place.category is not None:
                    values[place.category].add(place.span.of(example.text))
        self._values = {category: sorted(found) for category, found in values.items()}

    def change(self, example: Example, rng: random.Random) -> Example:
        """Return a changed example, or the same where chance leaves it alone."""
        chances = self._chances
        if example.query and rng.random() < chances.no_query:
            example = example.without_query()
        if example.query and rng.random() < chances.introduced:
            example = self._introduce(example, rng)
        for chance, alter in (
            (chances.excerpt, _excerpt),  # before names are exchanged: of few places more can be
            (chances.exchange if example.swappable else 0.0, self._exchange),
            (chances.cut, _cut),
            (chances.words_left_out, _leave_out),
            (chances.joined_lines, _join_lines),
            (chances.laid_out, lay_out),  # behind what would take its rows apart
            (chances.typos, _misspell),
        ):
            if rng.random() < chance:
                example = alter(example, rng)
        roll = rng.random()
        if roll < chances.lower:
            return _recase(example, str.lower)
        if roll < chances.lower + chances.upper:
            return _recase(example, str.upper)
        return example

    def _introduce(self, example: Example, rng: random.Random) -> Example:
        """Let the query name a person, or state another identifier."""
        able = [each for each in INTRODUCTIONS if each in self._values and TYPE_OF[each] in example.types]
        if not able:
            return example
        (category,) = rng.choices(able, [_NAMES_COUNT if each in _NAMES else 1 for each in able])
        value, form = rng.choice(self._values[category]), rng.choice(INTRODUCTIONS[category])
        added = f"{form.before}{value}{form.after}"
        start = len(form.before) + (0 if form.opens else len(example.query) + 1)
        place = Place(Span(start, start + len(value)), TYPE_OF[category], category)
        if not form.opens:
            return replace(example, query=f"{example.query} {added}", asked=(*example.asked, place))
        shift = len(added) + 1
        moved = (replace(each, span=each.span.shift(shift)) for each in example.asked)
        return replace(example, query=f"{added} {example.query}", asked=(place, *moved))

    def _exchange(self, example: Example, rng: random.Random) -> Example:
        forms: dict[str | None, set[str]] = defaultdict(set)
        for place in example.places:
            if place.type is PIIType.PER:
                forms[place.subject].add(place.span.of(example.text))
        others: dict[tuple[str, Category], str] = {}
        for place in find_plain(example.places):
            value, category = place.span.of(example.text), place.category
            if category is None or category in _NEVER_EXCHANGED or category not in self._values:
                continue
            if place.type is PIIType.PER and (len(forms[place.subject]) > 1 or value in example.query):
                continue
            if rng.random() < 0.6:  # noqa: PLR2004 - some stay, so that their words stay known
                others.setdefault((value, category), rng.choice(self._values[category]))

        def other(text: str, place: Place | None) -> str:
            return others.get((text, place.category), text) if place and place.category else text

        return _rewrite(example, other)


def _rewrite(example: Example, change: Callable[[str, Place | None], str], *, query: bool = False) -> Example:
    """Change a text piece by piece; `change` is told the innermost place around each, or None."""
    text, places, references = _piece_together(example.text, example.places, change, example.references)
    example = replace(example, text=text, places=places, references=references)
    if not query:
        return example
    asking, asked, _ = _piece_together(example.query, example.asked, change)
    return replace(example, query=asking, asked=asked)


def _piece_together(
    text: str,
    places: tuple[Place, ...],
    change: Callable[[str, Place | None], str],
    references: tuple[Place, ...] = (),
) -> tuple[str, tuple[Place, ...], tuple[Place, ...]]:
    cut_at = {border for place in (*places, *references) for border in place.span}
    borders = sorted({0, len(text), *cut_at})
    coming = list(reversed(places))
    around: list[Place] = []
    parts: list[str] = []
    moved = {0: 0}
    length = 0
    for start, end in pairwise(borders):
        while coming and coming[-1].span.start == start:
            around.append(coming.pop())
        while around and around[-1].span.end <= start:
            around.pop()
        parts.append(change(text[start:end], around[-1] if around else None))
        length += len(parts[-1])
        moved[end] = length

    def move(kept: tuple[Place, ...]) -> tuple[Place, ...]:
        spans = (Span(moved[place.span.start], moved[place.span.end]) for place in kept)
        return tuple(replace(place, span=span) for place, span in zip(kept, spans, strict=True))

    return "".join(parts), move(places), move(references)


def _excerpt(example: Example, rng: random.Random) -> Example:
    """Keep one to three lines or sentences: mostly with a value, so that the few words around it must do.

    Where a needed value goes, too much of what the query is about does: what it needs of the rest is unknown.
    """
    if not example.places:
        return example
    needed = [place for place in example.places if place.needed]
    at = rng.choice(rng.choice([needed or example.places, example.places])).span
    if rng.random() < _SHARE_ANYWHERE:
        sign = rng.randrange(len(example.text))
        at = Span(sign, sign + 1)
    borders = [0, *_find_borders(example), len(example.text)]
    first = max(number for number, border in enumerate(borders) if border <= at.start)
    last = min(number for number, border in enumerate(borders) if border >= at.end)
    more = rng.choice((0, 0, 1, 2))
    before = rng.randint(0, more)
    start, stop = borders[max(0, first - before)], borders[min(len(borders) - 1, last + more - before)]
    kept = _keep(example, start, stop)
    end = max(len(kept.text.rstrip()), *(place.span.end for place in kept.places), 0)
    if not end:
        return example
    kept = replace(kept, text=kept.text[:end])
    if sum(place.needed is True for place in kept.places) == len(needed):
        return kept
    return replace(kept, places=tuple(replace(place, needed=None) for place in kept.places))


def _cut(example: Example, rng: random.Random) -> Example:
    """Keep a run of at least half of the text that begins and ends with lines or sentences."""
    half = len(example.text) // 2
    borders = _find_borders(example)
    start = rng.choice([0, *(at for at in borders if at <= half)])
    stop = rng.choice([len(example.text), *(at for at in borders if at >= start + half)])
    kept = _keep(example, start, stop)
    return example if example.places and not kept.places else kept


def _find_borders(example: Example) -> list[int]:
    """Return where lines or sentences end, but for ends inside a place."""
    borders: list[int] = []
    coming = deque(place.span for place in example.places)
    reach = 0
    for at in (match.end() for match in _SENTENCE_END.finditer(example.text)):
        while coming and coming[0].start < at:
            reach = max(reach, coming.popleft().end)
        if reach <= at:
            borders.append(at)
    return borders


def _keep(example: Example, start: int, stop: int) -> Example:
    places, references = (
        tuple(
            replace(place, span=place.span.shift(-start))
            for place in marked
            if start <= place.span.start and place.span.end <= stop
        )
        for marked in (example.places, example.references)
    )
    return replace(example, text=example.text[start:stop], places=places, references=references)


def _leave_out(example: Example, rng: random.Random) -> Example:
    """Leave out some words, so that no text is known again by its wording alone."""

    def change(text: str, place: Place | None) -> str:
        if place:
            return text
        first, *words = text.split(" ")  # what touches a value, as the "y" in "91y and", stays with it
        last = words[-1:]
        kept = (word for word in words[:-1] if not word.isalpha() or rng.random() >= _SHARE_LEFT_OUT)
        return " ".join((first, *kept, *last))

    return _rewrite(example, change)


def _join_lines(example: Example, _: random.Random) -> Example:
    return _rewrite(example, lambda text, _: text.replace("\n", " "))


def _recase(example: Example, case: Callable[[str], str]) -> Example:
    return _rewrite(example, lambda text, _: case(text), query=True)


def _misspell(example: Example, rng: random.Random) -> Example:
    rate = rng.choice((0.01, 0.03, 0.06))

    def change(text: str, place: Place | None) -> str:
        return text if place else _slip(text, rate, rng)

    return _rewrite(example, change, query=True)


def _slip(text: str, rate: float, rng: random.Random) -> str:
    """Misspell about that share of the words: two letters exchanged, one left out or doubled, a sign lost."""
    words = text.split(" ")
    for number, word in enumerate(words):
        if len(word) > 3 and rng.random() < rate:  # noqa: PLR2004 - short words are mistyped seldom
            at = rng.randrange(1, len(word) - 1)
            words[number] = rng.choice(
                (
                    word[:at] + word[at + 1] + word[at] + word[at + 2 :],
                    word[:at] + word[at + 1 :],
                    word[:at] + word[at] + word[at:],
                    word.rstrip(",.;:"),
                    word.lower(),
                )
            )
    return " ".join(words)
