"""Exact labels for a text that a model wrote: each value found again, and no other personal value in it."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from piibench.data.mentions import Span, find_values
from piibench.data.schema import Labelled
from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.synthesis.verification import ORDINARY
from piibench.systems.rules.detector import detect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from piibench.synthesis.llm_features import Feature, Person

Owner = tuple[str, Category]

_MISTAKABLE = ORDINARY | {"can", "may", "sun", "rose", "mark", "will", "art", "van", "bin"}
_TELLING = re.compile(r"\d|[^\W\d_a-zß-öø-ÿ]\w")
_SECOND_NAME = re.compile(r"-[^\W\d_a-zß-öø-ÿ]\w*")
_TITLE = re.compile(r"\b(?:Mrs?|Ms|Miss|Dr|Prof|Sir|Madam)\b", re.IGNORECASE)
_SHORT = 3
"""Letters of a value that may well stand elsewhere for something else."""


def label_text(text: str, people: Sequence[Person]) -> tuple[Labelled, ...]:
    """Label every place of every value, the longest first, so that none is taken for part of another.

    A given name that stands alone is a nickname, a family name a full name: minimal spans of the same person.
    """
    owners = dict(_list_aliases(people))
    owners |= {
        feature.entity: (feature.subject, feature.tag) for person in people for feature in person.features
    }
    taken: set[int] = set()
    places: list[Labelled] = []
    found = sorted(find_values(text, owners), key=lambda pair: (-len(pair[0]), pair[1]))
    for value, span in found:
        if taken.isdisjoint(range(*span)):
            taken.update(range(*span))
            subject, category = owners[value]
            places.append(Labelled(span, TYPE_OF[category], category, subject))
    return tuple(sorted(places, key=lambda place: place.span))


def _list_aliases(people: Sequence[Person]) -> Iterator[tuple[str, Owner]]:
    """Yield given and family names of those who are named in full, unless two people share them.

    What is a word, too, such as "My" and "He", is none by itself.
    """
    named = [(person.letter, person.name) for person in people if person.name]
    shared = Counter(part for _, name in named for part in {name.given, name.family})
    for letter, name in named:
        for part, category in ((name.given, Category.NICKNAME), (name.family, Category.FULL_NAME)):
            if part and shared[part] == 1 and part.casefold() not in _MISTAKABLE:
                yield part, (letter, category)


def find_missing(text: str, places: Iterable[Labelled], people: Sequence[Person]) -> list[Feature]:
    """The features that have no place of their own in a text."""
    shown = {(place.subject, place.category, place.span.of(text)) for place in places}
    return [
        feature
        for person in people
        for feature in person.features
        if (feature.subject, feature.tag, feature.entity) not in shown
    ]


def find_strays(text: str, places: Sequence[Labelled]) -> list[Span]:
    """Places that the system `rules` takes for personal and that no labels cover.

    Beside a label a title or a small word may be left over, but no name and no number.
    """
    bare = list(text)
    for place in places:
        bare[slice(*place.span)] = "\0" * (place.span.end - place.span.start)
    left = "".join(bare)
    strays = [
        span
        for entity in detect(text)
        for span in entity.mentions
        if span.of(left) == span.of(text) or _TELLING.search(_TITLE.sub("", span.of(left)))
    ]
    longer = ((place.span, _SECOND_NAME.match(left, place.span.end)) for place in places)
    return strays + [Span(span.start, second.end()) for span, second in longer if second]


def find_ambiguous(text: str, places: Iterable[Labelled]) -> list[str]:
    """Short values, such as an age, that are labelled in two places: one of them may be something else."""
    counts = Counter(
        place.span.of(text)
        for place in places
        if place.type is not PIIType.PER and place.span.end - place.span.start <= _SHORT
    )
    return [value for value, count in counts.items() if count > 1]
