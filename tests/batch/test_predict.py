"""Many prompts: order, resuming, processes, failures."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from piibench.batch.predict import Settings, predict
from piibench.batch.predictions import Maker, PredictionLog
from piibench.data.files import PromptRecord, read_predictions, read_prompts
from piibench.errors import PiibenchError, SystemFailureError

if TYPE_CHECKING:
    from pathlib import Path

NAME = "Quentin Harbottle"
STUB = Settings("stub")
COMMAND = [sys.executable, "-c", "from piibench.cli.main import run; run()", "predict"]


def ids(path: Path) -> list[str]:
    return [record.id for record in read_predictions(path)]


@pytest.mark.parametrize("workers", [1, 2])
def test_predictions_come_in_order_and_are_complete(write_data, tmp_path: Path, workers: int) -> None:
    data, out = write_data(*(f"{NAME} is {10 + n % 90}." for n in range(50))), tmp_path / "pred.jsonl"
    summary = predict(read_prompts(data), out, Settings("stub", workers=workers))
    records = list(read_predictions(out))
    assert [record.id for record in records] == [f"r{n}" for n in range(1, 51)]
    assert (summary.written, summary.resumed, summary.characters) == (50, 0, 50 * len(f"{NAME} is 10."))
    first = records[0]
    assert first.masked == "<Full Name> is <Age>."
    assert first.masked_query == ""
    assert first.relevant == ()
    assert [entity.text for entity in first.entities] == [NAME, "10"]
    assert first.meta["system"] == {"name": "stub", "fingerprint": "5eed1"}
    assert first.meta["ms"] >= 0


def test_relevant_names_only_entities_of_the_description(tmp_path: Path) -> None:
    record = PromptRecord("a", "hard", f"{NAME} is 34.", f"How old is {NAME}, at 34?")
    predict([record], tmp_path / "pred.jsonl", STUB)
    [made] = read_predictions(tmp_path / "pred.jsonl")
    assert made.relevant == ("e2",)
    assert made.subset == "hard"
    assert made.query == record.query
    assert made.masked_query == "How old is <Full Name>, at 34?"


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_there_is_not_done_again(write_data, tmp_path: Path, workers: int) -> None:
    data, out = write_data("one", "two", "three"), tmp_path / "pred.jsonl"
    settings = Settings("stub", workers=workers)
    predict(list(read_prompts(data))[:2], out, settings)
    before = out.read_bytes()
    states = []
    summary = predict(
        read_prompts(data), out, settings, advance=lambda state: states.append((state.resumed, state.written))
    )
    assert (summary.written, summary.resumed) == (1, 2)
    assert states == [(1, 0), (2, 0), (2, 1)]
    assert out.read_bytes().startswith(before)
    assert ids(out) == ["r1", "r2", "r3"]


def test_another_version_of_the_system_does_not_go_on(write_data, tmp_path: Path) -> None:
    data, out = write_data("one"), tmp_path / "pred.jsonl"
    predict(read_prompts(data), out, STUB)
    newer = Settings("stub", {"version": "2"})
    with pytest.raises(PiibenchError, match="another version"):
        predict(read_prompts(data), out, newer)
    predict(read_prompts(data), out, Settings("stub", {"version": "2"}, overwrite=True))
    assert next(read_predictions(out)).meta["system"]["fingerprint"] == "5eed2"


def test_data_that_cannot_be_read_empties_no_output(write_data, tmp_path: Path) -> None:
    data, out = write_data("one"), tmp_path / "pred.jsonl"
    predict(read_prompts(data), out, STUB)
    before = out.read_bytes()
    with pytest.raises(PiibenchError, match="no such file"):
        predict(read_prompts(tmp_path / "absent.jsonl"), out, Settings("stub", overwrite=True))
    assert out.read_bytes() == before


def test_kept_replies_go_when_all_is_done_or_started_over_but_not_while_another_writes(
    write_data, tmp_path: Path
) -> None:
    data, out, replies = write_data("one"), tmp_path / "pred.jsonl", tmp_path / "pred.jsonl.replies"
    over = Settings("stub", overwrite=True, replies=replies)
    replies.write_text("kept")
    with PredictionLog(out, Maker("stub", "5eed1")):
        with pytest.raises(PiibenchError, match="another predict is writing"):
            predict(read_prompts(data), out, over)
        assert replies.read_text() == "kept"
    there = []
    with data.open("a") as stream:
        stream.write("{\n")
    with pytest.raises(PiibenchError):
        predict(read_prompts(data), out, over, advance=lambda _: there.append(replies.exists()))
    assert there == [False]
    replies.write_text("kept")
    with pytest.raises(PiibenchError):
        predict(read_prompts(data), out, Settings("stub", replies=replies))
    assert replies.exists()
    predict(islice(read_prompts(data), 1), out, Settings("stub", replies=replies))
    assert not replies.exists()


@pytest.mark.parametrize("workers", [1, 2])
def test_records_before_one_that_cannot_be_read_are_done(write_data, tmp_path: Path, workers: int) -> None:
    data, out = write_data("one", "two", "three"), tmp_path / "pred.jsonl"
    with data.open("a") as stream:
        stream.write("{\n")
    with pytest.raises(PiibenchError, match="line 4: is not valid JSON"):
        predict(read_prompts(data), out, Settings("stub", workers=workers))
    assert ids(out) == ["r1", "r2", "r3"]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_failing_system_is_named_with_the_line_and_without_the_text(
    write_data, tmp_path: Path, workers: int
) -> None:
    data, out = write_data("fine", f"RAISE {NAME}", "never"), tmp_path / "pred.jsonl"
    with pytest.raises(SystemFailureError) as caught:
        predict(read_prompts(data), out, Settings("stub", workers=workers))
    assert str(caught.value) == "system stub failed on the record of line 2: RuntimeError"
    assert ids(out) == ["r1"]


def test_a_worker_that_dies_is_one_clear_line(write_data, tmp_path: Path) -> None:
    data = write_data("fine", "DIE")
    with pytest.raises(SystemFailureError, match="a worker process died"):
        predict(read_prompts(data), tmp_path / "pred.jsonl", Settings("stub", workers=2))


def test_memory_does_not_grow_with_the_input(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        records = (PromptRecord(f"r{n}", "real", "x" * 20_000, line=n) for n in range(count))
        tracemalloc.start()
        predict(records, tmp_path / f"{count}.jsonl", STUB)
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    peak(5)
    assert peak(200) < peak(20) + 500_000  # 180 more records hold 3.6 million characters


def wait_for_lines(path: Path, count: int) -> None:
    for _ in range(6000):
        if path.exists() and path.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.05)
    pytest.fail("no predictions appeared")


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_stopped_halfway_and_started_again_it_goes_on(write_data, tmp_path: Path, how, workers: int) -> None:
    data, out = write_data(*(f"SLOW {n} {NAME}" for n in range(80))), tmp_path / "pred.jsonl"
    command = [*COMMAND, str(data), "--out", str(out), "--system", "stub", "--workers", str(workers)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    wait_for_lines(out, 3)
    # Ctrl-C reaches the whole group; a kill hits the parent alone, and its workers must follow by themselves.
    os.killpg(process.pid, how) if how == signal.SIGINT else process.kill()
    _, errors = process.communicate(timeout=400)
    lines = out.read_bytes().splitlines(keepends=True)
    assert 3 <= len(lines) < 80
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert "the same command goes on" in errors
        assert "Traceback" not in errors
        assert all(line.endswith(b"\n") and json.loads(line) for line in lines)
    subprocess.run(command, check=True, stderr=subprocess.PIPE)
    assert ids(out) == [f"r{n}" for n in range(1, 81)]
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
