"""The encoder: a small BERT over query and description with four heads.

Devlin et al. 2019 for the body; its weights come from a pretrained sentence encoder (see `base`).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from piibench.systems.encoder.linking import DISTANCES
from piibench.systems.encoder.outputs import CATEGORIES, OWNER, STATES, TYPES
from piibench.systems.encoder.windows import FEATURES


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the body; the defaults are those of MiniLM-L6."""

    layers: int = 6
    width: int = 384
    heads: int = 12
    inner: int = 1536
    vocabulary: int = 30522
    positions: int = 512
    segments: int = 2
    dropout: float = 0.1


class Layer(nn.Module):
    """Self-attention and a feed-forward network, each with a residual and a norm behind it."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.attend = nn.Linear(shape.width, 3 * shape.width)
        self.merge = nn.Linear(shape.width, shape.width)
        self.norm_attention = nn.LayerNorm(shape.width, eps=1e-12)
        self.grow = nn.Linear(shape.width, shape.inner)
        self.shrink = nn.Linear(shape.inner, shape.width)
        self.norm_output = nn.LayerNorm(shape.width, eps=1e-12)
        self.drop = nn.Dropout(shape.dropout)

    def forward(self, hidden: Tensor, mask: Tensor | None) -> Tensor:
        """Map (b, n, width) to the same shape; mask is (b, 1, 1, n), added to the attention's logits."""
        batch, length, width = hidden.shape
        parts = self.attend(hidden).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        mixed = mixed.transpose(1, 2).reshape(batch, length, width)
        hidden = self.norm_attention(hidden + self.drop(self.merge(mixed)))
        inner = functional.gelu(self.grow(hidden))
        return self.norm_output(hidden + self.drop(self.shrink(inner)))


class Relevance(nn.Module):
    """Whether the query needs what stands at a piece: the piece looks at the query once more."""

    def __init__(self, width: int, heads: int = 6, inner: int = 192) -> None:
        super().__init__()
        self.heads = heads
        self.ask = nn.Linear(width, width)
        self.answer = nn.Linear(width, 2 * width)
        self.judge = nn.Sequential(nn.Linear(3 * width, inner), nn.GELU(), nn.Linear(inner, 1))

    def forward(self, hidden: Tensor, hidden_from: Tensor) -> Tensor:
        """Score pieces.

        Args:
            hidden: (b, n, width).
            hidden_from: Added to the attention's logits, (b, 1, 1, n): 0 for the query, else very low.

        Returns:
            Logits, (b, n).
        """
        batch, length, width = hidden.shape
        each = width // self.heads
        query = self.ask(hidden).view(batch, length, self.heads, each).transpose(1, 2)
        key, value = self.answer(hidden).view(batch, length, 2, self.heads, each).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=hidden_from)
        seen = mixed.transpose(1, 2).reshape(batch, length, width)
        return self.judge(torch.cat((hidden, seen, hidden * seen), dim=-1)).squeeze(-1)


class Encoder(nn.Module):
    """Body and heads."""

    def __init__(self, shape: Shape | None = None) -> None:
        super().__init__()
        self.shape = shape = shape or Shape()
        self.words = nn.Embedding(shape.vocabulary, shape.width)
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.segments = nn.Embedding(shape.segments, shape.width)
        self.features = nn.Embedding(FEATURES, shape.width)
        nn.init.normal_(self.features.weight, std=0.01)
        self.norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.drop = nn.Dropout(shape.dropout)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.states = nn.Linear(shape.width, TYPES * STATES)
        self.categories = nn.Linear(shape.width, CATEGORIES)
        self.needed = Relevance(shape.width)
        self.owners = nn.Sequential(nn.Linear(shape.width, 192), nn.GELU(), nn.Linear(192, 2 * OWNER))
        self.owner_bias = nn.Parameter(torch.zeros(DISTANCES))
        # Names that no text of ours holds keep the place that the base gave them.
        self.words.requires_grad_(requires_grad=False)

    def forward(
        self, ids: Tensor, segments: Tensor, features: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Run body and heads.

        Args:
            ids: Word pieces, (b, n).
            segments: 0 query, 1 description, (b, n).
            features: Shape and gap, (b, n).
            mask: 1 where a piece stands, 0 where the batch is padded, (b, n); None where nothing is.

        Returns:
            States (b, n, 21), categories (b, n, 55), needed (b, n), owners (b, n, 128); all logits.
        """
        places = torch.arange(ids.shape[1], device=ids.device)
        hidden = self.words(ids) + self.positions(places) + self.segments(segments) + self.features(features)
        hidden = self.drop(self.norm(hidden))
        padded = None if mask is None else (1.0 - mask.to(hidden.dtype))[:, None, None, :] * -1e4
        for layer in self.layers:
            hidden = layer(hidden, padded)
        not_asked = segments.to(hidden.dtype)[:, None, None, :] * -1e4
        return (
            self.states(hidden),
            self.categories(hidden),
            self.needed(hidden, not_asked if padded is None else not_asked + padded),
            self.owners(hidden),
        )
