"""The network in ONNX Runtime: loaded once, checked by hash, run on one window after the other.

Windows side by side would have to be padded, and padding masked: on a CPU that costs more than it saves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import onnxruntime
from pydantic import ConfigDict, TypeAdapter, ValidationError
from tokenizers import Tokenizer

from piibench.errors import InputError
from piibench.systems.encoder.linking import DISTANCES
from piibench.systems.encoder.outputs import OWNER, STATES, TYPES, Outputs
from piibench.systems.encoder.windows import read_prompts
from piibench.systems.weights import read_checked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from piibench.systems.encoder.windows import Window

SHIPPED = Path(__file__).parent / "weights"
NETWORK = "encoder.onnx"
TOKENIZER = "tokenizer.json"
SETTINGS = "settings.json"
MAKER = "piibench train encoder"
_SLOW_FUSION = "SkipLayerNormFusion"
"""Its kernel takes several times as long as the sum and the norm that it replaces."""
_RUNTIME: Any = onnxruntime  # it does not type its names


@dataclass(frozen=True, slots=True)
class Settings:
    """What was chosen on held-out text when the network was made.

    Attributes:
        keep_threshold: Least probability of being needed at which a value is kept, in [0, 1].
        detect_bias: Added to the logits of "something stands here".
        owner_bias: Logit of a common owner by distance; see `linking`.
        owner_threshold: Mean logit above which two groups of values have one owner.
        owner_rivalry: What two different names take off that logit.
        hashes: sha256 of each file; for `settings.json` alone, a loaded model's are checked and gone.
    """

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid", allow_inf_nan=False)

    keep_threshold: float
    detect_bias: float
    owner_bias: tuple[float, ...]
    owner_threshold: float
    owner_rivalry: float
    hashes: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Model:
    """A loaded model."""

    network: Session
    tokenizer: Tokenizer
    settings: Settings
    fingerprint: str


class Session:
    """Runs the network; see `outputs.Network`.

    Args:
        content: The ONNX file.
        threads: Threads of one run; 0 lets ONNX Runtime take one for each core.
    """

    def __init__(self, content: bytes, threads: int = 0) -> None:
        options = _RUNTIME.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.graph_optimization_level = _RUNTIME.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.log_severity_level = 3
        self._session = _RUNTIME.InferenceSession(
            content, options, providers=["CPUExecutionProvider"], disabled_optimizers=[_SLOW_FUSION]
        )

    def __call__(self, windows: Sequence[Window]) -> list[Outputs]:
        """Return the outputs of each window's description pieces, in the same order."""
        return [self._run(window) for window in windows]

    def _run(self, window: Window) -> Outputs:
        inputs = {"ids": window.ids, "segments": window.segments, "features": window.features}
        answers: Any = self._session.run(None, {name: row[None] for name, row in inputs.items()})
        body = slice(window.first, window.first + window.width)
        states, categories, needed, owners = (answer[0, body] for answer in answers)
        return Outputs(states.reshape(-1, TYPES, STATES), categories, needed, owners.reshape(-1, 2, OWNER))


@cache
def load_model(folder: Path = SHIPPED, threads: int = 0) -> Model:
    """Load a model and check its files by their hashes.

    Args:
        folder: Holds `encoder.onnx`, `tokenizer.json` and `settings.json`.
        threads: See `Session`.

    Raises:
        InputError: A file is absent, is not the one that was made, or is none that this piibench can use.
    """
    checked = read_checked(folder, (NETWORK, TOKENIZER), maker=MAKER)
    settings = _check_settings(checked.settings, folder / SETTINGS)
    tokenizer = _read_tokenizer(checked.files[TOKENIZER], folder / TOKENIZER)
    try:
        session = Session(checked.files[NETWORK], threads)
    except Exception as error:  # the runtime's errors have no common base
        raise _unusable(folder / NETWORK, "ONNX Runtime does not load it") from error
    return Model(session, tokenizer, settings, checked.fingerprint)


def _check_settings(fields: dict[str, Any], path: Path) -> Settings:
    try:
        settings = TypeAdapter(Settings).validate_python(fields)
    except ValidationError as error:
        wrong = dict.fromkeys(str(problem["loc"][0]) for problem in error.errors() if problem["loc"])
        raise _unusable(path, f"wrong or absent: {', '.join(wrong)}") from None
    if not 0 <= settings.keep_threshold <= 1:
        raise _unusable(path, "keep_threshold is not between 0 and 1")
    if len(settings.owner_bias) != DISTANCES:
        raise _unusable(path, f"owner_bias has not {DISTANCES} numbers")
    return settings


def _read_tokenizer(content: bytes, path: Path) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_str(content.decode())
        read_prompts((), tokenizer)  # fails where it lacks a mark
    except Exception as error:  # the tokenizer's errors have no type of their own
        raise _unusable(path, "it is no word-piece tokenizer with [CLS] and [SEP]") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()  # what it left out would go out unmasked
    return tokenizer


def _unusable(path: Path, problem: str) -> InputError:
    return InputError(f"{path} is of another piibench ({problem}); make it again: `{MAKER}`")
