"""The entry point: help, version, and how long they take."""

from __future__ import annotations

import subprocess

import pytest

from piibench import __version__
from piibench.cli.main import VERBS
from piibench.cli.options import DEFAULT_SYSTEM
from piibench.systems import registry

VERBS_OF_THE_README = [
    "mask",
    "restore",
    "detect",
    "predict",
    "score",
    "evaluate",
    "view",
    "analyze",
    "report",
    "reproduce",
    "import",
    "synthesize",
    "verify",
    "statistics",
    "calibrate",
    "train",
    "systems",
    "taxonomy",
    "demo",
]


def test_the_verbs_in_their_order(piibench) -> None:
    assert list(VERBS) == VERBS_OF_THE_README
    help_text = piibench("--help").stdout
    places = [help_text.index(f"\n  {verb} ") for verb in VERBS]
    assert places == sorted(places)


def test_without_a_verb_there_is_help(piibench) -> None:
    done = piibench()
    assert done.returncode == 0
    assert done.stdout.strip() == piibench("-h").stdout.strip()


def test_version(piibench) -> None:
    assert piibench("--version").stdout == f"piibench {__version__}\n"


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_teaches_by_an_example(piibench, verb: str) -> None:
    done = piibench(verb, "--help")
    assert done.returncode == 0
    assert f"Example: {VERBS[verb][1]}" in done.stdout


LOADED = "print(*{name.split('.')[0] for name in sys.modules}, file=sys.stderr)"
HEAVY = {b"httpx", b"inspect_ai", b"jinja2", b"numpy", b"onnxruntime", b"pydantic", b"scipy", b"tokenizers"}


def test_help_loads_nothing_heavy(command, environment) -> None:
    """What answers at once is what loads little; how fast that is depends on the machine."""
    python, option, code = command
    watched = f"import sys\ntry:\n {code}\nfinally:\n {LOADED}"
    done = subprocess.run(
        [python, option, watched, "--help"], env=environment, capture_output=True, check=True
    )
    loaded = set(done.stderr.split())
    assert b"typer" in loaded
    assert not loaded & HEAVY


def test_the_default_system_is_the_registrys() -> None:
    assert DEFAULT_SYSTEM == registry.DEFAULT_SYSTEM
