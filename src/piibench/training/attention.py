"""Attention: torch's kernel, products in bfloat16 while training, one operator in what is exported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import torch
from torch.nn import functional

if TYPE_CHECKING:
    from torch import Tensor


def look(  # noqa: PLR0913 - what is looked at, and how
    query: Tensor, key: Tensor, value: Tensor, heads: int, mask: Tensor | None, *, short: bool
) -> Tensor:
    """Scaled dot-product attention of several heads (Vaswani et al. 2017).

    Args:
        query: (b, n, d).
        key: What is looked at, (b, m, d).
        value: What is taken of it, (b, m, d).
        heads: Into how many parts d is cut.
        mask: Added to the logits, (b, 1, 1, m); None where everything may be looked at.
        short: Whether to compute in bfloat16, which is faster on a CPU with their gradients.

    Returns:
        float32, (b, n, d).
    """
    if mask is None and torch.onnx.is_in_onnx_export():
        return cast("Tensor", _Operator.apply(query, key, value, heads))
    asked, seen, taken = (_part(whole, heads) for whole in (query, key, value))
    if short:
        mixed = _multiply(asked, seen, taken, mask)
    else:
        mixed = functional.scaled_dot_product_attention(asked, seen, taken, attn_mask=mask)
    return mixed.transpose(1, 2).flatten(2)


def _part(whole: Tensor, heads: int) -> Tensor:
    """(b, n, d) to (b, h, n, d / h)."""
    return whole.view(*whole.shape[:2], heads, whole.shape[2] // heads).transpose(1, 2)


def _multiply(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
    heads = query.shape[1]
    scaled, seen, taken = (
        part.bfloat16().flatten(0, 1) for part in (query * query.shape[-1] ** -0.5, key, value)
    )
    if mask is None:
        logits = scaled @ seen.mT
    else:
        logits = torch.baddbmm(mask.bfloat16().expand(-1, heads, -1, -1).flatten(0, 1), scaled, seen.mT)
    return (logits.softmax(-1) @ taken).float().view(query.shape)


class _Operator(torch.autograd.Function):
    """ONNX Runtime's operator: on a CPU a tenth faster than the products and transpositions by themselves."""

    @staticmethod
    def symbolic(graph: Any, query: Any, key: Any, value: Any, heads: int) -> Any:
        """What is written."""
        mixed = graph.op("com.microsoft::MultiHeadAttention", query, key, value, num_heads_i=heads)
        return mixed.setType(query.type())

    @staticmethod
    def forward(_: Any, query: Tensor, key: Tensor, value: Tensor, heads: int) -> Tensor:
        """The same in torch, for the tracer."""
        asked, seen, taken = (_part(whole, heads) for whole in (query, key, value))
        return functional.scaled_dot_product_attention(asked, seen, taken).transpose(1, 2).flatten(2)
