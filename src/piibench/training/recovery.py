"""Weights that a training starts from: an earlier run's, or those of an exported model (see `export`).

What was exported in 8 bits comes back with their precision, half a step off at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import onnx
import torch
from onnx import numpy_helper

from piibench.errors import InputError
from piibench.systems.encoder.session import MAKER, NETWORK, READER, load_model
from piibench.training.checkpoints import CHECKPOINT, load_checkpoint

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor

    from piibench.training.network import Encoder

_MATRIX = ("MatMulInteger", "MatMul")
_QUANTIZED = "_quantized"
_WORDS = f"words.weight{_QUANTIZED}"


def start_from(folder: Path, encoder: Encoder) -> None:
    """Give an encoder the weights of a run's last checkpoint (of one that averages: the mean), or of a model.

    Args:
        folder: Of the run or the model.
        encoder: Has the base's word embeddings already, which no model needs to give back.

    Raises:
        InputError: There is neither in the folder, it is damaged, or it is of another model.
    """
    state = load_checkpoint(folder)
    saved = state or {}
    path, weights = (
        folder / CHECKPOINT,
        cast("dict[str, Tensor]", saved.get("average") or saved.get("encoder")),
    )
    if state is None and (folder / NETWORK).exists():
        path, weights = folder / NETWORK, {"words.weight": encoder.words.weight} | recover(folder)
    elif state is None:
        msg = f"{folder} has neither a run's {CHECKPOINT} nor a model; `{MAKER}` makes both"
        raise InputError(msg)
    try:
        encoder.load_state_dict(weights)
    except (AttributeError, TypeError, ValueError, RuntimeError):
        msg = f"{path} is of another model or another piibench; start from the base instead"
        raise InputError(msg) from None


def recover(folder: Path) -> dict[str, Tensor]:
    """Read the weights of an exported encoder by their names in torch.

    Args:
        folder: What `export.export_encoder` and `write_settings` wrote, such as `session.SHIPPED`.

    Returns:
        All weights; the word embeddings, which no training changes, only where they were not rounded.

    Raises:
        InputError: A file is absent, is not the one that was made, or is none that this piibench can use.
    """
    settings = load_model(folder, threads=1).settings
    network, reader = (onnx.load(folder / name) for name in (NETWORK, READER))
    return {
        **dict(_read_weights(network)),
        **{f"reader.{name}": weights for name, weights in _read_weights(reader)},
        "owner_bias": torch.tensor(settings.owner_bias),
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
            module = _name_module(node.name)
            weights = torch.tensor(_expand(node.input[1], arrays).T.copy())
            if f"{module}.ease" in arrays:  # its inputs are evened; see `smoothing`
                weights *= torch.tensor(arrays[f"{module}.ease"])
            yield f"{module}.weight", weights


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
