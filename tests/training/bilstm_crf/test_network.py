"""The CRF against all rows of tags, one by one."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

import torch

from piibench.training.bilstm_crf.network import CRF, Emitter, Shape

TAGS, LENGTHS = 3, (4, 1, 3)


@pytest.fixture
def case():
    torch.manual_seed(3)
    crf = CRF(TAGS).double()
    for part in crf.parameters():
        torch.nn.init.normal_(part)
    emissions = torch.randn(len(LENGTHS), max(LENGTHS), TAGS, dtype=torch.float64) * 3
    mask = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS)[:, None]
    return crf, emissions, mask


def add_up(crf, emissions, path) -> float:
    """start + emissions + moves + stop, term by term."""
    total = crf.start[path[0]] + crf.stop[path[-1]]
    total = total + sum(emissions[place, tag] for place, tag in enumerate(path))
    total = total + sum(crf.moves[a, b] for a, b in pairwise(path))
    return total.item()


def test_the_partition_is_the_sum_over_all_rows(case) -> None:
    crf, emissions, mask = case
    expected = []
    for row, length in enumerate(LENGTHS):
        paths = product(range(TAGS), repeat=length)
        scores = torch.tensor([add_up(crf, emissions[row], path) for path in paths], dtype=torch.float64)
        expected.append(float(scores.logsumexp(0)))
    assert crf.log_partition(emissions, mask).tolist() == pytest.approx(expected)


def test_a_rows_score_is_the_sum_of_its_terms(case) -> None:
    crf, emissions, mask = case
    tags = torch.randint(TAGS, mask.shape)
    expected = [
        add_up(crf, emissions[row], tags[row, :length].tolist()) for row, length in enumerate(LENGTHS)
    ]
    assert crf.score(emissions, tags, mask).tolist() == pytest.approx(expected)


def test_gradients_are_those_of_finite_differences(case) -> None:
    crf, emissions, mask = case
    tags = torch.randint(TAGS, mask.shape)
    parts = (emissions.requires_grad_(), *crf.parameters())

    def loss(emissions, *_):
        return crf.loss(emissions, tags, mask)

    assert torch.autograd.gradcheck(loss, parts)


def test_large_scores_neither_overflow_nor_vanish(case) -> None:
    crf, emissions, mask = case
    tags = torch.zeros(mask.shape, dtype=torch.int64)
    loss = crf.float().loss((emissions.float() * 1e3).requires_grad_(), tags, mask)
    loss.backward()
    assert torch.isfinite(loss)
    assert all(torch.isfinite(part.grad).all() for part in crf.parameters())


def test_padding_changes_nothing() -> None:
    torch.manual_seed(3)
    emitter = Emitter(9, Shape(4, 3, 2, 5)).eval()
    features = torch.randint(9, (2, 6, 4))
    both = emitter(features, torch.tensor([6, 2]))
    alone = emitter(features[1:, :2], torch.tensor([2]))
    assert both.shape == (2, 6, 111)
    torch.testing.assert_close(both[1, :2], alone[0])
