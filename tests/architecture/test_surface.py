"""The public face: its names, and what a first import costs."""

from __future__ import annotations

import subprocess
import sys

import piibench

HEAVY = (
    "numpy",
    "scipy",
    "pydantic",
    "phonenumbers",
    "ahocorasick_rs",
    "faker",
    "torch",
    "inspect_ai",
    "onnxruntime",
    "ray",
)


def test_public_names_are_these_and_all_exist() -> None:
    assert sorted(piibench.__all__) == [
        "Category", "Entity", "Masked", "PIIType", "PiibenchError", "Prediction", "Prompt", "Restorer", "Sample", "Selection",
        "System", "Vault", "load_system", "mask", "protect", "protect_sync", "read_predictions", "read_samples", "restore",
        "score",
    ]  # fmt: skip
    for name in piibench.__all__:
        assert getattr(piibench, name) is not None
    assert set(piibench.__all__) <= set(dir(piibench))


def loaded_by(code: str) -> set[str]:
    """The heavy packages that a fresh interpreter has loaded after running `code`."""
    program = f"import sys\n{code}\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    return set(output.split("\n")[-2].split())


def test_importing_piibench_loads_nothing_heavy() -> None:
    assert loaded_by("import piibench") == set()


def test_help_loads_nothing_heavy() -> None:
    code = "from piibench.cli.main import run\nsys.argv = ['piibench', '--help']\ntry: run()\nexcept SystemExit: pass"
    assert loaded_by(code) == set()
