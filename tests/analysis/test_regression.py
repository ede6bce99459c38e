"""Fractional logistic regression, against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from piibench.analysis.regression import estimate_covariance, fit_fractional_logit


def draw(seed: int, *, samples: int = 300, binary: bool = False) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    design = np.column_stack([np.ones(samples), rng.normal(size=(samples, 3))])
    means = 1 / (1 + np.exp(-(design @ [0.3, -1.2, 0.4, 0.0])))
    return design, rng.binomial(1, means).astype(float) if binary else rng.beta(3 * means, 3 * (1 - means))


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_weights_and_errors_are_those_of_statsmodels(seed: int, binary: bool) -> None:
    design, values = draw(seed, binary=binary)
    fitted = sm.GLM(values, design, family=sm.families.Binomial()).fit(cov_type="HC0")
    weights = fit_fractional_logit(design, values)
    assert weights == pytest.approx(fitted.params, abs=1e-6)
    expected = fitted.cov_params() * 300 / (300 - 4)  # HC0 with the small-sample factor n / (n - k)
    assert estimate_covariance(design, values, weights) == pytest.approx(expected, rel=1e-5, abs=1e-8)


def test_two_groups_by_hand() -> None:
    # Means 0.25 and 0.75: log odds -ln 3 and +ln 3, so the weights are -ln 3 and 2 ln 3.
    design = np.array([[1, 0], [1, 0], [1, 1], [1, 1]], dtype=float)
    weights = fit_fractional_logit(design, np.array([0.0, 0.5, 0.5, 1.0]))
    assert weights == pytest.approx([-np.log(3), 2 * np.log(3)])
    # HC1 of the first mean: sum of squares 2 * 0.25^2 over (2 * 0.25 * 0.75)^2, times 4 / (4 - 2)
    covariance = estimate_covariance(design, np.array([0.0, 0.5, 0.5, 1.0]), weights)
    assert covariance[0, 0] == pytest.approx(2 * (0.125 / 0.375**2))


def test_columns_that_tell_zeros_from_ones_have_no_finite_weights() -> None:
    column = np.arange(-5.0, 5.0)
    assert fit_fractional_logit(np.column_stack([np.ones(10), column]), (column > 0).astype(float)) is None


@pytest.mark.parametrize("repeated", [np.zeros(10), np.ones(10)])
def test_columns_that_repeat_each_other_have_no_weights(repeated) -> None:
    assert fit_fractional_logit(np.column_stack([np.ones(10), repeated]), np.linspace(0, 0.9, 10)) is None


def test_a_far_outlier_does_not_throw_the_fit_off_course() -> None:
    design, values = draw(5)
    design[0, 1] = 60.0
    fitted = sm.GLM(values, design, family=sm.families.Binomial()).fit()
    assert fit_fractional_logit(design, values) == pytest.approx(fitted.params, abs=1e-6)
