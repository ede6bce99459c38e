from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.errors import InputError
from piibench.metrics.prf import Counts
from piibench.metrics.tradeoff import (
    Exposure,
    balance,
    count_protected,
    count_values,
    measure_exposure,
    measure_similarity,
    scale_rating,
    trace_balance,
)


def test_occurrences_are_whole_and_never_cross_from_one_text_to_the_other():
    before, after = count_values({"Ann", "34", "Lee\nBo"}, "Ann and Annual, 34, 1234, Ann Lee", "Bo 34")
    assert before == {"Ann": 2, "34": 1}
    assert after == {"34": 1}


@given(
    st.text("ab \n", max_size=12),
    st.text("ab \n", max_size=12),
    st.sets(st.text("ab \n", min_size=1, max_size=3)),
)
def test_two_texts_count_as_each_alone(original, masked, values):
    before, after = count_values(values, original, masked)
    assert (before, after) == (count_values(values, original, "")[0], count_values(values, "", masked)[1])


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({}, {}, None),
        ({}, {"Age": 1}, None),
        ({"Age": 2}, {}, Counts(2, 2, 2)),
        ({"Age": 2}, {"Age": 3}, Counts(0, 2, 2)),  # a placeholder spells the value
        ({"Age": 2, "34": 2}, {"Age": 3, "34": 1}, Counts(1, 4, 4)),
    ],
)
def test_count_protected(before, after, expected):
    assert count_protected(Counter(before), Counter(after)) == expected


def test_the_query_is_part_of_the_prompt_where_it_was_masked(make_sample, answer):
    sample = make_sample(query="Is Ann paid well in Oslo?")
    masked = "<Nickname>, 34, a nurse in <City/Region>."
    leaky = answer(sample, masked=masked, masked_query="Is <Nickname> paid well in Oslo?")
    # Ann 2, nurse 1, Oslo 2; still there: nurse, Oslo
    assert measure_exposure(sample, leaky).privacy == Counts(3, 5, 5)
    assert measure_exposure(sample, leaky).privacy_unrelated == Counts(3, 4, 4)
    # Without a masked query only the description counts: Ann, nurse, Oslo; still there: nurse
    assert measure_exposure(sample, answer(sample, masked=masked)).privacy == Counts(2, 3, 3)


def test_a_needed_value_that_was_hidden_is_not_kept(make_sample, answer):
    sample = make_sample(relevant=("e2", "e3"))
    exposure = measure_exposure(sample, answer(sample, masked="<Nickname>, 34, a <Occupation> in Oslo."))
    assert exposure.kept == Counts(1, 2, 2)


def test_a_value_shared_with_a_needed_entity_counts_as_needed(make_sample, answer):
    sample = make_sample()
    twin = sample.entities[1].model_copy(update={"id": "e9", "subject": "B"})
    shared = make_sample(entities=(*sample.entities, twin))
    exposure = measure_exposure(shared, answer(shared, masked="<Nickname>, 34, a nurse in <City/Region>."))
    assert exposure.privacy_unrelated == Counts(2, 2, 2)


def test_nothing_to_count(make_sample, answer):
    sample = make_sample()
    assert measure_exposure(sample, answer(sample)) == Exposure()
    empty = make_sample(entities=(), relevant=())
    assert measure_exposure(empty, answer(empty, masked="x")) == Exposure()
    unknown = make_sample(relevant=None)
    assert measure_exposure(unknown, answer(unknown, masked="x")) == Exposure(privacy=Counts(3, 3, 3))


@pytest.mark.parametrize("alpha", [-0.1, 1.1, float("nan"), float("inf")])
def test_alpha_outside_its_range(alpha):
    with pytest.raises(InputError, match=r"alpha must lie in \[0, 1\]"):
        balance(0.5, 0.5, alpha=alpha)


@pytest.mark.parametrize(("privacy", "utility", "name"), [(1.2, 0.5, "privacy"), (0.5, 8, "utility")])
def test_scores_outside_their_range(privacy, utility, name):
    with pytest.raises(InputError, match=name):
        balance(privacy, utility)


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=3), st.floats(0.5, 9, width=32))
def test_similarity_is_a_share_and_blind_to_length(values, factor):
    vector, other = np.array(values, dtype=np.float32), np.array([1, -2, 3], dtype=np.float32)
    alike = measure_similarity(vector, other)
    assert 0.0 <= alike <= 1.0
    assert alike == measure_similarity(other, vector)
    assert measure_similarity(vector * factor, other) == pytest.approx(alike, abs=1e-5)


def test_what_has_no_direction_is_like_nothing():
    assert measure_similarity(np.zeros(2, dtype=np.float32), np.ones(2, dtype=np.float32)) == 0.0


@pytest.mark.parametrize("rating", [0, 10.1, float("nan")])
def test_ratings_outside_their_scale(rating):
    with pytest.raises(InputError, match=r"a rating must lie in \[1, 10\]"):
        scale_rating(rating)


def test_a_curve_takes_the_weights_it_is_given():
    assert trace_balance(1.0, 0.0, [0.25]) == ((0.25, 0.25),)
    with pytest.raises(InputError, match="alpha"):
        trace_balance(1.0, 0.0, [2])
