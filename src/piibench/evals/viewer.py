"""Inspect's viewer of logs."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from inspect_ai import view

from piibench.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def show_logs(folder: Path, *, host: str, port: int) -> None:
    """Serve a folder of logs until somebody stops it.

    Raises:
        InputError: The port is taken.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            msg = f"--port {port}: is taken or not allowed; choose another"
            raise InputError(msg) from None
    view(log_dir=str(folder), host=host, port=port)
