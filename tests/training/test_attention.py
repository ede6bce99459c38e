"""Attention is the same whoever computes it."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

import torch

from piibench.training.attention import look


def test_every_head_takes_what_its_logits_say():
    # Two heads of one number each. The first asks with 1 and sees ln 3 and 0: 3/4 of 8, 1/4 of 4. The second
    # asks with 0: half of each, 1 and 3.
    query = torch.tensor([[[1.0, 0.0]]])
    key = torch.tensor([[[torch.tensor(3.0).log(), 5.0], [0.0, 2.0]]])
    value = torch.tensor([[[8.0, 1.0], [4.0, 3.0]]])
    mixed = look(query, key, value, 2, None, short=False)
    torch.testing.assert_close(mixed, torch.tensor([[[7.0, 2.0]]]))


@pytest.mark.parametrize("masked", [True, False])
def test_products_in_bfloat16_say_nearly_the_same(masked):
    torch.manual_seed(0)
    query, key, value = torch.randn(2, 5, 24), torch.randn(2, 7, 24), torch.randn(2, 7, 24)
    mask = torch.zeros(2, 1, 1, 7)
    mask[1, ..., 4:] = -1e4
    exact, close = (
        look(query, key, value, 3, mask if masked else None, short=short) for short in (False, True)
    )
    assert not torch.equal(close, exact)
    torch.testing.assert_close(close, exact, atol=0.02, rtol=0.02)
