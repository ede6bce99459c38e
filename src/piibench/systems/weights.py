"""A trained model on disk: a folder with its files and a `settings.json` that holds the sha256 of each."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from multiprocessing import parent_process
from typing import TYPE_CHECKING, Any, cast

from piibench.data.lines import explain_read_error
from piibench.data.output import explain_write_errors
from piibench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

SETTINGS = "settings.json"
HASHES = "hashes"


@dataclass(frozen=True, slots=True)
class Checked:
    """A folder's files, each the one that was made.

    Attributes:
        settings: What `settings.json` says, without the hashes.
        files: Content by name.
        fingerprint: Eight hexadecimal digits that change with any file or setting.
    """

    settings: dict[str, Any]
    files: dict[str, bytes]
    fingerprint: str


def read_checked(folder: Path, names: Iterable[str], *, maker: str) -> Checked:
    """Read a model's files and check them by their hashes.

    Args:
        folder: Holds them and `settings.json`.
        names: The files that the model needs.
        maker: The command that makes such a folder, for the error.

    Raises:
        InputError: A file is absent, cannot be read or is not the one that was made.
    """
    settings = _read_settings(folder, maker)
    hashes = settings.pop(HASHES)
    files = {name: _read(folder / name, maker) for name in names}
    for name, content in files.items():
        if hashlib.sha256(content).hexdigest() != hashes.get(name):
            msg = f"{folder / name} is not the file that was made (sha256 differs); {_mend(maker)}"
            raise InputError(msg)
    origin = json.dumps([settings, {name: hashes[name] for name in sorted(files)}], sort_keys=True)
    return Checked(settings, files, hashlib.sha256(origin.encode()).hexdigest()[:8])


def write_checked(folder: Path, files: Mapping[str, bytes], settings: Mapping[str, Any]) -> None:
    """Write a model's files, and last the settings with their hashes; the folder is made where it is absent.

    Raises:
        PiibenchError: The folder cannot be written.
    """
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
    described = json.dumps({**settings, HASHES: hashes}, indent=1) + "\n"
    with explain_write_errors(folder.name):
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in {**files, SETTINGS: described.encode()}.items():
            part = folder / f"{name}.part"
            part.write_bytes(content)
            part.replace(folder / name)


def _read_settings(folder: Path, maker: str) -> dict[str, Any]:
    try:
        settings: Any = json.loads(_read(folder / SETTINGS, maker))
    except ValueError:
        settings = None
    if not isinstance(settings, dict) or not isinstance(cast("dict[str, Any]", settings).get(HASHES), dict):
        msg = f"{folder / SETTINGS} is damaged (JSON with {HASHES} is expected); {_mend(maker)}"
        raise InputError(msg)
    return cast("dict[str, Any]", settings)


def _mend(maker: str) -> str:
    return f"install piibench again, or make the model anew with `{maker}`"


def _read(path: Path, maker: str) -> bytes:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        msg = f"no model in {path.parent} ({path.name} is absent); `{maker}` makes one"
        raise InputError(msg) from None
    except OSError as error:
        msg = f"{path}: {explain_read_error(error)}"
        raise InputError(msg) from None


def settle_threads(threads: int | None) -> int:
    """How many threads a network takes for one prompt; 0 is one for each core.

    Returns:
        What is given; where that is None 0, and 1 in a process among several.

    Raises:
        InputError: They are fewer than 0.
    """
    if threads is None:
        return 0 if parent_process() is None else 1
    if threads < 0:
        msg = f"threads must be 0 (one for each core) or more, found {threads}"
        raise InputError(msg)
    return threads
