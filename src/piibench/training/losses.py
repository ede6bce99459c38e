"""What the four heads are told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch.nn import functional

from piibench.systems.encoder.linking import BORDERS
from piibench.systems.encoder.outputs import OWNER, STATES, TYPES
from piibench.training.tensors import IGNORED

if TYPE_CHECKING:
    from torch import Tensor

    from piibench.training.network import Encoder
    from piibench.training.tensors import Batch


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each head counts."""

    states: float = 2.0
    categories: float = 1.0
    needed: float = 2.0
    owners: float = 1.0


@dataclass(frozen=True, slots=True)
class Losses:
    """Mean losses of one batch, scalars."""

    states: Tensor
    categories: Tensor
    needed: Tensor
    owners: Tensor

    def total(self, weights: Weights) -> Tensor:
        """The weighted sum."""
        return (
            weights.states * self.states
            + weights.categories * self.categories
            + weights.needed * self.needed
            + weights.owners * self.owners
        )


def measure(encoder: Encoder, batch: Batch) -> Losses:
    """Run the encoder over a batch and compare."""
    states, categories, needed, owners = encoder(batch.ids, batch.segments, batch.features, batch.mask)
    return Losses(
        _states(states, batch),
        _cross_entropy(categories.flatten(0, 1), batch.categories.flatten()),
        _needed(needed, batch),
        _owners(owners, encoder.owner_bias, batch),
    )


def _states(logits: Tensor, batch: Batch) -> Tensor:
    shaped = logits.view(*logits.shape[:2], TYPES, STATES)
    losses = functional.cross_entropy(
        shaped.flatten(0, 2), batch.states.flatten(), ignore_index=IGNORED, reduction="sum"
    )
    # A piece counts once, however many types its source labels.
    counted = (batch.states != IGNORED).any(-1).sum()
    return losses / counted.clamp(min=1)


def _cross_entropy(logits: Tensor, gold: Tensor) -> Tensor:
    total = functional.cross_entropy(logits, gold, ignore_index=IGNORED, reduction="sum")
    return total / (gold != IGNORED).sum().clamp(min=1)


def pool(pieces: Tensor, values: Tensor) -> Tensor:
    """Mean over the pieces of each value.

    Args:
        pieces: (b, n, d).
        values: Row, first piece, one past the last, (v, 3).

    Returns:
        (v, d).
    """
    sums = functional.pad(pieces.cumsum(1), (0, 0, 1, 0))
    rows, first, stop = values.unbind(1)
    return (sums[rows, stop] - sums[rows, first]) / (stop - first)[:, None]


def _needed(logits: Tensor, batch: Batch) -> Tensor:
    chosen = batch.needed != IGNORED
    if not chosen.any():
        return logits.sum() * 0
    means = pool(logits.unsqueeze(-1), batch.values[chosen]).squeeze(-1)
    return functional.binary_cross_entropy_with_logits(means, batch.needed[chosen].to(means.dtype))


def _owners(vectors: Tensor, bias: Tensor, batch: Batch) -> Tensor:
    chosen = batch.owners != IGNORED
    if int(chosen.sum()) < 2:  # noqa: PLR2004 - a pair has two
        return vectors.sum() * 0
    pooled = pool(vectors, batch.values[chosen]).view(-1, 2, OWNER)
    half = pooled[:, 0] @ pooled[:, 1].T
    places = batch.places[chosen]
    logits = half + half.T + bias[sort_distance((places[:, None] - places[None, :]).abs())]
    owners, texts = batch.owners[chosen], batch.texts[chosen]
    pairs = torch.triu(texts[:, None] == texts[None, :], diagonal=1)
    if not pairs.any():
        return vectors.sum() * 0
    same = (owners[:, None] == owners[None, :]).to(logits.dtype)
    losses = functional.binary_cross_entropy_with_logits(logits, same, reduction="none")
    # A text of n values counts (n - 1) / 2n in all, between 1/4 and 1/2, however many pairs it has.
    sizes = torch.bincount(texts, minlength=int(texts.max()) + 1)
    weight = pairs / (sizes[texts].to(logits.dtype) ** 2)[:, None]
    return (losses * weight).sum() / weight.sum()


def sort_distance(pieces: Tensor) -> Tensor:
    """Number of the class of each distance; the same as `linking.sort_distance`."""
    return torch.bucketize(pieces, torch.tensor(BORDERS, device=pieces.device), right=True)
