"""Street addresses of the whole world, each as one span from its unit or number to its country."""

from __future__ import annotations

from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import CERTAIN, STRONG, WEAK, Candidate
from piibench.systems.rules.places.parts import map_places, read_lead, read_tail
from piibench.systems.rules.places.streets import find_streets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.passage import Passage
    from piibench.systems.rules.places.parts import Tail


def find_addresses(passage: Passage) -> Iterator[Candidate]:
    """Propose postal addresses; where two overlap, the first one found stands."""
    text, places = passage.text, map_places(passage)
    covered = 0
    for start, end, street in find_streets(passage, places):
        tail = read_tail(text, end, places) if start >= covered else None
        if tail is None or (street < WEAK and not tail.located):
            continue
        lead = read_lead(text, start, covered)
        score = _score(street, tail, has_lead=lead < start)
        if score:
            covered = tail.end
            span = Span(lead, tail.end)
            yield Candidate(span, Category.STREET_ADDRESS, score, "street with the parts around it")


def _score(street: float, tail: Tail, *, has_lead: bool) -> float:
    """Raise a street's own score by the parts around it; 0 where a number's words are no street."""
    if street >= STRONG:
        return CERTAIN if tail.located else STRONG
    if street and (tail.located or (street >= WEAK and (has_lead or tail.parts))):
        return STRONG
    return street if street >= WEAK else 0
