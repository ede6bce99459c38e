"""Activations that are evened before they are rounded."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

import torch

from handmade_network import let_speak
from piibench.data.schema import Prompt
from piibench.systems.encoder.windows import read_prompts
from piibench.training.smoothing import Eased, choose_ease, smooth

PROMPTS = [Prompt(description="Lance lives in Elm Row, with Uma.", query="Who is it?")]


@pytest.fixture
def windows(tokenizer):
    return [window for reading in read_prompts(PROMPTS, tokenizer) for window in reading.windows]


@pytest.fixture
def encoder(create_encoder):
    """One unit of the feed-forward network rises at every piece to about 80; the others stay below 1 or so."""
    encoder = let_speak(create_encoder())
    with torch.no_grad():
        encoder.layers[0].grow.bias[5] = 80.0
    return encoder


def ask(encoder, window) -> list[torch.Tensor]:
    rows = (torch.from_numpy(row)[None] for row in (window.ids, window.segments, window.features))
    with torch.no_grad():
        return list(encoder(*rows))


@pytest.mark.parametrize(
    ("peaks", "ease"),
    [
        # The median is 2, the usual 4: 8 is twice, 20 five times (at least 4, less than 8), 4.1 hardly more.
        ([1.0, 2.0, 8.0, 1.5, 20.0, 4.1, 0.0], [1, 1, 1 / 2, 1, 1 / 4, 1, 1]),
        ([1.0, 1.0, 1e9], [1, 1, 1 / 64]),
        ([0.0, 0.0, 5.0], [1, 1, 1]),
    ],
)
def test_what_rises_is_brought_near_the_others_by_powers_of_two(peaks, ease):
    assert choose_ease(torch.tensor(peaks)).tolist() == ease


def test_an_evened_encoder_says_the_same_and_the_given_one_stays(encoder, windows):
    before = {name: weights.clone() for name, weights in encoder.state_dict().items()}
    evened = smooth(encoder.train(), windows)
    assert isinstance(evened.layers[0].shrink, Eased)
    (unit,) = (evened.layers[0].shrink.ease < 1).nonzero()
    assert unit.item() == 5
    assert all(torch.equal(weights, before[name]) for name, weights in encoder.state_dict().items())
    assert encoder.training
    for found, expected in zip(ask(evened, windows[0]), ask(encoder.eval(), windows[0]), strict=True):
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)


def test_where_nothing_rises_nothing_is_changed(create_encoder, windows):
    encoder = let_speak(create_encoder())
    with torch.no_grad():
        for layer in encoder.layers:
            layer.shrink.weight.zero_()
            layer.grow.weight.zero_()
            layer.grow.bias.fill_(1.0)
    assert not isinstance(smooth(encoder, windows).layers[0].shrink, Eased)
