"""The BiLSTM-CRF of Huang et al. 2015: one bidirectional LSTM scores tags, a CRF scores rows of them."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from piibench.systems.bilstm_crf.viterbi import TAGS
from piibench.systems.bilstm_crf.words import BUCKETS, SPELLINGS


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes: of the embeddings, and of the LSTM in one direction."""

    word: int = 64
    affix: int = 24
    spelling: int = 16
    hidden: int = 128
    dropout: float = 0.3


class Emitter(nn.Module):
    """Scores every tag for every word.

    Args:
        vocabulary: How many numbers a word may have, the unknown one included.
        shape: Sizes.
        tags: How many tags there are.
    """

    def __init__(self, vocabulary: int, shape: Shape, tags: int = TAGS) -> None:
        super().__init__()
        sizes = ((vocabulary, shape.word), (BUCKETS, shape.affix), (BUCKETS, shape.affix))
        self.tables = nn.ModuleList(
            _create_table(count, width) for count, width in (*sizes, (SPELLINGS, shape.spelling))
        )
        width = shape.word + 2 * shape.affix + shape.spelling
        self.drop = nn.Dropout(shape.dropout)
        self.lstm = nn.LSTM(width, shape.hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * shape.hidden, tags)

    def forward(self, features: Tensor, lengths: Tensor) -> Tensor:
        """Return emissions (b, n, tags).

        Args:
            features: Numbers of the words, (b, n, 4).
            lengths: How many words of each row count, (b,); on the CPU, the longest is n.
        """
        parts = [table(features[..., column]) for column, table in enumerate(self.tables)]
        words = self.drop(torch.cat(parts, -1))
        packed = pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False)
        hidden, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.out(self.drop(hidden))


def _create_table(count: int, width: int) -> nn.Embedding:
    table = nn.Embedding(count, width)
    nn.init.normal_(table.weight, std=0.3)
    return table


class CRF(nn.Module):
    """A linear chain over tags; a row's score is the sum of its emissions and transitions.

    Args:
        tags: How many tags there are.
    """

    def __init__(self, tags: int = TAGS) -> None:
        super().__init__()
        self.moves = nn.Parameter(torch.empty(tags, tags).uniform_(-0.1, 0.1))
        self.start = nn.Parameter(torch.empty(tags).uniform_(-0.1, 0.1))
        self.stop = nn.Parameter(torch.empty(tags).uniform_(-0.1, 0.1))

    def score(self, emissions: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        """Score of given rows of tags, (b,).

        Args:
            emissions: (b, n, tags).
            tags: (b, n).
            mask: True where a word stands, (b, n); every row begins with one.
        """
        own = emissions.gather(-1, tags[..., None]).squeeze(-1)
        moves = self.moves[tags[:, :-1], tags[:, 1:]]
        last = tags.gather(1, mask.sum(1, keepdim=True) - 1).squeeze(1)
        inner = (own * mask).sum(1) + (moves * mask[:, 1:]).sum(1)
        return inner + self.start[tags[:, 0]] + self.stop[last]

    def log_partition(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """Logarithm of the summed exponentials of all rows' scores, (b,); arguments as in `score`.

        Each step is one product of matrices: log(exp(s - max s) exp(T)) + max s. The largest term of every
        sum is exp(T) of some move, so nothing underflows while transitions stay above -80.
        """
        table = self.moves.exp()
        scores = self.start + emissions[:, 0]
        steps = zip(emissions.unbind(1)[1:], mask.unbind(1)[1:], strict=True)
        for emission, there in steps:
            top = scores.detach().amax(-1, keepdim=True)
            following = ((scores - top).exp() @ table).log() + top + emission
            scores = torch.where(there[:, None], following, scores)
        return torch.logsumexp(scores + self.stop, -1)

    def loss(self, emissions: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        """Mean negative log-likelihood of rows of tags, a scalar; arguments as in `score`."""
        return (self.log_partition(emissions, mask) - self.score(emissions, tags, mask)).mean()


class Network(nn.Module):
    """Both together."""

    def __init__(self, vocabulary: int, shape: Shape) -> None:
        super().__init__()
        self.emitter = Emitter(vocabulary, shape)
        self.crf = CRF()
