"""`piibench train`."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from piibench.cli.calibrate import HEADINGS
from piibench.cli.texts import warn
from piibench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from piibench.data.schema import Sample
    from piibench.generators.base import Partition
    from piibench.training.material import Own

ENCODER = "encoder"
_SAMPLES = 2500
_QUICK_SAMPLES = 60
_HELD_OUT, _QUICK_HELD_OUT = 150, 20
_DEV_SEED = 5
_TRAIN_SEED = 4
"""Added to --seed, with which the training samples change; those of dev stay the same."""
_HIGHEST_SEED = 2**63 - 1
_PUBLIC = "PIIBENCH_SHARED"
_REHEARSED = 0.2


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
        int | None,
        typer.Option(
            metavar="N",
            min=20,
            help="Training samples a subset.  [default: what the encoder's passes read; bilstm_crf: 2500]",
        ),
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
    texts: Annotated[
        list[str] | None,
        typer.Option(
            "--texts",
            metavar="FILE",
            help="Labelled texts of your own, each in every pass: records, or a .txt file marked as those in"
            " piibench/training/corpus; may be given more than once. With --start shipped the shipped model"
            " learns what is special to them (encoder).",
        ),
    ] = None,
    rehearse: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            min=0,
            max=1,
            help="What share of our corpus comes in each pass beside --texts, so that it is not forgotten"
            " (encoder).  [default: 0.2]",
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            metavar="DIR|shipped",
            help="Start from the weights in this folder (an earlier run's, or a model's), or from the shipped"
            " ones, instead of the base's (encoder).",
        ),
    ] = None,
    rate: Annotated[float | None, typer.Option(metavar="R", min=0, help="Highest learning rate.")] = None,
    average: Annotated[
        bool,
        typer.Option(
            "--average",
            help="Hold the rate and write the mean of the weights on the way, the later the more, instead of"
            " letting the rate fall and writing the last (encoder).",
        ),
    ] = False,
    dropout: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            min=0,
            max=0.9,
            help="Leave this share of what each layer adds out of an update, drawn anew each time: so that a"
            " run of many passes learns the texts less by heart (encoder).  [default: 0]",
        ),
    ] = None,
    frozen: Annotated[
        int | None,
        typer.Option(
            "--freeze",
            metavar="N",
            min=0,
            max=6,
            help="Leave the embeddings and the N lowest of the encoder's six layers as --start has them:"
            " faster.",
        ),
    ] = None,
    blend: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            min=0.05,
            max=1,
            help="Let the weights that are written go this share of the way from those of --start, or of"
            " --blend-from, to what was learned: often better on other text. Given anew to a finished run,"
            " with its other options as they were, it makes another model in the place of the first."
            "  [default: 1]",
        ),
    ] = None,
    blend_from: Annotated[
        str | None,
        typer.Option(
            metavar="DIR|shipped",
            help="Where --blend begins, instead of at the weights of --start (encoder).",
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A few minutes on two cores: to see that everything works.")
    ] = False,
    seed: Annotated[
        int,
        typer.Option(metavar="S", min=0, max=_HIGHEST_SEED, help="Of everything that the training draws."),
    ] = 7,
    workers: Annotated[
        int, typer.Option(metavar="N", min=1, max=256, help="Processes that make the data.")
    ] = 2,
) -> None:
    """Train a model: the encoder that piibench ships, or the BiLSTM-CRF that it is compared with.

    Makes synthetic data of the partitions train and dev in DIR/data and trains on it; a GPU is used where
    there is one. The encoder starts from all-MiniLM-L6-v2 (its package must be installed), is exported to
    ONNX (8 bits), and its thresholds are chosen on texts that the training never sees. Stopped and started
    again, it goes on.

    Try the encoder with `piibench mask --system encoder --weights DIR`, the BiLSTM-CRF with
    `--system bilstm_crf --weights DIR/weights`.
    """
    from importlib.util import find_spec

    if find_spec("torch") is None:
        msg = f"training the {model} needs torch; pip install 'piibench[train]'"
        raise InputError(msg)
    chosen = {"seed": seed} | {
        name: value
        for name, value in (
            ("passes", passes),
            ("rate", rate),
            ("dropout", dropout),
            ("frozen", frozen),
            ("average", average or None),
        )
        if value is not None
    }
    if model == ENCODER:
        if frozen and start is None:
            msg = "--freeze leaves layers as they were trained before; say where they are with --start"
            raise InputError(msg)
        if blend and start is None and blend_from is None:
            msg = (
                "--blend goes between two sets of weights; say where the first are with --start or"
                " --blend-from"
            )
            raise InputError(msg)
        if blend_from is not None and not blend:
            msg = "--blend-from is where --blend begins; say how far it goes with --blend"
            raise InputError(msg)
        anchor = _find_start(start if blend_from is None else blend_from)
        if blend and anchor and anchor.resolve() == Path(out).resolve():
            told = "--start" if blend_from is None else "--blend-from"
            msg = f"{told} and --out are one folder; the blend needs weights of another"
            raise InputError(msg)
        if rehearse is not None and not texts:
            msg = "--rehearse is what comes beside your own texts; say where they are with --texts"
            raise InputError(msg)
        own = _read_own(texts, _REHEARSED if rehearse is None else rehearse) if texts else None
        origin = _Origin(_find_public(public), own, _find_start(start), anchor, blend)
        _train_encoder(Path(out), origin, _Wish(samples, quick, workers, seed), chosen)
    elif (
        texts
        or average
        or any(given is not None for given in (start, dropout, frozen, public, rehearse, blend, blend_from))
    ):
        msg = (
            "--start, --average, --dropout, --freeze, --blend, --blend-from, --public, --texts and --rehearse"
            " are for the encoder; leave them out for bilstm_crf"
        )
        raise InputError(msg)
    else:
        _train_bilstm_crf(Path(out), _Wish(samples, quick, workers, seed), chosen)


@dataclass(frozen=True, slots=True)
class _Wish:
    """What the caller wants of the synthetic data.

    Attributes:
        samples: Of each subset; None leaves it to the model.
        quick: A few only.
        workers: Processes that make them.
        seed: Of everything that is drawn.
    """

    samples: int | None
    quick: bool
    workers: int
    seed: int


@dataclass(frozen=True, slots=True)
class _Origin:
    """What there is already.

    Attributes:
        public: Folder of the public data sets.
        own: The caller's own texts.
        start: Folder of the run or the model to start from.
        anchor: Folder of the run or the model where the blend begins.
        blend: How far it goes from there to what is learned; None writes what is learned.
    """

    public: Path | None
    own: Own | None
    start: Path | None
    anchor: Path | None
    blend: float | None


def _train_encoder(out: Path, origin: _Origin, wish: _Wish, chosen: dict[str, float]) -> None:
    from piibench.cli.progress import show_share
    from piibench.training.encoder import QUICK, QUICK_SHARE, Blend, Sources, initialize, train_encoder
    from piibench.training.fitting import Plan
    from piibench.training.material import SYNTHETIC

    plan = replace(QUICK if wish.quick else Plan(), **chosen)  # pyright: ignore[reportArgumentType]
    sizes = {subset: count * plan.passes for subset, count in SYNTHETIC.items()}
    # What is wrong with these is told before data are made.
    encoder = initialize(origin.start, seed=plan.seed)
    blend = Blend(initialize(origin.anchor, seed=plan.seed), origin.blend) if origin.blend else None
    sources = Sources(*_make_data(out, sizes, wish), origin.public, origin.own)
    with show_share("training") as advance:
        outcome = train_encoder(
            encoder,
            sources,
            out,
            plan=plan,
            share=QUICK_SHARE if wish.quick else 1.0,
            blend=blend,
            advance=lambda progress: advance(progress.share, _show(progress.losses)),
        )
    warn(f"model in {out}; a value is kept from a probability of {outcome.settings.keep_threshold:g} on")
    others = (f"{HEADINGS[name]} {score:.3f}" for name, score in outcome.point.scores.items())
    warn(f"on dev, where that was chosen: {', '.join((f'Strict-F1 {outcome.strict_f1:.3f}', *others))}")
    _draw(out)


def _draw(out: Path) -> None:
    """Draw the learning curve where there is something to draw with and of; the model is whole without it."""
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        return
    from piibench.reports.figures import save_figure
    from piibench.reports.learning import draw_losses
    from piibench.training.checkpoints import LOG

    try:
        save_figure(draw_losses(list(_read_updates(out / LOG))), out / "learning.svg")
    except Exception:  # noqa: BLE001 - a training of days does not end in an error for its picture
        warn(f"no learning curve could be drawn of {out / LOG}; the model is whole without it")


def _read_updates(log: Path) -> Iterator[dict[str, float]]:
    """Yield the lines that tell of updates: not what a stop has torn, nor what a BiLSTM-CRF left there."""
    for text in log.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            line = json.loads(text)
        except ValueError:
            continue
        if isinstance(line, dict) and "updates" in line:
            yield line


def _train_bilstm_crf(out: Path, wish: _Wish, chosen: dict[str, float]) -> None:
    from piibench.cli.progress import show_share
    from piibench.synthesis.pipeline import SIZES
    from piibench.training.bilstm_crf import train_bilstm_crf
    from piibench.training.bilstm_crf.fitting import Plan
    from piibench.training.material import read_partition

    train, dev = _make_data(out, dict.fromkeys(SIZES, _SAMPLES), wish)
    plan = replace(Plan(passes=2) if wish.quick else Plan(), **chosen)  # pyright: ignore[reportArgumentType]
    with show_share("training") as advance:
        report = train_bilstm_crf(
            list(read_partition(train)),
            list(read_partition(dev)),
            out,
            plan=plan,
            advance=lambda progress: advance(progress.share, f"dev F1 {progress.record.best:.3f}"),
        )
    warn(f"model in {out / 'weights'}; F1 on dev {report.dev.f1:.3f} after pass {report.record.best_pass}")


def _show(losses: dict[str, float]) -> str:
    return " ".join(f"{name} {value:.3f}" for name, value in losses.items())


def _make_data(folder: Path, usual: dict[str, int], wish: _Wish) -> tuple[Path, Path]:
    """Make the partitions train (`usual` where no size is wished) and dev, and return their folders."""
    from piibench.cli.progress import show_progress
    from piibench.synthesis.pipeline import Recipe, synthesize

    each = wish.samples or (_QUICK_SAMPLES if wish.quick else None)
    wanted: dict[Partition, dict[str, int]] = {
        "train": dict.fromkeys(usual, each) if each else usual,
        "dev": dict.fromkeys(usual, _QUICK_HELD_OUT if wish.quick else _HELD_OUT),
    }
    for partition, counts in wanted.items():
        recipe = Recipe(counts, _DEV_SEED if partition == "dev" else _TRAIN_SEED + wish.seed, partition)
        with show_progress(f"{partition} samples", sum(counts.values())) as advance:
            synthesize(recipe, folder / "data" / partition, workers=wish.workers, advance=advance)
    return folder / "data" / "train", folder / "data" / "dev"


def _read_own(files: Sequence[str], rehearse: float) -> Own:
    from piibench.training.examples import read_sample
    from piibench.training.material import Own

    samples: list[Sample] = []
    for file in files:
        found = _read_labelled(file)
        for sample in found:
            read_sample(sample, file)  # what it cannot learn from is told before data are made
        if not found:
            msg = f"--texts: there are no labelled texts in {file}"
            raise InputError(msg)
        samples += found
    return Own(samples, rehearse)


def _read_labelled(file: str) -> list[Sample]:
    from piibench.cli.texts import read_text
    from piibench.data.files import read_samples
    from piibench.training.markup import parse_marked

    if not file.lower().endswith(".txt"):
        return list(read_samples(file))
    return list(parse_marked(read_text(file), Path(file).name))


def _find_start(named: str | None) -> Path | None:
    if named is None:
        return None
    from piibench.systems.encoder.session import SHIPPED

    return SHIPPED if named == "shipped" else Path(named)


def _find_public(named: str | None) -> Path | None:
    given = named or os.environ.get(_PUBLIC)
    if not given:
        warn("no public data sets (--public); training on our own texts alone")
        return None
    from piibench.training.material import CI_RL, LIFEBENCH, PRESIDIO

    folder, told = Path(given), "--public" if named else _PUBLIC
    if not folder.is_dir():
        msg = f"{told}: there is no folder {folder}"
        raise InputError(msg)
    for file in (LIFEBENCH, PRESIDIO, CI_RL):
        if not (folder / file).is_file():
            msg = f"{told}: there is no {file} in {folder}; training takes all three data sets, or none"
            raise InputError(msg)
    return folder
