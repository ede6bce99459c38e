"""The real command in a process of its own, with the stub system of `tests/plugins` installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evaluations import write_evaluation

PLUGINS = Path(__file__).parents[1] / "plugins"
COMMAND = [sys.executable, "-c", "from piibench.cli.main import run; run()"]
ENVIRONMENT = os.environ | {
    "PYTHONPATH": os.pathsep.join([str(PLUGINS), *filter(None, sys.path)]),
    "TERM": "dumb",
    "PIIBENCH_DEBUG": "",
}


@pytest.fixture
def command() -> list[str]:
    """What starts the command."""
    return list(COMMAND)


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment that it runs in."""
    return dict(ENVIRONMENT)


@pytest.fixture
def piibench(tmp_path: Path):
    """Run the command in an empty folder; text goes in as UTF-8, bytes as they are."""

    def run(*arguments: str, stdin: str | bytes = b"", **options) -> subprocess.CompletedProcess[str]:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [*COMMAND, *arguments],
            input=data,
            stdout=options.pop("stdout", subprocess.PIPE),
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env=ENVIRONMENT | options.pop("env", {}),
            timeout=900,
            check=False,
            **options,
        )
        output = (done.stdout or b"").decode()
        return subprocess.CompletedProcess(done.args, done.returncode, output, done.stderr.decode())

    return run


@pytest.fixture(scope="session")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small evaluation, written once; to be read only."""
    return write_evaluation(tmp_path_factory.mktemp("made") / "results")


@pytest.fixture
def results(evaluation: Path, tmp_path: Path) -> Path:
    """A copy of it, in the folder in which the command runs."""
    return shutil.copytree(evaluation, tmp_path / "results")
