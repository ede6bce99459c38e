"""The entry point: help, version, how long they take, and what is shown of failures."""

from __future__ import annotations

import subprocess

import pytest
import typer

from piibench import __version__
from piibench.cli import exits, main
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


def fail_with(
    monkeypatch, capsys, error: BaseException, argv: tuple[str, ...] = ("piibench", "mask")
) -> tuple[int, str]:
    def app(**_: object) -> None:
        raise error

    monkeypatch.setattr(main, "app", app)
    monkeypatch.setattr("sys.argv", list(argv))
    monkeypatch.delenv(exits.DEBUG, raising=False)
    with pytest.raises(SystemExit) as caught:
        main.run()
    return caught.value.code, capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "piibench: interrupted\n"),
        (BrokenPipeError(), 1, ""),
        (typer.Abort(), 1, ""),
        (MemoryError(), 1, "piibench: not enough memory; work on smaller pieces, or with fewer --workers\n"),
        (
            KeyError("Quentin"),
            1,
            "piibench: internal error in mask: KeyError; rerun with PIIBENCH_DEBUG=1 for the traceback\n",
        ),
        (OSError(28, "x"), 1, "piibench: standard output: cannot be written: No space left on device\n"),
        (OSError(5, "x"), 1, "piibench: standard output: cannot be written: Input/output error\n"),
    ],
)
def test_every_failure_is_one_line_and_a_code(monkeypatch, capsys, error, code: int, said: str) -> None:
    assert fail_with(monkeypatch, capsys, error) == (code, said)


@pytest.mark.parametrize(
    ("argv", "error", "said"),
    [
        (
            ("piibench", "I am Ann O'Neil"),
            typer.BadParameter('No such command "I am Ann O\'Neil".'),
            "piibench: No such command what was given (see piibench --help)\n",
        ),
        (
            ("piibench", "predict", "--workers=Ann"),
            typer.BadParameter("Invalid value for '--workers': 'Ann' is not a valid int."),
            "piibench: Invalid value for '--workers': what was given is not a valid int (see piibench predict --help)\n",
        ),
        (
            ("piibench", "mask", "a", "Ann"),
            typer.BadParameter("Got unexpected extra argument (Ann)"),
            (
                "piibench: too many arguments; put quotes around --query, and the text into a file or a pipe"
                " (see piibench mask --help)\n"
            ),
        ),
    ],
)
def test_usage_errors_do_not_repeat_what_was_typed(monkeypatch, capsys, argv, error, said: str) -> None:
    error.format_message = lambda: str(error)
    assert fail_with(monkeypatch, capsys, error, argv) == (2, said)


def test_debug_shows_everything(monkeypatch) -> None:
    def app(**_: object) -> None:
        msg = "x"
        raise KeyError(msg)

    monkeypatch.setattr(main, "app", app)
    monkeypatch.setenv(exits.DEBUG, "1")
    with pytest.raises(KeyError):
        main.run()
