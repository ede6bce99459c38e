"""The network's arithmetic against torch's own, and what each head may look at."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

import torch

from handmade_network import fill_zeros, let_speak
from piibench.systems.encoder.outputs import CATEGORIES, NOTES, OWNER, STATES, TYPES
from piibench.systems.encoder.values import CODES, KINDS, RELATIONS
from piibench.training.network import Encoder, Layer, Relevance, Shape, ValueLayer, ValueReader


def draw(rows: int, pieces: int) -> tuple[torch.Tensor, ...]:
    torch.manual_seed(1)
    ids = torch.randint(4, 40, (rows, pieces))
    segments = (torch.arange(pieces) >= 4).long().expand(rows, pieces)
    return ids, segments, torch.randint(0, 40, (rows, pieces)), torch.ones(rows, pieces, dtype=torch.long)


def test_every_head_answers_for_every_piece(create_encoder):
    states, categories, needed, notes = create_encoder()(*draw(2, 9))
    assert states.shape == (2, 9, TYPES * STATES)
    assert categories.shape == (2, 9, CATEGORIES)
    assert needed.shape == (2, 9)
    assert notes.shape == (2, 9, NOTES)


def test_what_is_padded_changes_nothing(create_encoder):
    encoder = create_encoder().eval()
    inputs = draw(1, 9)
    padded = [torch.nn.functional.pad(part, (0, 5)) for part in inputs]
    with torch.no_grad():
        for alone, beside in zip(encoder(*inputs), encoder(*padded), strict=True):
            torch.testing.assert_close(alone, beside[:, :9], atol=1e-5, rtol=0)


def test_one_window_without_a_mask_says_the_same(create_encoder):
    """Alone, its query need not be masked: it is cut out."""
    encoder = create_encoder().eval()
    *inputs, mask = draw(1, 9)
    with torch.no_grad():
        for masked, alone in zip(encoder(*inputs, mask), encoder(*inputs), strict=True):
            torch.testing.assert_close(alone, masked, atol=1e-5, rtol=0)


def test_in_bfloat16_every_head_says_nearly_the_same_while_it_is_trained(create_encoder):
    plain, short = create_encoder().train(), create_encoder().train()
    short.shorten()
    inputs = draw(2, 9)
    with torch.no_grad():
        for exact, close in zip(plain(*inputs), short(*inputs), strict=True):
            assert close.dtype == torch.float32
            assert not torch.equal(exact, close)
            torch.testing.assert_close(close, exact, atol=0.02 * exact.abs().max().item(), rtol=0.02)


def test_in_bfloat16_nothing_changes_once_it_is_used(create_encoder):
    plain, short = create_encoder().eval(), create_encoder().eval()
    short.shorten()
    inputs = draw(2, 9)
    with torch.no_grad():
        assert all(torch.equal(*parts) for parts in zip(plain(*inputs), short(*inputs), strict=True))


def test_gradients_through_bfloat16_are_float32_and_point_the_same_way(create_encoder):
    gradients = []
    for short in (False, True):
        encoder = create_encoder().train()
        if short:
            encoder.shorten()
        sum(part.square().mean() for part in encoder(*draw(2, 9))).backward()
        gradients.append(encoder.layers[0].grow.weight.grad.flatten())
    assert gradients[1].dtype == torch.float32
    assert torch.cosine_similarity(*gradients, dim=0) > 0.99


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
        before, after, asked = (
            head(part, part, hidden_from)[0] for part in (hidden, other_text, other_query)
        )
        alone = head(hidden, hidden[:, :2])[0]
    assert torch.equal(before[[2, 4, 5]], after[[2, 4, 5]])
    assert not torch.isclose(before[3], after[3])
    assert not torch.isclose(before[4], asked[4])
    torch.testing.assert_close(before, alone, atol=1e-6, rtol=0)


def draw_values(texts: int, values: int) -> tuple[torch.Tensor, ...]:
    torch.manual_seed(1)
    return (
        torch.randn(texts, values, NOTES),
        torch.randn(texts, values),
        torch.randint(0, KINDS, (texts, values)),
        torch.randint(0, CODES, (texts, values, values, RELATIONS)),
    )


@pytest.fixture
def reader(create_encoder) -> ValueReader:
    """It adds something of its own to what the notes say."""
    return let_speak(create_encoder()).reader


def test_a_reader_that_has_learned_nothing_says_what_the_notes_say():
    notes, needed, kinds, relations = draw_values(2, 5)
    owners, weighed = ValueReader()(notes, needed, kinds, relations)
    assert torch.equal(owners, notes[..., : 2 * OWNER])
    assert torch.equal(weighed, needed)


def test_a_text_with_fewer_values_says_what_it_says_alone(reader):
    """Three places are empty; whatever stands in them changes nothing."""
    inputs = draw_values(2, 8)
    mask = torch.ones(2, 8)
    mask[0, 5:] = 0
    alone = [part[:1, :5] for part in inputs]
    alone[3] = alone[3][:, :, :5]
    with torch.no_grad():
        for padded, own in zip(reader(*inputs, mask), reader(*alone), strict=True):
            torch.testing.assert_close(padded[:1, :5], own, atol=1e-5, rtol=0)
        for padded, own in zip(reader(*inputs, mask), reader(*inputs), strict=True):
            torch.testing.assert_close(padded[1], own[1], atol=1e-5, rtol=0)
            assert not torch.isclose(padded[0, :5], own[0, :5]).all()


def test_a_value_is_seen_by_all_unless_it_is_masked(reader):
    notes, *others = draw_values(1, 4)
    changed = notes.clone()
    changed[0, 2] += 1
    hidden = torch.tensor([[1, 1, 0, 1]])
    with torch.no_grad():
        before, after = (reader(part, *others)[1][0] for part in (notes, changed))
        apart, still = (reader(part, *others, hidden)[1][0] for part in (notes, changed))
    assert not torch.isclose(before, after).any()
    assert torch.equal(apart[[0, 1, 3]], still[[0, 1, 3]])


def test_a_new_layer_of_values_hands_on_what_it_is_given():
    hidden = torch.randn(2, 5, 24)
    assert torch.equal(ValueLayer(24, 4)(hidden, torch.randn(2, 4, 5, 5)), hidden)


@pytest.mark.parametrize("relation", range(RELATIONS))
def test_a_relation_is_of_the_value_that_looks(relation):
    """In one layer, how 3 stands seen from 1 changes what is said of 1 and of no other."""
    torch.manual_seed(0)
    reader = fill_zeros(ValueReader(24, 1, 4))
    values = draw_values(1, 5)
    other = values[3].clone()
    other[0, 1, 3, relation] = (other[0, 1, 3, relation] + 1) % CODES
    with torch.no_grad():
        before, after = (reader(*values[:3], part)[0][0] for part in (values[3], other))
    assert [torch.equal(*rows) for rows in zip(before, after, strict=True)] == [True, False, True, True, True]


def test_each_layer_has_its_own_bias_the_sum_of_four_codes(monkeypatch):
    """Of 2 layers of 4 heads the table has 8 columns; a pair's bias is the sum of the rows of its codes."""
    torch.manual_seed(0)
    reader = fill_zeros(ValueReader(24, 2, 4))
    seen: list[torch.Tensor] = []
    monkeypatch.setattr(ValueLayer, "forward", lambda _, hidden, bias: (seen.append(bias), hidden)[1])
    values = draw_values(2, 5)
    reader(*values, torch.tensor([[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]))
    for number, bias in enumerate(seen):
        columns = reader.relations.weight[:, 4 * number : 4 * number + 4]
        for text, row, column in torch.cartesian_prod(torch.arange(2), torch.arange(5), torch.arange(5)):
            hidden = -1e4 if (text, column) == (0, 4) else 0.0
            expected = columns[values[3][text, row, column]].sum(0) + hidden
            torch.testing.assert_close(bias[text, :, row, column], expected)


def test_a_layer_of_values_is_a_layer_with_its_norms_first_and_a_bias():
    torch.manual_seed(0)
    own = ValueLayer(24, 4).eval()
    for last in (own.merge, own.inner[-1]):
        torch.nn.init.normal_(last.weight)
    other = torch.nn.TransformerEncoderLayer(24, 4, 48, 0.1, "gelu", batch_first=True, norm_first=True)
    pairs = {
        "self_attn.in_proj_": "attend.",
        "self_attn.out_proj.": "merge.",
        "linear1.": "inner.0.",
        "linear2.": "inner.2.",
        "norm1.": "norm_attention.",
        "norm2.": "norm_inner.",
    }
    weights = own.state_dict()
    other.eval().load_state_dict(
        {
            f"{theirs}{kind}": weights[f"{ours}{kind}"]
            for theirs, ours in pairs.items()
            for kind in ("weight", "bias")
        }
    )
    hidden, bias = torch.randn(2, 5, 24), torch.randn(2, 4, 5, 5)
    # With gradients, for without them torch takes a kernel that knows no bias.
    torch.testing.assert_close(own(hidden, bias), other(hidden, bias.flatten(0, 1)), atol=1e-5, rtol=0)


def test_a_share_drops_out_while_it_is_trained_and_never_once_it_is_used(create_encoder):
    encoder, inputs, values = let_speak(create_encoder()), draw(2, 9), draw_values(2, 4)

    def tell() -> list[torch.Tensor]:
        return [*encoder(*inputs), *encoder.reader(*values)]

    kept = tell()
    encoder.train()
    assert all(torch.equal(left, right) for left, right in zip(tell(), tell(), strict=True))
    encoder.drop_out(0.5)
    assert not any(torch.equal(left, right) for left, right in zip(tell(), tell(), strict=True))
    encoder.eval()
    assert all(torch.equal(left, right) for left, right in zip(kept, tell(), strict=True))


def test_embeddings_of_words_are_not_trained(create_encoder):
    frozen = {name for name, part in create_encoder().named_parameters() if not part.requires_grad}
    assert frozen == {"words.weight"}


def test_the_lowest_layers_are_frozen_with_the_embeddings_and_no_others():
    encoder = Encoder(Shape(layers=3, width=24, heads=4, inner=32, vocabulary=50))
    encoder.freeze(2)
    frozen = {name for name, weights in encoder.named_parameters() if not weights.requires_grad}
    assert {name.split(".")[0] for name in frozen} == {
        *("words", "positions", "segments", "features", "norm", "layers")
    }
    assert {name.split(".")[1] for name in frozen if name.startswith("layers.")} == {"0", "1"}


@pytest.mark.parametrize("layers", [-1, 4])
def test_layers_that_are_not_there_cannot_be_frozen(layers):
    with pytest.raises(ValueError, match="there are 3 layers"):
        Encoder(Shape(layers=3, width=24, heads=4, inner=32, vocabulary=50)).freeze(layers)


def test_the_whole_network_is_as_small_as_promised():
    with torch.device("meta"):
        size = sum(part.numel() for part in Encoder().parameters())
    assert 22e6 < size < 35e6
