"""Files going out: whole or not at all, and one clear line where the system refuses."""

from __future__ import annotations

import errno
import gzip
import os
import secrets
import stat
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from piibench.data.lines import STANDARD_STREAM
from piibench.errors import PiibenchError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

_REFUSALS = {
    errno.ENOSPC: "no space is left on the device; free some and start again",
    errno.EDQUOT: "the disk quota is used up; free some space and start again",
    errno.EFBIG: "the file would grow larger than allowed; write it elsewhere",
    errno.EROFS: "the file system is read-only; choose another place",
    errno.EACCES: "no permission to write there; choose another place",
    errno.EPERM: "no permission to write there; choose another place",
    errno.EISDIR: "it is a directory; give the name of a file",
    errno.ENOENT: "there is no such folder; make it first",
    errno.EEXIST: "a file is in its place; choose another folder",
    errno.ENOTDIR: "a part of its path is not a folder; check the name",
}


def write_lines(path: str | Path, lines: Iterable[str]) -> int:
    """Write lines of text so that the file is there whole or not at all.

    They go to a temporary file beside the target, which then takes its name. A device or a pipe is written
    directly. `.gz` is packed without a time stamp: the same lines give the same bytes.

    Args:
        path: The target, or "-" for standard output.
        lines: Texts without line ends.

    Returns:
        The number of lines written.

    Raises:
        PiibenchError: The place cannot be written; an older file of that name is untouched.
    """
    target = Path(path)
    with explain_write_errors(target.name):
        if str(path) == STANDARD_STREAM or _is_output(target):
            return _copy(lines, sys.stdout.buffer)
        if target.exists() and not target.is_file():
            with target.open("wb") as device:
                return _copy(lines, device)
        return _replace(target.resolve(), lines, packed=target.suffix == ".gz")


def _is_output(target: Path) -> bool:
    """Whether a path is another name of standard output, such as /dev/stdout, where that is a file."""
    try:
        return target.is_symlink() and os.path.samestat(target.stat(), os.fstat(sys.stdout.fileno()))
    except (OSError, ValueError):  # there is none
        return False


@contextmanager
def explain_write_errors(place: str) -> Generator[None]:
    """Turn the operating system's refusal to write into one clear line."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        number = error.errno or 0
        reason = _REFUSALS.get(number) or (os.strerror(number) if number else "the system refused")
        msg = f"{place}: cannot be written: {reason}"
        raise PiibenchError(msg) from error


def _replace(target: Path, lines: Iterable[str], *, packed: bool) -> int:
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as raw:
            if target.exists():  # whom it was kept from must not read the new one
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            if packed:
                with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as archive:
                    written = _copy(lines, archive)
            else:
                written = _copy(lines, raw)
            raw.flush()
            os.fsync(raw.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return written


def _copy(lines: Iterable[str], stream: IO[bytes] | gzip.GzipFile) -> int:
    written = 0
    for line in lines:
        stream.write(line.encode() + b"\n")
        written += 1
    stream.flush()
    return written
