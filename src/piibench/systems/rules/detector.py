"""Detection without a model: every recognizer proposes, the best proposals stand, subjects are told apart."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from piibench.data.mentions import Span, find_values, split_writable
from piibench.data.schema import Labelled, gather_entities
from piibench.data.taxonomy import TYPE_OF
from piibench.systems.rules.candidates import Candidate, resolve
from piibench.systems.rules.codes.recognizer import find_codes
from piibench.systems.rules.custom import NO_CUSTOM
from piibench.systems.rules.datetimes.recognizer import find_datetimes
from piibench.systems.rules.demographics.recognizer import find_demographics
from piibench.systems.rules.fields.recognizer import find_fields
from piibench.systems.rules.lexicon import load_lexicons
from piibench.systems.rules.names.recognizer import find_names
from piibench.systems.rules.organisations.recognizer import find_organisations
from piibench.systems.rules.passage import read_passage
from piibench.systems.rules.places.recognizer import find_places
from piibench.systems.rules.quantities.recognizer import find_quantities
from piibench.systems.rules.subjects.assignment import assign_subjects

if TYPE_CHECKING:
    from collections.abc import Sequence

    from piibench.data.schema import Entity
    from piibench.systems.rules.candidates import Recognizer
    from piibench.systems.rules.custom import Custom

RECOGNIZERS: tuple[Recognizer, ...] = (
    find_codes,
    find_datetimes,
    find_quantities,
    find_demographics,
    find_fields,
    find_organisations,
    find_places,
    find_names,
)
"""In no particular order: scores decide (see `resolve`)."""

_SHORTEST_REPEAT = 3


def detect(
    description: str, recognizers: Sequence[Recognizer] = RECOGNIZERS, *, custom: Custom = NO_CUSTOM
) -> tuple[Entity, ...]:
    """Find the entities of a description. Linear in its length.

    Args:
        description: The text.
        recognizers: What proposes.
        custom: A user's own rules; what they allow is no entity, whoever proposes it.
    """
    passage = read_passage(description, load_lexicons())
    proposed = chain.from_iterable(recognize(passage) for recognize in (*recognizers, custom.recognize))
    found = list(resolve(custom.drop_allowed(description, proposed)))
    repeats = custom.drop_allowed(description, _repeats(description, found))
    found = list(resolve(chain(found, repeats)))
    letters = assign_subjects(passage, found)
    return gather_entities(
        description,
        (
            Labelled(span, TYPE_OF[candidate.category], candidate.category, letter)
            for candidate, letter in zip(found, letters, strict=True)
            for span in split_writable(description, candidate.span)
        ),
    )


def _repeats(text: str, found: Sequence[Candidate]) -> list[Candidate]:
    """Every further occurrence of a value already found, weaker than any first-hand proposal."""
    first: dict[str, Candidate] = {}
    for candidate in found:
        value = candidate.span.of(text)
        if len(value) >= _SHORTEST_REPEAT and not value.isdecimal():
            first.setdefault(value, candidate)
    return [
        Candidate(
            Span(*span), first[value].category, first[value].score / 10, "repeats a value found elsewhere"
        )
        for value, span in find_values(text, first)
    ]
