"""From a trained BiLSTM-CRF to the files that `systems.bilstm_crf` loads; weights are stored in 16 bits."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from piibench.systems.bilstm_crf.tagger import NETWORK, TRANSITIONS, VOCABULARY
from piibench.systems.bilstm_crf.words import COLUMNS
from piibench.systems.weights import write_checked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray
    from torch import Tensor

    from piibench.systems.bilstm_crf.words import Vocabulary
    from piibench.training.bilstm_crf.network import Emitter, Network

_OPSET, _VERSION = 17, 8
_GATES = (0, 3, 1, 2)
"""Torch has the gates as input, forget, cell, output; ONNX as input, output, forget, cell."""


def export_model(network: Network, vocabulary: Vocabulary, folder: Path, settings: Mapping[str, Any]) -> None:
    """Write network, vocabulary, transitions and settings.

    Raises:
        PiibenchError: The folder cannot be written.
    """
    crf = network.crf
    rows = [part.detach().cpu().numpy() for part in (crf.moves, crf.start[None], crf.stop[None])]
    table = io.BytesIO()
    np.save(table, np.concatenate(rows).astype(np.float32), allow_pickle=False)
    files = {
        NETWORK: build(network.emitter).SerializeToString(deterministic=True),
        VOCABULARY: "".join(f"{word}\n" for word in vocabulary.words).encode(),
        TRANSITIONS: table.getvalue(),
    }
    write_checked(folder, files, settings)


def build(emitter: Emitter) -> onnx.ModelProto:
    """The network as an ONNX graph: `features` (b, n, 4) and `lengths` (b,) to `emissions` (b, n, tags)."""
    weights = dict(_arrange({name: _array(part) for name, part in emitter.state_dict().items()}))
    nodes = [helper.make_node("Cast", [f"{name}/half"], [name], to=TensorProto.FLOAT) for name in weights]
    for column in range(COLUMNS):
        nodes += (
            helper.make_node("Gather", ["features", f"column{column}"], [f"numbers{column}"], axis=2),
            helper.make_node("Gather", [f"table{column}", f"numbers{column}"], [f"part{column}"]),
        )
    hidden = emitter.lstm.hidden_size
    nodes += (
        helper.make_node("Concat", [f"part{column}" for column in range(COLUMNS)], ["words"], axis=-1),
        helper.make_node("Transpose", ["words"], ["steps"], perm=[1, 0, 2]),
        helper.make_node(
            "LSTM",
            ["steps", "W", "R", "B", "lengths"],
            ["both"],
            hidden_size=hidden,
            direction="bidirectional",
        ),
        helper.make_node("Transpose", ["both"], ["sides"], perm=[2, 0, 1, 3]),
        helper.make_node("Reshape", ["sides", "flat"], ["hidden"]),
        helper.make_node("MatMul", ["hidden", "out"], ["scores"]),
        helper.make_node("Add", ["scores", "bias"], ["emissions"]),
    )
    constants = {f"column{column}": np.array(column, np.int64) for column in range(COLUMNS)}
    constants["flat"] = np.array([0, 0, 2 * hidden], np.int64)
    graph = helper.make_graph(
        nodes,
        "bilstm",
        [
            helper.make_tensor_value_info("features", TensorProto.INT64, ["chunks", "words", COLUMNS]),
            helper.make_tensor_value_info("lengths", TensorProto.INT32, ["chunks"]),
        ],
        [
            helper.make_tensor_value_info(
                "emissions", TensorProto.FLOAT, ["chunks", "words", len(weights["bias"])]
            )
        ],
        [
            *(
                numpy_helper.from_array(part.astype(np.float16), f"{name}/half")
                for name, part in weights.items()
            ),
            *(numpy_helper.from_array(part, name) for name, part in constants.items()),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_VERSION)
    onnx.checker.check_model(model)
    return model


def _array(part: Tensor) -> NDArray[np.float32]:
    return part.detach().cpu().numpy()


def _arrange(state: Mapping[str, NDArray[np.float32]]) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Yield the weights under the graph's names and in ONNX's order of gates."""
    for column in range(COLUMNS):
        yield f"table{column}", state[f"tables.{column}.weight"]
    sides = ("l0", "l0_reverse")
    yield "W", np.stack([_regate(state[f"lstm.weight_ih_{side}"]) for side in sides])
    yield "R", np.stack([_regate(state[f"lstm.weight_hh_{side}"]) for side in sides])
    biases = [[_regate(state[f"lstm.bias_{kind}_{side}"]) for kind in ("ih", "hh")] for side in sides]
    yield "B", np.stack([np.concatenate(pair) for pair in biases])
    yield "out", state["out.weight"].T
    yield "bias", state["out.bias"]


def _regate(weights: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.concatenate([np.split(weights, 4)[gate] for gate in _GATES])
