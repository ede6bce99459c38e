"""Values drawn together by owner."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.systems.encoder.linking import (
    BLOCK,
    BORDERS,
    DISTANCES,
    REMEMBERED,
    Linking,
    Value,
    group,
    score_pairs,
    sort_distance,
)

FLAT = Linking((0.0,) * DISTANCES, 0.0, 4.0)
SLOPING = Linking(tuple(1 - 0.25 * number for number in range(DISTANCES)), 0.1, 1.0)
seeds = st.integers(0, 2**32 - 1)


def values_with(logits, names=()):
    """Values whose pairs have given logits: u_i is the i-th unit vector and v_j half the j-th column."""
    table = np.array(logits, np.float32)
    names = names or [None] * len(table)
    return [
        Value(np.stack((unit, table[:, place] / 2)), 10 * place, name)
        for place, (unit, name) in enumerate(zip(np.eye(len(table), dtype=np.float32), names, strict=True))
    ]


def random_values(count, seed, *, names=0, width=4):
    rng = np.random.default_rng(seed)
    places = np.cumsum(rng.integers(1, 30, count))
    vectors = rng.standard_normal((count, 2, width), np.float32)
    chosen = rng.integers(0, 3 * names, count) if names else np.zeros(count, int)
    return [
        Value(vector, int(place), f"name {name}" if name < names else None)
        for vector, place, name in zip(vectors, places, chosen, strict=True)
    ]


@pytest.mark.parametrize(
    ("pieces", "number"), [(0, 0), (3, 0), (4, 1), (5, 1), (8, 2), (511, 7), (512, 8), (9999, 8)]
)
def test_a_distance_at_a_border_is_of_the_next_class(pieces, number):
    assert sort_distance(np.array([pieces])).tolist() == [number]
    assert len(BORDERS) + 1 == DISTANCES == 9


def test_two_values_look_at_each_other_and_at_their_distance():
    """u1 v2 + u2 v1 = (1, 0) (1, 1) + (3, 1) (0, 2) = 1 + 2 = 3; 9 - 4 = 5 pieces are class 1: b = 0.5."""
    vectors = np.array([[(1, 0), (0, 2)], [(3, 1), (1, 1)]], np.float32)
    linking = Linking((7.0, 0.5, *[9.0] * 7))
    scores = score_pairs(vectors, np.array([4, 9]), linking)
    # On the diagonal: 2 (1, 0) (0, 2) + 7 = 7 and 2 (3, 1) (1, 1) + 7 = 15.
    assert scores.tolist() == [[7, 3.5], [3.5, 15]]
    assert scores.dtype == np.float32


@pytest.mark.parametrize(
    ("names", "owners"),
    [
        ((None, None, None), [0, 0, 0]),
        (("ann", None, None), [0, 0, 0]),
        (("ann lee", "ann", None), [0, 0, 0]),
        (("ann", "bea", None), [0, 1, 2]),
    ],
    ids=["no name", "one", "two forms of one", "two"],
)
def test_where_one_person_at_most_is_named_the_threshold_is_another(names, owners):
    """All pairs have the logit -3: below the threshold of -2, above the -6 of a person alone."""
    linking = Linking(FLAT.bias, -2.0, 4.0, alone=-6.0)
    assert group(values_with(-3 * np.ones((3, 3)), names), linking) == owners


def test_the_threshold_of_a_person_alone_is_never_the_higher():
    assert group(values_with(-3 * np.ones((2, 2))), Linking(FLAT.bias, -4.0, 4.0, alone=-2.0)) == [0, 0]


@pytest.mark.parametrize(
    ("threshold", "owners"), [(0.0, [0, 0, 0]), (0.4, [0, 0, 0]), (0.6, [0, 0, 1]), (5, [0, 1, 2])]
)
def test_groups_join_by_their_mean_logit(threshold, owners):
    """1 and 2 join with 4; 3 then has a mean of (2 - 1) / 2 = 0.5 with both."""
    logits = [(0, 4, 2), (4, 0, -1), (2, -1, 0)]
    assert group(values_with(logits), Linking(FLAT.bias, threshold)) == owners


@pytest.mark.parametrize(
    ("reluctance", "owners"), [(0.0, [0, 0, 0, 0]), (0.9, [0, 0, 0, 0]), (1.1, [0, 0, 1, 1])]
)
def test_two_values_join_two_of_another_name_less_readily_than_one(reluctance, owners):
    """Two pairs join with 9 each; between them the mean is 1, less the reluctance once."""
    logits = [(0, 9, 1, 1), (9, 0, 1, 1), (1, 1, 0, 9), (1, 1, 9, 0)]
    linking = Linking(FLAT.bias, 0.0, 0.0, reluctance)
    assert group(values_with(logits, ["ann", None, "bob", None]), linking) == owners
    assert group(values_with(logits, ["ann", None, None, None]), linking) == [0, 0, 0, 0]
    three = values_with([(0, 9, 1), (9, 0, 1), (1, 1, 0)], ["ann", None, "bob"])
    assert group(three, linking) == [0, 0, 0]


@pytest.mark.parametrize(("logit", "owners"), [(7.9, 2), (8.1, 1)])
def test_from_the_ninth_value_on_no_further_one_makes_it_harder(logit, owners):
    """12 values and 12 others, a reluctance of 1: 8 are taken off, not 11."""
    logits = np.full((24, 24), logit, np.float32)
    logits[:12, :12] = logits[12:, 12:] = 99
    names = ["ann", *[None] * 11, "bob", *[None] * 11]
    assert len(set(group(values_with(logits, names), Linking(FLAT.bias, 0.0, 0.0, 1.0)))) == owners


@pytest.mark.parametrize(("reluctance", "owners"), [(0.2, 1), (0.3, 2)])
def test_a_group_of_an_earlier_block_counts_with_all_its_values(reluctance, owners):
    """All have the logit 2 with each other: 160 values, then 12 that take 8 reluctances of the mean."""
    names = ["bob", *[None] * (BLOCK - 1), *["ann"] * 12]
    values = [Value(np.ones((2, 1), np.float32), place, name) for place, name in enumerate(names)]
    assert len(set(group(values, Linking(FLAT.bias, 0.0, 0.0, reluctance)))) == owners


def test_equal_names_have_one_owner_whatever_the_logit():
    logits = [(0, -9, -9), (-9, 0, -9), (-9, -9, 0)]
    assert group(values_with(logits, ["ann", None, "ann"]), FLAT) == [0, 1, 0]
    assert group(values_with(logits, ["ann", None, "bob"]), FLAT) == [0, 1, 2]


def test_a_short_name_is_the_fuller_ones_where_no_other_can_be_meant():
    logits = [(0, -9, -9), (-9, 0, -9), (-9, -9, 0)]
    assert group(values_with(logits, ["ann", None, "ann lee"]), FLAT) == [0, 1, 0]
    assert group(values_with(logits, ["ann", "ann may", "ann lee"]), FLAT) == [0, 1, 2]


def test_every_mention_of_a_name_counts():
    """ "ann" twice and a value join with 9; the third has a mean of (2 + 2 - 1) / 3 = 1 with them.

    If both mentions were one value, it would be (2 - 1) / 2 = 0.5.
    """
    logits = [(0, 0, 9, 2), (0, 0, 9, 2), (9, 9, 0, -1), (2, 2, -1, 0)]
    values = values_with(logits, ["ann", "ann", None, None])
    assert group(values, Linking(FLAT.bias, 0.9)) == [0, 0, 0, 0]
    assert group(values, Linking(FLAT.bias, 1.1)) == [0, 0, 0, 1]


def test_a_short_name_is_settled_across_blocks():
    """Nobody joins by logit (b = -9); "ann" stands in the first block, "ann lee" in the third."""
    count = 2 * BLOCK + 2
    for last, owner in (("ann lee", 0), ("bob lee", count - 1)):
        names = ["ann", *[None] * (count - 2), last]
        values = [Value(np.zeros((2, 2), np.float32), place, name) for place, name in enumerate(names)]
        assert group(values, Linking((-9.0,) * DISTANCES, 0.0))[-1] == owner


@pytest.mark.parametrize(
    ("name", "other", "logit", "owners"),
    [
        ("ann lee", "bob", 3, [0, 1]),  # 3 - 4 = -1 is not above 0
        ("ann lee", "bob", 5, [0, 0]),  # 5 - 4 = 1 is
        ("a. lee", "ann", 3, [0, 0]),  # no rivals: "a." may stand for "ann"
        ("ann lee", "ann may", 3, [0, 1]),
        ("ann lee", None, 3, [0, 0]),
    ],
)
def test_different_names_are_rivals(name, other, logit, owners):
    assert group(values_with([(0, logit), (logit, 0)], [name, other]), FLAT) == owners


def test_a_group_inherits_its_members_rivals():
    """ "ann" and the nameless value join with 9; against "bob" the mean is (3 + 5) / 2 = 4, less 4 is not above 0."""
    logits = [(0, 9, 3), (9, 0, 5), (3, 5, 0)]
    assert group(values_with(logits, ["ann", None, "bob"]), FLAT) == [0, 0, 1]


def test_one_value_and_none():
    assert group([], FLAT) == []
    assert group(values_with([[0]]), FLAT) == [0]


def test_a_name_is_known_again_behind_more_groups_than_are_remembered():
    """Nobody joins by logit (b = -9); "ann" stands at both ends of two blocks, 318 strangers between."""
    count = 2 * BLOCK
    assert count - 2 > REMEMBERED
    names = ["ann", *[None] * (count - 2), "ann"]
    values = [Value(np.zeros((2, 2), np.float32), place, name) for place, name in enumerate(names)]
    assert group(values, Linking((-9.0,) * DISTANCES, 0.0)) == [*range(count - 1), 0]


def test_a_name_keeps_its_owner_though_its_block_draws_it_to_another():
    """ "ann" has u = e and v = 0, "bob" u = 0 and v = -5 e: they part by -5.

    In the second block "ann" has u = -e, so that she would join the group of "bob" with +5.
    """
    ann, bob = np.zeros((2, 4), np.float32), np.zeros((2, 4), np.float32)
    ann[0, 0], bob[1, 0] = 1, -5
    values = [Value(ann, 0, "ann"), *(Value(bob, place, "bob") for place in range(1, BLOCK))]
    values += [Value(bob, BLOCK, "bob"), Value(-ann, BLOCK + 1, "ann")]
    owners = group(values, Linking((-0.1,) * DISTANCES, 0.0, 0.0))
    assert owners == [0] + [1] * BLOCK + [0]


def test_a_group_goes_on_in_the_next_block():
    """All have the logit 2 with each other: 200 values in two blocks are one owner's."""
    values = [Value(np.ones((2, 1), np.float32), place) for place in range(200)]
    assert set(group(values, FLAT)) == {0}


