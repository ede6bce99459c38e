"""The pipeline: the same bytes whatever the workers, resuming, other recipes, hard and distract."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from piibench.data.datasets import load
from piibench.data.schema import Sample
from piibench.errors import DataError, InputError, PiibenchError
from piibench.synthesis.partition import CRITERIA
from piibench.synthesis.pipeline import MANIFEST, Recipe, make_subset, map_in_order, synthesize
from piibench.synthesis.samples import Order
from piibench.synthesis.verification import verify

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SMALL = {"single": 6, "multi": 6, "hard": 6, "distract": 3}


def ignore(_: int) -> None:
    """No progress bar."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("data") / "set"
    synthesize(Recipe(SMALL), out, workers=1, advance=ignore)
    return out


def test_workers_change_nothing(folder: Path, tmp_path: Path) -> None:
    hashes = synthesize(Recipe(SMALL), tmp_path / "set", workers=2, advance=ignore)
    assert hashes == json.loads((folder / MANIFEST).read_text())["sha256"]


def test_a_finished_file_is_kept_and_a_changed_one_too(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "set"
    synthesize(Recipe(SMALL), out, workers=1, advance=ignore)
    kept = (out / "single.jsonl.gz").stat().st_mtime_ns
    (out / "multi.jsonl.gz").write_bytes(b"mended by hand")
    with pytest.raises(InputError, match=r"its multi\.jsonl\.gz was changed since"):
        synthesize(Recipe(SMALL), out, workers=1, advance=ignore)
    (out / "multi.jsonl.gz").unlink()
    synthesize(Recipe(SMALL), out, workers=1, advance=ignore)
    assert (out / "single.jsonl.gz").stat().st_mtime_ns == kept
    assert (out / "multi.jsonl.gz").read_bytes() == (folder / "multi.jsonl.gz").read_bytes()


def test_a_file_that_no_manifest_names_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "single.jsonl.gz"
    mine.write_bytes(b"labelled by hand")
    with pytest.raises(InputError, match=r"its single\.jsonl\.gz was not made by this recipe"):
        synthesize(Recipe({"single": 1}), tmp_path, workers=1, advance=ignore)
    assert mine.read_bytes() == b"labelled by hand"


def test_another_recipe_is_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="another recipe"):
        synthesize(Recipe(SMALL, seed=8), folder, workers=1, advance=ignore)


@pytest.mark.parametrize("content", ["{}", "[]", "half", '{"recipe": {}, "sha256": 3}'])
def test_a_manifest_of_something_else_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / MANIFEST).write_text(content)
    with pytest.raises(InputError, match="is not of a data set"):
        synthesize(Recipe(SMALL), tmp_path, workers=1, advance=ignore)
    assert (tmp_path / MANIFEST).read_text() == content


def test_the_folder_loads_in_the_papers_order(folder: Path) -> None:
    samples = list(load(folder))
    assert [sample.subset for sample in samples] == [name for name, n in SMALL.items() for _ in range(n)]
    assert len(list(load(folder, "hard"))) == 6
    with pytest.raises(DataError, match="no subset of that name"):
        list(load(folder, "easy"))
    with pytest.raises(InputError, match="no data set of that name"):
        list(load("pii-bench-v0"))


def test_orders_are_taken_no_further_ahead_than_keeps_the_processes_busy() -> None:
    taken = 0

    def count() -> Iterator[Order]:
        nonlocal taken
        for index in range(10_000):
            taken += 1
            yield Order("single", index)

    def name(order: Order) -> Sample:
        return Sample(id=f"s{order.index}", description="d", query="q", entities=[])

    with ThreadPoolExecutor(2) as pool:
        made = map_in_order(pool, 3, name, count())
        ids = [sample.id for sample, _ in zip(made, range(100), strict=False)]
    assert ids == [f"s{index}" for index in range(100)]
    assert taken < 300


def test_every_phrase_and_frame_comes_equally_often_in_threads() -> None:
    samples = list(make_subset("distract", 32, Recipe({"distract": 32}), map))
    openings = Counter(sample.description.split("\n")[0] for sample in samples)
    assert max(openings.values()) <= 4
    frames = Counter(frame for sample in samples for frame in sample.meta["frames"])
    assert max(frames.values()) <= 3


def test_threads_join_five_descriptions_and_ask_about_three(folder: Path) -> None:
    for sample in load(folder, "distract"):
        assert len(sample.meta["frames"]) == 5
        assert len(sample.meta["asked"]) == 3
        assert 7 <= len(sample.subjects) <= 10
        assert len(sample.description) > 3000
    assert list(verify(load(folder, "distract"))) == []


def test_hard_samples_are_chosen_by_each_criterion_from_both_kinds() -> None:
    samples = list(make_subset("hard", 12, Recipe({"hard": 12}), map))
    assert {(sample.meta["of"], sample.meta["criterion"]) for sample in samples} == {
        (kind, name) for kind in ("single", "multi") for name in CRITERIA
    }
    assert len({sample.description for sample in samples}) == 12


@pytest.mark.parametrize("place", ["taken", "taken/below"])
def test_a_file_where_the_folder_should_be_is_one_clear_line(tmp_path: Path, place: str) -> None:
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(PiibenchError, match="folder"):
        synthesize(Recipe(SMALL), tmp_path / place, workers=1, advance=ignore)
    assert (tmp_path / "taken").read_text() == "mine"
