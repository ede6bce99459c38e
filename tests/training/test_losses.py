"""Each loss, worked by hand."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

import torch

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category, PIIType
from piibench.systems.encoder import linking
from piibench.systems.encoder.linking import DISTANCES, Linking, score_pairs
from piibench.systems.encoder.outputs import CATEGORIES, OWNER, STATES, TYPES
from piibench.training.examples import Example, Place
from piibench.training.losses import (
    Losses,
    Weights,
    _cross_entropy,
    _needed,
    _owners,
    _states,
    measure,
    pool,
    sort_distance,
)
from piibench.training.tensors import IGNORED, Batch, stack, teach

LN2 = log(2)


def batch(pieces: int, values=(), *, needed=(), owners=(), texts=(), places=(), states=None) -> Batch:
    """A batch in which nothing is said except what is given."""
    grid = torch.zeros(1, pieces, dtype=torch.int64)
    silent = torch.full((1, pieces, TYPES), IGNORED)

    def column(numbers) -> torch.Tensor:
        return torch.tensor(numbers or [IGNORED] * len(values), dtype=torch.int64)

    return Batch(
        grid,
        grid,
        grid,
        grid + 1,
        silent if states is None else states,
        grid + IGNORED,
        torch.tensor(values, dtype=torch.int64).reshape(-1, 3),
        column(needed),
        column(owners),
        column(texts),
        column(places),
    )


def leaf(*shape: int) -> torch.Tensor:
    return torch.zeros(shape, requires_grad=True)


class TestStates:
    def test_a_type_that_is_not_labelled_adds_nothing_and_gets_no_gradient(self):
        # Two pieces; of the first two types are labelled (outside, begins), of the second none.
        gold = torch.full((1, 2, TYPES), IGNORED)
        gold[0, 0, 0], gold[0, 0, 3] = 0, 1
        logits = leaf(1, 2, TYPES * STATES)
        loss = _states(logits, batch(2, states=gold))
        # Equal logits: ln 3 for each labelled type; one piece counts: 2 ln 3 / 1 = 2.1972.
        assert loss.item() == pytest.approx(2 * log(3))
        loss.backward()
        slope = logits.grad.view(2, TYPES, STATES)
        # A softmax of equal logits minus gold: (1/3 - 1, 1/3, 1/3) and (1/3, 1/3 - 1, 1/3).
        assert slope[0, 0].tolist() == pytest.approx([-2 / 3, 1 / 3, 1 / 3])
        assert slope[0, 3].tolist() == pytest.approx([1 / 3, -2 / 3, 1 / 3])
        assert slope[0, [1, 2, 4, 5, 6]].abs().sum() == 0
        assert slope[1].abs().sum() == 0

    def test_a_piece_counts_once_however_many_types_are_labelled(self):
        # One piece with seven types, one with a single one: (7 ln 3 + ln 3) / 2 = 4 ln 3.
        gold = torch.full((1, 2, TYPES), IGNORED)
        gold[0, 0], gold[0, 1, 5] = 0, 2
        assert _states(leaf(1, 2, TYPES * STATES), batch(2, states=gold)).item() == pytest.approx(4 * log(3))

    def test_where_nothing_is_said_nothing_is_lost(self):
        logits = leaf(1, 2, TYPES * STATES)
        loss = _states(logits, batch(2))
        loss.backward()
        assert loss.item() == 0
        assert logits.grad.abs().sum() == 0


class TestCategories:
    def test_only_pieces_of_values_count(self):
        # Equal logits over 55 categories for one piece: ln 55. Of another, the gold logit is ln 54 and the other
        # 54 are 0: -ln(54 / (54 + 54)) = ln 2. The third is of no value. Mean (ln 55 + ln 2) / 2.
        logits = torch.zeros(3, CATEGORIES)
        logits[1, 7] = log(54)
        logits[2] = torch.arange(CATEGORIES)
        loss = _cross_entropy(logits, torch.tensor([3, 7, IGNORED]))
        assert loss.item() == pytest.approx((log(55) + LN2) / 2)

    def test_without_values_nothing_is_lost(self):
        assert _cross_entropy(torch.zeros(2, CATEGORIES), torch.tensor([IGNORED, IGNORED])).item() == 0


class TestNeeded:
    def test_the_mean_logit_of_a_value_is_judged_and_the_unknown_ignored(self):
        logits = torch.tensor([[2.0, 0.0, 4.0, 9.0]], requires_grad=True)
        known = batch(4, values=[(0, 0, 2), (0, 2, 3), (0, 3, 4)], needed=[1, 0, IGNORED])
        loss = _needed(logits, known)
        # Means 1 and 4: ln(1 + e^-1) = 0.3133 where needed, ln(1 + e^4) = 4.0181 where not; mean 2.1657.
        assert loss.item() == pytest.approx((log(1 + exp(-1)) + log(1 + exp(4))) / 2)
        loss.backward()
        # (sigmoid(1) - 1) / 2 spread over two pieces, sigmoid(4) / 2 on one, nothing on the unknown.
        first, second = (1 / (1 + exp(-1)) - 1) / 2, 1 / (1 + exp(-4)) / 2
        assert logits.grad[0].tolist() == pytest.approx([first / 2, first / 2, second, 0], abs=1e-6)

    @pytest.mark.parametrize("silent", [batch(2), batch(2, values=[(0, 0, 1)])])
    def test_where_nothing_is_known_nothing_is_lost(self, silent):
        logits = leaf(1, 2)
        loss = _needed(logits, silent)
        loss.backward()
        assert (loss.item(), logits.grad.abs().sum().item()) == (0, 0)


def rows(count: int) -> list[tuple[int, int, int]]:
    return [(0, number, number + 1) for number in range(count)]


class TestOwners:
    def test_pairs_stand_within_one_text_and_texts_count_alike(self):
        # u = v = 0, so that a pair's logit is b(d): 2 below a distance of 4, else 0.
        bias = torch.zeros(DISTANCES)
        bias[0] = 2.0
        known = batch(
            5,
            values=rows(5),
            owners=[0, 0, 0, 1, 0],
            texts=[0, 0, 1, 1, 1],
            places=[0, 1, 0, 100, 300],
        )
        loss = _owners(torch.zeros(1, 5, 2 * OWNER), bias, known)
        # Text 0: one pair, d = 1, one owner: ln(1 + e^-2) = 0.1269, weight 1/2² = 1/4.
        # Text 1: three pairs, all far apart: ln 2 each, weight 1/3² each, 1/3 in all.
        # The pairs of places 0 and 1 of text 0 with place 0 of text 1 are near, too, and do not count.
        # (0.1269 / 4 + 0.6931 / 3) / (1/4 + 1/3) = 0.4505.
        expected = (log(1 + exp(-2)) / 4 + LN2 / 3) / (1 / 4 + 1 / 3)
        assert expected == pytest.approx(0.4505, abs=1e-4)
        assert loss.item() == pytest.approx(expected)

    @pytest.mark.parametrize("many", [3, 10, 40])
    def test_a_text_with_many_pairs_weighs_at_most_twice_one_with_a_single_pair(self, many):
        # In the text of two the pair is right with logit 2 (0.1269), in the other every pair has ln 2.
        # Weights (n - 1) / 2n: 1/4 for two values, below 1/2 for any number; pairs alone would weigh 1 to 780.
        bias = torch.zeros(DISTANCES)
        bias[0] = 2.0
        places = [0, 1, *range(0, 1000 * many, 1000)]
        known = batch(
            many + 2, rows(many + 2), owners=[0] * (many + 2), texts=[0, 0] + [1] * many, places=places
        )
        loss = _owners(torch.zeros(1, many + 2, 2 * OWNER), bias, known)
        weight = (many - 1) / (2 * many)
        near = log(1 + exp(-2))
        assert loss.item() == pytest.approx((near / 4 + LN2 * weight) / (1 / 4 + weight), rel=1e-4)
        assert 1 / 4 < weight < 1 / 2

    def test_the_logit_of_a_pair(self):
        # u1 = (1, 0 ..), v1 = (0, 2, 0 ..), u2 = (0, 3, 0 ..), v2 = (5, 0 ..): u1.v2 + u2.v1 = 5 + 6 = 11,
        # distance 9 is of class 2, where b = -10: logit 1; other owners: ln(1 + e) = 1.3133.
        vectors = torch.zeros(1, 2, 2, OWNER)
        vectors[0, 0, 0, 0], vectors[0, 0, 1, 1] = 1.0, 2.0
        vectors[0, 1, 0, 1], vectors[0, 1, 1, 0] = 3.0, 5.0
        bias = torch.full((DISTANCES,), 99.0)
        bias[2] = -10.0
        known = batch(2, rows(2), owners=[0, 1], texts=[0, 0], places=[4, 13])
        assert _owners(vectors.flatten(2), bias, known).item() == pytest.approx(log(1 + exp(1)))

    def test_it_is_the_logit_by_which_values_are_linked(self):
        torch.manual_seed(0)
        vectors, bias = torch.randn(1, 2, 2 * OWNER) / 8, torch.randn(DISTANCES)
        known = batch(2, rows(2), owners=[0, 0], texts=[0, 0], places=[3, 40])
        logits = score_pairs(
            vectors[0].view(2, 2, OWNER).numpy(), np.array([3, 40]), Linking(tuple(bias.tolist()))
        )
        assert _owners(vectors, bias, known).item() == pytest.approx(
            log(1 + exp(-float(logits[0, 1]))), rel=1e-5
        )

    @pytest.mark.parametrize(
        "silent",
        [
            batch(3),
            batch(3, rows(3), texts=[0, 0, 0], places=[0, 1, 2]),
            batch(3, rows(3), owners=[0, IGNORED, IGNORED], texts=[0, 0, 0], places=[0, 1, 2]),
            batch(3, rows(3), owners=[0, 0, 0], texts=[0, 1, 2], places=[0, 1, 2]),
        ],
        ids=["no values", "no owner known", "one owner known", "one value a text"],
    )
    def test_where_no_pair_is_known_nothing_is_lost(self, silent):
        vectors = leaf(1, 3, 2 * OWNER)
        loss = _owners(vectors, torch.zeros(DISTANCES), silent)
        loss.backward()
        assert (loss.item(), vectors.grad.abs().sum().item()) == (0, 0)

    def test_a_value_of_unknown_owner_gets_no_gradient(self):
        torch.manual_seed(0)
        vectors = torch.randn(1, 3, 2 * OWNER, requires_grad=True)
        known = batch(3, rows(3), owners=[0, IGNORED, 1], texts=[0, 0, 0], places=[0, 1, 2])
        _owners(vectors, torch.zeros(DISTANCES), known).backward()
        assert vectors.grad[0, 1].abs().sum() == 0
        assert vectors.grad[0, 0].abs().sum() > 0


@settings(deadline=None)  # torch loads parts of itself late
@given(st.data())
def test_a_value_is_the_plain_mean_of_its_pieces(data):
    torch.manual_seed(data.draw(st.integers(0, 99)))
    pieces = torch.randn(3, 50, 4)
    first = data.draw(st.integers(0, 49))
    stop = data.draw(st.integers(first + 1, 50))
    row = data.draw(st.integers(0, 2))
    (mean,) = pool(pieces, torch.tensor([[row, first, stop]]))
    torch.testing.assert_close(mean, pieces[row, first:stop].mean(0), atol=1e-5, rtol=0)


def test_distances_are_sorted_as_in_the_system():
    pieces = np.arange(700)
    np.testing.assert_array_equal(
        sort_distance(torch.from_numpy(pieces)).numpy(), linking.sort_distance(pieces)
    )


def test_the_total_is_the_weighted_sum():
    losses = Losses(*(torch.tensor(value) for value in (1.0, 10.0, 100.0, 1000.0)))
    # 2 x 1 + 3 x 10 + 4 x 100 + 5 x 1000
    assert losses.total(Weights(2, 3, 4, 5)).item() == 5432
    assert losses.total(Weights()).item() == 2 + 10 + 200 + 1000


def test_a_source_without_types_trains_need_alone(create_encoder, tokenizer):
    task = Example("tasks", "who", "Lance works", (Place(Span(0, 5), needed=True),), frozenset())
    encoder = create_encoder()
    losses = measure(encoder, stack(teach([task], tokenizer)[0]))
    assert (losses.states.item(), losses.categories.item(), losses.owners.item()) == (0, 0, 0)
    assert losses.needed.item() > 0
    losses.total(Weights()).backward()
    heads = {name: part.grad for name, part in encoder.named_parameters() if part.grad is not None}
    assert heads["needed.ask.weight"].abs().sum() > 0
    assert heads["states.weight"].abs().sum() == heads["categories.weight"].abs().sum() == 0


def test_a_labelled_text_trains_every_head(create_encoder, tokenizer):
    known = Place(Span(0, 5), PIIType.PER, Category.NICKNAME, "A", needed=True)
    other = replace(known, span=Span(10, 13), subject="B", needed=False)
    encoder = create_encoder()
    losses = measure(
        encoder, stack(teach([Example("ours", "who", "Lance and Elm", (known, other))], tokenizer)[0])
    )
    losses.total(Weights()).backward()
    silent = {name for name, part in encoder.named_parameters() if part.grad is None or not part.grad.any()}
    assert silent == {"words.weight"}
