"""The network of the BiLSTM-CRF in ONNX Runtime, and a text's places by it."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import onnxruntime

from piibench.data.mentions import widen
from piibench.errors import InputError
from piibench.systems.bilstm_crf.viterbi import TAGS, Transitions, decode, read_places
from piibench.systems.bilstm_crf.words import COLUMNS, Vocabulary, cut
from piibench.systems.weights import read_checked

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from piibench.data.mentions import Span
    from piibench.data.taxonomy import Category
    from piibench.systems.bilstm_crf.words import Chunk

NETWORK = "bilstm.onnx"
VOCABULARY = "vocabulary.txt"
TRANSITIONS = "transitions.npy"
MAKER = "piibench train bilstm_crf"
TOGETHER = 32
"""Chunks that run at once."""

_RUNTIME: Any = onnxruntime  # it does not type its names


class Network(Protocol):
    """Scores the tags of words."""

    def __call__(self, features: NDArray[np.int64], lengths: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return emissions (b, n, tags) for features (b, n, 4) of which the first `lengths` (b,) count."""
        ...


@dataclass(frozen=True, slots=True)
class Tagger:
    """A vocabulary, a network, and the CRF's transitions without the forbidden ones."""

    vocabulary: Vocabulary
    network: Network
    transitions: Transitions
    fingerprint: str = ""

    def find(self, text: str) -> list[tuple[Span, Category]]:
        """Find what is personal in a text, in order, none overlapping another. Linear in its length."""
        offsets, features = self.vocabulary.read(text)
        tags = decode(score_words(features, self.network), self.transitions)
        found: list[tuple[Span, Category]] = []
        for span, category in read_places(tags, offsets):
            if not found or found[-1][0].end <= span.start:
                found.append((widen(text, span), category))  # an accent by itself is a word of its own
        return found


def score_words(features: NDArray[np.int64], network: Network) -> NDArray[np.float32]:
    """Run the network over all words of a text and put its chunks together, (n, tags)."""
    emissions = np.empty((len(features), TAGS), np.float32)
    chunks = list(cut(len(features)))
    for start in range(0, len(chunks), TOGETHER):
        batch = chunks[start : start + TOGETHER]
        scores = network(*pad([features[chunk.start : chunk.stop] for chunk in batch]))
        for row, chunk in enumerate(batch):
            emissions[chunk.first : chunk.last] = scores[row, _own(chunk)]
    return emissions


def _own(chunk: Chunk) -> slice:
    return slice(chunk.first - chunk.start, chunk.last - chunk.start)


def pad(rows: Sequence[NDArray[np.int64]]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Put words of several chunks side by side: features (b, n, 4) and lengths (b,)."""
    lengths = np.array([len(row) for row in rows], np.int32)
    features = np.zeros((len(rows), int(lengths.max()), COLUMNS), np.int64)
    for place, row in enumerate(rows):
        features[place, : len(row)] = row
    return features, lengths


class Session:
    """Runs the network; see `Network`.

    Args:
        content: The ONNX file.
        threads: Threads of one run; 0 lets ONNX Runtime take one for each core.
    """

    def __init__(self, content: bytes, threads: int = 0) -> None:
        options = _RUNTIME.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # its arena keeps the memory of the largest batch
        options.log_severity_level = 3
        self._session = _RUNTIME.InferenceSession(content, options, providers=["CPUExecutionProvider"])

    def __call__(self, features: NDArray[np.int64], lengths: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return emissions (b, n, tags)."""
        (emissions,) = self._session.run(None, {"features": features, "lengths": lengths})
        return emissions


@cache
def load_tagger(folder: Path, threads: int = 0) -> Tagger:
    """Load a model and check its files by their hashes.

    Args:
        folder: Holds `bilstm.onnx`, `vocabulary.txt`, `transitions.npy` and `settings.json`.
        threads: See `Session`.

    Raises:
        InputError: A file is absent or is not the one that was made.
    """
    checked = read_checked(folder, (NETWORK, VOCABULARY, TRANSITIONS), maker=MAKER)
    table = np.load(io.BytesIO(checked.files[TRANSITIONS]), allow_pickle=False)
    if table.shape != (TAGS + 2, TAGS):
        msg = f"{folder / TRANSITIONS} is of another piibench (it has other tags); make it again: `{MAKER}`"
        raise InputError(msg)
    words = checked.files[VOCABULARY].decode().split("\n")[:-1]
    transitions = Transitions(table[:TAGS], table[TAGS], table[TAGS + 1]).forbid()
    return Tagger(
        Vocabulary(words), Session(checked.files[NETWORK], threads), transitions, checked.fingerprint
    )
