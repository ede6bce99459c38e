"""Fixtures that every room's tests share."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]

# A run in the background ignores Ctrl-C, and so would every command that a test starts, and interrupts, from it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with real data written by others; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("PIIBENCH_SHARED", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder.name}; set PIIBENCH_SHARED to the folder that holds it")
    return folder
