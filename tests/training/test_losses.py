"""Each loss, worked by hand."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

import torch

from handmade_network import let_speak
from piibench.data.mentions import Span
from piibench.data.taxonomy import Category, PIIType
from piibench.systems.encoder.linking import DISTANCES, Linking, score_pairs
from piibench.systems.encoder.outputs import CATEGORIES, OWNER, STATES, TYPES
from piibench.systems.encoder.values import RELATIONS, Spot, relate
from piibench.training import losses as room
from piibench.training.examples import Example, Place
from piibench.training.losses import (
    Losses,
    Weights,
    _chosen,
    _cross_entropy,
    _needed,
    _owners,
    _states,
    measure,
    pool,
)
from piibench.training.tensors import IGNORED, Batch, stack, teach

LN2 = log(2)


def label(states: torch.Tensor) -> Batch:
    """A batch in which nothing is said but where values stand, (b, n, TYPES)."""
    grid = torch.zeros(states.shape[:2], dtype=torch.int64)
    none = torch.zeros(0, dtype=torch.int64)
    return Batch(
        grid,
        grid,
        grid,
        grid + 1,
        states,
        grid + IGNORED,
        none.reshape(0, 3),
        none,
        none,
        none,
        none.reshape(0, 0),
        none.reshape(0, 0, 0, RELATIONS),
    )


def seat(*texts: list[tuple[int, int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Owners and relations of texts whose values have a place and an owner each, padded."""
    most = max(map(len, texts))
    gold = torch.full((len(texts), most), IGNORED)
    relations = torch.zeros(len(texts), most, most, RELATIONS, dtype=torch.int64)
    for row, values in enumerate(texts):
        gold[row, : len(values)] = torch.tensor([owner for _, owner in values])
        codes = relate([Spot(0, place, 0, 0, None) for place, _ in values])
        relations[row, : len(values), : len(values)] = torch.from_numpy(codes)
    return gold, relations


def link(vectors: torch.Tensor, bias: torch.Tensor, gold: torch.Tensor, relations: torch.Tensor) -> Any:
    """The loss of the owners of values, no references among them."""
    linked, referred = _owners(vectors, bias, gold, relations, torch.ones_like(gold, dtype=torch.bool))
    assert referred.item() == 0
    return linked


def leaf(*shape: int) -> torch.Tensor:
    return torch.zeros(shape, requires_grad=True)


class TestStates:
    def test_a_type_that_is_not_labelled_adds_nothing_and_gets_no_gradient(self):
        # Two pieces; of the first two types are labelled (outside, begins), of the second none.
        gold = torch.full((1, 2, TYPES), IGNORED)
        gold[0, 0, 0], gold[0, 0, 3] = 0, 1
        logits = leaf(1, 2, TYPES * STATES)
        loss = _states(logits, label(gold))
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
        assert _states(leaf(1, 2, TYPES * STATES), label(gold)).item() == pytest.approx(4 * log(3))

    def test_where_nothing_is_said_nothing_is_lost(self):
        logits = leaf(1, 2, TYPES * STATES)
        loss = _states(logits, label(torch.full((1, 2, TYPES), IGNORED)))
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
    def test_every_value_is_judged_and_the_unknown_ignored(self):
        logits = torch.tensor([[1.0, 4.0], [9.0, 0.0]], requires_grad=True)
        loss = _needed(logits, torch.tensor([[1, 0], [IGNORED, 1]]))
        # ln(1 + e^-1) = 0.3133 and ln(1 + 1) = 0.6931 where needed, ln(1 + e^4) = 4.0181 where not; mean 1.6749.
        assert loss.item() == pytest.approx((log(1 + exp(-1)) + log(1 + exp(4)) + LN2) / 3)
        loss.backward()
        # (sigmoid - gold) / 3, nothing on the unknown.
        first, second = (1 / (1 + exp(-1)) - 1) / 3, 1 / (1 + exp(-4)) / 3
        assert logits.grad.flatten().tolist() == pytest.approx([first, second, 0, -1 / 6])

    def test_where_nothing_is_known_nothing_is_lost(self):
        logits = leaf(1, 2)
        loss = _needed(logits, torch.tensor([[IGNORED, IGNORED]]))
        loss.backward()
        assert (loss.item(), logits.grad.abs().sum().item()) == (0, 0)


