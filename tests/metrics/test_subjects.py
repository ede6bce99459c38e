from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import Span
from piibench.data.schema import Entity
from piibench.data.taxonomy import Category, PIIType
from piibench.metrics.prf import Counts
from piibench.metrics.subjects import SubjectValues, group_by_subject, match_subjects


def entity(number: int, subject: str, text: str, category: str | None, type_: str | None = None) -> Entity:
    return Entity(
        id=f"e{number}",
        subject=subject,
        text=text,
        category=category,
        type=type_,
        mentions=(Span(0, len(text)),),
    )


def test_group_holds_the_three_sets_of_each_subject():
    (only,) = group_by_subject([entity(1, "B", "Ann", "Nickname"), entity(2, "B", "Ann", None, "ORG")])
    assert only.texts == {"Ann"}
    assert only.typed == {("Ann", PIIType.PER), ("Ann", PIIType.ORG)}
    assert only.categorised == {("Ann", Category.NICKNAME)}


def test_group_order_depends_on_content_alone():
    ann, bo = entity(1, "A", "Ann", "Nickname"), entity(2, "B", "Bo", "Nickname")
    swapped = [entity(1, "B", "Ann", "Nickname"), entity(2, "A", "Bo", "Nickname")]
    assert group_by_subject([ann, bo]) == group_by_subject([bo, ann]) == group_by_subject(swapped)


def values(*typed: tuple[str, PIIType]) -> SubjectValues:
    return SubjectValues(frozenset(typed), frozenset(), frozenset(text for text, _ in typed))


@pytest.mark.parametrize(("gold", "pred"), [(0, 0), (2, 0), (0, 3)])
def test_nothing_to_match(gold, pred):
    one = values(("a", PIIType.PER))
    assert match_subjects([one] * gold, [one] * pred) == ()


def test_ties_in_strict_f1_go_to_the_higher_entity_f1():
    gold = [values(("Ann", PIIType.PER), ("34", PIIType.DEM))]
    # Neither agrees strictly with gold; the second holds both its texts, under wrong types.
    pred = [values(("Oslo", PIIType.LOC)), values(("Ann", PIIType.ORG), ("34", PIIType.CODE))]
    assert match_subjects(gold, pred) == ((0, 1),)


subjects = st.frozensets(
    st.tuples(st.sampled_from("abcd"), st.sampled_from([PIIType.PER, PIIType.LOC])), min_size=1, max_size=4
).map(lambda pairs: values(*pairs))


@given(st.lists(subjects, max_size=4), st.lists(subjects, max_size=4))
def test_no_other_mapping_has_a_higher_sum(gold, pred):
    def total(mapping):
        return sum(Counts.of(gold[row].typed, pred[column].typed).f1 for row, column in mapping)

    found = match_subjects(gold, pred)
    assert len({row for row, _ in found}) == len({column for _, column in found}) == len(found)
    if len(gold) <= len(pred):
        every = [list(enumerate(columns)) for columns in permutations(range(len(pred)), len(gold))]
    else:
        every = [
            [(row, column) for column, row in enumerate(rows)]
            for rows in permutations(range(len(gold)), len(pred))
        ]
    assert total(found) == pytest.approx(max(total(mapping) for mapping in every), abs=1e-7)
