"""From a trained encoder to the files that `systems.encoder` loads: int8 ONNX, tokenizer, settings."""

from __future__ import annotations

import hashlib
import json
import warnings
from dataclasses import asdict
from typing import TYPE_CHECKING

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic  # pyright: ignore[reportUnknownVariableType]

from piibench.systems.encoder.session import NETWORK, SETTINGS, TOKENIZER, Settings

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizers import Tokenizer

    from piibench.training.network import Encoder

_INPUTS = ("ids", "segments", "features")
_OUTPUTS = ("states", "categories", "needed", "owners")
_OPSET = 17


def export_encoder(encoder: Encoder, tokenizer: Tokenizer, folder: Path, *, quantized: bool = True) -> None:
    """Write the network as ONNX, its weights in 8 bits, and the tokenizer.

    Weights of the matrices are quantized ahead, activations as they come (per tensor); the word embeddings
    are 8 bits, too.
    """
    folder.mkdir(parents=True, exist_ok=True)
    full = folder / f"{NETWORK}.full"
    _trace(encoder, full)
    if quantized:
        quantize_dynamic(full, folder / NETWORK, weight_type=QuantType.QInt8, per_channel=True)
        full.unlink()
    else:
        full.replace(folder / NETWORK)
    tokenizer.save(str(folder / TOKENIZER), pretty=False)


def _trace(encoder: Encoder, path: Path) -> None:
    sample = torch.ones((1, 16), dtype=torch.int64)
    axes = {name: {0: "windows", 1: "pieces"} for name in (*_INPUTS, *_OUTPUTS)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracer announces its own retirement
        torch.onnx.export(
            encoder.eval(),
            (sample, sample, sample),
            str(path),
            input_names=list(_INPUTS),
            output_names=list(_OUTPUTS),
            dynamic_axes=axes,
            opset_version=_OPSET,
            dynamo=False,
        )
    onnx.checker.check_model(str(path))


def write_settings(folder: Path, settings: Settings) -> None:
    """Write the settings with the hashes of the files beside them."""
    hashes = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in (NETWORK, TOKENIZER)}
    text = json.dumps(asdict(settings) | {"hashes": hashes}, indent=2)
    (folder / SETTINGS).write_text(f"{text}\n", encoding="utf-8")
