"""What each factor does to a score while the others stay as they are (section 4.7).

Large samples have many subjects, many entities and long texts all at once, so binned means alone cannot tell
which of them matters. Here the score is a logistic function of all factors together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import norm

from piibench.analysis.factors import FACTORS, gather_scores
from piibench.analysis.regression import estimate_covariance, fit_fractional_logit, squash
from piibench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from piibench.analysis.factors import Factor
    from piibench.data.runs import SampleScores
    from piibench.data.schema import Sample

    Floats = NDArray[np.float64]

FEWEST_SAMPLES = 30
"""With fewer, the standard errors mean little."""
ENTANGLED = 10.0
"""From this inflation on, a factor can hardly be told from the others."""

_NORMAL_95 = 1.959963984540054
_ROUNDING, _SMALLEST = 1e-9, 1e-300
_OWN_SHARE = 1e-6  # of a factor's spread that the others leave unexplained


@dataclass(frozen=True, slots=True)
class Effect:
    """What one standard deviation more of a factor does, the others being equal.

    Attributes:
        factor: Which.
        deviation: One standard deviation, in the factor's unit.
        odds_ratio: Factor by which the odds of the score, s / (1 - s), change.
        low: Lower end of its 95 % interval.
        high: Upper end.
        p_value: Two-sided, that the factor has no effect (Wald).
        change: What that does to the score itself, averaged over the samples.
        inflation: By how much the other factors inflate the variance of this effect; 1 where they have
            nothing to do with it.
    """

    factor: Factor
    deviation: float
    odds_ratio: float
    low: float
    high: float
    p_value: float
    change: float
    inflation: float


@dataclass(frozen=True, slots=True)
class Effects:
    """The independent effects of the factors on one score.

    Attributes:
        n: Samples that have the score.
        effects: Of the factors that can be told apart, in the order of `FACTORS`.
        left_out: The other factors, and why.
    """

    n: int
    effects: tuple[Effect, ...]
    left_out: Mapping[Factor, str]


def fit_effects(
    samples: Iterable[Sample],
    scores: Iterable[SampleScores],
    metric: str,
    *,
    factors: Sequence[Factor] = FACTORS,
) -> Effects:
    """Estimate the independent effect of each factor on a score.

    Args:
        samples: The gold samples.
        scores: Of some or all of them; one without the score is left out.
        metric: Name of a score in [0, 1].
        factors: Which to take together.

    Raises:
        InputError: A score lies outside [0, 1].
        DataError: A score belongs to no sample.
    """
    table, values = gather_scores(samples, scores, metric)
    if ((values < -_ROUNDING) | (values > 1 + _ROUNDING)).any():
        msg = f"{metric}: effects are estimated for scores in [0, 1] only; choose another score"
        raise InputError(msg)
    values = np.clip(values, 0.0, 1.0)
    left_out: dict[Factor, str] = {}
    if reason := _find_obstacle(values):
        left_out |= dict.fromkeys(factors, reason)
        return Effects(len(values), (), left_out)
    columns: dict[Factor, Floats] = {factor: table[:, FACTORS.index(factor)] for factor in factors}
    left_out |= _find_useless(columns)
    chosen: list[Factor] = [factor for factor in factors if factor not in left_out]
    effects = _estimate({factor: columns[factor] for factor in chosen}, values)
    if effects is None:
        left_out |= dict.fromkeys(
            chosen, "no stable fit: the score may follow from the factors without exception"
        )
    return Effects(len(values), effects or (), left_out)


def _find_obstacle(values: Floats) -> str | None:
    if len(values) < FEWEST_SAMPLES:
        return f"fewer than {FEWEST_SAMPLES} samples have the score"
    return "the score is the same everywhere" if np.ptp(values) <= _ROUNDING else None


def _find_useless(columns: Mapping[Factor, Floats]) -> dict[Factor, str]:
    """The factors that cannot be told from the constant or from those before them."""
    reasons: dict[Factor, str] = {}
    kept: list[Floats] = []
    for factor, column in columns.items():
        if np.isnan(column).any():
            reasons[factor] = "not every sample knows it"
        elif np.ptp(column) == 0:
            reasons[factor] = "it is the same everywhere"
        elif _measure_own_share(column, kept) < _OWN_SHARE:
            reasons[factor] = "it follows from the others"
        else:
            kept.append(column)
    return reasons


def _measure_own_share(column: Floats, others: Sequence[Floats]) -> float:
    """The share of a column's variance that a linear function of the others leaves over."""
    design = np.column_stack([np.ones(len(column)), *(_standardise(other) for other in others)])
    own = _standardise(column)
    residual = own - design @ np.linalg.lstsq(design, own, rcond=None)[0]
    return float((residual**2).mean())


def _standardise(column: Floats) -> Floats:
    return (column - column.mean()) / column.std()


def _estimate(columns: Mapping[Factor, Floats], values: Floats) -> tuple[Effect, ...] | None:
    if not columns:
        return ()
    design = np.column_stack([np.ones(len(values)), *map(_standardise, columns.values())])
    weights = fit_fractional_logit(design, values)
    if weights is None:
        return None
    errors = np.sqrt(np.diag(estimate_covariance(design, values, weights)))
    log_odds = design @ weights
    return tuple(
        Effect(
            factor=factor,
            deviation=float(columns[factor].std()),
            odds_ratio=float(np.exp(weight)),
            low=float(np.exp(weight - _NORMAL_95 * error)),
            high=float(np.exp(weight + _NORMAL_95 * error)),
            p_value=float(2 * norm.sf(abs(weight) / max(error, _SMALLEST))),
            change=float((squash(log_odds + weight) - squash(log_odds)).mean()),
            inflation=1 / _measure_own_share(columns[factor], [c for f, c in columns.items() if f != factor]),
        )
        for factor, weight, error in zip(columns, weights[1:].tolist(), errors[1:].tolist(), strict=True)
    )
