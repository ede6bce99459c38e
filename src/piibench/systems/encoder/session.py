"""The two networks in ONNX Runtime: loaded once, checked by hash. Windows are read one after the other.

Windows side by side would have to be padded, and padding masked: on a CPU that costs more than it saves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import onnxruntime
from pydantic import ConfigDict, TypeAdapter, ValidationError
from tokenizers import Tokenizer

from piibench.errors import InputError
from piibench.systems.encoder.linking import DISTANCES, Linking
from piibench.systems.encoder.outputs import NOTES, OWNER, STATES, TYPES, Outputs
from piibench.systems.encoder.values import REFERENCE, Spot, relate
from piibench.systems.encoder.windows import read_prompts
from piibench.systems.weights import SETTINGS, read_checked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from piibench.systems.encoder.windows import Window

SHIPPED = Path(__file__).parent / "weights"
NETWORK = "encoder.onnx"
READER = "values.onnx"
TOKENIZER = "tokenizer.json"
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
        owner_threshold: Score above which two groups of values have one owner: mean logit, less the two.
        owner_rivalry: What two different names take off it.
        owner_reluctance: What each value of the smaller group but its first takes off it then, too.
        owner_alone: The threshold, if this is lower, of a text with a single name or none; 0, which is above
            all that are tried, for models from before there was one.
    """

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid", allow_inf_nan=False)

    keep_threshold: float
    detect_bias: float
    owner_bias: tuple[float, ...]
    owner_threshold: float
    owner_rivalry: float
    owner_reluctance: float
    owner_alone: float = 0.0

    @property
    def linking(self) -> Linking:
        """What decides whose each value is."""
        return Linking(
            self.owner_bias,
            self.owner_threshold,
            self.owner_rivalry,
            self.owner_reluctance,
            self.owner_alone,
        )


@dataclass(frozen=True, slots=True)
class Model:
    """A loaded model."""

    network: Session
    reader: Reader
    tokenizer: Tokenizer
    settings: Settings
    fingerprint: str


class Session:
    """Runs the first network; see `outputs.Network`.

    Args:
        session: ONNX Runtime's.
    """

    def __init__(self, session: Any) -> None:  # the runtime does not type its names
        self._session = session

    def __call__(self, windows: Sequence[Window]) -> list[Outputs]:
        """Return the outputs of all pieces of each window, in the same order."""
        return [self._run(window) for window in windows]

    def _run(self, window: Window) -> Outputs:
        inputs = {"ids": window.ids, "segments": window.segments, "features": window.features}
        answers: Any = self._session.run(None, {name: row[None] for name, row in inputs.items()})
        states, categories, needed, notes = (answer[0] for answer in answers)
        return Outputs(states.reshape(-1, TYPES, STATES), categories, needed, notes)


class Reader:
    """Runs the network that reads the values and references of a text together; see `values`.

    Args:
        session: ONNX Runtime's.
    """

    def __init__(self, session: Any) -> None:
        self._session = session

    def __call__(
        self,
        notes: NDArray[np.float32],
        needed: NDArray[np.float32],
        kinds: NDArray[np.int64],
        relations: NDArray[np.int64],
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Read n values and references.

        Args:
            notes: What the first network noted of each, (n, NOTES).
            needed: Its logit that the query needs each, (n,).
            kinds: Number of the type of each, or REFERENCE, (n,).
            relations: Codes of all pairs, (n, n, RELATIONS).

        Returns:
            Two vectors of each value (see `linking`), (n, 2, OWNER); logits that the query needs it, (n,).
        """
        inputs = {"notes": notes, "needed": needed, "kinds": kinds, "relations": relations}
        answers: Any = self._session.run(None, {name: part[None] for name, part in inputs.items()})
        owners, weighed = answers
        return owners[0].reshape(-1, 2, OWNER), weighed[0]


def open_network(content: bytes, path: Path, threads: int, *, profile: Path | None = None) -> Any:
    """Let ONNX Runtime load a network.

    Args:
        content: The ONNX file's.
        path: Where that was read, for errors.
        threads: Threads of one run; 0 lets ONNX Runtime take one for each core.
        profile: How the name of the file begins to which its `end_profiling` writes what each operator took.

    Raises:
        InputError: It does not load it.
    """
    options = _RUNTIME.SessionOptions()
    if profile is not None:
        options.enable_profiling, options.profile_file_prefix = True, str(profile)
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.graph_optimization_level = _RUNTIME.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.log_severity_level = 4  # what fails is raised, and told once
    try:
        return _RUNTIME.InferenceSession(
            content, options, providers=["CPUExecutionProvider"], disabled_optimizers=[_SLOW_FUSION]
        )
    except Exception as error:  # the runtime's errors have no common base
        raise _unusable(path, "ONNX Runtime does not load it") from error


@cache
def load_model(folder: Path = SHIPPED, threads: int = 0) -> Model:
    """Load a model and check its files by their hashes.

    Args:
        folder: Holds `encoder.onnx`, `values.onnx`, `tokenizer.json` and `settings.json`.
        threads: Threads of one run; 0 lets ONNX Runtime take one for each core.

    Raises:
        InputError: A file is absent, is not the one that was made, or is none that this piibench can use.
    """
    checked = read_checked(folder, (NETWORK, READER, TOKENIZER), maker=MAKER)
    settings = _check_settings(checked.settings, folder / SETTINGS)
    tokenizer = _read_tokenizer(checked.files[TOKENIZER], folder / TOKENIZER)
    session = Session(open_network(checked.files[NETWORK], folder / NETWORK, threads))
    # A millisecond for an ordinary text, not worth a second thread.
    reader = Reader(open_network(checked.files[READER], folder / READER, threads=1))
    _check_reader(reader, folder / READER)
    return Model(session, reader, tokenizer, settings, checked.fingerprint)


def _check_reader(reader: Reader, path: Path) -> None:
    """Let it read a reference, of which older ones know nothing."""
    kinds, relations = np.array([REFERENCE]), relate([Spot(REFERENCE, 0, 0, 0, None)])
    try:
        reader(np.zeros((1, NOTES), np.float32), np.zeros(1, np.float32), kinds, relations)
    except Exception as error:  # the runtime's errors have no common base
        raise _unusable(path, "it does not read references") from error


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
