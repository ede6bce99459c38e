"""PCS and Spearman's rank correlation."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from piibench.errors import InputError
from piibench.metrics.consistency import EXACT_PAIRS, correlate_ranks, measure_consistency

SCORES = st.floats(0, 1)


@given(SCORES, SCORES)
def test_consistency_is_symmetric_and_in_the_unit_interval(first, second) -> None:
    value = measure_consistency(first, second)
    assert 0 <= value <= 1
    assert value == measure_consistency(second, first)
    assert (value == 1) == (first == second) or abs(first - second) < 1e-12


@given(SCORES.filter(bool), SCORES.filter(bool), st.floats(0.1, 10))
def test_consistency_does_not_depend_on_the_scale(first, second, scale) -> None:
    assert measure_consistency(first * scale, second * scale) == pytest.approx(
        measure_consistency(first, second)
    )


@pytest.mark.parametrize("scores", [(-0.1, 0.5), (0.5, float("nan"))])
def test_what_is_no_score_is_refused(scores) -> None:
    with pytest.raises(InputError, match="at least 0"):
        measure_consistency(*scores)


@given(st.lists(st.tuples(SCORES, SCORES), min_size=EXACT_PAIRS + 1, max_size=20))
def test_many_pairs_are_those_of_scipy(pairs) -> None:
    first, second = zip(*pairs, strict=True)
    found = correlate_ranks(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found is None
        return
    expected = spearmanr(first, second)
    assert (found.rho, found.p_value, found.n) == (expected.statistic, expected.pvalue, len(pairs))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=5))
def test_few_pairs_are_compared_with_every_order(pairs) -> None:
    first, second = zip(*pairs, strict=True)
    found = correlate_ranks(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found is None
        return
    rhos = [spearmanr(first, order).statistic for order in permutations(second)]
    as_far = sum(abs(rho) >= abs(found.rho) - 1e-9 for rho in rhos)
    assert found.p_value == pytest.approx(as_far / len(rhos))
    assert found.rho == pytest.approx(spearmanr(first, second).statistic)


@pytest.mark.parametrize(
    ("first", "second"), [((1, 2), (1, 2)), ((), ()), ((1, 1, 1), (1, 2, 3)), ((1, 2, 3), (0, 0, 0))]
)
def test_where_there_is_no_order_there_is_no_correlation(first, second) -> None:
    assert correlate_ranks(first, second) is None
