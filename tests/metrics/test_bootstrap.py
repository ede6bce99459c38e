from __future__ import annotations

import numpy as np
import pytest

from piibench.metrics import bootstrap
from piibench.metrics.bootstrap import f1_intervals, mean_intervals, paired_difference, resample_sums


def rng(seed: int = 7) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_sums_are_of_as_many_draws_as_samples():
    table = np.array([[1.0, 1.0], [1.0, 3.0], [1.0, 5.0]])
    sums = resample_sums(table, rng=rng(), resamples=50)
    assert sums.shape == (50, 2)
    assert (sums[:, 0] == 3.0).all()
    assert set(sums[:, 1]) <= {float(total) for total in range(3, 16, 2)}
    assert len(set(sums[:, 1])) > 3


def test_chunks_do_not_change_the_draws(monkeypatch):
    table = rng(1).random((10, 3))
    whole = resample_sums(table, rng=rng(), resamples=40)
    monkeypatch.setattr(bootstrap, "_CELLS", 70)
    assert np.allclose(whole, resample_sums(table, rng=rng(), resamples=40))


def test_interval_of_a_mean_agrees_with_its_standard_error():
    # 0/1 scores, p = 0.3, n = 1,000: standard error sqrt(0.3 * 0.7 / 1000) = 0.01449, so 0.3 -+ 1.96 * 0.01449
    scores = np.repeat([1.0, 0.0], [300, 700])[:, np.newaxis]
    low, high = mean_intervals(scores, rng=rng(), resamples=4000)[0]
    assert low == pytest.approx(0.3 - 0.0284, abs=0.003)
    assert high == pytest.approx(0.3 + 0.0284, abs=0.003)


def test_samples_without_the_score_are_left_out():
    values = np.array([[1.0, np.nan, np.nan], [1.0, 0.5, np.nan], [1.0, np.nan, np.nan]])
    intervals = mean_intervals(values, rng=rng(), resamples=200)
    assert intervals[0].tolist() == [1.0, 1.0]
    assert intervals[1].tolist() == [0.5, 0.5]  # draws without the second sample have no mean
    assert np.isnan(intervals[2]).all()


def test_interval_of_f1_pools_before_it_divides():
    # Every sample 1 right of 2 and 2, whatever is drawn: F1 = 1/2
    counts = np.tile([[1.0, 2.0, 2.0], [0.0, 0.0, 0.0]], (5, 1, 1))
    assert f1_intervals(counts, rng=rng(), resamples=100).tolist() == [[0.5, 0.5], [1.0, 1.0]]


def test_interval_of_f1_weighs_samples_by_size():
    # One sample 9 of 9 and 9, one 0 of 1 and 1: pooled F1 is 1, 0.9 or 0
    counts = np.array([[[9.0, 9.0, 9.0]], [[0.0, 1.0, 1.0]]])
    draws_low, draws_high = f1_intervals(counts, rng=rng(), resamples=500)[0]
    assert (draws_low, draws_high) == (0.0, 1.0)


def test_interval_of_f1_leaves_samples_without_it_out():
    """Draws that lack the only sample with the score have none; 0 of 2 is 0 in all others."""
    nothing = [np.nan] * 3
    counts = np.array([[[0.0, 0.0, 2.0], nothing], [nothing, nothing], [nothing, nothing]])
    intervals = f1_intervals(counts, rng=rng(), resamples=200)
    assert intervals[0].tolist() == [0.0, 0.0]
    assert np.isnan(intervals[1]).all()


def test_alike_samples_that_are_drawn_together_make_no_interval_narrower():
    """Ten copies of each of 30 samples say no more than the 30; drawn alone they seem to (by the root of 10)."""
    scores = rng(5).random((30, 2))
    scores[3, 1] = np.nan
    copies, clusters = scores.repeat(10, axis=0), np.arange(30).repeat(10)
    once = mean_intervals(scores, rng=rng(), resamples=400)
    np.testing.assert_allclose(mean_intervals(copies, rng=rng(), resamples=400, clusters=clusters), once)
    alone = mean_intervals(copies, rng=rng(), resamples=400)
    assert ((alone[:, 1] - alone[:, 0]) * 2 < once[:, 1] - once[:, 0]).all()


def test_a_cluster_counts_by_its_samples():
    """A cluster of nine with the score 1 and one of one with 0: the mean of both is 0.9, of either 1 or 0."""
    scores, clusters = np.array([[1.0]] * 9 + [[0.0]]), np.array([0] * 9 + [1])
    intervals = mean_intervals(scores, rng=rng(), resamples=500, clusters=clusters)
    assert intervals.tolist() == [[0.0, 1.0]]
    assert mean_intervals(scores, rng=rng(), resamples=500)[0, 0] >= 0.5


def test_pooled_counts_of_clusters_are_pooled():
    counts = rng(2).integers(0, 9, (20, 3, 3)).astype(float)
    counts[..., 1:] += counts[..., :1]
    clusters = np.arange(20)[::-1] // 4
    sums = counts.reshape(5, 4, 3, 3).sum(1)[::-1]
    theirs = f1_intervals(counts, rng=rng(), resamples=300, clusters=clusters)
    np.testing.assert_allclose(theirs, f1_intervals(sums, rng=rng(), resamples=300))


def test_same_seed_same_interval():
    values = rng(3).random((50, 2))
    assert (mean_intervals(values, rng=rng(5)) == mean_intervals(values, rng=rng(5))).all()
    assert (mean_intervals(values, rng=rng(5)) != mean_intervals(values, rng=rng(6))).any()


def test_paired_difference_sees_what_pairing_shows():
    base = rng(1).random(200)
    difference = paired_difference(base + 0.01, base)
    assert difference.mean == pytest.approx(0.01)
    assert (difference.low, difference.high) == pytest.approx((0.01, 0.01))
    assert difference.p_value == pytest.approx(1 / 1001)


def test_paired_difference_of_equal_systems():
    base = rng(1).random(50)
    difference = paired_difference(base, base)
    assert (difference.mean, difference.low, difference.high, difference.p_value) == (0.0, 0.0, 0.0, 1.0)


def test_paired_difference_by_chance():
    noise = rng(2).normal(size=200)
    difference = paired_difference(noise - noise.mean(), np.zeros(200))
    assert difference.low < 0 < difference.high
    assert difference.p_value > 0.9


def test_one_sample_has_an_interval_of_no_width():
    assert mean_intervals(np.array([[0.4]]), rng=rng()).tolist() == [[0.4, 0.4]]
