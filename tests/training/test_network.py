"""The network's arithmetic against torch's own, and what each head may look at."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

import torch

from piibench.systems.encoder.outputs import CATEGORIES, OWNER, STATES, TYPES
from piibench.training.network import Encoder, Layer, Relevance, Shape


def draw(rows: int, pieces: int) -> tuple[torch.Tensor, ...]:
    torch.manual_seed(1)
    ids = torch.randint(4, 40, (rows, pieces))
    segments = (torch.arange(pieces) >= 4).long().expand(rows, pieces)
    return ids, segments, torch.randint(0, 40, (rows, pieces)), torch.ones(rows, pieces, dtype=torch.long)


def test_every_head_answers_for_every_piece(create_encoder):
    states, categories, needed, owners = create_encoder()(*draw(2, 9))
    assert states.shape == (2, 9, TYPES * STATES)
    assert categories.shape == (2, 9, CATEGORIES)
    assert needed.shape == (2, 9)
    assert owners.shape == (2, 9, 2 * OWNER)


def test_what_is_padded_changes_nothing(create_encoder):
    encoder = create_encoder().eval()
    inputs = draw(1, 9)
    padded = [torch.nn.functional.pad(part, (0, 5)) for part in inputs]
    with torch.no_grad():
        for alone, beside in zip(encoder(*inputs), encoder(*padded), strict=True):
            torch.testing.assert_close(alone, beside[:, :9], atol=1e-5, rtol=0)


def test_a_layer_is_that_of_the_original_transformer():
    shape = Shape(layers=1, width=24, heads=4, inner=32)
    torch.manual_seed(0)
    own = Layer(shape).eval()
    other = torch.nn.TransformerEncoderLayer(24, 4, 32, 0.1, "gelu", 1e-12, batch_first=True).eval()
    pairs = {
        "self_attn.in_proj_": "attend.",
        "self_attn.out_proj.": "merge.",
        "linear1.": "grow.",
        "linear2.": "shrink.",
        "norm1.": "norm_attention.",
        "norm2.": "norm_output.",
    }
    weights = own.state_dict()
    other.load_state_dict(
        {
            f"{theirs}{kind}": weights[f"{ours}{kind}"]
            for theirs, ours in pairs.items()
            for kind in ("weight", "bias")
        }
    )
    hidden, hidden_from = torch.randn(2, 7, 24), torch.zeros(2, 1, 1, 7)
    with torch.no_grad():
        torch.testing.assert_close(own(hidden, hidden_from), other(hidden), atol=1e-5, rtol=0)


def test_need_is_judged_from_the_piece_and_the_query_alone():
    torch.manual_seed(0)
    head = Relevance(24).eval()
    hidden = torch.randn(1, 6, 24)
    hidden_from = torch.tensor([0.0, 0.0, -1e4, -1e4, -1e4, -1e4])[None, None, None]  # two pieces of a query
    other_text, other_query = hidden.clone(), hidden.clone()
    other_text[0, 3] += 1
    other_query[0, 1] += 1
    with torch.no_grad():
        before, after, asked = (head(part, hidden_from)[0] for part in (hidden, other_text, other_query))
    assert torch.equal(before[[2, 4, 5]], after[[2, 4, 5]])
    assert not torch.isclose(before[3], after[3])
    assert not torch.isclose(before[4], asked[4])


def test_embeddings_of_words_are_not_trained(create_encoder):
    frozen = {name for name, part in create_encoder().named_parameters() if not part.requires_grad}
    assert frozen == {"words.weight"}


def test_the_whole_network_is_as_small_as_promised():
    with torch.device("meta"):
        size = sum(part.numel() for part in Encoder().parameters())
    assert 22e6 < size < 35e6
