"""The encoder: a small BERT over query and description with four heads, and a reader of the values it finds.

Devlin et al. 2019 for the body; its weights come from a pretrained sentence encoder (see `base`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import torch
from torch import Tensor, nn
from torch.nn import functional

from piibench.systems.encoder.linking import DISTANCES
from piibench.systems.encoder.outputs import CATEGORIES, NOTES, OWNER, STATES, TYPES
from piibench.systems.encoder.values import CODES, KINDS
from piibench.systems.encoder.windows import FEATURES
from piibench.training.attention import look
from piibench.training.bfloat16 import Dense


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


class Layer(nn.Module):
    """Self-attention and a feed-forward network, each with a residual and a norm behind it."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.attend = Dense(shape.width, 3 * shape.width)
        self.merge = Dense(shape.width, shape.width)
        self.norm_attention = nn.LayerNorm(shape.width, eps=1e-12)
        self.grow = Dense(shape.width, shape.inner)
        self.shrink = Dense(shape.inner, shape.width)
        self.norm_output = nn.LayerNorm(shape.width, eps=1e-12)
        self.drop = nn.Dropout(0.0)

    def forward(self, hidden: Tensor, mask: Tensor | None) -> Tensor:
        """Map (b, n, width) to the same shape; mask is (b, 1, 1, n), added to the attention's logits."""
        query, key, value = self.attend(hidden).chunk(3, dim=-1)
        mixed = look(query, key, value, self.heads, mask, short=self.merge.short)
        hidden = self.norm_attention(hidden + self.drop(self.merge(mixed)))
        inner = functional.gelu(self.grow(hidden))
        return self.norm_output(hidden + self.drop(self.shrink(inner)))


class Relevance(nn.Module):
    """Whether the query needs what stands at a piece: the piece looks at the query once more."""

    def __init__(self, width: int, heads: int = 6, inner: int = 192) -> None:
        super().__init__()
        self.heads = heads
        self.ask = Dense(width, width)
        self.answer = Dense(width, 2 * width)
        self.judge = nn.Sequential(Dense(3 * width, inner), nn.GELU(), nn.Linear(inner, 1))

    def forward(self, hidden: Tensor, asked: Tensor, hidden_from: Tensor | None = None) -> Tensor:
        """Score pieces.

        Args:
            hidden: (b, n, width).
            asked: The pieces among which the query is, (b, m, width).
            hidden_from: Added to the attention's logits, (b, 1, 1, m): 0 for the query, else very low; None
                where all of `asked` is the query.

        Returns:
            Logits, (b, n).
        """
        key, value = self.answer(asked).chunk(2, dim=-1)
        seen = look(self.ask(hidden), key, value, self.heads, hidden_from, short=self.ask.short)
        return self.judge(torch.cat((hidden, seen, hidden * seen), dim=-1)).squeeze(-1)


