"""From the values that a model names to entities with the places where they stand."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from piibench.data.mentions import (
    Span,
    find_occurrences,
    find_values,
    replace_surrogates,
    split_writable,
)
from piibench.data.schema import Entity, Labelled, gather_entities, subject_letter
from piibench.data.taxonomy import PIIType
from piibench.masking.occurrences import ALIKE
from piibench.systems.llm.labels import UNKNOWN, read_label

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from piibench.data.tags import Label


_LETTERS_FOR_ANY_CASE = 3


class _Named(NamedTuple):
    """A value as it was named: the letter of whose it is, and its kind."""

    subject: str
    value: str
    label: Label


def place_entities(description: str, named: Iterable[tuple[str, str, str]]) -> tuple[Entity, ...]:
    """Find the places of the values that a model named.

    A value stands wherever its characters stand as whole words; failing that, where they stand in other
    letter case, white space, quotes, hyphens or Unicode form, or between letters and digits ("34" in "34yo").
    A place inside that of a longer value is left to the longer one, unless the shorter stands nowhere else.
    Where a value stands nowhere but its label does, the model put them the wrong way round.

    Args:
        description: The text that the model read.
        named: Triples of subject, value and label, in the model's words. Subjects become A, B … in their
            order; of a value that a subject has twice, the first label counts. A value that is its own
            subject counts only where it stands as it is written.

    Returns:
        Entities e1, e2 … in order of their places; last, without mentions, those that stand nowhere.
    """
    values = tuple(_read(_turn(description, named)))
    names = {each.value for each in values if each.label.type is PIIType.PER}
    places = _drop_nested(_find_places(description, [each.value for each in values], names))
    labels: dict[tuple[str, Span], Label] = {}
    for each in values:
        for span in places[each.value]:
            labels.setdefault((each.subject, span), each.label)
    found = gather_entities(
        description,
        (
            Labelled(part, label.type, label.category, subject)
            for (subject, span), label in labels.items()
            for part in split_writable(description, span)
        ),
    )
    absent = (each for each in values if not places[each.value])
    return (*found, *(_make_absent(each, number) for number, each in enumerate(absent, len(found) + 1)))


def _turn(description: str, named: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
    """Put the value before its label, leave out subjects that are no values, and tidy values."""
    told = [(subject.strip(), *map(_tidy, words)) for subject, *words in named]
    names = {value for _, value, label in told if read_label(label).type is PIIType.PER}
    values = _find_places(description, [value for _, value, _ in told if value], names)
    labels = _find_places(
        description, [label for _, value, label in told if label and not values.get(value)], ()
    )
    for subject, value, label in told:
        if not values.get(value) and labels.get(label) and _are_turned(description, value, label):
            yield subject, label, value
        elif value != subject or any(find_occurrences(description, value)):
            yield subject, value, label


def _tidy(text: str) -> str:
    return replace_surrogates(text.strip())


def _are_turned(description: str, value: str, label: str) -> bool:
    """Whether what is given for a label is none, or both are and it stands in the text just so ("Faith")."""
    return read_label(label) is UNKNOWN or (
        read_label(value) is not UNKNOWN and any(find_occurrences(description, label))
    )


def _read(named: Iterable[tuple[str, str, str]]) -> Iterator[_Named]:
    letters: dict[str, str] = {}
    known: set[tuple[str, str]] = set()
    for subject, value, label in named:
        letter = letters.setdefault(subject.casefold(), subject_letter(len(letters)))
        if value and (letter, value) not in known:
            known.add((letter, value))
            yield _Named(letter, value, read_label(label))


def _make_absent(each: _Named, number: int) -> Entity:
    kind, category = each.label
    return Entity(
        id=f"e{number}", subject=each.subject, text=each.value, type=kind, category=category, mentions=()
    )


def _find_places(text: str, values: Sequence[str], names: Container[str]) -> dict[str, list[Span]]:
    places: dict[str, list[Span]] = {value: [] for value in values}
    for value, span in find_values(text, values):
        places[value].append(span)
    return {
        value: spans or _find_loosely(text, value, is_name=value in names) for value, spans in places.items()
    }


def _find_loosely(text: str, value: str, *, is_name: bool) -> list[Span]:
    """The places of a value in other case, white space and form of signs that cut no word or number.

    Case counts in one letter, or two that are no person's name: "us" is no "US", and "jo" is Jo.
    """
    forms = dict.fromkeys((value, unicodedata.normalize("NFC", value), unicodedata.normalize("NFD", value)))
    pattern = "|".join(r"\s+".join("".join(map(_loosen, word)) for word in form.split()) for form in forms)
    least = _LETTERS_FOR_ANY_CASE - is_name
    flags = re.NOFLAG if value.isalpha() and len(value) < least else re.IGNORECASE
    spans = (Span(*match.span()) for match in re.finditer(pattern, text, flags))
    return [span for span in spans if not _cuts(text, span.start) and not _cuts(text, span.end)]


def _loosen(char: str) -> str:
    return next((f"[{signs}]" for signs in ALIKE if char in signs), re.escape(char))


def _cuts(text: str, at: int) -> bool:
    """Whether a border at `at` has letters, or digits, on both sides."""
    sides = text[at - 1 : at + 1] if at else ""
    return len(sides) == len("ab") and (sides.isalpha() or sides.isdigit())


def _drop_nested(places: Mapping[str, Sequence[Span]]) -> dict[str, list[Span]]:
    """Leave out places inside longer ones, except of a value that has no other. O(n log n)."""
    nested: set[Span] = set()
    furthest = 0
    spans = {span for spans in places.values() for span in spans}
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.end <= furthest:
            nested.add(span)
        furthest = max(furthest, span.end)
    return {
        value: [span for span in spans if span not in nested] or list(spans)
        for value, spans in places.items()
    }
