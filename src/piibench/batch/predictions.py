"""A predictions file that grows one whole line at a time, and goes on where it was interrupted."""

from __future__ import annotations

import json
import os
import stat
import sys
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from piibench.data.lines import STANDARD_STREAM
from piibench.data.output import explain_write_errors
from piibench.data.schema import SCHEMA_VERSION
from piibench.errors import DataError, InputError

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from types import TracebackType

    from piibench.data.files import PromptRecord

_REMEDY = "choose another --out, or start over with --overwrite"
_FOREIGN = f"is not a prediction of piibench; {_REMEDY}"
_BEGINNING = f'{{"schema":{SCHEMA_VERSION},"id":"'.encode()


@dataclass(frozen=True, slots=True)
class Maker:
    """Which system made a predictions file; written into each record's meta."""

    name: str
    fingerprint: str

    def to_meta(self) -> dict[str, str]:
        """The form on disk."""
        return {"name": self.name, "fingerprint": self.fingerprint}


class PredictionLog:
    """Appends records to a file and knows what is already there. Use as a context manager.

    A line that a crash cut off is removed on opening. Only one process may write a file at a time.

    Args:
        path: The file, made where absent; "-" is standard output; a device or pipe is never read back.
        maker: The system that predicts; a file of another system is refused.
        overwrite: Empty the file first.

    Raises:
        InputError: The file is not one of this system, or another process writes it.
        PiibenchError: The file cannot be written.
    """

    def __init__(self, path: str | Path, maker: Maker, *, overwrite: bool = False) -> None:
        self._path = Path(path)
        self._maker = maker
        self._overwrite = overwrite
        self._descriptor = -1
        self._regular = False
        self._end = 0
        self._done: dict[str, bytes] = {}

    def __enter__(self) -> Self:
        if self._path.suffix == ".gz":
            msg = f"{self._path.name}: a .gz cannot grow line by line; name it .jsonl and pack it afterwards"
            raise InputError(msg)
        with explain_write_errors(self._path.name):
            self._descriptor = self._open()
        try:
            if self._regular:
                self._prepare()
        except BaseException:
            os.close(self._descriptor)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._descriptor)

    def __len__(self) -> int:
        return len(self._done)

    def holds(self, record: PromptRecord) -> bool:
        """Whether this record's prediction is already there.

        Raises:
            InputError: The file holds one for another text under that id.
        """
        there = self._done.get(record.id)
        if there is not None and there != _digest(record.description, record.query):
            msg = f"{self._path.name}: was made from other data (an id there has another text); {_REMEDY}"
            raise InputError(msg)
        return there is not None

    def append(self, line: str) -> None:
        """Write one record, whole or not at all.

        Raises:
            PiibenchError: The system refused, as when the disk is full; every line before stays whole.
        """
        rest = memoryview(line.encode() + b"\n")
        with explain_write_errors(self._path.name):
            try:
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]
            except BaseException:
                if self._regular:
                    os.ftruncate(self._descriptor, self._end)
                raise
            if self._regular:
                self._end = os.lseek(self._descriptor, 0, os.SEEK_CUR)

    def _open(self) -> int:
        if str(self._path) == STANDARD_STREAM:
            return os.dup(sys.stdout.fileno())
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        self._regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
        return descriptor

    def _prepare(self) -> None:
        _lock(self._descriptor, self._path.name)
        if self._overwrite:
            os.ftruncate(self._descriptor, 0)
        with explain_write_errors(self._path.name), self._path.open("rb") as stream:
            for number, raw in enumerate(stream, 1):
                if not raw.endswith(b"\n"):
                    self._check_torn(raw, number)
                    break
                identifier, self._done[identifier] = self._identify(raw, number)
                self._end += len(raw)
        os.ftruncate(self._descriptor, self._end)

    def _check_torn(self, raw: bytes, number: int) -> None:
        """A crash leaves the beginning of a record; anything else without a line end is not ours to cut."""
        if raw[: len(_BEGINNING)] == _BEGINNING[: len(raw)] and not _is_json(raw):
            return
        self._identify(raw, number)  # whole but for its line end, which the crash cut off, or foreign

    def _identify(self, raw: bytes, number: int) -> tuple[str, bytes]:
        """Id and digest of a prediction of this system.

        Raises:
            DataError: It is none.
        """
        try:
            record = cast("dict[str, Any]", json.loads(raw))
            identifier, maker = record["id"], Maker(**record["meta"]["system"])
            digest = _digest(record["description"], record["query"])
            hash(identifier)  # it is a key of what is done
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise DataError(_FOREIGN, place=self._path.name, line=number) from None
        if maker != self._maker:
            problem = f"was made by another system or another version of it; {_REMEDY}"
            raise DataError(problem, place=self._path.name, line=number)
        return identifier, digest


def _is_json(raw: bytes) -> bool:
    try:
        json.loads(raw)
    except (ValueError, RecursionError):
        return False
    return True


def _digest(description: str, query: str) -> bytes:
    return blake2b(json.dumps([description, query]).encode(), digest_size=12).digest()


def _lock(descriptor: int, name: str) -> None:
    """Keep a second process from writing the same file; the lock goes with the process."""
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        msg = f"{name}: another predict is writing this file; wait for it, or choose another --out"
        raise InputError(msg) from None
    except OSError:
        return  # some network file systems know no locks
