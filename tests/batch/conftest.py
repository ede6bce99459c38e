"""The stub system of `tests/plugins`, installed for this process and its children."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

PLUGINS = Path(__file__).parents[1] / "plugins"
NAME = "Quentin Harbottle"


@pytest.fixture(autouse=True)
def _stub_installed(monkeypatch):
    monkeypatch.syspath_prepend(str(PLUGINS))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))


@pytest.fixture
def write_data(tmp_path: Path):
    """Write prompts, one for each text, with ids r1, r2 …"""

    def write(*texts: str, name: str = "data.jsonl") -> Path:
        path = tmp_path / name
        records = [{"id": f"r{number}", "description": text} for number, text in enumerate(texts, 1)]
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return path

    return write
