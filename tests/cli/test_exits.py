"""How commands and scripts end: what is shown of failures, and the exit codes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from piibench.cli import exits, main

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.parametrize(("result", "code"), [(None, 0), (0, 0), (3, 3), ("text", 0)])
def test_work_that_is_done_gives_the_code(result, code: int) -> None:
    with pytest.raises(SystemExit) as caught:
        exits.leave(lambda: result, "script.py")
    assert caught.value.code == code


def test_an_internal_error_names_the_script(capsys, monkeypatch) -> None:
    def work() -> None:
        msg = "Quentin"
        raise KeyError(msg)

    monkeypatch.delenv(exits.DEBUG, raising=False)
    with pytest.raises(SystemExit) as caught:
        exits.leave(work, "script.py")
    assert caught.value.code == 1
    said = "piibench: internal error in script.py: KeyError; rerun with PIIBENCH_DEBUG=1 for the traceback\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["bench_rules.py", "--rounds", "0"],
            "Invalid value for '--rounds': Input should be greater than or equal to 1 (see bench_rules.py --help)",
        ),
        (["bench_rules.py", "a"], "too many arguments"),
        (["bench_synthesis.py", "--sizes", "20,x"], "--sizes takes whole numbers from 20 on"),
        (["bench_synthesis.py", "--sizes", "20,19"], "--sizes takes whole numbers from 20 on"),
        (["held_out.py"], "Missing option '--out' (see held_out.py --help)"),
        (["held_out.py", "--out", "out", "--public", "absent"], "no such file; check the name"),
        (["held_out.py", "--out", "taken"], "a file is in its place; choose another folder"),
        (["hardest.py", "absent.txt"], "absent.txt: no such file; check the name"),
        (["hardest.py", str(BENCHMARKS / "bench_synthesis.py")], "there are no marked texts in "),
        (["bench_queries.py", "--weights", "absent"], "`piibench train encoder` makes one"),
    ],
)
def test_a_script_tells_in_one_line_what_is_wrong(tmp_path: Path, arguments, said: str) -> None:
    (tmp_path / "taken").touch()
    command = [sys.executable, str(BENCHMARKS / arguments[0]), *arguments[1:]]
    environment = os.environ | {exits.DEBUG: ""}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (exits.FAILED, exits.UNUSABLE)
    assert done.stderr.startswith("piibench: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


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
