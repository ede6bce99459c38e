"""The benchmark of the encoder runs where processes cannot be held to cores, as on macOS."""

from __future__ import annotations

import os
import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "bench_encoder.py"


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system cannot hold processes to cores")
def test_it_is_held_to_so_many_cores() -> None:
    before = os.sched_getaffinity(0)
    keep_to = runpy.run_path(str(SCRIPT))["keep_to"]
    try:
        keep_to(1)
        assert os.sched_getaffinity(0) == {min(before)}
    finally:
        keep_to(None)
    assert os.sched_getaffinity(0) == before


def test_it_runs_where_no_process_is_held_to_cores(monkeypatch) -> None:
    for name in ("sched_getaffinity", "sched_setaffinity"):
        monkeypatch.delattr(os, name, raising=False)
    keep_to = runpy.run_path(str(SCRIPT))["keep_to"]
    for cores in (1, None):
        keep_to(cores)
