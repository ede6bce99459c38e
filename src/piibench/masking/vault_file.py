"""The file a vault lies in: JSON that only its owner can read, replaced whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from piibench.errors import VaultError

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Generator

FORMAT = "piibench-vault"
VERSION = 1
VERSION_WITH_STAND_INS = 2
"""Written only where there are stand-ins, so that every vault without them stays readable everywhere."""

_held: set[tuple[Path, int]] = set()
"""Which vaults are locked by which threads of this process."""


def write_vault_file(path: Path, data: dict[str, Any]) -> None:
    """Write a vault's data; a reader sees the old file or the new one, never a part.

    Raises:
        VaultError: The file cannot be written; what stood there before is still there.
    """
    version = VERSION_WITH_STAND_INS if "stand_ins" in data else VERSION
    content = json.dumps({"format": FORMAT, "version": version, **data}).encode("ascii")
    try:
        _replace_file(path.resolve(), content)
    except (OSError, ValueError, RuntimeError) as error:
        msg = f"vault {path.name!r}: cannot be written ({_reason(error)}); the file was left as it was"
        raise VaultError(msg) from None


@contextmanager
def lock_vault_file(path: Path) -> Generator[None]:
    """Let one thread of one process at a time change a vault; others wait, but on Windows.

    The lock is a file beside it, which stays.

    Raises:
        VaultError: There cannot be a file beside it, or this thread holds it already and would wait for ever.
    """
    try:
        target = path.resolve()
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        holder = target, threading.get_ident()
        if holder in _held:
            msg = f"vault {path.name!r}: is held by this thread already; let that end first"
            raise VaultError(msg)
        handle = os.open(target.with_name(f".{target.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except (OSError, ValueError, RuntimeError) as error:
        msg = f"vault {path.name!r}: cannot be written ({_reason(error)}); nothing was masked"
        raise VaultError(msg) from None
    _held.add(holder)
    try:
        if sys.platform != "win32":
            with contextlib.suppress(OSError):  # some network file systems know no locks
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        _held.discard(holder)
        os.close(handle)


def read_vault_file(path: Path) -> dict[str, Any]:
    """Return a vault's data, of which only format and version are checked.

    Raises:
        VaultError: The file cannot be read, is not a vault's, or is of another version.
    """
    data = _read_json(path)
    if not isinstance(data, dict) or cast("dict[str, Any]", data).get("format") != FORMAT:
        msg = f"vault {path.name!r}: is not a piibench vault; name the file that `mask --vault` wrote"
        raise VaultError(msg)
    vault = cast("dict[str, Any]", data)
    if vault.get("version") not in (VERSION, VERSION_WITH_STAND_INS):
        readable = f"{VERSION} and {VERSION_WITH_STAND_INS}"
        msg = f"vault {path.name!r}: is of another version; this piibench reads versions {readable}"
        raise VaultError(msg)
    return vault


def _read_json(path: Path) -> Any:
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        msg = f"vault {path.name!r}: cannot be read ({_reason(error)})"
        raise VaultError(msg) from None
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        msg = f"vault {path.name!r}: is not JSON; it is damaged or not a vault"
        raise VaultError(msg) from None


def _replace_file(target: Path, content: bytes) -> None:
    """Write beside the target, then swap; `mkstemp` makes a file that its owner alone can read."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make the swap itself last through a power cut, where the system lets a folder be synced."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or type(error).__name__
