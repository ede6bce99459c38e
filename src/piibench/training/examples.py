"""What the local models learn from: a text with marked places, and what its source says nothing about."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from piibench.data.mentions import Span, find_values
from piibench.data.taxonomy import Category, PIIType
from piibench.errors import DataError
from piibench.masking.occurrences import fold_case

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from piibench.data.lines import Line
    from piibench.data.schema import Sample

ALL_TYPES = frozenset(PIIType)
_SHORTEST_ASKED = 3
_MAYBE = re.compile(r"(?<=\s)[^\s\d@]*[A-ZÀ-ÖØ-Þ]\S+|(?<!\S)[^\s\d@]*[\d@]\S*")
"""Words with a capital, but for the first of all, with a digit, or with an at sign."""


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
        places: Marked places, in order of their start; of nested ones the outer first.
        asked: The same of the query.
        references: Words that mean a subject without naming it, as far as the source says whom they mean.
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
    references: tuple[Place, ...] = ()

    def without_query(self) -> Example:
        """The same text when nothing is asked."""
        places = tuple(replace(place, needed=None) for place in self.places)
        return replace(self, query="", places=places, asked=())


def read_sample(sample: Sample, source: str, *, swappable: bool = False) -> Example:
    """Make an example of a sample.

    `meta.labels_types` names the types that its source labels, else all; `meta.references` says of words that
    mean a subject where they stand and whom they mean.

    Raises:
        DataError: A reference is not [start, end, subject] or lies outside the description, or
            `labels_types` is no list of types.
    """
    types = sample.labelled_types
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
        _sort(places),
        ALL_TYPES if types is None else types,
        swappable,
        _find_asked(sample),
        tuple(_read_references(sample)),
    )


def _read_references(sample: Sample) -> Iterator[Place]:
    references: Any = sample.meta.get("references", ())
    are_many = hasattr(references, "__iter__")
    for reference in references if are_many else [references]:
        match reference:
            case [int(start), int(end), str(subject)] if 0 <= start < end <= len(sample.description):
                yield Place(Span(start, end), subject=subject)
            case _:
                problem = "meta.references must hold [start, end, subject] within the description"
                raise DataError(problem, place=f"sample {sample.id}")


def _sort(places: Iterable[Place]) -> tuple[Place, ...]:
    """Put places in order of their start; of two that begin together the longer first."""
    return tuple(sorted(places, key=lambda place: (place.span.start, -place.span.end)))


def find_plain(places: Sequence[Place]) -> Iterator[Place]:
    """Those of an example's places in which no shorter one stands."""
    for place, following in zip_longest(places, places[1:]):
        if following is None or following.span == place.span or following.span.start >= place.span.end:
            yield place


def _find_asked(sample: Sample) -> tuple[Place, ...]:
    """Where the query states a name or a code of the text, in any letter case, or a part of a name.

    Of what else may be personal (other values, parts of names in lower case, words with capitals or digits,
    but for a capital at the head) only the place is known.
    """
    query, folded = sample.query, fold_case(sample.query)
    known = {fold_case(entity.text): entity for entity in sample.entities}
    people = (entity.text for entity in sample.entities if entity.type is PIIType.PER)
    names = {part for name in people for part in name.split() if len(part) >= _SHORTEST_ASKED}

    def look_up(span: Span) -> Place:
        entity = known.get(span.of(folded))
        long = span.end - span.start >= _SHORTEST_ASKED
        if entity is not None and entity.type in (PIIType.PER, PIIType.CODE) and long:
            return Place(span, entity.type, entity.category)
        is_name = span.of(query) in names and span.of(query)[0].isupper() and span.start > 0
        return Place(span, PIIType.PER if is_name else None)

    stated: list[Span] = []
    values = (span for _, span in find_values(folded, {*known, *map(fold_case, names)}))
    for span in sorted(values, key=lambda span: (span.start, -span.end)):
        if not stated or span.start >= stated[-1].end:
            stated.append(span)
    words = (Span(*match.span()) for match in _MAYBE.finditer(query))
    unknown = [span for span in words if not any(span.overlaps(other) for other in stated)]
    return tuple(sorted((*map(look_up, stated), *map(Place, unknown)), key=lambda place: place.span))


def read_fields(lines: Iterable[Line], source: str) -> Iterator[Example]:
    """Make examples of tasks with personal fields, each needed or not (CI-RL's `train.jsonl`).

    They teach what a task needs; what the fields are is not said in our categories.

    Raises:
        DataError: A line is not such a task.
    """
    for line in lines:
        try:
            query, text, spans = (line.fields[name] for name in ("query", "text", "spans"))
            places = _sort(
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
