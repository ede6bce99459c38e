"""A tiny encoder with random weights, as the shipped one is made: it finds nonsense, but by the whole way."""

from __future__ import annotations

import shutil
import string
from typing import TYPE_CHECKING

import pytest
import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from handmade_network import let_speak
from piibench.systems.encoder.linking import DISTANCES
from piibench.systems.encoder.session import Model, Settings, load_model
from piibench.training.export import export_encoder, write_settings
from piibench.training.network import Encoder, Shape

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ("ann", "bob", "smith", "leeds", "lives", "in", "a1")
SETTINGS = Settings(
    keep_threshold=0.5,
    detect_bias=0.0,
    owner_bias=tuple(0.1 * number for number in range(DISTANCES)),
    owner_threshold=0.25,
    owner_rivalry=1.0,
    owner_reluctance=0.0,
)


def make_tokenizer() -> Tokenizer:
    """Uncased word pieces: a few words, each letter, digit and mark alone, and letters and digits that go on."""
    single = string.ascii_lowercase + string.digits
    pieces = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        *WORDS,
        *single,
        *(f"##{char}" for char in single),
        *".,:@?!-+$",
    ]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True, strip_accents=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def write_encoder(folder: Path, *, quantized: bool) -> None:
    torch.set_num_threads(1)
    with torch.random.fork_rng():
        torch.manual_seed(7)
        tokenizer = make_tokenizer()
        shape = Shape(layers=1, width=24, heads=2, inner=32, vocabulary=tokenizer.get_vocab_size())
        export_encoder(let_speak(Encoder(shape)), tokenizer, folder, quantized=quantized)
    write_settings(folder, SETTINGS)


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return make_tokenizer()


@pytest.fixture(scope="session")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny encoder with weights in 32 bits; tests leave it as it is."""
    folder = tmp_path_factory.mktemp("weights")
    write_encoder(folder, quantized=False)
    return folder


@pytest.fixture(scope="session")
def quantized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same in 8 bits, as the shipped one is."""
    folder = tmp_path_factory.mktemp("quantized")
    write_encoder(folder, quantized=True)
    return folder


@pytest.fixture(scope="session")
def model(weights: Path) -> Model:
    return load_model(weights, 1)


@pytest.fixture
def copy(weights: Path, tmp_path: Path) -> Path:
    """A copy of the weights that a test may spoil."""
    return shutil.copytree(weights, tmp_path / "copy")
