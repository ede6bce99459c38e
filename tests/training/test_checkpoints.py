"""A run's checkpoint comes back as it was written, or is the one before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

import torch

from piibench.errors import InputError, PiibenchError
from piibench.training.checkpoints import CHECKPOINT, LOG, check_losses, load_checkpoint, save_checkpoint


def test_what_was_saved_last_comes_back_and_the_log_grows(tmp_path):
    for number in (1, 2):
        save_checkpoint(tmp_path, {"at": number, "row": torch.tensor([0.1 * number])}, {"loss": number / 3})
    state = load_checkpoint(tmp_path)
    assert state is not None
    assert (state["at"], state["row"]) == (2, torch.tensor([0.2]))
    lines = [json.loads(line) for line in (tmp_path / LOG).read_text("utf-8").splitlines()]
    assert lines == [{"loss": 0.3333}, {"loss": 0.6667}]
    assert {path.name for path in tmp_path.iterdir()} == {CHECKPOINT, LOG}


@pytest.mark.parametrize("torn", ["{", '{"loss": 0.3, "see', '{"loss": 0.3}'])
def test_a_torn_line_of_the_log_ends_where_the_next_begins(tmp_path, torn):
    (tmp_path / LOG).write_bytes(f'{{"loss": 0.5}}\n{torn}'.encode())
    for loss in (0.25, 0.125):
        save_checkpoint(tmp_path, {}, {"loss": loss})
    lines = (tmp_path / LOG).read_text("utf-8").splitlines()
    assert lines == ['{"loss": 0.5}', torn, '{"loss": 0.25}', '{"loss": 0.125}']


@pytest.mark.parametrize("loss", [float("nan"), float("inf")])
def test_a_loss_that_is_no_number_ends_a_run(loss):
    check_losses(0.0, 1e30)
    with pytest.raises(PiibenchError, match="no number any more; a lower --rate helps"):
        check_losses(0.5, loss)


def test_where_there_is_none_yet_nothing_is_made_before_one_is_saved(tmp_path):
    assert load_checkpoint(tmp_path / "new" / "run") is None
    assert not (tmp_path / "new").exists()
    save_checkpoint(tmp_path / "new" / "run", {"at": 1}, {})
    assert load_checkpoint(tmp_path / "new" / "run") == {"at": 1}


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04 cut short", b"no checkpoint", b"hello\n", b"\x80\x02."]
)
def test_a_damaged_one_is_named_with_the_remedy(tmp_path, content):
    (tmp_path / CHECKPOINT).write_bytes(content)
    with pytest.raises(InputError, match=r"checkpoint\.pt is damaged; remove it to begin again"):
        load_checkpoint(tmp_path)


def test_one_that_cannot_be_read_is_not_called_damaged(tmp_path):
    (tmp_path / CHECKPOINT).mkdir()
    with pytest.raises(InputError, match=r"checkpoint\.pt: is a directory"):
        load_checkpoint(tmp_path)


def test_a_save_that_fails_leaves_the_one_before(tmp_path):
    save_checkpoint(tmp_path, {"at": 1}, {})
    (tmp_path / f"{CHECKPOINT}.part").mkdir()
    with pytest.raises(PiibenchError, match="cannot be written"):
        save_checkpoint(tmp_path, {"at": 2}, {})
    assert load_checkpoint(tmp_path) == {"at": 1}


def test_what_is_no_state_is_damaged(tmp_path):
    torch.save(torch.zeros(2), tmp_path / CHECKPOINT)
    with pytest.raises(InputError, match="is damaged"):
        load_checkpoint(tmp_path)


def test_a_file_in_the_folders_place_is_one_clear_line(tmp_path):
    (tmp_path / "run").touch()
    with pytest.raises(PiibenchError, match="run: cannot be written"):
        save_checkpoint(tmp_path / "run", {}, {})


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is absent here")
def test_a_full_disk_is_one_clear_line(tmp_path):
    (tmp_path / f"{CHECKPOINT}.part").symlink_to("/dev/full")
    with pytest.raises(PiibenchError, match="cannot be written"):
        save_checkpoint(tmp_path, {"row": torch.zeros(10**5)}, {})
