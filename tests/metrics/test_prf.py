from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.metrics.prf import PRF, Counts


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        (set(), set(), PRF(1.0, 1.0, 1.0)),
        ({"a"}, set(), PRF(0.0, 0.0, 0.0)),
        (set(), {"a"}, PRF(0.0, 0.0, 0.0)),
        ({"a"}, {"b"}, PRF(0.0, 0.0, 0.0)),
        ({"a", "b"}, {"a", "b"}, PRF(1.0, 1.0, 1.0)),
        ({"a", "b", "c"}, {"a"}, PRF(1.0, 1 / 3, 0.5)),  # 2 * 1 * 1/3 / (4/3)
    ],
)
def test_scores_of_two_sets(gold, pred, expected):
    counts = Counts.of(gold, pred).prf
    assert (counts.precision, counts.recall, counts.f1) == pytest.approx(
        (expected.precision, expected.recall, expected.f1)
    )


def test_counts_add_up():
    # 1 of 2 and 4, then 2 of 3 and 2: 3 right of 5 predicted and 6 true
    total = Counts(1, 2, 4) + Counts(2, 3, 2)
    assert total == Counts(3, 5, 6)
    assert total.prf == PRF(3 / 5, 1 / 2, pytest.approx(6 / 11))


def test_soft_counts_may_be_fractions():
    assert Counts(1.5, 2, 3).prf == PRF(0.75, 0.5, pytest.approx(0.6))


small_sets = st.sets(st.integers(0, 6))


@given(small_sets, small_sets)
def test_swapping_the_sides_swaps_precision_and_recall(gold, pred):
    one, other = Counts.of(gold, pred), Counts.of(pred, gold)
    assert (one.precision, one.recall, one.f1) == (other.recall, other.precision, other.f1)


@given(small_sets, small_sets)
def test_f1_of_counts_is_the_harmonic_mean(gold, pred):
    counts = Counts.of(gold, pred)
    assert counts.f1 == pytest.approx(PRF.of(counts.precision, counts.recall).f1)


@given(st.lists(st.tuples(small_sets, small_sets), max_size=5))
def test_sum_is_the_disjoint_union(pairs):
    counts = sum((Counts.of(gold, pred) for gold, pred in pairs), Counts())
    union = [{(place, item) for place, pair in enumerate(pairs) for item in pair[side]} for side in (0, 1)]
    assert counts == Counts.of(*union)
