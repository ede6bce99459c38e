"""A network that is small enough for tests and a tokenizer that needs no file."""

from __future__ import annotations

import string
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

if TYPE_CHECKING:
    from collections.abc import Callable

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
_WORDS = (
    "who",
    "is",
    "lance",
    "lives",
    "in",
    "elm",
    "row",
    "works",
    "for",
    "with",
    "and",
    "at",
    "the",
    "he",
    "##more",
)
_NO_TORCH = "torch is not installed: pip install 'piibench[train]'"


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    """An uncased word-piece tokenizer: a few whole words, all else letter by letter."""
    signs = string.ascii_lowercase + string.digits
    pieces = (*_SPECIAL, *_WORDS, *signs, *(f"##{sign}" for sign in signs), *string.punctuation)
    made = Tokenizer(
        models.WordPiece({piece: number for number, piece in enumerate(pieces)}, unk_token="[UNK]")
    )
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return made


@pytest.fixture(scope="session")
def create_encoder(tokenizer: Tokenizer) -> Callable[..., Any]:
    """Makes an encoder of one layer, 24 wide; the same seed gives the same weights."""
    torch = pytest.importorskip("torch", reason=_NO_TORCH)
    torch.set_num_threads(1)
    network = import_module("piibench.training.network")
    shape = network.Shape(layers=1, width=24, heads=4, inner=32, vocabulary=tokenizer.get_vocab_size())

    def create(seed: int = 0) -> Any:
        torch.manual_seed(seed)
        return network.Encoder(shape)

    return create
