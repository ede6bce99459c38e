"""What an evaluation asks, and whose a folder is."""

from __future__ import annotations

import pytest

from piibench.data.schema import Prediction
from piibench.errors import DataError, InputError
from piibench.evals.grid import FILE, Grid, hash_asking, hash_samples, is_claimed, read_grid, write_grid
from piibench.metrics.score import score

GRID = Grid(tasks=("query_related",), models=("small",), strategies=("naive",), data="0123abcd", n=3)


def test_a_grid_is_read_back_as_it_was_written(tmp_path):
    assert read_grid(tmp_path) is None
    assert not is_claimed(tmp_path, GRID)
    write_grid(tmp_path, GRID)
    assert read_grid(tmp_path) == GRID
    assert is_claimed(tmp_path, GRID)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"limit": 5}, "limit"),
        ({"strategies": ("naive", "self_cot")}, "strategies"),
        ({"data": "ffffffff", "n": 4}, "data, n"),
        ({"version": "0.0.0"}, "version"),
        ({"asking": "aaaaaaaa"}, "asking"),
        ({"roles": {"judge": "large"}, "arms": ("none",)}, "arms, roles"),
    ],
)
def test_another_grid_is_told_by_what_differs(tmp_path, change, named):
    write_grid(tmp_path, GRID)
    with pytest.raises(InputError) as caught:
        is_claimed(tmp_path, GRID.model_copy(update=change))
    assert f"(it differs in {named})" in str(caught.value)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"schema": 2}', '{"schema": 1, "tasks": ["nothing"]}'])
def test_a_damaged_grid_is_refused(tmp_path, content):
    (tmp_path / FILE).write_text(content, "utf-8")
    with pytest.raises(DataError, match="choose another --out"):
        read_grid(tmp_path)


def test_the_hash_of_the_data_is_that_of_a_signature(samples):
    empty = [Prediction(id=s.id, description=s.description, query=s.query) for s in samples]
    assert hash_samples(samples) == score(samples, empty).overall.signature.data
    assert hash_samples(samples[::-1]) == hash_samples(samples)
    assert hash_samples(samples[1:]) != hash_samples(samples)


def test_how_models_are_asked_is_hashed():
    assert hash_asking() == hash_asking()
    assert len(hash_asking()) == 8
