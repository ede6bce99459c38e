"""What the local models learn from: a text with marked places, and what its source says nothing about."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from piibench.data.mentions import Span, find_values
from piibench.data.taxonomy import Category, PIIType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from piibench.data.lines import Line
    from piibench.data.schema import Sample

ALL_TYPES = frozenset(PIIType)
_SHORTEST_ASKED = 3
_MAYBE = re.compile(r"(?<!^)\b[A-Z]\w+|\S*@\S+|\+?\d[\d ()/-]{3,}\d")
"""Words with a capital behind the first, handles and addresses, long numbers."""


@dataclass(frozen=True, slots=True)
class Place:
    """One marked place of a text.

    Attributes:
        span: Where, code points of the text.
        type: One of the seven; None where the source marks a value without saying what it is.
        category: One of the 55, None where unknown.
        subject: Whose it is, None where unknown.
        needed: Whether the query needs it, None where unknown.
    """

    span: Span
    type: PIIType | None = None
    category: Category | None = None
    subject: str | None = None
    needed: bool | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A text to learn from.

    Attributes:
        source: Where it comes from; figures and weights go by it.
        query: The query, "" where there is none.
        text: The description.
        places: Marked places, in order of their start.
        asked: The same of the query.
        types: Types of which every place is marked; about the others the source says nothing.
        swappable: Whether values may be exchanged for others of their category.
    """

    source: str
    query: str
    text: str
    places: tuple[Place, ...]
    types: frozenset[PIIType] = ALL_TYPES
    swappable: bool = False
    asked: tuple[Place, ...] = ()

    def without_query(self) -> Example:
        """The same text when nothing is asked."""
        places = tuple(replace(place, needed=None) for place in self.places)
        return replace(self, query="", places=places, asked=())


def read_sample(sample: Sample, source: str, *, swappable: bool = False) -> Example:
    """Make an example of a sample; `meta.labels_types` names the types that its source labels, else all."""
    types = sample.meta.get("labels_types")
    places = [
        Place(
            span,
            entity.type,
            entity.category,
            entity.subject if types is None else None,
            None if sample.relevant is None else entity.id in sample.relevant,
        )
        for entity in sample.entities
        for span in entity.mentions
    ]
    return Example(
        source,
        sample.query,
        sample.description,
        tuple(sorted(places, key=lambda place: place.span)),
        ALL_TYPES if types is None else frozenset(PIIType(kind) for kind in types),
        swappable,
        tuple(_find_asked(sample)),
    )


def _find_asked(sample: Sample) -> Iterator[Place]:
    """Yield where the query states a value of the text.

    Of what else may be a name or a number (a part of a name, a short value, a capitalised word, digits) only
    the place is known.
    """
    known = {entity.text: entity for entity in sample.entities}
    parts = {part for value in known for part in value.split()}
    places = [
        *find_values(sample.query, known.keys() | parts),
        *((match[0], Span(*match.span())) for match in _MAYBE.finditer(sample.query)),
    ]
    end = 0
    for value, span in sorted(places, key=lambda place: (place[1].start, -place[1].end)):
        if span.start >= end:
            entity = known.get(value) if len(value) >= _SHORTEST_ASKED else None
            yield Place(span, entity.type, entity.category) if entity else Place(span)
            end = span.end


def read_fields(lines: Iterable[Line], source: str) -> Iterator[Example]:
    """Make examples of tasks with personal fields, each needed or not (CI-RL's `train.jsonl`).

    They teach what a task needs; what the fields are is not said in our categories. Places keep the order of
    the source; a text where that is not the order of their starts is never rewritten (see `augmentation`).

    Raises:
        DataError: A line is not such a task.
    """
    for line in lines:
        try:
            query, text, spans = (line.fields[name] for name in ("query", "text", "spans"))
            places = tuple(
                Place(Span(span["start"], span["end"]), needed=bool(span["relevant"])) for span in spans
            )
            fits = all(0 <= start < end <= len(text) for start, end in (place.span for place in places))
        except (KeyError, TypeError):
            problem = "needs text, query, and spans with start, end and relevant"
            raise line.error(problem) from None
        if not fits:
            problem = "must hold ranges of the text, in code points"
            raise line.error(problem, "spans")
        if places:
            yield Example(source, query, text, places, frozenset())
