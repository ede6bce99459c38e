"""Steps along an orthogonal momentum, as torch's own makes them."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

import torch

from piibench.training.muon import Muon, orthogonalize

SHAPES = ((6, 4), (4, 6), (5, 5))


@pytest.mark.parametrize("shape", SHAPES)
def test_singular_values_come_near_one(shape: tuple[int, int]):
    torch.manual_seed(0)
    left, _, right = torch.linalg.svd(torch.randn(shape), full_matrices=False)
    values = torch.linspace(0.1, 3.0, min(shape))
    found = torch.linalg.svdvals(orthogonalize(left * values @ right))
    assert found.min() > 0.6
    assert found.max() < 1.3
    assert orthogonalize(torch.zeros(shape)).abs().max() == 0


@pytest.mark.parametrize("shape", SHAPES)
def test_steps_are_those_of_torch(shape: tuple[int, int]):
    torch.manual_seed(1)
    ours, theirs = (torch.nn.Parameter(torch.ones(shape)) for _ in range(2))
    optimizers = (
        Muon([ours], lr=0.1, weight_decay=0.3, dtype=torch.bfloat16),
        torch.optim.Muon([theirs], lr=0.1, weight_decay=0.3, adjust_lr_fn="match_rms_adamw"),
    )
    for _ in range(4):
        ours.grad = torch.randn(shape)
        theirs.grad = ours.grad.clone()
        for optimizer in optimizers:
            optimizer.step()
    assert ours.detach() == pytest.approx(theirs.detach(), abs=0.01)
    assert (ours - 1).abs().max() > 0.1


def test_groups_have_rates_of_their_own_and_no_gradient_changes_nothing():
    moved, slower, left = (torch.nn.Parameter(torch.zeros(3, 3)) for _ in range(3))
    optimizer = Muon([{"params": [moved, left]}, {"params": [slower], "lr": 0.5}], lr=1.0)
    moved.grad = slower.grad = torch.eye(3)
    optimizer.step()
    assert left.abs().max() == 0
    assert moved.detach() == pytest.approx(-0.2 * 3**0.5 * orthogonalize(torch.eye(3)))
    assert slower.detach() == pytest.approx(moved.detach() / 2)
