"""Muon, an optimizer for the matrices of hidden layers (Jordan et al. 2024).

torch has one, which computes in bfloat16 everywhere: a processor without instructions for that needs more
than half a second for each matrix.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.optim import Optimizer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor

_STEPS = 5
_COEFFICIENTS = 3.4445, -4.7750, 2.0315
"""Of the polynomial that brings singular values near 1, as Jordan et al. give them."""
_RMS = 0.2
"""Root mean square of AdamW's usual step at a rate of 1 (Liu et al. 2025, section 2.2)."""


class Muon(Optimizer):
    """Goes along the momentum of each matrix, made orthogonal, in steps as long as AdamW's.

    So one learning rate serves both (Liu et al. 2025, Muon is scalable for LLM training, equation 4). A group
    of parameters can have its own `lr`, `weight_decay` and `momentum`.

    Args:
        params: Matrices, or groups of them.
        lr: Learning rate.
        weight_decay: Share of the weights that goes with each step, times the rate.
        momentum: Share of the earlier gradients' mean that stays.
        dtype: What steps are computed in; weights keep theirs.
    """

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[dict[str, Any]],
        *,
        lr: float,
        weight_decay: float = 0.0,
        momentum: float = 0.95,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        super().__init__(params, {"lr": lr, "weight_decay": weight_decay, "momentum": momentum})
        self._dtype = dtype

    @torch.no_grad()
    def step(self) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Change all matrices that have a gradient."""
        for group in self.param_groups:
            for matrix in group["params"]:
                if matrix.grad is None:
                    continue
                state = self.state[matrix]
                if not state:
                    state["mean"] = torch.zeros_like(matrix)
                mean = state["mean"].lerp_(matrix.grad, 1 - group["momentum"])
                ahead = matrix.grad.lerp(mean, group["momentum"])  # after Nesterov
                length = group["lr"] * _RMS * max(matrix.shape) ** 0.5
                matrix.mul_(1 - group["lr"] * group["weight_decay"])
                matrix.add_(orthogonalize(ahead.to(self._dtype)), alpha=-length)


def orthogonalize(matrix: Tensor) -> Tensor:
    """Bring all singular values of a matrix near 1, between 0.6 and 1.3, by Newton and Schulz's iteration.

    Very small ones, beside the largest, stay smaller.
    """
    wide = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.mT
    wide = wide / wide.square().sum().sqrt().clamp(min=1e-7)
    first, third, fifth = _COEFFICIENTS
    for _ in range(_STEPS):
        square = wide @ wide.mT
        wide = torch.addmm(
            wide, torch.addmm(square, square, square, beta=third, alpha=fifth), wide, beta=first
        )
    return wide if matrix.shape[0] <= matrix.shape[1] else wide.mT
