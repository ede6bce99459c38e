"""What is exported says what was trained."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")
pytest.importorskip("onnx", reason="onnx is not installed: pip install 'piibench[train]'")

import numpy as np
import torch

from piibench.systems.bilstm_crf.tagger import Session, load_tagger
from piibench.systems.bilstm_crf.words import Vocabulary
from piibench.training.bilstm_crf.export import build, export_model
from piibench.training.bilstm_crf.judging import create_tagger
from piibench.training.bilstm_crf.network import Network, Shape

SMALL = Shape(6, 4, 3, 5)


@pytest.fixture
def network():
    torch.manual_seed(5)
    return Network(4, SMALL).half().float().eval()  # as exact as what is stored


def test_onnx_runtime_gives_what_torch_gives(network) -> None:
    features = np.random.default_rng(5).integers(0, 4, (3, 11, 4))
    lengths = np.array([11, 4, 1], np.int32)
    session = Session(build(network.emitter).SerializeToString(), threads=1)
    scores = session(features, lengths)
    expected = network.emitter(torch.from_numpy(features), torch.from_numpy(lengths).long()).detach().numpy()
    for row, length in enumerate(lengths):
        np.testing.assert_allclose(scores[row, :length], expected[row, :length], atol=1e-5)


def test_the_folder_holds_the_model(network, tmp_path) -> None:
    vocabulary = Vocabulary(["ann", "is", "00"])
    export_model(network, vocabulary, tmp_path, {"seed": 5})
    loaded, trained = load_tagger(tmp_path, 1), create_tagger(network, vocabulary)
    assert loaded.vocabulary.words == vocabulary.words
    for one, other in zip(loaded.transitions, trained.transitions, strict=True):
        np.testing.assert_array_equal(one, other)
    text = "Ann is 34 and Bo is 56. " * 40
    assert loaded.find(text) == trained.find(text)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "bilstm.onnx", "settings.json", "transitions.npy", "vocabulary.txt",
    ]  # fmt: skip


def test_the_same_network_gives_the_same_bytes(network, tmp_path) -> None:
    for name in ("one", "two"):
        export_model(network, Vocabulary(["ann", "is", "00"]), tmp_path / name, {})
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "two")
    )
    assert one == two
