"""Evens what goes into the large maps, so that rounding it to 8 bits costs little.

A few channels of a transformer rise, at a few pieces, to several times what all others reach, and one step
for a whole tensor then leaves the others few. So what goes into a map is multiplied by a power of two below
1 in such a channel, and the channel's weights are divided by it: the products stay what they were (after
Xiao et al. 2023, SmoothQuant).
"""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch.utils.hooks import RemovableHandle

    from piibench.systems.encoder.windows import Window
    from piibench.training.network import Encoder

_EVENED = ("attend", "grow", "shrink")
"""The maps of a layer whose inputs rise so."""
_USUAL = 2.0
"""A channel is left alone up to so many times the median of all channels' largest values."""
_LEAST = -6
"""Exponent of the smallest factor: one channel's weights must not take the steps of all others."""


class Eased(nn.Module):
    """A linear map of inputs that are evened first.

    Args:
        dense: The map as it was.
        ease: Factors of the inputs, powers of two, (in,).
    """

    ease: Tensor

    def __init__(self, dense: nn.Linear, ease: Tensor) -> None:
        super().__init__()
        self.weight = nn.Parameter(dense.weight.detach() / ease)
        self.bias = dense.bias
        self.register_buffer("ease", ease)

    def forward(self, given: Tensor) -> Tensor:
        """Map (..., in) to (..., out)."""
        return functional.linear(given * self.ease, self.weight, self.bias)


def smooth(encoder: Encoder, windows: Iterable[Window]) -> Encoder:
    """Copy an encoder, with maps that even their inputs and otherwise say the same.

    Args:
        encoder: Stays as it is.
        windows: Ordinary text, by which it is seen which channels rise.
    """
    evened = deepcopy(encoder).eval()
    for name, peaks in _find_peaks(evened, windows).items():
        dense, ease = cast("nn.Linear", evened.get_submodule(name)), choose_ease(peaks)
        if (ease < 1).any():
            evened.set_submodule(name, Eased(dense, ease))
    return evened


def _find_peaks(encoder: Encoder, windows: Iterable[Window]) -> dict[str, Tensor]:
    """The largest absolute value of each channel of what goes into each map, by the map's name."""
    peaks: dict[str, Tensor] = {}
    hooks: list[RemovableHandle] = []
    for number, name in product(range(len(encoder.layers)), _EVENED):
        path = f"layers.{number}.{name}"
        hooks.append(encoder.get_submodule(path).register_forward_pre_hook(partial(_watch, peaks, path)))
    with torch.no_grad():
        for window in windows:
            encoder(*(torch.from_numpy(row)[None] for row in (window.ids, window.segments, window.features)))
    for hook in hooks:
        hook.remove()
    return peaks


def _watch(peaks: dict[str, Tensor], name: str, _: nn.Module, given: tuple[Tensor]) -> None:
    largest = given[0].abs().flatten(0, -2).amax(0)
    peaks[name] = torch.maximum(peaks.get(name, largest), largest)


def choose_ease(peaks: Tensor) -> Tensor:
    """Powers of two, at most 1, that bring the highest channels near the others.

    Args:
        peaks: The largest absolute value of each channel, (n,).
    """
    usual = _USUAL * peaks.median()
    if usual <= 0:
        return torch.ones_like(peaks)
    return torch.exp2(-torch.log2(peaks / usual).floor().clamp(0, -_LEAST))
