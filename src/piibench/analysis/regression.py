"""Fractional logistic regression: the mean of a value in [0, 1] as a logistic function of several columns.

Quasi-likelihood of the binomial (Papke and Wooldridge, 1996), with standard errors that hold whatever the
values' true variance is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit  # pyright: ignore[reportUnknownVariableType]

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_STEPS, _CLOSE = 50, 1e-10
_LARGEST = 30.0  # log odds; beyond, the fit runs off to infinity


def fit_fractional_logit(design: Floats, values: Floats) -> Floats | None:
    """Maximise the binomial quasi-likelihood of values in [0, 1] by Newton's method.

    Args:
        design: Shape (n, k), of full column rank; columns of zeros, ones and standardised values, for which
            the method needs no shorter steps.
        values: Shape (n,).

    Returns:
        The weights, shape (k,); None where no stable maximum is found: there is none (a combination of the
        columns tells zeros from ones without exception), or a sample's log odds there are beyond 30.
    """
    weights = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        fitted = squash(design @ weights)
        curvature = (design * (fitted * (1 - fitted))[:, np.newaxis]).T @ design
        try:
            step: Floats = np.linalg.solve(curvature, design.T @ (values - fitted)).astype(np.float64)
        except np.linalg.LinAlgError:
            return None
        if np.abs(step).max() < _CLOSE:
            return weights
        weights = weights + step
        if np.abs(design @ weights).max() > _LARGEST:
            return None
    return None


def estimate_covariance(design: Floats, values: Floats, weights: Floats) -> Floats:
    """Estimate the covariance of fitted weights, whatever the variance of the values (HC1, "sandwich").

    Args:
        design: Shape (n, k), n > k.
        values: Shape (n,).
        weights: What `fit_fractional_logit` found, shape (k,).

    Returns:
        Shape (k, k).
    """
    samples, columns = design.shape
    fitted = squash(design @ weights)
    bread = np.linalg.inv((design * (fitted * (1 - fitted))[:, np.newaxis]).T @ design)
    moments = design * (values - fitted)[:, np.newaxis]
    return bread @ (moments.T @ moments) @ bread * samples / (samples - columns)


def squash(log_odds: Floats) -> Floats:
    """Turn log odds into shares in [0, 1]."""
    return np.asarray(expit(log_odds), dtype=np.float64)
