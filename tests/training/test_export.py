"""What is exported says the same as what was trained."""

from __future__ import annotations

import hashlib
import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")
pytest.importorskip("onnx", reason="onnx is not installed: pip install 'piibench[train]'")

import torch
from onnxruntime import InferenceSession

from handmade_network import let_speak
from piibench.data.schema import Prompt
from piibench.errors import InputError, PiibenchError
from piibench.systems.encoder.linking import DISTANCES
from piibench.systems.encoder.outputs import NOTES, OWNER, run
from piibench.systems.encoder.session import NETWORK, READER, TOKENIZER, Settings, load_model
from piibench.systems.encoder.values import CODES, KINDS, RELATIONS
from piibench.systems.encoder.windows import read_prompts
from piibench.systems.weights import SETTINGS
from piibench.training.export import export_encoder, write_settings

if TYPE_CHECKING:
    from pathlib import Path

PROMPTS = [
    Prompt(description="Lance lives in Elm Row, with Uma.", query="Who is it?"),
    Prompt(description="Uma", query=""),
    Prompt(description="he works " * 300, query="where"),
]
SETTINGS_MADE = Settings(
    keep_threshold=0.4,
    detect_bias=0.1,
    owner_bias=tuple(float(number) for number in range(DISTANCES)),
    owner_threshold=0.2,
    owner_rivalry=0.3,
    owner_reluctance=0.2,
)


@pytest.fixture(scope="module")
def encoder(create_encoder) -> Any:
    return let_speak(create_encoder())


