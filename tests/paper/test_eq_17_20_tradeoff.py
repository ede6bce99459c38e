"""Equations 17 to 20: privacy, likeness, rating and balance, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from piibench.metrics.tradeoff import (
    balance,
    combine_utility,
    measure_exposure,
    measure_similarity,
    scale_rating,
    trace_balance,
)

DESCRIPTION = "Ann lives in Oslo. Ann is a nurse in Oslo."
ROWS = [("A", "Ann", "Nickname"), ("A", "Oslo", "City/Region"), ("A", "nurse", "Occupation")]
MASKED = "<Nickname> lives in Oslo. <Nickname> is a nurse in <City/Region>."


def test_eq_17_privacy_over_all_entities(make_pair):
    # Original: Ann 2, Oslo 2, nurse 1 = 5. Masked: Ann 0, Oslo 1, nurse 1 = 2. P = 1 - 2/5 = 3/5
    exposure = measure_exposure(*make_pair(DESCRIPTION, ROWS, ROWS, masked=MASKED))
    assert exposure.privacy.recall == pytest.approx(3 / 5)


def test_eq_17_privacy_over_the_unrelated_entities(make_pair):
    # The query needs the occupation. Original: Ann 2, Oslo 2 = 4. Masked: Oslo 1. P = 1 - 1/4 = 3/4
    exposure = measure_exposure(*make_pair(DESCRIPTION, ROWS, ROWS, masked=MASKED, needed=("e3",)))
    assert exposure.privacy_unrelated.recall == pytest.approx(3 / 4)
    # "nurse" still shows: 1 of 1 needed value is kept
    assert exposure.kept.recall == 1.0


@pytest.mark.parametrize(("masked", "expected"), [(DESCRIPTION, 0.0), ("<…>", 1.0)])
def test_eq_17_ends_of_the_scale(make_pair, masked, expected):
    exposure = measure_exposure(*make_pair(DESCRIPTION, ROWS, ROWS, masked=masked))
    assert exposure.privacy.recall == expected


@pytest.mark.parametrize(
    ("masked", "reference", "expected"),
    [
        ([3, 4], [4, 3], 0.96),  # (12 + 12) / (5 * 5) = 24 / 25
        ([1, 2, 2], [2, 4, 4], 1.0),  # the same direction
        ([1, 0], [0, 1], 0.0),  # at right angles
        ([1, 1], [-1, 0], 0.0),  # -1 / sqrt(2) counts as nothing in common
    ],
)
def test_eq_18_cosine_of_two_embeddings(masked, reference, expected):
    vectors = (np.array(each, dtype=np.float32) for each in (masked, reference))
    assert measure_similarity(*vectors) == pytest.approx(expected)


@pytest.mark.parametrize(("rating", "expected"), [(1, 0.0), (4, 1 / 3), (5.5, 0.5), (10, 1.0)])
def test_eq_19_ratings_from_1_to_10_span_the_scale(rating, expected):
    # (4 - 1) / 9 = 1/3; (5.5 - 1) / 9 = 1/2
    assert scale_rating(rating) == pytest.approx(expected)


def test_eq_18_and_19_combine_to_their_mean():
    # U_s = 0.96; a rating of 7 is (7 - 1) / 9 = 2/3; U = (0.96 + 2/3) / 2 = 0.81333
    assert combine_utility(0.96, scale_rating(7)) == pytest.approx(0.81333, abs=1e-5)


@pytest.mark.parametrize(
    ("privacy", "utility", "printed"),
    [
        (0.00, 1.00, 0.50),  # no mask:              0.5 * 0    + 0.5 * 1
        (1.00, 0.52, 0.76),  # everything masked:    0.5 * 1    + 0.5 * 0.52
        (0.83, 0.89, 0.86),  # unrelated PII masked: 0.5 * 0.83 + 0.5 * 0.89
    ],
)
def test_eq_20_gives_the_printed_rows_of_the_tradeoff_table(privacy, utility, printed):
    assert balance(privacy, utility) == pytest.approx(printed)


def test_eq_20_alpha_weighs_privacy():
    # 0.25 * 0.8 + 0.75 * 0.4 = 0.2 + 0.3 = 0.5
    assert balance(0.8, 0.4, alpha=0.25) == pytest.approx(0.5)


def test_eq_20_over_alpha_goes_from_utility_to_privacy():
    # U = 0.4 at alpha 0, halfway 0.5 * 0.8 + 0.5 * 0.4 = 0.6, P = 0.8 at alpha 1
    curve = trace_balance(0.8, 0.4)
    assert [alpha for alpha, _ in curve] == pytest.approx([step / 10 for step in range(11)])
    assert [curve[at][1] for at in (0, 5, 10)] == pytest.approx([0.4, 0.6, 0.8])
