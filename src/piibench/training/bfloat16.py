"""Arithmetic in bfloat16 for training on a CPU: with AVX512-BF16 an update takes half the time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn import functional

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor


class Dense(nn.Linear):
    """A linear map that computes in bfloat16 while it is trained, unless `precise`; weights stay float32."""

    precise = True

    @property
    def short(self) -> bool:
        """Whether it computes in bfloat16 now."""
        return self.training and not self.precise

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 - torch names it
        """Map (..., in) to (..., out)."""
        if not self.short:
            return super().forward(input)
        weight, bias = self.weight.bfloat16(), self.bias.bfloat16()
        return functional.linear(input.bfloat16(), weight, bias).float()


def is_faster_short(device: str) -> bool:
    """Whether the device is an x86 CPU with instructions for bfloat16."""
    able: Mapping[str, Any] = torch.cpu.get_capabilities() if device == "cpu" else {}
    return bool(able.get("avx512_bf16") or able.get("amx_bf16"))
