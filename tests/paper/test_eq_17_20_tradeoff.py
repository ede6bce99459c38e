"""Equations 17 and 20: privacy and balance, worked by hand."""

from __future__ import annotations

import pytest

from piibench.metrics.tradeoff import balance, measure_exposure

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
