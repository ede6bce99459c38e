"""How commands and scripts end: every failure becomes one clear line and an exit code.

Exit codes: 0 done, 1 failed, 2 the input cannot be used, 130 interrupted.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer
from typer.exceptions import TyperException

from piibench.cli.texts import warn
from piibench.errors import InputError, PiibenchError

if TYPE_CHECKING:
    from collections.abc import Callable

FAILED, UNUSABLE, INTERRUPTED = 1, 2, 130
_NAMED_OPTION = re.compile(r"No such option: --[a-z-]+(?=\.? \(|\.? Did you mean |\.?$)")
DEBUG = "PIIBENCH_DEBUG"


def leave(work: Callable[[], object], name: str) -> NoReturn:
    """Do some work and leave with its exit code.

    Args:
        work: Returns an exit code, or anything else for 0.
        name: Of the command, as its help is asked for: "piibench mask".
    """
    _open_streams()
    try:
        code = _attempt(work)
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        code = _explain(error, name)
    _close_output()
    sys.exit(code)


def _open_streams() -> None:
    """Let closed standard streams be empty ones, and none fail on a character that its encoding lacks."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - until the end
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def run_script(main: Callable[..., None]) -> NoReturn:
    """Run a script whose options are the arguments of a function, with its module's docstring as help."""
    name = Path(sys.argv[0]).name
    script = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    script.command(help=sys.modules[main.__module__].__doc__)(main)
    leave(lambda: script(standalone_mode=False, prog_name=name), name)


def _attempt(work: Callable[[], object]) -> int:
    try:
        result = work()
        code = result if isinstance(result, int) else 0
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED:
        warn("interrupted")
    return code


def _explain(error: Exception, name: str) -> int:
    match error:
        case PiibenchError():
            warn(str(error))
            return UNUSABLE if isinstance(error, InputError) else FAILED
        case TyperException():
            warn(f"{_describe_usage(error)} (see {name} --help)")
            return UNUSABLE
        case BrokenPipeError() | typer.Abort():
            pass
        case MemoryError():
            warn("not enough memory; work on smaller pieces, or with fewer --workers")
        case OSError(errno=errno.ENOSPC | errno.EDQUOT | errno.EIO | errno.EFBIG):
            warn(f"standard output: cannot be written: {os.strerror(error.errno or 0)}")
        case OSError(errno=errno.ENAMETOOLONG | errno.EACCES | errno.EPERM | errno.ELOOP):
            warn(f"a file that was named cannot be reached: {os.strerror(error.errno or 0)}; check the names")
            return UNUSABLE
        case _:
            place = name.removeprefix("piibench").strip() or "the command line"
            warn(f"internal error in {place}: {type(error).__name__}; rerun with {DEBUG}=1 for the traceback")
    return FAILED


def _describe_usage(error: TyperException) -> str:
    """What is wrong with the arguments, without what stood there: that may be a text to protect."""
    message = error.format_message().strip()
    if message.startswith("Got unexpected extra"):
        return "too many arguments; put quotes around --query, and the text into a file or a pipe"
    if message.startswith("No such option") and not _NAMED_OPTION.match(message):
        return "there is no such option; put a text that begins with - into a file or a pipe"
    for given in sys.argv[1:]:
        for part in (given, given.partition("=")[2]):
            if part and not re.fullmatch(r"--?[a-z-]+", part):
                message = message.replace(repr(part), "what was given")
    return message.replace("Value error, ", "").rstrip(".").replace("\n", " ")


def _close_output() -> None:
    """Keep the interpreter from failing once more, at its end, on a stream that nobody reads."""
    try:
        sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
