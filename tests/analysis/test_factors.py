"""Factors of a sample, and mean scores by factor."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.analysis.factors import EDGES, FACTORS, Bin, Factors, bin_means, gather_scores, list_factors
from piibench.data.runs import SampleScores
from piibench.errors import DataError, InputError


def test_factors_are_counted(make_scored) -> None:
    sample, _ = make_scored("s", 1.0, subjects=2, entities=5, characters=321, relevant=3)
    assert list_factors(sample) == Factors(2, 5, 321, 3)
    unknown, _ = make_scored("s", 1.0, relevant=None)
    assert list_factors(unknown).relevant is None


def test_means_of_ranges(make_scored) -> None:
    values = [(1, 1.0), (2, 0.5), (3, 0.0), (7, 0.25), (9, None)]
    made = [make_scored(f"s{n}", value, entities=count) for n, (count, value) in enumerate(values)]
    samples, scores = zip(*made, strict=True)
    first, second = bin_means(samples, scores, "entities", "f1", (0, 4, 6), resamples=200)
    # 1 to 3 entities: (1 + 0.5 + 0) / 3; 4 and 5: no sample; 6 and more: one, as the last has no score
    assert (first.start, first.end, first.n, first.mean) == (0, 4, 3, 0.5)
    assert 0 <= first.low < 0.5 < first.high <= 1
    assert second == Bin(6, None, 1, 0.25, 0.25, 0.25)
    assert [first.label, second.label] == ["0–3", "6 or more"]
    assert Bin(3, 4, 1, 0, 0, 0).label == "3"


def test_intervals_are_those_of_a_resampled_mean(make_scored) -> None:
    values = np.random.default_rng(1).uniform(size=400)
    samples, scores = zip(*(make_scored(f"s{n}", value) for n, value in enumerate(values)), strict=True)
    [whole] = bin_means(samples, scores, "subjects", "f1", (0,), resamples=4000)
    spread = 1.96 * values.std() / 20
    assert (whole.low, whole.high) == pytest.approx(
        (values.mean() - spread, values.mean() + spread), abs=0.004
    )


def test_a_sample_that_does_not_know_the_factor_is_left_out(make_scored) -> None:
    made = [make_scored("s1", 1.0, relevant=None), make_scored("s2", 0.5, relevant=2)]
    samples, scores = zip(*made, strict=True)
    [known] = bin_means(samples, scores, "relevant", "f1")
    assert (known.start, known.n, known.mean) == (2, 1, 0.5)
    assert bin_means(samples, scores, "relevant", "f2") == ()


def test_the_same_seed_gives_the_same_bins(make_scored) -> None:
    samples, scores = zip(*(make_scored(f"s{n}", n / 9) for n in range(10)), strict=True)
    once, again = (bin_means(samples, scores, "entities", "f1", seed=3) for _ in range(2))
    assert once == again


@pytest.mark.parametrize("bins", [(), (3, 1), (1, 1)])
def test_bins_that_do_not_ascend_are_refused(make_scored, bins) -> None:
    sample, score = make_scored("s", 1.0)
    with pytest.raises(InputError, match="ascending"):
        bin_means([sample], [score], "entities", "f1", bins)


def test_bins_that_begin_too_high_are_refused(make_scored) -> None:
    sample, score = make_scored("s", 1.0, entities=3)
    with pytest.raises(InputError, match="fewer than 4"):
        bin_means([sample], [score], "entities", "f1", (4, 5))


def test_scores_of_other_samples_are_refused(make_scored) -> None:
    sample, _ = make_scored("s", 1.0)
    with pytest.raises(DataError, match='"s2" belongs to no sample'):
        gather_scores([sample], [SampleScores(id="s2", subset="single", scores={"f1": 1.0})], "f1")


def test_the_edges_end_a_bin_where_the_paper_sees_scores_fall() -> None:
    assert (6 in EDGES["subjects"], 34 in EDGES["entities"], 3000 in EDGES["characters"]) == (True,) * 3
    assert set(EDGES) == set(FACTORS)
    assert all(edges[0] == 0 for edges in EDGES.values())


@given(counts=st.lists(st.tuples(st.integers(1, 30), st.floats(0, 1)), min_size=1, max_size=12))
def test_bins_hold_every_sample_once(make_scored, counts) -> None:
    made = [make_scored(f"s{n}", value, entities=count) for n, (count, value) in enumerate(counts)]
    samples, scores = zip(*made, strict=True)
    bins = bin_means(samples, scores, "entities", "f1", resamples=2)
    assert sum(each.n for each in bins) == len(counts)
    assert sum(each.n * each.mean for each in bins) == pytest.approx(sum(value for _, value in counts))