class TestChosen:
    def test_a_query_counts_once_however_many_values_its_text_has(self):
        # Of one needed and one other, each half chosen: (2 x 1/2 + 1) / (1 + 1 + 1) = 2/3. Of none needed among
        # two known, each half chosen: 1 / (1 + 0 + 1) = 1/2. The third says nothing. Mean of 1/3 and 1/2.
        logits = torch.zeros(3, 3, requires_grad=True)
        gold = torch.tensor([[1, 0, IGNORED], [0, IGNORED, 0], [IGNORED, IGNORED, IGNORED]])
        loss = _chosen(logits, gold)
        assert loss.item() == pytest.approx((1 / 3 + 1 / 2) / 2)
        loss.backward()
        assert [[value < 0 for value in row] for row in logits.grad.tolist()] == [
            [True, False, False]
        ] + 2 * [3 * [False]]
        assert (logits.grad > 0).tolist() == [[False, True, False], [True, False, True], 3 * [False]]

    @given(st.lists(st.booleans(), min_size=1, max_size=9))
    def test_a_sure_and_right_choice_loses_nothing(self, needed):
        gold = torch.tensor([needed]).long()
        assert _chosen(gold * 60.0 - 30, gold).item() == pytest.approx(0, abs=1e-6)

    def test_where_nothing_is_known_nothing_is_lost(self):
        logits = leaf(1, 2)
        loss = _chosen(logits, torch.tensor([[IGNORED, IGNORED]]))
        loss.backward()
        assert (loss.item(), logits.grad.abs().sum().item()) == (0, 0)


