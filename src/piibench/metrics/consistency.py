"""How far two data sets agree about the same systems (App. F.4.2; Eq. 21, Table 14)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import (
    rankdata,  # pyright: ignore[reportUnknownVariableType]
    spearmanr,  # pyright: ignore[reportUnknownVariableType]
)

from piibench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FEWEST_PAIRS = 3
"""Fewer points have no order that could be tested."""
EXACT_PAIRS = 7
"""Up to so many points every order is tried: 5,040."""

_ROUNDING = 1e-12


def measure_consistency(first: float, second: float) -> float:
    """Compute PCS, the consistency of one system's score on two data sets (Eq. 21).

    One less the difference over the larger of the two: the printed values of Tables 15 and 16 follow from
    those of the tables with the scores this way (the equation itself names no divisor that survived its
    printing; dividing by the score on real text does as well, since that is always the larger there).

    Args:
        first: The score on one data set, at least 0.
        second: The score on the other; the order changes nothing.

    Returns:
        In [0, 1]: 1 where the scores are the same, also where both are 0; 0 where only one of them is 0.

    Raises:
        InputError: A score is negative or no number.
    """
    if not (first >= 0 and second >= 0):
        msg = f"consistency is defined for scores of at least 0, found {min(first, second):g}"
        raise InputError(msg)
    larger = max(first, second)
    return 1 - abs(first - second) / larger if larger else 1.0


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Whether two data sets put the same things in the same order.

    Attributes:
        rho: Spearman's rank correlation, in [-1, 1]; ties take their mean rank.
        p_value: Two-sided: how often chance alone would order them so alike. Up to `EXACT_PAIRS` pairs by
            trying every order, beyond by Student's t, as the paper's tools do.
        n: Pairs.
    """

    rho: float
    p_value: float
    n: int


def correlate_ranks(first: Sequence[float], second: Sequence[float]) -> RankCorrelation | None:
    """Compute Spearman's rank correlation (Table 14).

    Args:
        first: Scores on one data set.
        second: Scores on the other, in the same order, as many.

    Returns:
        None where there is no order to compare: fewer than three pairs, or one side all the same.
    """
    if len(first) < FEWEST_PAIRS or len(set(first)) == 1 or len(set(second)) == 1:
        return None
    rho, p_value = map(float, spearmanr(first, second))  # pyright: ignore[reportUnknownArgumentType]
    if len(first) <= EXACT_PAIRS:
        p_value = _try_every_order(_rank(first), _rank(second))
    return RankCorrelation(rho, p_value, len(first))


def _rank(values: Sequence[float]) -> Floats:
    """Ranks about their mean."""
    ranks: Floats = np.asarray(rankdata(values), dtype=np.float64)
    return ranks - ranks.mean()


def _try_every_order(first: Floats, second: Floats) -> float:
    """The share of the orders of `second` that go with, or against, `first` at least as much as the given."""
    products = np.array(list(permutations(second))) @ first
    return float((np.abs(products) >= abs(first @ second) - _ROUNDING).mean())
