"""The growing file: whole lines, one maker, one writer."""

from __future__ import annotations

import errno
import json
import os
from typing import TYPE_CHECKING

import pytest

from piibench.batch import predictions
from piibench.batch.predictions import Maker, PredictionLog
from piibench.data.files import PromptRecord
from piibench.data.schema import Prediction
from piibench.errors import DataError, InputError, PiibenchError

if TYPE_CHECKING:
    from pathlib import Path

MAKER = Maker("stub", "5eed1")
NAME = "Quentin Harbottle"


def line(identifier: str, text: str = NAME, maker: Maker = MAKER) -> str:
    return Prediction(id=identifier, description=text, meta={"system": maker.to_meta()}).to_json()


def prompt(identifier: str, text: str = NAME) -> PromptRecord:
    return PromptRecord(identifier, "real", text)


def test_lines_are_appended_and_remembered_at_the_next_opening(tmp_path: Path) -> None:
    path = tmp_path / "pred.jsonl"
    for identifier in ("a", "b"):
        with PredictionLog(path, MAKER) as log:
            log.append(line(identifier))
    with PredictionLog(path, MAKER) as log:
        assert len(log) == 2
        assert log.holds(prompt("a"))
        assert not log.holds(prompt("c"))
    assert path.read_text() == line("a") + "\n" + line("b") + "\n"


@pytest.mark.parametrize("cut", [1, 5, 14, 40, -1, None])
def test_a_torn_last_line_is_cut_off(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "pred.jsonl"
    whole = line("a") + "\n"
    path.write_text(whole + line("b")[:cut])
    with PredictionLog(path, MAKER) as log:
        assert len(log) == 1
        log.append(line("b"))
    assert path.read_text() == whole + line("b") + "\n"


@pytest.mark.parametrize(
    "content",
    [
        "my only copy, without a line end",
        '{"schema":1,"id":"a","description":"labelled by hand","entities":[]}',
        "a list\n",
        json.dumps({"id": "a", "description": NAME}) + "\n",
        "[]\n",
        "{\n",
    ],
)
def test_a_file_that_is_no_prediction_is_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(content)
    with (
        pytest.raises(
            DataError, match=r"notes.txt, line 1: is not a prediction.*--out.*--overwrite"
        ) as caught,
        PredictionLog(path, MAKER),
    ):
        pass
    assert path.read_text() == content
    assert NAME not in str(caught.value)


def test_overwrite_starts_over(tmp_path: Path) -> None:
    path = tmp_path / "pred.jsonl"
    path.write_text("anything")
    with PredictionLog(path, MAKER, overwrite=True) as log:
        log.append(line("a"))
    assert path.read_text() == line("a") + "\n"


def test_a_file_of_another_system_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pred.jsonl"
    path.write_text(line("a") + "\n" + line("b", maker=Maker("stub", "5eed2")) + "\n")
    with (
        pytest.raises(DataError, match=r"line 2: was made by another system or another version"),
        PredictionLog(path, MAKER),
    ):
        pass


def test_an_id_with_another_text_means_other_data(tmp_path: Path) -> None:
    path = tmp_path / "pred.jsonl"
    with PredictionLog(path, MAKER) as log:
        log.append(line("a"))
    with PredictionLog(path, MAKER) as log, pytest.raises(InputError, match="made from other data") as caught:
        log.holds(prompt("a", "another text"))
    assert NAME not in str(caught.value)


def test_two_processes_cannot_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "pred.jsonl"
    with (
        PredictionLog(path, MAKER),
        pytest.raises(InputError, match="another predict is writing"),
        PredictionLog(path, MAKER),
    ):
        pass


def test_a_disk_that_fills_up_in_mid_line_leaves_whole_lines(tmp_path: Path, monkeypatch) -> None:
    path, write = tmp_path / "pred.jsonl", os.write

    def fill_up(descriptor: int, data: memoryview) -> int:
        if len(data) < 60:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(descriptor, data[:-50])

    with PredictionLog(path, MAKER) as log:
        log.append(line("a"))
        monkeypatch.setattr(predictions.os, "write", fill_up)
        with pytest.raises(PiibenchError, match=r"pred.jsonl: cannot be written: no space is left"):
            log.append(line("b"))
    monkeypatch.undo()
    assert path.read_text() == line("a") + "\n"


def test_packed_output_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match="cannot grow line by line"),
        PredictionLog(tmp_path / "x.jsonl.gz", MAKER),
    ):
        pass


def test_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PiibenchError, match="it is a directory"), PredictionLog(tmp_path, MAKER):
        pass