class TestOwners:
    def test_pairs_stand_within_one_text_and_texts_count_alike(self):
        # u = v = 0, so that a pair's logit is b(d): 2 below a distance of 4, else 0.
        bias = torch.zeros(DISTANCES)
        bias[0] = 2.0
        known = seat([(0, 0), (1, 0)], [(0, 0), (100, 1), (300, 0)])
        loss = link(torch.zeros(2, 3, 2 * OWNER), bias, *known)
        # Text 0: one pair, d = 1, one owner: ln(1 + e^-2) = 0.1269, weight 1/2² = 1/4.
        # Text 1: three pairs, all far apart: ln 2 each, weight 1/3² each, 1/3 in all.
        # The empty seat of text 0 pairs with nothing.
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
        known = seat([(0, 0), (1, 0)], [(1000 * number, 0) for number in range(many)])
        loss = link(torch.zeros(2, many, 2 * OWNER), bias, *known)
        weight = (many - 1) / (2 * many)
        near = log(1 + exp(-2))
        assert loss.item() == pytest.approx((near / 4 + LN2 * weight) / (1 / 4 + weight), rel=1e-4)
        assert 1 / 4 < weight < 1 / 2

    @pytest.mark.parametrize("places", [(4, 13), (13, 4)])
    def test_the_logit_of_a_pair(self, places):
        # u1 = (1, 0 ..), v1 = (0, 2, 0 ..), u2 = (0, 3, 0 ..), v2 = (5, 0 ..): u1.v2 + u2.v1 = 5 + 6 = 11,
        # distance 9 is of class 2 on either side, where b = -10: logit 1; other owners: ln(1 + e) = 1.3133.
        vectors = torch.zeros(1, 2, 2, OWNER)
        vectors[0, 0, 0, 0], vectors[0, 0, 1, 1] = 1.0, 2.0
        vectors[0, 1, 0, 1], vectors[0, 1, 1, 0] = 3.0, 5.0
        bias = torch.full((DISTANCES,), 99.0)
        bias[2] = -10.0
        known = seat([(places[0], 0), (places[1], 1)])
        assert link(vectors.flatten(2), bias, *known).item() == pytest.approx(log(1 + exp(1)))

    def test_it_is_the_logit_by_which_values_are_linked(self):
        torch.manual_seed(0)
        vectors, bias = torch.randn(1, 2, 2 * OWNER) / 8, torch.randn(DISTANCES)
        logits = score_pairs(
            vectors[0].view(2, 2, OWNER).numpy(), np.array([3, 40]), Linking(tuple(bias.tolist()))
        )
        assert link(vectors, bias, *seat([(3, 0), (40, 0)])).item() == pytest.approx(
            log(1 + exp(-float(logits[0, 1]))), rel=1e-5
        )

    @pytest.mark.parametrize(
        "silent",
        [
            seat([(0, IGNORED), (1, IGNORED), (2, IGNORED)]),
            seat([(0, 0), (1, IGNORED), (2, IGNORED)]),
            seat([(0, 0)], [(0, 0)], [(0, 0)]),
        ],
        ids=["no owner known", "one owner known", "one value a text"],
    )
    def test_where_no_pair_is_known_nothing_is_lost(self, silent):
        vectors = leaf(*silent[0].shape, 2 * OWNER)
        loss = link(vectors, torch.zeros(DISTANCES), *silent)
        loss.backward()
        assert (loss.item(), vectors.grad.abs().sum().item()) == (0, 0)

    def test_a_value_of_unknown_owner_gets_no_gradient(self):
        torch.manual_seed(0)
        vectors = torch.randn(1, 3, 2 * OWNER, requires_grad=True)
        link(vectors, torch.zeros(DISTANCES), *seat([(0, 0), (1, IGNORED), (2, 1)])).backward()
        assert vectors.grad[0, 1].abs().sum() == 0
        assert vectors.grad[0, 0].abs().sum() > 0

    def test_pairs_with_a_reference_count_apart(self):
        # u = v = 0 and b = 2 below a distance of 4, else 0. Values at 0 (owner 0) and 100 (owner 1), a reference
        # at 1 to owner 0. The values: far apart, two owners: ln 2. With the reference: near and right,
        # ln(1 + e^-2) = 0.1269; far and right, ln 2; both of weight 1/3²: mean 0.4100.
        bias = torch.zeros(DISTANCES)
        bias[0] = 2.0
        gold, relations = seat([(0, 0), (100, 1), (1, 0)])
        named = torch.tensor([[True, True, False]])
        linked, referred = _owners(torch.zeros(1, 3, 2 * OWNER), bias, gold, relations, named)
        assert linked.item() == pytest.approx(LN2)
        assert referred.item() == pytest.approx((log(1 + exp(-2)) + LN2) / 2)

    def test_without_a_known_reference_its_loss_has_no_slope(self):
        vectors = leaf(1, 3, 2 * OWNER)
        named = torch.tensor([[True, True, False]])
        linked, referred = _owners(
            vectors, torch.zeros(DISTANCES), *seat([(0, 0), (1, 1), (2, IGNORED)]), named
        )
        (1e30 * referred).backward(retain_graph=True)
        assert (linked.item(), referred.item()) == (pytest.approx(LN2), 0)
        assert vectors.grad.tolist() == torch.zeros(1, 3, 2 * OWNER).tolist()


@given(st.data())
def test_a_value_is_the_plain_mean_of_its_pieces(data):
    torch.manual_seed(data.draw(st.integers(0, 99)))
    pieces = torch.randn(3, 50, 4)
    first = data.draw(st.integers(0, 49))
    stop = data.draw(st.integers(first + 1, 50))
    row = data.draw(st.integers(0, 2))
    (mean,) = pool(pieces, torch.tensor([[row, first, stop]]))
    torch.testing.assert_close(mean, pieces[row, first:stop].mean(0), atol=1e-5, rtol=0)


def test_the_total_is_the_weighted_sum():
    losses = Losses(*(torch.tensor(value) for value in (1.0, 10.0, 100.0, 1000.0, 10000.0, 1e5)))
    # 2 x 1 + 3 x 10 + 4 x 100 + 5 x 1000 + 6 x 10,000 + 7 x 100,000
    assert losses.total(Weights(2, 3, 4, 5, 6, 7)).item() == 765432
    assert losses.total(Weights()).item() == 2 + 10 + 400 + 2000 + 40000 + 400000


