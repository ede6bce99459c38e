"""The people of a description, as a query may speak of them: "I", "my daughter", "the electrician".

Names and roles are looked up where they stand in the description; the entity nearest to that place
tells the subject.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Literal, NamedTuple

from piibench.data.taxonomy import Category, PIIType
from piibench.systems.rules.lexicon import fold
from piibench.systems.rules.selection.tables import load_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from piibench.data.schema import Entity
    from piibench.systems.rules.selection.tables import PersonGroup

_FIRST_PERSON = re.compile(r"(?<![\w.])(?:i|i'm|i've|i'd|i'll|im|me|my|mine)(?![\w.])")
_WORD = re.compile(r"[^\W_]+")
_VOTES = 24
"""First-person words that are asked whose facts follow."""
_OCCURRENCES = 4
"""Places at which each word for a person is looked up."""
_AHEAD, _BEHIND = 60, 25
"""How far, in code points, a name stands behind or before the word for its person."""


class _Place(NamedTuple):
    start: int
    end: int
    subject: str
    is_name: bool


class Cast:
    """Who is who in a description.

    Attributes:
        letters: The subjects in order.
        narrator: The subject that says "I"; the first one where nobody does.
        speaks: Whether somebody says "I".
        others: Everyone but the narrator who speaks.
        names: Folded words of names, each with its subjects.
        jobs: Last words of occupations that only one subject has.
    """

    def __init__(self, description: str, found: Sequence[Entity]) -> None:
        self._text = fold(description)
        self._places = sorted(
            _Place(span.start, span.end, entity.subject, entity.type is PIIType.PER)
            for entity in found
            for span in entity.mentions
        )
        self._groups: dict[PersonGroup, frozenset[str]] = {}
        self._starts = [place.start for place in self._places]
        self.letters = sorted({entity.subject for entity in found}, key=lambda key: (len(key), key))
        votes = Counter(self._hear_narrator())
        self.speaks = bool(votes)
        self.narrator = votes.most_common(1)[0][0] if votes else self.letters[0]
        self.others = frozenset(self.letters) - ({self.narrator} if self.speaks else set())
        self.names = _gather_words(entity for entity in found if entity.type is PIIType.PER)
        jobs = _gather_words((e for e in found if e.category is Category.OCCUPATION), last_only=True)
        self.jobs = {word: subjects for word, subjects in jobs.items() if len(subjects) == 1}

    def find_group(self, group: PersonGroup) -> frozenset[str]:
        """The subjects, other than the narrator, that a word of the group stands next to."""
        if group not in self._groups:
            self._groups[group] = self._look_for(group)
        return self._groups[group]

    def _look_for(self, group: PersonGroup) -> frozenset[str]:
        found: set[str] = set()
        for word in group.words:
            at = self._text.find(word)
            for _ in range(_OCCURRENCES):
                if at < 0:
                    break
                end = at + len(word)
                if not self._text[at - 1 : at].isalnum() and not self._text[end : end + 1].isalnum():
                    found.update(self._near(at, end))
                at = self._text.find(word, end)
        return frozenset(found)

    def find_by_pronoun(self, pronoun: Literal["she", "he"]) -> frozenset[str]:
        """The others, less those whom the description calls a person of the other pronoun ("my son")."""
        opposite = "he" if pronoun == "she" else "she"
        groups = [group for group in load_table().people.groups if group.pronoun == opposite]
        ruled_out = frozenset[str]().union(*map(self.find_group, groups))
        return self.others - ruled_out or self.others

    def _near(self, start: int, end: int) -> Iterator[str]:
        """Yield the subject of the entity at a place: over it, named after or before it, or behind it."""
        middle = bisect_left(self._starts, start)
        window = self._places[max(0, middle - 3) : middle + 4]
        window = [place for place in window if place.subject in self.others]
        choices = (
            [place for place in window if place.start <= start and end <= place.end],
            [place for place in window if place.is_name and 0 <= place.start - end < _AHEAD],
            [place for place in reversed(window) if place.is_name and 0 <= start - place.end < _BEHIND],
            [place for place in window if 0 <= place.start - end < _AHEAD],
        )
        yield from (places[0].subject for places in [next(filter(None, choices), None)] if places)

    def _hear_narrator(self) -> Iterator[str]:
        """Yield the subject whose fact follows each "I" or "my", or stands before it if none is near."""
        for _, match in zip(range(_VOTES), _FIRST_PERSON.finditer(self._text), strict=False):
            at = bisect_left(self._starts, match.start())
            near = self._places[at : at + 1]
            if not near or near[0].start - match.end() >= _AHEAD:
                near = self._places[max(0, at - 1) : at]
            yield from (place.subject for place in near)


def _gather_words(entities: Iterator[Entity], *, last_only: bool = False) -> Mapping[str, frozenset[str]]:
    words: dict[str, set[str]] = defaultdict(set)
    for entity in entities:
        found = _WORD.findall(fold(entity.text))
        for word in found[-1:] if last_only else found:
            words[word].add(entity.subject)
    return {word: frozenset(subjects) for word, subjects in words.items()}
