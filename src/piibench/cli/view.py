"""`piibench view`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from piibench.errors import InputError

_HOST = "127.0.0.1"


def view(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="What `evaluate --out` wrote.")],
    *,
    port: Annotated[int, typer.Option(metavar="N", min=1, max=65535, help="Port on this machine.")] = 7575,
) -> None:
    """Show every prompt, reply and score of an evaluation in the browser.

    The pages are served at an address of this machine only, until Ctrl-C.
    """
    from piibench.cli.evaluate import require_extra

    require_extra()
    from piibench.evals.experiment import LOGS
    from piibench.evals.viewer import show_logs

    logs = Path(folder) / LOGS
    if not logs.is_dir():
        name = Path(folder).resolve().name
        msg = f"{name}: holds no evaluation; give the folder of `piibench evaluate --out`"
        raise InputError(msg)
    show_logs(logs, host=_HOST, port=port)
