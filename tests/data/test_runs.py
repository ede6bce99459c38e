"""Runs on disk: what is written is read again; half a run is none."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from piibench.data.runs import Run, SampleScores, read_data, read_runs, write_data, write_run
from piibench.data.schema import Prediction, Sample
from piibench.errors import DataError, InputError

if TYPE_CHECKING:
    from pathlib import Path

RUN = Run(
    task="query_related", system="llm", model="openai/gpt-4o", strategy="naive", n=1, data="3f2c", version="0"
)
SCORES = SampleScores(
    id="s1", subset="single", scores={"query_f1": 0.5, "kept": None}, counts={"query": (1, 2, 2)}
)
PRED = Prediction(id="s1", description="Ann in Oslo", needed=("Oslo",))


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_data(tmp_path, [Sample(id="s1", description="Ann in Oslo")])
    write_run(tmp_path, RUN, [PRED], [SCORES])
    (folder,) = read_runs(tmp_path)
    assert folder.run == RUN
    assert list(folder.predictions()) == [PRED]
    assert list(folder.scores()) == [SCORES]
    assert [sample.id for sample in read_data(tmp_path)] == ["s1"]


def test_the_slug_is_a_plain_name_and_tells_runs_apart() -> None:
    other = RUN.model_copy(update={"strategy": "self_cot"})
    assert RUN.slug == "query_related--llm--openai_gpt-4o--naive"
    assert other.slug != RUN.slug


def test_runs_come_in_the_order_of_the_tasks(tmp_path: Path) -> None:
    for task in ("tradeoff", "query_related", "pii_detection"):
        write_run(tmp_path, RUN.model_copy(update={"task": task}), [], [])
    assert [folder.run.task for folder in read_runs(tmp_path)] == [
        "pii_detection",
        "query_related",
        "tradeoff",
    ]


def test_a_folder_without_run_json_is_no_run(tmp_path: Path) -> None:
    (write_run(tmp_path, RUN, [PRED], [SCORES]).path / "run.json").unlink()
    with pytest.raises(InputError, match="holds no finished run"):
        read_runs(tmp_path)


def test_a_damaged_run_names_its_file_and_field(tmp_path: Path) -> None:
    path = write_run(tmp_path, RUN, [PRED], [SCORES]).path
    (path / "run.json").write_text('{"schema": 1, "task": "nonsense"}')
    with pytest.raises(DataError, match=r"run\.json: task: "):
        read_runs(tmp_path)
    (path / "run.json").write_text(RUN.model_dump_json(by_alias=True))
    (path / "scores.jsonl.gz").write_bytes(gzip.compress(b'{"id": "s1", "subset": "single"}\n'))
    (folder,) = read_runs(tmp_path)
    with pytest.raises(DataError, match="line 1: scores: field required"):
        list(folder.scores())


def test_a_run_that_is_written_anew_is_none_until_it_is_whole(tmp_path: Path) -> None:
    write_run(tmp_path, RUN, [], [])

    def stop():
        raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        write_run(tmp_path, RUN, [], stop())
    with pytest.raises(InputError, match="no finished run"):
        read_runs(tmp_path)
