"""Fixtures that every room's tests share."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

PROJECT = Path(__file__).resolve().parents[1]

# No property is about time, and a machine may be slow, or load a model within the first example.
settings.register_profile("piibench", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("piibench")

# A run in the background ignores Ctrl-C, and so would every command that a test starts, and interrupts, from it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with real data written by others; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("PIIBENCH_SHARED", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder.name}; set PIIBENCH_SHARED to the folder that holds it")
    return folder
