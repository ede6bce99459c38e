"""The whole way of the shipped encoder: material, fitting, export, thresholds chosen on held-out texts."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import torch

from piibench.analysis.calibration import Judged, choose_threshold, trace_thresholds
from piibench.data.output import explain_write_errors, write_lines
from piibench.metrics.detection import compare_detection
from piibench.systems.encoder.linking import group
from piibench.systems.encoder.reading import detect_and_weigh, find_and_read, give, study
from piibench.systems.encoder.session import Settings, load_model
from piibench.training.augmentation import Augmentation
from piibench.training.base import find_base, load_body, load_tokenizer
from piibench.training.export import export_encoder, write_settings
from piibench.training.fitting import Fitting, Plan
from piibench.training.material import gather, read_held_out
from piibench.training.network import Encoder
from piibench.training.recovery import start_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokenizers import Tokenizer
    from torch import Tensor

    from piibench.analysis.calibration import Point
    from piibench.data.schema import Sample
    from piibench.systems.encoder.reading import Insight
    from piibench.systems.encoder.session import Model
    from piibench.training.fitting import Progress
    from piibench.training.material import Own

FIGURES = "figures.json"
QUICK = Plan(passes=1, save_every=20)
"""A few minutes on two cores: it shows that everything works, not how well."""
QUICK_SHARE = 0.03
_BIASES = (0.0, -0.5, -1.0)
_OWNER_THRESHOLDS = (-2.0, -3.0, -4.0, -5.0)
_OWNER_RIVALRIES = (4.0, 3.0, 2.0, 1.0)
_OWNER_RELUCTANCES = (0.2, 0.35, 0.5, 0.65, 0.8)
_OWNER_ALONE = -6.0
"""Of -5, -6 and -7 the best on the dev texts of one name, by a hair."""
_EVENED_ON = 100
"""How many of the dev texts tell which activations rise, when a model is written."""
_AS_GOOD = 0.005
"""What is no difference in Strict-F1; a bias lower by 0.5 gains half of it on dev, and hides 0.01 less."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the data lies.

    Attributes:
        train: Folder of the train partition, as `piibench synthesize` makes it.
        dev: Folder of the dev partition.
        public: Folder of the public data sets; None trains without them.
        own: Texts beside the corpus; None where there are none.
    """

    train: Path
    dev: Path
    public: Path | None = None
    own: Own | None = None


class Blend(NamedTuple):
    """What becomes of the weights that were learned before they are written.

    Attributes:
        anchor: Where their way begins.
        share: How far they go from there to what was learned, in (0, 1].
    """

    anchor: Encoder
    share: float


class Outcome(NamedTuple):
    """What a trained encoder gives on the dev texts, on which its settings are chosen.

    Attributes:
        settings: The chosen ones.
        strict_f1: With them, mean over samples, in [0, 1].
        point: The other scores, at the keep threshold.
    """

    settings: Settings
    strict_f1: float
    point: Point


def initialize(start: Path | None, *, seed: int) -> Encoder:
    """Make an encoder with the weights of the base, of an earlier run or of a model.

    Args:
        start: Folder of the earlier run, or of a model; None starts from the base.
        seed: Draws the weights that the base has not.

    Raises:
        InputError: The base is absent or not the official one, or the folder has no usable run or model.
    """
    torch.manual_seed(seed)
    encoder = Encoder()
    load_body(encoder, find_base())
    if start is not None:
        start_from(start, encoder)
    return encoder


def train_encoder(  # noqa: PLR0913 - what is trained, on what, how and where
    encoder: Encoder,
    sources: Sources,
    folder: Path,
    *,
    plan: Plan,
    share: float,
    blend: Blend | None = None,
    advance: Callable[[Progress], None],
) -> Outcome:
    """Train an encoder and write what `Encoder(weights=folder)` loads.

    Stopped and started again with the same plan, it goes on; a finished run is blended and exported again.

    Args:
        encoder: What is trained, in place; see `initialize`.
        sources: The data.
        folder: Takes checkpoint, log, ONNX files, tokenizer, settings and figures.
        plan: How.
        share: Of the material, in (0, 1].
        blend: What is written instead of the weights that were learned, which the checkpoint keeps; None
            writes these.
        advance: Called after every update.

    Returns:
        What was chosen on the dev texts, and the scores there.

    Raises:
        InputError: The folder holds a run with another plan, or an unfinished one on other texts.
        DataError: A data file is malformed.
        PiibenchError: The folder cannot be written, or the loss is no number any more.
    """
    tokenizer = load_tokenizer(find_base())
    material = gather(sources.train, sources.public, sources.own, seed=plan.seed, share=share)
    fitting = Fitting(encoder, material, Augmentation(material.examples), tokenizer, plan=plan, folder=folder)
    fitting.run(advance)
    if blend is not None:
        move_towards(encoder, blend.anchor.state_dict(), blend.share)
    return write_model(encoder, tokenizer, folder, list(read_held_out(sources.dev, share)))


def write_model(encoder: Encoder, tokenizer: Tokenizer, folder: Path, samples: Sequence[Sample]) -> Outcome:
    """Export an encoder with the settings that are best for it.

    Args:
        encoder: What was trained.
        tokenizer: The encoder's.
        folder: Takes the model and its figures; an earlier model there stays whole until all is chosen.
        samples: What is chosen on, see `read_held_out`.

    Raises:
        PiibenchError: The folder cannot be written.
    """
    bias = tuple(float(value) for value in encoder.owner_bias.detach())
    first = _OWNER_THRESHOLDS[0], _OWNER_RIVALRIES[0], _OWNER_RELUCTANCES[0]
    with explain_write_errors(folder.name):
        making = TemporaryDirectory(dir=folder, prefix=".making-", ignore_cleanup_errors=True)
    with making as name:
        made = Path(name)
        few = samples[:: max(1, len(samples) // _EVENED_ON)]
        export_encoder(encoder, tokenizer, made, prompts=[sample.prompt for sample in few])
        write_settings(made, Settings(0.5, 0.0, bias, *first, _OWNER_ALONE))
        outcome, points = _tune(made, samples)
        write_lines(folder / FIGURES, [json.dumps([asdict(point) for point in points], indent=1)])
        write_settings(folder, outcome.settings, made)
    return outcome


def move_towards(encoder: Encoder, before: Mapping[str, Tensor], blend: float) -> None:
    """Leave of each weight's way from `before` the share `blend`, in (0, 1].

    Between two ends of a training lies what is as good on what was trained last and better on other text
    (Wortsman et al. 2022, Robust fine-tuning of zero-shot models).
    """
    after = encoder.state_dict()
    encoder.load_state_dict({name: old.lerp(after[name], blend) for name, old in before.items()})


def _tune(folder: Path, samples: Sequence[Sample]) -> tuple[Outcome, tuple[Point, ...]]:
    """Choose how to find and group (see `choose_settings`), then the keep threshold (`choose_threshold`).

    Returns:
        What was chosen, and the scores at all thresholds.
    """
    load_model.cache_clear()
    model = load_model(folder)
    insights = study(model, [sample.prompt for sample in samples])
    scored: list[tuple[float, Settings]] = []
    for bias in _BIASES:
        settings = replace(model.settings, detect_bias=bias)
        scored += try_links(samples, insights, replace(model, settings=settings))
    best = choose_settings(scored)
    points = trace_thresholds(list(_judge(samples, insights, replace(model, settings=best))))
    point = choose_threshold(points)
    strict_f1 = next(score for score, settings in scored if settings == best)
    return Outcome(replace(best, keep_threshold=point.threshold), strict_f1, point), points


def choose_settings(scored: Sequence[tuple[float, Settings]]) -> Settings:
    """Choose, among settings as good as the best, those that find most, since only what is found is hidden.

    Args:
        scored: Settings with their Strict-F1 on held-out text, in [0, 1]; at least one.

    Returns:
        Of the settings at most 0.005 below the best the one with the highest bias; of several the best.
    """
    least = max(score for score, _ in scored) - _AS_GOOD
    good = [(settings.detect_bias, score, settings) for score, settings in scored if score >= least]
    return max(good, key=lambda each: each[:2])[2]


def try_links(
    samples: Sequence[Sample], insights: Sequence[Insight], model: Model
) -> Iterator[tuple[float, Settings]]:
    """Strict-F1 of each way to tell owners apart.

    What there is to link is found once for all, and each grouping of a text scored once.
    """
    read = [find_and_read(insight, model)[:2] for insight in insights]
    known: list[dict[tuple[int, ...], float]] = [{} for _ in samples]
    for threshold, rivalry, reluctance in product(_OWNER_THRESHOLDS, _OWNER_RIVALRIES, _OWNER_RELUCTANCES):
        settings = replace(
            model.settings,
            owner_threshold=threshold,
            owner_rivalry=rivalry,
            owner_reluctance=reluctance,
        )
        scores: list[float] = []
        for sample, (found, values), scored in zip(samples, read, known, strict=True):
            owners = tuple(group(values, settings.linking))
            if owners not in scored:
                entities = give(sample.description, found, owners)
                scored[owners] = compare_detection(sample.entities, entities).strict.f1
            scores.append(scored[owners])
        yield fmean(scores), settings


def _judge(samples: Sequence[Sample], insights: Sequence[Insight], model: Model) -> Iterator[Judged]:
    for sample, insight in zip(samples, insights, strict=True):
        yield Judged(sample, *detect_and_weigh(insight, model))
