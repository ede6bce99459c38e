"""The shipped benchmark is what its command makes, byte for byte."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from piibench.data.datasets import SUBSETS, load
from piibench.errors import DataError
from piibench.synthesis.pipeline import MANIFEST, SIZES, Recipe, make_subset
from piibench.synthesis.verification import verify

FOLDER = Path(__file__).resolve().parents[1] / "datasets" / "pii-bench-v1"


def test_files_are_those_of_the_manifest() -> None:
    manifest = json.loads((FOLDER / MANIFEST).read_text("utf-8"))
    assert manifest["recipe"]["sizes"] == SIZES
    for name, digest in manifest["sha256"].items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize("subset", SUBSETS)
def test_the_command_makes_these_samples(subset: str) -> None:
    made = make_subset(subset, SIZES[subset], Recipe(SIZES), map)
    with gzip.open(FOLDER / f"{subset}.jsonl.gz", "rt", encoding="utf-8") as shipped:
        for line, sample in zip(shipped, made, strict=True):
            assert line.rstrip("\n") == sample.to_json()


def test_nothing_is_open() -> None:
    assert list(verify(load("pii-bench-v1"))) == []
    assert sum(1 for _ in load("pii-bench-v1")) == 2842


def test_a_folder_without_a_data_set_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=f"{tmp_path.name}: holds no data set"):
        list(load(tmp_path))
