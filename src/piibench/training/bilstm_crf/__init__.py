"""The paper's traditional baseline: BiLSTM-CRF after Huang et al. 2015 (section 4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from piibench.systems.bilstm_crf.tagger import load_tagger
from piibench.training.bilstm_crf.export import export_model
from piibench.training.bilstm_crf.fitting import Fitting
from piibench.training.bilstm_crf.judging import judge
from piibench.training.bilstm_crf.lessons import choose

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from piibench.metrics.prf import PRF
    from piibench.training.bilstm_crf.fitting import Plan, Progress, Record
    from piibench.training.examples import Example

WEIGHTS = "weights"


@dataclass(frozen=True, slots=True)
class Report:
    """What came out of a training run.

    Attributes:
        record: Passes, the best of them, and seconds.
        dev: Pooled scores of places on dev (ends and category), by the exported files.
        texts: How many texts were learned from.
        words: Size of the vocabulary, the unknown word not counted.
        parameters: Numbers in the network and the CRF.
        size: Bytes of the exported files.
    """

    record: Record
    dev: PRF
    texts: int
    words: int
    parameters: int
    size: int


def train_bilstm_crf(
    train: Sequence[Example],
    dev: Sequence[Example],
    folder: Path,
    *,
    plan: Plan,
    advance: Callable[[Progress], None],
) -> Report:
    """Train a BiLSTM-CRF, or go on with a run that was stopped, and write what `systems.bilstm_crf` loads.

    Args:
        train: Texts to learn from; those with places of unknown category are left out.
        dev: Texts that decide when to stop; likewise.
        folder: Takes checkpoint and log, and the finished model in its folder `weights`.
        plan: How.
        advance: Called after every update.

    Raises:
        InputError: There is nothing to learn from, or the folder holds another run.
        PiibenchError: The folder cannot be written, or the loss is no number any more.
    """
    chosen, held_out = choose(train, "train"), choose(dev, "dev")
    fitting = Fitting(chosen, held_out, plan=plan, folder=folder)
    record = fitting.run(advance)
    network, weights = fitting.network, folder / WEIGHTS
    settings = {"seed": plan.seed, "texts": len(chosen), "passes": record.best_pass}
    export_model(network, fitting.vocabulary, weights, settings)
    load_tagger.cache_clear()  # the folder may hold another model than before
    return Report(
        record=record,
        dev=judge(held_out, load_tagger(weights)),
        texts=len(chosen),
        words=len(fitting.vocabulary.words),
        parameters=sum(part.numel() for part in network.parameters()),
        size=sum(path.stat().st_size for path in weights.iterdir()),
    )
