"""Descriptions written with their labels in place, for tests: "{Ana|Nickname|A} earns {€900|Monthly Income|A}"."""

from __future__ import annotations

import re

from piibench.data.mentions import Span
from piibench.data.schema import Entity, Labelled, Prompt, gather_entities
from piibench.data.taxonomy import TYPE_OF, parse_category

_MARK = re.compile(r"\{([^{}|]+)\|([^{}|]+)\|([A-Z])\}")


def read_marked(marked: str, query: str = "") -> tuple[Prompt, tuple[Entity, ...]]:
    """Return the prompt without the labels, and the entities that they name."""
    description, places, at = "", [], 0
    for mark in _MARK.finditer(marked):
        description += marked[at : mark.start()]
        category = parse_category(mark[2])
        span = Span(len(description), len(description) + len(mark[1]))
        places.append(Labelled(span, TYPE_OF[category], category, mark[3]))
        description += mark[1]
        at = mark.end()
    description += marked[at:]
    return Prompt(description=description, query=query), gather_entities(description, places)
