"""Equations 11-13: what the query needs, and what is to be hidden, worked by hand."""

from __future__ import annotations

import pytest

from piibench.metrics.prf import PRF
from piibench.metrics.relevance import compare_masked, compare_query

DESCRIPTION = "Ann, 34, earns $4,000 in Oslo and owes $90,000."
ROWS = [
    ("A", "Ann", "Nickname"),  # e1
    ("A", "34", "Age"),  # e2
    ("A", "$4,000", "Monthly Income"),  # e3
    ("A", "Oslo", "City/Region"),  # e4
    ("A", "$90,000", "Loan Amount"),  # e5
]


@pytest.fixture
def pair(make_pair):
    # The query needs income and loan; the system keeps income, loan, age.
    return make_pair(DESCRIPTION, ROWS, ROWS, needed=("e3", "e5"), kept=("e2", "e3", "e5"))


def test_eq_11_12_13_query_related(pair):
    # P = |{$4,000, $90,000}| / 3 = 2/3;  R = 2/2;  F1 = 2 * 2/3 * 1 / (5/3) = 4/5
    assert compare_query(*pair).counts.prf == PRF(pytest.approx(2 / 3), 1.0, pytest.approx(4 / 5))


def test_eq_11_12_13_on_the_masked_set(pair):
    # To hide: Ann, 34, Oslo; hidden: Ann, Oslo. P = 2/2;  R = 2/3;  F1 = 4/5
    assert compare_masked(*pair).counts.prf == PRF(1.0, pytest.approx(2 / 3), pytest.approx(4 / 5))
