"""Where a training run stands: a checkpoint, whole or the one before, and a log of what was reached."""

from __future__ import annotations

import json
import math
import os
from typing import TYPE_CHECKING, Any, cast

import torch

from piibench.data.lines import explain_read_error
from piibench.data.output import explain_write_errors
from piibench.errors import InputError, PiibenchError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

CHECKPOINT = "checkpoint.pt"
LOG = "log.jsonl"


def save_checkpoint(folder: Path, state: Mapping[str, Any], line: Mapping[str, float]) -> None:
    """Write a checkpoint in place of the one before, and a line of the log.

    Args:
        folder: Of the run.
        state: What `load_checkpoint` gives back: tensors, numbers, texts and containers of them.
        line: Figures for the log; rounded to four places.

    Raises:
        PiibenchError: The folder cannot be written.
    """
    with explain_write_errors(folder.name):
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f"{CHECKPOINT}.part"
        with part.open("wb") as file:  # of a path torch would tell a full disk in a way of its own
            torch.save(dict(state), file)
        part.replace(folder / CHECKPOINT)
        with (folder / LOG).open("a+b") as log:
            if log.tell():
                log.seek(-1, os.SEEK_END)
                if log.read() != b"\n":  # a stop has torn the last line
                    log.write(b"\n")
            figures = json.dumps({name: round(value, 4) for name, value in line.items()})
            log.write(f"{figures}\n".encode())


def check_losses(*losses: float) -> None:
    """See to it that a run that came to nothing does not go on and take its last checkpoint's place.

    Raises:
        PiibenchError: A loss is no finite number.
    """
    if not all(map(math.isfinite, losses)):
        msg = "the loss is no number any more; a lower --rate helps, in another folder"
        raise PiibenchError(msg)


def load_checkpoint(folder: Path) -> dict[str, Any] | None:
    """Read the checkpoint of a run into main memory, or None where there is none yet.

    Raises:
        InputError: It is damaged or cannot be read.
    """
    path = folder / CHECKPOINT
    if not path.exists():
        return None
    try:
        state: Any = torch.load(path, map_location="cpu", weights_only=True)
    except OSError as error:
        msg = f"{path}: {explain_read_error(error)}"
        raise InputError(msg) from None
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - torch's reader fails in ways that have no common base
        state = None
    if not isinstance(state, dict):
        msg = f"{path} is damaged; remove it to begin again"
        raise InputError(msg)
    return cast("dict[str, Any]", state)