@pytest.fixture(scope="module")
def folder(encoder, tokenizer, tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("model") / "full"
    export_encoder(encoder, tokenizer, made, quantized=False)
    write_settings(made, SETTINGS_MADE)
    return made


def draw(rows: int, pieces: int, asked: int = 3) -> list[np.ndarray]:
    rng = np.random.default_rng(rows)
    ids, features = rng.integers(4, 40, (rows, pieces)), rng.integers(0, 40, (rows, pieces))
    segments = np.zeros_like(ids)
    segments[:, asked:] = 1
    return [ids, segments, features]


def answers(folder: Path, inputs: list[np.ndarray]) -> list[Any]:
    session = InferenceSession(str(folder / NETWORK), providers=["CPUExecutionProvider"])
    return session.run(None, dict(zip(("ids", "segments", "features"), inputs, strict=True)))


def ask(encoder: Any, inputs: list[np.ndarray]) -> list[np.ndarray]:
    with torch.no_grad():
        return [part.numpy() for part in encoder(*map(torch.from_numpy, inputs))]


@pytest.mark.parametrize(
    ("rows", "pieces", "asked"), [(1, 5, 2), (1, 16, 12), (2, 16, 3), (5, 40, 20), (1, 507, 242)]
)
def test_onnx_says_what_torch_says_at_any_size(encoder, folder, rows, pieces, asked):
    inputs = draw(rows, pieces, asked)
    for found, expected in zip(answers(folder, inputs), ask(encoder, inputs), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-4)


def draw_values(texts: int, values: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(values)
    return {
        "notes": rng.standard_normal((texts, values, NOTES), np.float32),
        "needed": rng.standard_normal((texts, values), np.float32),
        "kinds": rng.integers(0, KINDS, (texts, values)),
        "relations": rng.integers(0, CODES, (texts, values, values, RELATIONS)),
    }


def ask_reader(encoder: Any, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
    with torch.no_grad():
        return [part.numpy() for part in encoder.reader(*map(torch.from_numpy, inputs.values()))]


@pytest.mark.parametrize(("texts", "values"), [(1, 1), (1, 2), (1, 5), (3, 7), (1, 160)])
def test_the_reader_says_what_torch_says_of_any_number_of_values(encoder, folder, texts, values):
    inputs = draw_values(texts, values)
    session = InferenceSession(str(folder / READER), providers=["CPUExecutionProvider"])
    for found, expected in zip(session.run(None, inputs), ask_reader(encoder, inputs), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-4)


def test_the_systems_reader_says_what_torch_says(encoder, folder):
    inputs = draw_values(1, 6)
    owners, needed = load_model(folder, 1).reader(*(part[0] for part in inputs.values()))
    vectors, logits = ask_reader(encoder, inputs)
    np.testing.assert_allclose(owners, vectors.reshape(6, 2, OWNER), atol=1e-4)
    np.testing.assert_allclose(needed, logits[0], atol=1e-4)


def test_the_system_reads_what_was_written(encoder, folder, tokenizer):
    model = load_model(folder, 1)
    readings = read_prompts(PROMPTS, tokenizer)
    for reading, (found, _) in zip(readings, run(readings, model.network), strict=True):
        assert found.needed.shape == (reading.pieces,)
    window = readings[0].windows[0]
    inputs = [part[None] for part in (window.ids, window.segments, window.features)]
    (said,) = model.network([window])
    states, _, needed, _ = ask(encoder, inputs)
    np.testing.assert_allclose(said.needed, needed[0], atol=1e-4)
    np.testing.assert_allclose(said.states.reshape(len(window.ids), -1), states[0], atol=1e-4)
    ((found, _),) = run(readings[:1], model.network)
    body = slice(window.first, window.first + window.width)
    np.testing.assert_array_equal(found.needed, said.needed[body].astype(np.float16))
    np.testing.assert_array_equal(found.states, said.states[body].astype(np.float16))
    assert model.tokenizer.encode("Lance").ids == tokenizer.encode("Lance").ids


def test_settings_hold_the_hash_of_every_file(folder):
    written = json.loads((folder / SETTINGS).read_text("utf-8"))
    expected = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in (NETWORK, READER, TOKENIZER)
    }
    assert written["hashes"] == expected
    assert (written["keep_threshold"], written["detect_bias"], written["owner_threshold"]) == (0.4, 0.1, 0.2)
    assert written["owner_bias"] == list(range(DISTANCES))


@pytest.mark.parametrize("name", [NETWORK, READER, TOKENIZER])
def test_a_file_that_was_changed_is_refused(encoder, tokenizer, tmp_path, name):
    export_encoder(encoder, tokenizer, tmp_path, quantized=False)
    write_settings(tmp_path, SETTINGS_MADE)
    with (tmp_path / name).open("ab") as file:
        file.write(b" ")
    with pytest.raises(InputError, match=name):
        load_model(tmp_path, 1)


def test_eight_bits_stay_close_and_leave_no_other_file(encoder, folder, tokenizer, tmp_path):
    export_encoder(encoder, tokenizer, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {NETWORK, READER, TOKENIZER}
    assert (tmp_path / NETWORK).stat().st_size < (folder / NETWORK).stat().st_size
    assert (tmp_path / READER).read_bytes() == (folder / READER).read_bytes()  # it stays as it is
    inputs = draw(2, 16)
    for found, expected in zip(answers(tmp_path, inputs), ask(encoder, inputs), strict=True):
        np.testing.assert_allclose(found, expected, atol=0.1)


def test_eight_bits_cost_less_where_one_unit_rises_and_activations_are_evened(encoder, tokenizer, tmp_path):
    risen = deepcopy(encoder)
    with torch.no_grad():
        risen.layers[0].grow.bias[5] = 80.0
        risen.layers[0].shrink.weight[:, 5] /= 64
    inputs = draw(2, 16)
    errors = []
    for name, prompts in (("as it comes", ()), ("evened", PROMPTS)):
        export_encoder(risen, tokenizer, tmp_path / name, prompts=prompts)
        told = zip(answers(tmp_path / name, inputs), ask(risen, inputs), strict=True)
        errors.append([np.square(found - expected).mean() for found, expected in told])
    assert all(evened < raw / 4 for raw, evened in zip(*errors, strict=True))


def test_a_folder_that_cannot_be_written_is_one_clear_line(encoder, tokenizer, tmp_path):
    (tmp_path / READER).mkdir()
    with pytest.raises(PiibenchError, match=f"^{tmp_path.name}: cannot be written: "):
        export_encoder(encoder, tokenizer, tmp_path, quantized=False)
