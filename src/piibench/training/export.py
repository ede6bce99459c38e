"""From a trained encoder to the files that `systems.encoder` loads: ONNX, tokenizer, settings."""

from __future__ import annotations

import warnings
from dataclasses import asdict
from typing import TYPE_CHECKING

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic  # pyright: ignore[reportUnknownVariableType]

from piibench.data.output import explain_write_errors
from piibench.systems.encoder.outputs import NOTES
from piibench.systems.encoder.session import NETWORK, READER, TOKENIZER
from piibench.systems.encoder.values import RELATIONS
from piibench.systems.encoder.windows import read_prompts
from piibench.systems.weights import write_checked
from piibench.training.smoothing import smooth

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tokenizers import Tokenizer
    from torch import Tensor, nn

    from piibench.data.schema import Prompt
    from piibench.systems.encoder.session import Settings
    from piibench.training.network import Encoder

_INPUTS = ("ids", "segments", "features")
_OUTPUTS = ("states", "categories", "needed", "notes")
_OPSET = 17
_SMALL = ["/positions/Gather", "/segments/Gather", "/features/Gather"]
"""Tables that are left as they are: in 8 bits they save half a megabyte and cost a tenth of the error."""


def export_encoder(
    encoder: Encoder,
    tokenizer: Tokenizer,
    folder: Path,
    *,
    quantized: bool = True,
    prompts: Sequence[Prompt] = (),
) -> None:
    """Write the two networks as ONNX and the tokenizer.

    Of the first network the weights of the matrices are quantized to 8 bits ahead, activations as they come
    (per tensor); the word embeddings are 8 bits, too. The reader of values is small and stays as it is.

    Args:
        encoder: What was trained.
        tokenizer: The encoder's.
        folder: Takes the files.
        quantized: Whether to round at all.
        prompts: Ordinary ones, by which activations are evened first (see `smoothing`); without any they are
            rounded as they come.

    Raises:
        PiibenchError: The folder cannot be written.
    """
    if prompts:
        readings = read_prompts(prompts, tokenizer)
        encoder = smooth(encoder, (window for reading in readings for window in reading.windows))
    with explain_write_errors(folder.name):
        folder.mkdir(parents=True, exist_ok=True)
        _export(encoder.eval(), tokenizer, folder, quantized=quantized)


def _export(encoder: Encoder, tokenizer: Tokenizer, folder: Path, *, quantized: bool) -> None:
    full = folder / f"{NETWORK}.full"
    pieces = torch.ones((1, 16), dtype=torch.int64)
    _trace(encoder, full, dict.fromkeys(_INPUTS, pieces), _OUTPUTS, domains={"com.microsoft": 1})
    if quantized:
        quantize_dynamic(
            full,
            folder / NETWORK,
            weight_type=QuantType.QInt8,
            per_channel=True,
            nodes_to_exclude=_SMALL,
        )
        full.unlink()
    else:
        full.replace(folder / NETWORK)
    values = {
        "notes": torch.zeros(1, 5, NOTES),
        "needed": torch.zeros(1, 5),
        "kinds": torch.zeros(1, 5, dtype=torch.int64),
        "relations": torch.zeros(1, 5, 5, RELATIONS, dtype=torch.int64),
    }
    _trace(encoder.reader, folder / READER, values, ("owners", "weighed"))
    (folder / TOKENIZER).write_text(tokenizer.to_str(), encoding="utf-8")


def _trace(
    network: nn.Module,
    path: Path,
    inputs: Mapping[str, Tensor],
    outputs: Sequence[str],
    *,
    domains: Mapping[str, int] | None = None,
) -> None:
    """Write a network; `domains` are those of operators that ONNX itself has not, with their versions."""
    axes: dict[str, dict[int, str]] = {name: {0: "texts", 1: "places"} for name in (*inputs, *outputs)}
    if "relations" in axes:
        axes["relations"][2] = "places"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracer announces its own retirement
        torch.onnx.export(
            network,
            tuple(inputs.values()),
            str(path),
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes=axes,
            opset_version=_OPSET,
            custom_opsets=domains,
            dynamo=False,
        )
    onnx.checker.check_model(str(path))


def write_settings(folder: Path, settings: Settings, source: Path | None = None) -> None:
    """Write the settings with the hashes of the networks and the tokenizer beside them.

    Args:
        folder: Takes the settings, last of all.
        settings: What was chosen.
        source: Where networks and tokenizer are, to be written there, too; None where they are in the folder.

    Raises:
        PiibenchError: The folder cannot be written.
    """
    files = {name: ((source or folder) / name).read_bytes() for name in (NETWORK, READER, TOKENIZER)}
    write_checked(folder, files, asdict(settings))
