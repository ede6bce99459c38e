"""The training loop of the BiLSTM-CRF: seeded, resumable after each pass, stopped early on dev (4.1)."""

from __future__ import annotations

import hashlib
import json
import random
import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from piibench.errors import InputError
from piibench.training.bilstm_crf.judging import create_tagger, judge
from piibench.training.bilstm_crf.lessons import count_words, create_vocabulary, plan_pass, stack, teach
from piibench.training.bilstm_crf.network import Network, Shape
from piibench.training.checkpoints import CHECKPOINT, check_losses, load_checkpoint, save_checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from torch import Tensor

    from piibench.metrics.prf import PRF
    from piibench.training.bilstm_crf.lessons import Batch
    from piibench.training.examples import Example


@dataclass(frozen=True, slots=True)
class Plan:
    """How a BiLSTM-CRF is trained; rate, batch and passes are the paper's (4.1).

    Attributes:
        seed: Decides everything that is drawn.
        passes: How often the texts are gone through at most.
        patience: Passes without a better F1 on dev after which training stops, once anything is found.
        batch: Chunks that are learned from at once.
        rate: Adam's learning rate.
        clip: Longest gradient.
        least: How often a word stands in the training text at least to have an embedding of its own.
        most: Size of the vocabulary at most.
        unknown: A word that stands c times is read as unknown with chance unknown / (unknown + c).
        shape: Sizes of the network.
    """

    seed: int = 7
    passes: int = 50
    patience: int = 5
    batch: int = 32
    rate: float = 1e-3
    clip: float = 5.0
    least: int = 2
    most: int = 12_000
    unknown: float = 2.0
    shape: Shape = field(default_factory=Shape)


class Record(NamedTuple):
    """How far a run is.

    Attributes:
        passes: Finished so far.
        best_pass: The one after which F1 on dev was best, from 1; the last one as long as nothing is found.
        best: That F1, in [0, 1].
        seconds: Since the run began, stops not counted.
    """

    passes: int = 0
    best_pass: int = 0
    best: float = 0.0
    seconds: float = 0.0

    def add(self, f1: float, seconds: float) -> Record:
        """The record one pass later."""
        passes = self.passes + 1
        if f1 > self.best or not self.best:
            return Record(passes, passes, f1, self.seconds + seconds)
        return Record(passes, self.best_pass, self.best, self.seconds + seconds)


class Progress(NamedTuple):
    """What a run tells after every update.

    Attributes:
        share: Of all passes, in [0, 1]; early stopping ends a run before 1.
        record: Of the passes that are finished.
        loss: Mean over the pass for one chunk, in nats.
    """

    share: float
    record: Record
    loss: float


class Fitting:
    """One training run in a folder: it goes on behind the last pass that it finished.

    Args:
        train: What is learned from.
        dev: What decides when to stop.
        plan: How.
        folder: Takes the checkpoint and the log.
    """

    def __init__(self, train: Sequence[Example], dev: Sequence[Example], *, plan: Plan, folder: Path) -> None:
        counts = count_words(train)
        self.vocabulary = create_vocabulary(counts, least=plan.least, most=plan.most)
        frequencies = np.array([counts[word] for word in self.vocabulary.words], np.float32)
        # Number 0 is the unknown word already.
        self._unknown = np.append(np.float32(0), plan.unknown / (plan.unknown + frequencies))
        self._lessons = [teach(example, self.vocabulary) for example in train]
        self._dev, self._plan, self._folder = dev, plan, folder
        self._origin = {"plan": asdict(plan), "data": _digest(train, dev)}
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        torch.manual_seed(plan.seed)
        self.network = Network(len(self.vocabulary), plan.shape).to(self._device)
        self._optimizer = torch.optim.Adam(self.network.parameters(), lr=plan.rate)
        self._best_state: dict[str, Tensor] = {}
        self.record = Record()

    def run(self, advance: Callable[[Progress], None]) -> Record:
        """Train to the end and take the weights of the best pass.

        Raises:
            InputError: The folder holds another run.
            PiibenchError: The folder cannot be written, or the loss is no number any more.
        """
        self._resume()
        while not self._is_over():
            started = time.perf_counter()
            loss = self._learn(advance)
            found = judge(self._dev, create_tagger(self.network, self.vocabulary))
            self.record = self.record.add(found.f1, time.perf_counter() - started)
            if self.record.best_pass == self.record.passes:
                self._best_state = {name: part.clone() for name, part in self.network.state_dict().items()}
            self._save(loss, found)
        self.network.load_state_dict(self._best_state)
        self.network.cpu().eval()
        return self.record

    def _is_over(self) -> bool:
        passes, best_pass, *_ = self.record
        return passes >= self._plan.passes or passes - best_pass >= self._plan.patience

    def _learn(self, advance: Callable[[Progress], None]) -> float:
        """Go through the texts once; what is drawn hangs on the seed and the pass's number alone."""
        rng = random.Random(f"{self._plan.seed}/{self.record.passes}")  # noqa: S311 - no secret
        noise = np.random.default_rng(rng.getrandbits(63))
        torch.manual_seed(rng.getrandbits(63))
        self.network.train()
        batches = plan_pass(self._lessons, rng, self._plan.batch)
        total = 0.0
        for number, batch in enumerate(batches, 1):
            total += self._update(stack(batch, self._unknown, noise))
            check_losses(total)
            share = (self.record.passes + number / len(batches)) / self._plan.passes
            advance(Progress(share, self.record, total / number))
        return total / len(batches)

    def _update(self, batch: Batch) -> float:
        features, tags, mask = (part.to(self._device) for part in (batch.features, batch.tags, batch.mask))
        loss = self.network.crf.loss(self.network.emitter(features, batch.lengths), tags, mask)
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self._plan.clip)
        self._optimizer.step()
        return loss.item()

    def _save(self, loss: float, found: PRF) -> None:
        state = {
            "origin": self._origin,
            "record": tuple(self.record),
            "network": self.network.state_dict(),
            "best": self._best_state,
            "optimizer": self._optimizer.state_dict(),
        }
        save_checkpoint(self._folder, state, {**self.record._asdict(), "loss": loss, **asdict(found)})

    def _resume(self) -> None:
        state = load_checkpoint(self._folder)
        if state is None:
            return
        if state.get("origin") != self._origin:
            path = self._folder / CHECKPOINT
            msg = f"{path} is of a run with another plan or other texts; use another folder, or remove it"
            raise InputError(msg)
        self.network.load_state_dict(state["network"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._best_state, self.record = state["best"], Record(*state["record"])


def _digest(*parts: Sequence[Example]) -> str:
    """Hash of the texts, their places, and which part they belong to."""
    digest = hashlib.sha256()
    for part in parts:
        for example in part:
            places = [(*place.span, str(place.category)) for place in example.places]
            digest.update(json.dumps([example.text, places]).encode())
        digest.update(b"\n")
    return digest.hexdigest()
