"""Exact labels for a text that a model wrote: each value found again, and no other personal value in it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from piibench.data.mentions import Span, find_values
from piibench.data.schema import Labelled
from piibench.data.taxonomy import TYPE_OF, Category
from piibench.systems.rules.detector import detect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from piibench.synthesis.llm_features import Feature, Person

Owner = tuple[str, Category]


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
    """Yield given and family names of those who are named in full, unless two people share them."""
    named = [(person.letter, person.name) for person in people if person.name]
    shared = Counter(part for _, name in named for part in {name.given, name.family})
    for letter, name in named:
        for part, category in ((name.given, Category.NICKNAME), (name.family, Category.FULL_NAME)):
            if part and shared[part] == 1:
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


def find_strays(text: str, places: Iterable[Labelled]) -> list[Span]:
    """Places that the system `rules` takes for personal and that touch no label."""
    labelled = [place.span for place in places]
    return [
        span
        for entity in detect(text)
        for span in entity.mentions
        if not any(span.overlaps(other) for other in labelled)
    ]