class ValueLayer(nn.Module):
    """Attention among the values of a text, biased by how each two stand to each other.

    A new one hands its input on as it is.
    """

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.attend = nn.Linear(width, 3 * width)
        self.merge = nn.Linear(width, width)
        self.inner = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
        self.norm_attention = nn.LayerNorm(width)
        self.norm_inner = nn.LayerNorm(width)
        self.drop = nn.Dropout(0.0)
        for part in (*self.merge.parameters(), *self.inner[-1].parameters()):
            nn.init.zeros_(part)

    def forward(self, hidden: Tensor, bias: Tensor) -> Tensor:
        """Map (t, v, width) to the same shape; bias is (t, heads, v, v), added to the attention's logits."""
        texts, values, width = hidden.shape
        parts = self.attend(self.norm_attention(hidden)).view(
            texts, values, 3, self.heads, width // self.heads
        )
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        logits = query @ key.transpose(2, 3) * (width // self.heads) ** -0.5 + bias
        mixed = logits.softmax(-1) @ value
        hidden = hidden + self.drop(self.merge(mixed.transpose(1, 2).reshape(texts, values, width)))
        return hidden + self.drop(self.inner(self.norm_inner(hidden)))


class ValueReader(nn.Module):
    """Reads the values of a text together; what it says is added to what the first network noted."""

    def __init__(self, width: int = 128, layers: int = 6, heads: int = 4) -> None:
        super().__init__()
        self.enter = nn.Linear(NOTES + 1, width)
        self.kinds = nn.Embedding(KINDS, width)
        # Of all layers: each pair is looked up once, for that is what a text of many values waits for.
        self.relations = nn.Embedding(CODES, layers * heads)
        nn.init.zeros_(self.relations.weight)
        self.layers = nn.ModuleList(ValueLayer(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.leave = nn.Linear(width, 2 * OWNER + 1)
        nn.init.zeros_(self.leave.weight)
        nn.init.zeros_(self.leave.bias)

    def forward(
        self, notes: Tensor, needed: Tensor, kinds: Tensor, relations: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Read the values of texts.

        Args:
            notes: Means over the pieces of each value, (t, v, NOTES).
            needed: The same of the first network's logits, (t, v).
            kinds: Types, or REFERENCE, (t, v).
            relations: (t, v, v, RELATIONS).
            mask: 1 where there is a value, 0 where the batch is padded, (t, v); None where nothing is.

        Returns:
            Owner vectors (t, v, 2 OWNER) and logits that the query needs the value (t, v).
        """
        hidden = self.enter(torch.cat((notes, needed.unsqueeze(-1)), dim=-1)) + self.kinds(kinds)
        biases = reduce(torch.add, map(self.relations, relations.unbind(3))).permute(0, 3, 1, 2)
        if mask is not None:
            biases = biases + (1.0 - mask.to(hidden.dtype))[:, None, None, :] * -1e4
        for layer, bias in zip(self.layers, biases.chunk(len(self.layers), dim=1), strict=True):
            hidden = layer(hidden, bias)
        told = self.leave(self.norm(hidden))
        return notes[..., : 2 * OWNER] + told[..., :-1], needed + told[..., -1]


class Encoder(nn.Module):
    """Body, heads, and the reader of values, which `forward` leaves to the caller."""

    def __init__(self, shape: Shape | None = None) -> None:
        super().__init__()
        self.shape = shape = shape or Shape()
        self.words = nn.Embedding(shape.vocabulary, shape.width)
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.segments = nn.Embedding(shape.segments, shape.width)
        self.features = nn.Embedding(FEATURES, shape.width)
        nn.init.normal_(self.features.weight, std=0.01)
        self.norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.drop = nn.Dropout(0.0)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.states = nn.Linear(shape.width, TYPES * STATES)
        self.categories = nn.Linear(shape.width, CATEGORIES)
        self.needed = Relevance(shape.width)
        self.notes = nn.Sequential(Dense(shape.width, NOTES), nn.GELU(), nn.Linear(NOTES, NOTES))
        self.reader = ValueReader()
        self.owner_bias = nn.Parameter(torch.zeros(DISTANCES))
        # Names that no text of ours holds keep the place that the base gave them.
        self.words.requires_grad_(requires_grad=False)

    def freeze(self, layers: int) -> None:
        """Leave the embeddings and the lowest layers as they are; 0 leaves all to be trained.

        Raises:
            ValueError: There are not so many layers.
        """
        if not 0 <= layers <= len(self.layers):
            msg = f"there are {len(self.layers)} layers, not {layers}"
            raise ValueError(msg)
        if not layers:
            return
        embeddings = (self.positions, self.segments, self.features, self.norm)
        for part in (*embeddings, *self.layers[:layers]):
            part.requires_grad_(requires_grad=False)

    def drop_out(self, share: float) -> None:
        """Let the embeddings, and what each layer adds to them, lose that share while they are trained.

        Srivastava et al. 2014, in the places where BERT does it. A new encoder loses nothing.
        """
        for part in self.modules():
            if isinstance(part, nn.Dropout):
                part.p = share

    def shorten(self) -> None:
        """Let the large maps compute in bfloat16 while they are trained."""
        for part in self.modules():
            if isinstance(part, Dense):
                part.precise = False

    def forward(
        self, ids: Tensor, segments: Tensor, features: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Run body and heads.

        Args:
            ids: Word pieces, (b, n).
            segments: 0 query, 1 description, (b, n).
            features: Shape and gap, (b, n).
            mask: 1 where a piece stands, 0 where the batch is padded, (b, n); None where nothing is and all
                queries are of one length.

        Returns:
            States (b, n, 21), categories (b, n, 55), needed (b, n), all logits; notes (b, n, NOTES).
        """
        places = torch.arange(ids.shape[1], device=ids.device)
        hidden = self.words(ids) + self.positions(places) + self.segments(segments) + self.features(features)
        hidden = self.drop(self.norm(hidden))
        padded = None if mask is None else (1.0 - mask.to(hidden.dtype))[:, None, None, :] * -1e4
        for layer in self.layers:
            hidden = layer(hidden, padded)
        if padded is None:
            needed = self.needed(hidden, hidden[:, : (segments[0] == 0).sum()])
        else:
            not_asked = segments.to(hidden.dtype)[:, None, None, :] * -1e4
            needed = self.needed(hidden, hidden, not_asked + padded)
        return self.states(hidden), self.categories(hidden), needed, self.notes(hidden)
