"""`piibench restore`."""

from __future__ import annotations

from typing import Annotated

import typer

from piibench.cli.options import TextFile  # noqa: TC001 - typer reads it
from piibench.cli.texts import read_text, warn, write_text


def restore(
    vault: Annotated[
        str, typer.Option("--vault", metavar="FILE", help="The vault that `mask --vault` wrote.")
    ],
    file: TextFile = "-",
) -> None:
    """Put the hidden values back into a model's answer.

    Prints the answer with every placeholder and stand-in of the vault replaced by its value. A
    placeholder that the vault does not know, or that stands for several values, stays as it is.
    """
    from piibench.masking.restore import restore_counted
    from piibench.masking.vault import Vault

    conversation = Vault.load(vault)
    restored = restore_counted(read_text(file), conversation)
    write_text(restored.text)
    if restored.left:
        warn(f"{restored.left} placeholder(s) left as they are: unknown to this vault, or for several values")
