"""How sure a score is: 95 % percentile intervals, and tests of a difference, by resampling samples.

All columns of one call share their resamples, so differences between them are paired. Samples that are alike,
such as those made of one frame, can be drawn together as a cluster (Field and Welsh 2007, Bootstrapping
clustered data): then the interval says what other frames would give, not only other samples of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Clusters = NDArray[np.int64]

LEVEL = (2.5, 97.5)
"""The percentiles that bound a 95 % interval."""

_CELLS = 4_000_000  # weights held at once: 32 MB


def resample_sums(
    table: Floats, *, rng: np.random.Generator, resamples: int, clusters: Clusters | None = None
) -> Floats:
    """Sum the columns of a table over samples, or clusters of them, drawn with replacement.

    Args:
        table: Shape (n_samples, n_columns), at least one row.
        rng: Source of the draws.
        resamples: How many times to draw as many rows, or clusters, as there are.
        clusters: Number of the cluster of each sample, from 0 without gaps, shape (n_samples,); each sample
            alone where absent.

    Returns:
        Shape (resamples, n_columns).
    """
    if clusters is not None:
        members, table = table, np.zeros((int(clusters.max()) + 1, table.shape[1]))
        np.add.at(table, clusters, members)
    weights = _draw_weights(len(table), rng=rng, resamples=resamples)
    return np.concatenate([chunk @ table for chunk in weights])


def mean_intervals(
    values: Floats, *, rng: np.random.Generator, resamples: int = 1000, clusters: Clusters | None = None
) -> Floats:
    """Bound the mean of each column of per-sample scores.

    Args:
        values: Shape (n_samples, n_scores); NaN where a sample has no such score.
        rng: Source of the draws.
        resamples: How many times to draw.
        clusters: As in `resample_sums`.

    Returns:
        Shape (n_scores, 2), low and high; NaN where no sample that was drawn has the score.
    """
    known = ~np.isnan(values)
    table = np.hstack([np.where(known, values, 0.0), known.astype(np.float64)])
    drawn = resample_sums(table, rng=rng, resamples=resamples, clusters=clusters)
    sums, sizes = np.hsplit(drawn, 2)
    return _bounds(np.divide(sums, sizes, out=np.full_like(sums, np.nan), where=sizes > 0))


def f1_intervals(
    counts: Floats, *, rng: np.random.Generator, resamples: int = 1000, clusters: Clusters | None = None
) -> Floats:
    """Bound the micro-averaged F1 of per-sample counts.

    Args:
        counts: Shape (n_samples, n_scores, 3), the last axis as in `Counts`: tp, pred, gold; NaN where a
            sample does not have the score.
        rng: Source of the draws.
        resamples: How many times to draw.
        clusters: As in `resample_sums`.

    Returns:
        Shape (n_scores, 2), low and high; NaN where no sample that was drawn has the score.
    """
    samples, scores, _ = counts.shape
    known = ~np.isnan(counts).any(axis=2, keepdims=True)
    table = np.concatenate([np.where(known, counts, 0.0), known.astype(np.float64)], axis=2)
    drawn = resample_sums(table.reshape(samples, -1), rng=rng, resamples=resamples, clusters=clusters)
    right, found, there, sizes = np.moveaxis(drawn.reshape(resamples, scores, 4), 2, 0)
    total = found + there
    f1 = np.divide(2 * right, total, out=np.ones_like(right), where=total > 0)
    return _bounds(np.where(sizes > 0, f1, np.nan))


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better the first of two systems is on the same samples.

    Attributes:
        mean: Mean of first minus second.
        low: Lower end of its 95 % interval.
        high: Upper end.
        p_value: Two-sided: how often chance alone would part two equal systems this far.
    """

    mean: float
    low: float
    high: float
    p_value: float


def paired_difference(first: Floats, second: Floats, *, seed: int = 7, resamples: int = 1000) -> Difference:
    """Test whether two systems differ on the same samples.

    The interval comes from the bootstrap, the p-value from swapping the two systems' scores at random
    sample by sample (with the observed order counted as one of the swaps, so it is never 0).

    Args:
        first: Scores of one system, shape (n_samples,), n_samples >= 1, without NaN.
        second: Scores of the other, in the same order.
        seed: Seed of the draws.
        resamples: How many bootstrap draws, and how many swaps.
    """
    rng = np.random.default_rng(seed)
    gaps = (first - second)[:, np.newaxis]
    mean = float(gaps.mean())
    low, high = mean_intervals(gaps, rng=rng, resamples=resamples)[0].tolist()
    swapped = np.concatenate([signs @ gaps for signs in _draw_signs(len(gaps), rng=rng, resamples=resamples)])
    as_far = int((np.abs(swapped / len(gaps)) >= abs(mean) - 1e-12).sum())
    return Difference(mean, low, high, (1 + as_far) / (1 + resamples))


def _bounds(draws: Floats) -> Floats:
    bounds = np.full((draws.shape[1], 2), np.nan)
    known = ~np.isnan(draws).all(axis=0)
    if known.any():
        bounds[known] = np.nanpercentile(draws[:, known], LEVEL, axis=0).T
    return bounds


def _draw_weights(samples: int, *, rng: np.random.Generator, resamples: int) -> Iterator[Floats]:
    """Yield how often each sample is drawn, shape (some resamples, samples)."""
    for size in _chunk_sizes(samples, resamples):
        drawn = rng.integers(0, samples, size=(size, samples))
        drawn += samples * np.arange(size)[:, np.newaxis]
        weights = np.bincount(drawn.ravel(), minlength=size * samples)
        yield weights.reshape(size, samples).astype(np.float64)


def _draw_signs(samples: int, *, rng: np.random.Generator, resamples: int) -> Iterator[Floats]:
    for size in _chunk_sizes(samples, resamples):
        yield rng.choice((-1.0, 1.0), size=(size, samples))


def _chunk_sizes(samples: int, resamples: int) -> Iterator[int]:
    step = max(1, _CELLS // samples)
    for start in range(0, resamples, step):
        yield min(step, resamples - start)
