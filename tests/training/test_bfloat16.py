"""bfloat16 says nearly the same, and only while something is trained."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

import torch

from piibench.training.bfloat16 import Dense, is_faster_short


def make(*, precise: bool) -> Dense:
    torch.manual_seed(0)
    dense = Dense(16, 8)
    dense.precise = precise
    return dense


def test_a_map_is_rounded_while_it_is_trained_and_never_later():
    precise, short, numbers = make(precise=True), make(precise=False), torch.randn(3, 5, 16)
    assert (precise.short, short.short) == (False, True)
    assert short(numbers).dtype == torch.float32
    assert not torch.equal(short(numbers), precise(numbers))
    torch.testing.assert_close(short(numbers), precise(numbers), atol=0.02, rtol=0.02)
    assert torch.equal(short.eval()(numbers), precise(numbers))


@pytest.mark.parametrize(
    ("able", "faster"),
    [({"avx512_bf16": True}, True), ({"amx_bf16": True}, True), ({"avx512_bf16": False}, False), ({}, False)],
)
def test_it_is_used_where_the_processor_has_it(monkeypatch, able, faster):
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: able)
    assert is_faster_short("cpu") is faster
    assert not is_faster_short("cuda")
