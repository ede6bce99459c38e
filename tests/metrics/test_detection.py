from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import Span
from piibench.data.schema import Entity
from piibench.data.taxonomy import Category, PIIType
from piibench.metrics.detection import average_over_subjects, compare_detection
from piibench.metrics.prf import PRF, Counts


def entity(number: int, subject: str, text: str, category: str | None, type_: str | None = None) -> Entity:
    return Entity(
        id=f"e{number}",
        subject=subject,
        text=text,
        category=category,
        type=type_,
        mentions=(Span(0, len(text)),),
    )


@pytest.mark.parametrize(("gold", "pred", "expected"), [(0, 0, 1.0), (1, 0, 0.0), (0, 1, 0.0)])
def test_empty_sides(gold, pred, expected):
    ann = entity(1, "A", "Ann", "Nickname")
    found = compare_detection([ann] * gold, [ann] * pred)
    assert found.strict == found.matched == found.rouge == PRF(expected, expected, expected)
    assert found.pooled.f1 == found.micro.f1 == expected


def test_a_value_in_two_categories_of_one_type_counts_once():
    gold = [entity(1, "A", "Ann", "Nickname"), entity(2, "A", "Ann", "Full Name")]
    assert compare_detection(gold, gold[:1]).strict == PRF(1.0, 1.0, 1.0)


def test_tables_by_label_follow_the_mapping():
    gold = [
        entity(1, "A", "Ann", "Nickname"),
        entity(2, "A", "Oslo", "City/Region"),
        entity(3, "B", "Bo", "Nickname"),
    ]
    pred = [
        entity(1, "B", "Ann", "Full Name"),
        entity(2, "B", "Oslo", "City/Region"),
        entity(3, "B", "Bo", "Nickname"),
    ]
    found = compare_detection(gold, pred)
    # Gold A meets the only predicted subject, Bo's name is right in text and type but not in subject.
    assert found.by_type == {PIIType.PER: Counts(1, 2, 2), PIIType.LOC: Counts(1, 1, 1)}
    assert found.by_category == {
        Category.NICKNAME: Counts(0, 1, 2),
        Category.FULL_NAME: Counts(0, 1, 0),
        Category.CITY_REGION: Counts(1, 1, 1),
    }
    assert found.micro == Counts(2, 3, 3)


def test_no_table_by_category_where_gold_knows_only_types():
    gold = [entity(1, "A", "Ann", None, "PER")]
    found = compare_detection(gold, [entity(1, "A", "Ann", "Nickname")])
    assert found.by_category == {}
    assert found.strict.f1 == 1.0


scores = st.builds(PRF.of, st.floats(0, 1), st.floats(0, 1))


@given(st.lists(scores, max_size=4), st.integers(0, 3), st.booleans())
def test_unmatched_subjects_lower_only_their_own_side(matched, extra, on_gold):
    gold, pred = len(matched) + extra * on_gold, len(matched) + extra * (not on_gold)
    average = average_over_subjects(matched, gold=gold, pred=pred)
    assert average.precision * pred == pytest.approx(sum(s.precision for s in matched) if gold or pred else 0)
    assert average.recall * gold == pytest.approx(sum(s.recall for s in matched) if gold or pred else 0)
    assert average.f1 * max(gold, pred) == pytest.approx(sum(s.f1 for s in matched) if gold or pred else 0)