@given(st.integers(0, 3 * BLOCK), seeds, st.integers(0, 20))
def test_owners_are_numbered_in_order_and_names_have_one(count, seed, names):
    values = random_values(count, seed, names=names)
    owners = group(values, SLOPING)
    assert list(dict.fromkeys(owners)) == list(range(len(set(owners))))
    of_name = {(value.name, owner) for value, owner in zip(values, owners, strict=True) if value.name}
    assert len(of_name) == len({name for name, _ in of_name})


@given(st.integers(0, BLOCK + 40), seeds, st.integers(0, 10**6))
def test_where_the_text_begins_changes_no_group(count, seed, shift):
    values = random_values(count, seed, names=5)
    moved = [value._replace(place=value.place + shift) for value in values]
    assert group(moved, SLOPING) == group(values, SLOPING)


def join_one_by_one(logits, names, linking):
    """Average linkage as its definition says it, where all names differ."""
    groups = [[place] for place in range(len(logits))]
    while len(groups) > 1:
        means = {
            (one, other): logits[np.ix_(groups[one], groups[other])].mean()
            - all(any(names[place] for place in each) for each in (groups[one], groups[other]))
            * (linking.rivalry + linking.reluctance * (min(len(groups[one]), len(groups[other]), 9) - 1))
            for one in range(len(groups))
            for other in range(one)
        }
        (one, other), best = max(means.items(), key=lambda item: item[1])
        if best <= linking.threshold:
            break
        groups[other] += groups.pop(one)
    return {frozenset(members) for members in groups}


@given(st.integers(1, 12), seeds, st.integers(0, 5), st.sampled_from([0.0, 0.1, 0.5]))
def test_groups_are_those_of_the_definition(count, seed, named, reluctance):
    names = ["ann", "bob", "cid", "dora", "eve"][:named] + [None] * 12
    values = [
        value._replace(name=name) for value, name in zip(random_values(count, seed), names, strict=False)
    ]
    linking = replace(SLOPING, rivalry=0.2, reluctance=reluctance)
    owners = np.array(group(values, linking))
    vectors = np.stack([value.vectors for value in values])
    logits = score_pairs(vectors, np.array([value.place for value in values]), SLOPING)
    expected = join_one_by_one(logits.astype(float), names, linking)
    assert {frozenset(np.flatnonzero(owners == owner).tolist()) for owner in owners} == expected


def test_20000_values_that_share_nothing():
    """Each is its own owner: what is compared stays within a block and the groups remembered."""
    values = [Value(np.zeros((2, 1), np.float32), place) for place in range(20_000)]
    assert group(values, Linking((-1.0,) * DISTANCES, 0.0)) == list(range(20_000))
