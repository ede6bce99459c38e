"""`piibench synthesize`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from piibench.cli.texts import warn


def synthesize(
    out: Annotated[
        str, typer.Option("--out", metavar="DIR", help="Folder for the files and their manifest.")
    ],
    *,
    subset: Annotated[
        Literal["single", "multi", "hard", "distract", "all"], typer.Option(help="What to make.")
    ] = "all",
    n: Annotated[
        int | None,
        typer.Option("--n", metavar="N", min=1, help="Samples a subset; the paper's where absent."),
    ] = None,
    partition: Annotated[
        Literal["train", "dev", "test"],
        typer.Option(help="Whose frames, query templates and rare values are used; no two share any."),
    ] = "test",
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed gives the same bytes.")] = 7,
    workers: Annotated[int, typer.Option(metavar="N", min=1, max=256, help="Processes.")] = 1,
) -> None:
    """Make benchmark data with exact labels, offline.

    Writes one gzipped file a subset and a manifest with their hashes. The result depends on seed, partition
    and sizes alone, not on the number of workers. Stopped and started again, it keeps the finished files.
    """
    from piibench.cli.progress import show_progress
    from piibench.synthesis.pipeline import MANIFEST, SIZES, Recipe
    from piibench.synthesis.pipeline import synthesize as make

    sizes = {name: n or size for name, size in SIZES.items() if subset in (name, "all")}
    recipe = Recipe(sizes, seed, partition)
    with show_progress("samples", sum(sizes.values())) as advance:
        hashes = make(recipe, Path(out), workers=workers, advance=advance)
    warn(f"{sum(sizes.values())} samples in {len(hashes)} files; hashes in {MANIFEST}")
