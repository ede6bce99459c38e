"""Which spans of a text are replaced, when some entities are hidden and others kept.

The rules, where places overlap (minimal loss, but privacy first):

- A labelled place of a hidden entity goes, also inside a kept value: only the hidden part goes, and it goes
  in every place of that kept value. A hidden value that contains a kept one goes whole.
- A hidden value that merely happens to stand inside a kept value ("34" in the kept "34 Elm Street") stays.
- The very same place labelled both as a kept and as a hidden entity stays: the query needs these very words.
- Hidden places that overlap are replaced as one, under the label of the longest.
- A placeholder that the text already holds is never cut: a labelled place that runs across its edge takes it
  in whole, and what lies inside it stays.

Whatever stays although it is hidden elsewhere is reported, never silent.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from piibench.data.mentions import Span
from piibench.masking.cover import Cover
from piibench.masking.placeholders import find_exact

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from piibench.data.schema import Entity
    from piibench.masking.occurrences import ValueIndex

    _Words = Mapping[Span, Sequence[Entity]]


class Place(NamedTuple):
    """A place in a text that holds the value of an entity.

    Attributes:
        span: Where.
        entity: Whose value it holds; after merging, that of the longest place in it.
        labelled: Whether it is one of the entity's mentions, not only the same characters. Either stands for
            all hidden entities, or all kept ones, that have the value, unless it cuts a word.
    """

    span: Span
    entity: Entity
    labelled: bool


class Layout(NamedTuple):
    """What happens to one text.

    Attributes:
        regions: What is replaced: disjoint, in order.
        exposed: Ids of hidden entities whose value stays readable somewhere.
        shown: Ids of kept entities of which something stays readable.
    """

    regions: tuple[Place, ...]
    exposed: frozenset[str]
    shown: frozenset[str]


def lay_out(text: str, mentioned: Sequence[Entity], values: ValueIndex, hidden: AbstractSet[str]) -> Layout:
    """Decide what is replaced in one text.

    Args:
        text: The description, or the query.
        mentioned: The entities whose mentions point into this text, hidden and kept.
        values: The values of all entities, of this text and of the other.
        hidden: Ids of the hidden ones; the others are kept.
    """
    words = dict(values.find(text))
    places = _gather(mentioned, words, hidden)
    kept = [place for place in places if place.entity.id not in hidden]
    going, staying = _judge([place for place in places if place.entity.id in hidden], kept, values)
    taken = Cover(find_exact(text))
    going, walled = _spare_placeholders(going, taken)
    regions = merge(going)
    freed = values.find_freed(text, [region.span for region in regions], hidden)
    loose, _ = _spare_placeholders((Place(span, entity, labelled=False) for span, entity in freed), taken)
    regions = merge([*regions, *loose])
    cover = Cover([region.span for region in regions])
    return Layout(
        tuple(regions),
        _name((place for place in (*staying, *walled) if _shows(text, place.span, cover)), words, hidden),
        _name((place for place in kept if cover.leaves(text, place.span)), words, hidden),
    )


def _shows(text: str, span: Span, cover: Cover) -> bool:
    return not cover.touches(span) or cover.leaves(text, span)


def merge(places: Iterable[Place]) -> list[Place]:
    """Join places that share a character; each union belongs to its longest place, labelled ones first.

    Returns:
        Disjoint places in order of their spans. O(n log n).
    """
    merged: list[Place] = []
    longest = 0, False
    for place in sorted(places, key=lambda place: place.span.start):
        weight = place.span.end - place.span.start, place.labelled
        if not merged or not merged[-1].span.overlaps(place.span):
            merged.append(place)
            longest = weight
            continue
        last = merged[-1]
        union = Span(last.span.start, max(last.span.end, place.span.end))
        owner = place if weight > longest else last
        longest = max(longest, weight)
        merged[-1] = Place(union, owner.entity, owner.labelled)
    return merged


def _gather(mentioned: Sequence[Entity], words: _Words, hidden: AbstractSet[str]) -> list[Place]:
    """Labelled places first, then what a search finds beyond them: one for all who share the value."""
    places = [Place(span, entity, labelled=True) for entity in mentioned for span in entity.mentions]
    known = {(place.span, place.entity.id in hidden) for place in places}
    sides: dict[str, Collection[Entity]] = {}
    for span, sharers in words.items():
        value = sharers[0].id
        if value not in sides:  # the first hidden one and the first kept one
            sides[value] = {sharer.id in hidden: sharer for sharer in reversed(sharers)}.values()
        places.extend(
            Place(span, entity, labelled=False)
            for entity in sides[value]
            if (span, entity.id in hidden) not in known
        )
    return places


def _name(places: Iterable[Place], words: _Words, hidden: AbstractSet[str]) -> frozenset[str]:
    """Ids of the entities that the places stand for."""
    named = {(place.entity.id, place.span in words): place for place in places}
    return frozenset(
        sharer.id
        for place in named.values()
        for sharer in words.get(place.span, (place.entity,))
        if (sharer.id in hidden) == (place.entity.id in hidden)
    )


def _judge(
    secret: Sequence[Place], kept: Sequence[Place], values: ValueIndex
) -> tuple[list[Place], list[Place]]:
    """Divide the places of hidden entities into those that go and those that stay in a kept place."""
    going: list[Place] = []
    staying: list[Place] = []
    nests: dict[tuple[str, str], Entity] = {}
    by_chance: list[tuple[Place, list[Place]]] = []
    for place, holders in _holders(secret, kept):
        if not place.labelled:
            by_chance.append((place, holders))
        elif any(holder.labelled and holder.span == place.span for holder in holders):
            staying.append(place)
        else:
            going.append(place)
            for holder in holders:
                if holder.labelled:
                    nests.setdefault((values.first(holder.entity), values.first(place.entity)), place.entity)
    for place, holders in by_chance:
        inner = values.first(place.entity)
        pairs = ((values.first(holder.entity), inner) for holder in holders)
        nested = next((nests[pair] for pair in pairs if pair in nests), None)
        if nested is not None:
            going.append(place._replace(entity=nested))
        else:
            (staying if holders else going).append(place)
    return going, staying


def _holders(inner: Iterable[Place], outer: Iterable[Place]) -> Iterator[tuple[Place, list[Place]]]:
    """Yield each inner place, by start, with the outer places that contain it (one sweep)."""
    waiting = deque(sorted(outer, key=lambda place: place.span.start))
    begun: list[Place] = []
    for place in sorted(inner, key=lambda place: place.span.start):
        while waiting and waiting[0].span.start <= place.span.start:
            begun.append(waiting.popleft())
        begun = [holder for holder in begun if holder.span.end > place.span.start]
        yield place, [holder for holder in begun if holder.span.contains(place.span)]


def _spare_placeholders(places: Iterable[Place], taken: Cover) -> tuple[list[Place], list[Place]]:
    """Keep places from cutting a placeholder that the input holds.

    Returns:
        The places that go, grown where they must be; and those that stay, except that characters which
        only happen to stand inside a placeholder are no place at all.
    """
    if not taken:
        return list(places), []
    going: list[Place] = []
    walled: list[Place] = []
    for place in places:
        grown = taken.grow(place.span)
        if taken.holds(grown):
            if place.labelled:
                walled.append(place)
        elif place.labelled or grown == place.span:
            going.append(place._replace(span=grown))
        else:
            walled.append(place)
    return going, walled
