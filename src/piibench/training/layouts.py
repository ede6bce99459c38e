"""The same facts as a form, a table or a record: where only the layout says whose each is."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import TYPE_OF
from piibench.training.examples import ALL_TYPES, Place, find_plain
from piibench.training.forms import (
    Fact,
    Part,
    People,
    set_grid,
    set_groups,
    set_keys,
    set_lines,
    set_pairs,
    set_records,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

    from piibench.training.examples import Example

_FEWEST = 4
_LONGEST_VALUE = 60

_SINGLE = (set_records, set_records, set_grid, set_keys, set_lines)
_SEVERAL = (*_SINGLE, set_grid, set_pairs, set_groups)
"""Of one that stands twice there are the most kinds."""
_HEADS = (
    "",
    "SECTION 2 - PERSONS\n",
    "Sheet1\n",
    "Household return\n\n",
    "--- export follows ---\n",
    "Page 1 of 2\n",
    "Form no. 7714-B, office copy\n\n",
    "PLEASE COMPLETE IN BLOCK LETTERS\n",
    "Ref. 24/0098  status open\n",
    "# members\n\n",
)


def lay_out(example: Example, rng: random.Random) -> Example:
    """Set an example's facts as a form, a table or a record.

    Long values, those of several lines and those in which another stands are left out. What the query needs
    is left unsaid: it may mean a person by what the sentences told.

    Args:
        example: A text whose source labels all types with their owners; it stays where there are too few.
        rng: Draws the layout.
    """
    people = _gather(example)
    if sum(map(len, people)) < _FEWEST:
        return example
    people = rng.choice((people, rng.sample(people, len(people))))
    set_facts = rng.choice(_SEVERAL if len(people) > 1 else _SINGLE)
    head = rng.choice(("", rng.choice(_HEADS)))
    text, places = _put_together([head, *set_facts(people, rng)])
    return replace(example, text=text, places=places, references=())


def _gather(example: Example) -> People:
    """The distinct facts of each person; none where an owner or a category is unknown."""
    if example.types != ALL_TYPES:
        return []
    facts: dict[str, dict[Fact, None]] = defaultdict(dict)
    plain = set(find_plain(example.places))
    for place in example.places:
        if place.category is None or place.subject is None:
            return []
        value = place.span.of(example.text)
        if place in plain and len(value) <= _LONGEST_VALUE and "\n" not in value:
            facts[place.subject][Fact(value, place.category, place.subject)] = None
    return [list(each) for each in facts.values()]


def _put_together(parts: Iterable[Part]) -> tuple[str, tuple[Place, ...]]:
    texts: list[str] = []
    places: list[Place] = []
    length = 0
    for part in parts:
        text = part if isinstance(part, str) else part.value
        if not isinstance(part, str):
            span = Span(length, length + len(text))
            places.append(Place(span, TYPE_OF[part.category], part.category, part.subject))
        texts.append(text)
        length += len(text)
    return "".join(texts), tuple(places)
