"""The inverse of `export`: an encoder's weights out of the files that were made of it.

What was written in 8 bits comes back in 8 bits' precision, half a step off at most; the word embeddings,
which no training changes, are the base's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import onnx
import torch
from onnx import numpy_helper

from piibench.systems.encoder.session import MAKER, NETWORK, READER, TOKENIZER
from piibench.systems.weights import read_checked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor


_MATRIX = ("MatMulInteger", "MatMul")
_QUANTIZED = "_quantized"
_WORDS = f"words.weight{_QUANTIZED}"


def recover(folder: Path) -> dict[str, Tensor]:
    """Read the weights of an exported encoder, but for the word embeddings, by their names in torch.

    Args:
        folder: What `export.export_encoder` and `write_settings` wrote, such as `session.SHIPPED`.

    Raises:
        InputError: A file is absent or is not the one that was made.
    """
    checked = read_checked(folder, (NETWORK, READER, TOKENIZER), maker=MAKER)
    network, reader = (onnx.load_from_string(checked.files[name]) for name in (NETWORK, READER))
    return {
        **dict(_read_weights(network)),
        **{f"reader.{name}": weights for name, weights in _read_weights(reader)},
        "owner_bias": torch.tensor(checked.settings.get("owner_bias", ())),
    }


def _read_weights(model: Any) -> Iterator[tuple[str, Tensor]]:
    """The weights by their names in torch, matrices as torch has them: rows are what comes out."""
    arrays = {part.name: numpy_helper.to_array(part) for part in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Identity" and node.input[0] in arrays:  # equal weights are stored once
            arrays[node.output[0]] = arrays[node.input[0]]
    for name, array in arrays.items():
        if name.endswith((".weight", ".bias")):
            yield name, torch.tensor(array)
        elif name.endswith(f".weight{_QUANTIZED}") and name != _WORDS:
            yield name.removesuffix(_QUANTIZED), torch.tensor(_expand(name, arrays))
    for node in model.graph.node:
        if node.op_type in _MATRIX and node.input[1] in arrays:
            yield f"{_name_module(node.name)}.weight", torch.tensor(_expand(node.input[1], arrays).T.copy())


def _expand(name: str, arrays: dict[str, NDArray[Any]]) -> NDArray[np.float32]:
    """The numbers that an array of 8-bit steps stands for; one that has no steps stays as it is."""
    stem = name.removesuffix(_QUANTIZED)
    if stem == name:
        return arrays[name]
    steps = arrays[name].astype("float32") - arrays[f"{stem}_zero_point"]
    return steps * arrays[f"{stem}_scale"]


def _name_module(node: str) -> str:
    """Name the module of a matrix by its node: of "/needed/judge/judge.0/MatMul_quant" "needed.judge.0"."""
    parts = node.strip("/").split("/")[:-1]
    nested = [
        part for part, inner in zip(parts, [*parts[1:], ""], strict=True) if not inner.startswith(f"{part}.")
    ]
    return ".".join(nested)
