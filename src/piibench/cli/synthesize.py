"""`piibench synthesize`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from piibench.cli.texts import warn
from piibench.errors import InputError

if TYPE_CHECKING:
    from piibench.synthesis.llm_writers import Tally
    from piibench.synthesis.pipeline import Recipe

FRAMES = "frames"
_SHOWN_REASONS = 12


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
    workers: Annotated[
        int, typer.Option(metavar="N", min=1, max=256, help="Processes; requests at once with a model.")
    ] = 1,
    writer: Annotated[
        str,
        typer.Option(metavar="frames|MODEL", help="Who writes: frames, offline, or a model by its name."),
    ] = FRAMES,
    base_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Address of the model, such as http://localhost:8080/v1."),
    ] = None,
) -> None:
    """Make benchmark data with exact labels, offline unless a model is to write it.

    Writes one gzipped file a subset and a manifest with their hashes. The result depends on seed, partition
    and sizes alone, not on the number of workers. Stopped and started again, it keeps the finished files.

    With --writer MODEL an OpenAI-compatible endpoint writes facts, descriptions and queries; --base-url or
    OPENAI_BASE_URL is its address, OPENAI_API_KEY its key. Every reply is checked; where a model fails, the
    frames stand in. The counts by reason are printed and noted in the manifest.
    """
    from piibench.cli.progress import show_progress
    from piibench.synthesis.pipeline import MANIFEST, SIZES, Recipe
    from piibench.synthesis.pipeline import synthesize as make

    sizes = {name: n or size for name, size in SIZES.items() if subset in (name, "all")}
    recipe = Recipe(sizes, seed, partition, writer)
    if writer != FRAMES:
        _synthesize_by_model(recipe, Path(out), base_url=base_url, at_once=workers)
        return
    if base_url is not None:
        msg = "--base-url: is the address of a model; name it with --writer"
        raise InputError(msg)
    with show_progress("samples", sum(sizes.values())) as advance:
        hashes = make(recipe, Path(out), workers=workers, advance=advance)
    warn(f"{sum(sizes.values())} samples in {len(hashes)} files; hashes in {MANIFEST}")


def _synthesize_by_model(recipe: Recipe, out: Path, *, base_url: str | None, at_once: int) -> None:
    from piibench.cli.progress import show_progress
    from piibench.synthesis.llm_running import open_author
    from piibench.synthesis.pipeline import MANIFEST
    from piibench.synthesis.pipeline import synthesize as make

    total = sum(recipe.sizes.values())
    with (
        open_author(recipe.writer, base_url=base_url, at_once=at_once, folder=out) as author,
        show_progress("samples", total) as advance,
    ):
        hashes = make(recipe, out, workers=at_once, advance=advance, author=author)
    warn(f"{total} samples in {len(hashes)} files; hashes and counts in {MANIFEST}")
    _show_counts(author.total)


def _show_counts(tally: Tally) -> None:
    stood_in = tally.stood_in.total()
    warn(f"this run: {tally.written} samples by the model, {stood_in} by frames in its stead")
    for title, counts in (("in its stead", tally.stood_in), ("replies refused", tally.rejected)):
        for reason, count in counts.most_common(_SHOWN_REASONS):
            warn(f"  {title}: {count} x {reason}")
