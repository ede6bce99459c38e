"""What the heads and the reader of values are told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch.nn import functional

from piibench.systems.encoder.linking import DISTANCES
from piibench.systems.encoder.outputs import OWNER, STATES, TYPES
from piibench.systems.encoder.values import REFERENCE
from piibench.training.tensors import IGNORED

if TYPE_CHECKING:
    from torch import Tensor

    from piibench.training.network import Encoder
    from piibench.training.tensors import Batch


_MISSED = 0.05
"""Share of the values and references that the reader is not shown, for detection misses some, too."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each head counts."""

    states: float = 2.0
    categories: float = 1.0
    needed: float = 4.0
    chosen: float = 2.0
    owners: float = 4.0
    references: float = 4.0


@dataclass(frozen=True, slots=True)
class Losses:
    """Mean losses of one batch, scalars."""

    states: Tensor
    categories: Tensor
    needed: Tensor
    chosen: Tensor
    owners: Tensor
    references: Tensor

    def total(self, weights: Weights) -> Tensor:
        """The weighted sum."""
        return (
            weights.states * self.states
            + weights.categories * self.categories
            + weights.needed * self.needed
            + weights.chosen * self.chosen
            + weights.owners * self.owners
            + weights.references * self.references
        )


def measure(encoder: Encoder, batch: Batch) -> Losses:
    """Run the encoder over a batch and compare."""
    states, categories, needed, notes = encoder(batch.ids, batch.segments, batch.features, batch.mask)
    if len(batch.values) == 0:
        unsaid = (needed.sum() + notes.sum()) * 0
        weighed = agreed = linked = referred = unsaid
    else:
        seen = batch.members >= 0
        if encoder.training:
            seen = seen & (torch.rand(seen.shape, device=seen.device) >= _MISSED)
        members = batch.members.clamp(min=0)
        vectors, logits = encoder.reader(
            pool(notes, batch.values)[members],
            pool(needed.unsqueeze(-1), batch.values).squeeze(-1)[members],
            batch.kinds[members],
            batch.relations,
            seen,
        )
        gold = batch.needed[members].masked_fill(~seen, IGNORED)
        weighed, agreed = _needed(logits, gold), _chosen(logits, gold)
        owners = batch.owners[members].masked_fill(~seen, IGNORED)
        named = batch.kinds[members] != REFERENCE
        linked, referred = _owners(vectors, encoder.owner_bias, owners, batch.relations, named)
    return Losses(
        _states(states, batch),
        _cross_entropy(categories.flatten(0, 1), batch.categories.flatten()),
        weighed,
        agreed,
        linked,
        referred,
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


def _needed(logits: Tensor, gold: Tensor) -> Tensor:
    chosen = gold != IGNORED
    if not chosen.any():
        return logits.sum() * 0
    return functional.binary_cross_entropy_with_logits(logits[chosen], gold[chosen].to(logits.dtype))


def _chosen(logits: Tensor, gold: Tensor) -> Tensor:
    """1 - F1 of the values chosen for a query, by their probabilities: mean over the queries.

    With one hit added to both sets a query that needs nothing has a slope, too. A query counts once, as in
    query-related F1, however many values its text has.
    """
    known = gold != IGNORED
    needed = (gold == 1).to(logits.dtype)
    likely = logits.sigmoid() * known
    overlap = (2 * (likely * needed).sum(1) + 1) / (likely.sum(1) + needed.sum(1) + 1)
    queries = known.any(1)
    return ((1 - overlap) * queries).sum() / queries.sum().clamp(min=1)


def _owners(
    vectors: Tensor, bias: Tensor, gold: Tensor, relations: Tensor, named: Tensor
) -> tuple[Tensor, Tensor]:
    """Whether two have one owner: mean over pairs of values, and over pairs with a reference."""
    known = gold != IGNORED
    pairs = torch.triu(known[:, :, None] & known[:, None, :], diagonal=1)
    texts, values, _ = vectors.shape
    left, right = vectors.view(texts, values, 2, OWNER).unbind(2)
    half = left @ right.transpose(1, 2)
    logits = half + half.transpose(1, 2) + bias[relations[..., 0] % DISTANCES]
    same = (gold[:, :, None] == gold[:, None, :]).to(logits.dtype)
    losses = functional.binary_cross_entropy_with_logits(logits, same, reduction="none")
    both = named[:, :, None] & named[:, None, :]
    return _average(losses, pairs & both, known & named), _average(losses, pairs & ~both, known)


def _average(losses: Tensor, pairs: Tensor, known: Tensor) -> Tensor:
    """Mean over pairs; one of a text with n known owners counts 1 / n², so that none outweighs the others."""
    weight = pairs / (known.sum(1).clamp(min=1).to(losses.dtype) ** 2)[:, None, None]
    total = weight.sum()
    return (losses * weight).sum() / total.where(total > 0, torch.ones_like(total))