KNOWN = Place(Span(0, 5), PIIType.PER, Category.NICKNAME, "A", needed=True)
OTHER = replace(KNOWN, span=Span(10, 13), subject="B", needed=False)
THIRD = replace(KNOWN, span=Span(18, 21), needed=False)
SHORT = Example("ours", "who", "Lance and Elm", (KNOWN, OTHER))
LONG = Example("ours", "who is", "Lance and Elm and Row", (KNOWN, OTHER, THIRD))


def test_a_source_without_types_trains_need_alone(create_encoder, tokenizer):
    task = Example("tasks", "who", "Lance works", (Place(Span(0, 5), needed=True),), frozenset())
    encoder = create_encoder().eval()
    losses = measure(encoder, stack(teach([task], tokenizer)[0]))
    assert (losses.states.item(), losses.categories.item(), losses.owners.item()) == (0, 0, 0)
    assert losses.needed.item() > 0
    losses.total(Weights()).backward()
    heads = {name: part.grad for name, part in encoder.named_parameters() if part.grad is not None}
    assert heads["needed.ask.weight"].abs().sum() > 0
    assert heads["states.weight"].abs().sum() == heads["categories.weight"].abs().sum() == 0


def test_a_labelled_text_trains_every_head_and_the_reader(create_encoder, tokenizer):
    encoder = let_speak(create_encoder())
    measure(encoder, stack(teach([SHORT], tokenizer)[0])).total(Weights()).backward()
    silent = {name for name, part in encoder.named_parameters() if part.grad is None or not part.grad.any()}
    assert silent == {"words.weight"}


def test_a_text_without_values_trains_where_none_stand(create_encoder, tokenizer):
    encoder = create_encoder()
    losses = measure(encoder, stack(teach([replace(SHORT, places=())], tokenizer)[0]))
    assert (losses.categories.item(), losses.needed.item(), losses.owners.item()) == (0, 0, 0)
    losses.total(Weights()).backward()
    assert encoder.states.weight.grad.any()


def test_a_reader_that_has_learned_nothing_is_judged_by_the_first_networks_means(create_encoder, tokenizer):
    """ "lance" is piece 3 behind "[CLS] who [SEP]", "elm" piece 5."""
    encoder = create_encoder().eval()
    batch = stack(teach([SHORT], tokenizer)[0])
    losses = measure(encoder, batch)
    _, _, needed, notes = encoder(batch.ids, batch.segments, batch.features, batch.mask)
    own, others = (needed[0, piece].item() for piece in (3, 5))
    assert losses.needed.item() == pytest.approx((log(1 + exp(-own)) + log(1 + exp(others))) / 2, rel=1e-5)
    left, right = notes[0, [3, 5], : 2 * OWNER].view(2, 2, OWNER).unbind(1)
    logit = (left[0] @ right[1] + left[1] @ right[0]).item()  # b = 0 at first
    assert losses.owners.item() == pytest.approx(log(1 + exp(logit)), rel=1e-5)


def test_texts_side_by_side_say_what_each_says_alone(create_encoder, tokenizer):
    """Need counts by value, 2 : 3; owners by (n - 1) / 2n, 1/4 : 1/3."""
    encoder = let_speak(create_encoder()).double()
    lessons = [lesson for lessons in teach([SHORT, LONG], tokenizer) for lesson in lessons]
    short, long, both = (measure(encoder, stack(part)) for part in (lessons[:1], lessons[1:], lessons))
    torch.testing.assert_close(both.needed, (2 * short.needed + 3 * long.needed) / 5, atol=1e-5, rtol=0)
    torch.testing.assert_close(
        both.owners, (short.owners / 4 + long.owners / 3) / (1 / 4 + 1 / 3), atol=1e-5, rtol=0
    )


def test_a_value_that_is_not_shown_teaches_nothing_and_all_are_shown_when_it_counts(
    create_encoder, tokenizer, monkeypatch
):
    monkeypatch.setattr(room, "_MISSED", 1.0)
    encoder, batch = create_encoder(), stack(teach([SHORT], tokenizer)[0])
    missed, shown = measure(encoder.train(), batch), measure(encoder.eval(), batch)
    assert (missed.needed.item(), missed.owners.item()) == (0, 0)
    assert min(missed.states.item(), shown.needed.item(), shown.owners.item()) > 0
