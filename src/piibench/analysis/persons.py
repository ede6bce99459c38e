"""Which subjects of the truth and of a prediction are one person, by number (Eq. 7)."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from piibench.analysis.values import Value, join_entities
from piibench.metrics.subjects import group_by_subject, match_subjects

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from piibench.data.schema import Entity
    from piibench.metrics.subjects import SubjectValues

Identity: TypeAlias = "tuple[int, str, str]"
"""What a value counts once for in task 1: its subject's number, its text and its type."""


def number_subjects(gold: Sequence[Entity], pred: Sequence[Entity]) -> tuple[dict[str, int], dict[str, int]]:
    """Number the subjects of both sides, so that those of one person have one number (Eq. 7)."""
    theirs, ours = group_by_subject(gold), group_by_subject(pred)
    persons = {column: row for row, column in match_subjects(theirs, ours)}
    numbers = [persons.get(column, len(theirs) + column) for column in range(len(ours))]
    return _number(gold, theirs, range(len(theirs))), _number(pred, ours, numbers)


def join_by_subject(entities: Sequence[Entity], numbers: Mapping[str, int]) -> dict[Identity, Value]:
    """Make the values of task 1 of the entities, with the numbers of their subjects' letters."""
    grouped: defaultdict[Identity, list[Entity]] = defaultdict(list)
    for entity in entities:
        grouped[numbers[entity.subject], entity.text, entity.type].append(entity)
    return {
        (owner, text, type_): join_entities(alike, type_=type_, owner=owner)
        for (owner, text, type_), alike in grouped.items()
    }


def _number(
    entities: Sequence[Entity], groups: Sequence[SubjectValues], numbers: Sequence[int]
) -> dict[str, int]:
    """Give each subject's letter the number of its group; letters of the same content share alike."""
    owned: defaultdict[str, list[Entity]] = defaultdict(list)
    for entity in entities:
        owned[entity.subject].append(entity)
    letters: defaultdict[SubjectValues, list[str]] = defaultdict(list)
    for letter in sorted(owned, key=lambda each: sorted((e.text, e.mentions) for e in owned[each])):
        letters[group_by_subject(owned[letter])[0]].append(letter)
    return {letters[group].pop(): number for group, number in zip(groups, numbers, strict=True)}
