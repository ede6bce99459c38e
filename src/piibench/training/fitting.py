"""The training loop: seeded, resumable, logged."""

from __future__ import annotations

import random
import time
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

from piibench.errors import InputError
from piibench.training.bfloat16 import is_faster_short
from piibench.training.checkpoints import CHECKPOINT, check_losses, load_checkpoint, save_checkpoint
from piibench.training.losses import Weights, measure
from piibench.training.muon import Muon
from piibench.training.tensors import plan_batches, stack, teach

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tokenizers import Tokenizer
    from torch import Tensor

    from piibench.training.augmentation import Augmentation
    from piibench.training.material import Material
    from piibench.training.network import Encoder
    from piibench.training.tensors import Batch, Lesson

_HEADS = ("states.", "categories.", "needed.", "notes.", "reader.", "owner_bias", "features.")
_LOGITS = ("states.", "categories.", "needed.judge.2.", "reader.leave.")
_AVERAGED_EVERY = 10
"""Updates from one set of weights that is taken into the mean to the next; the first and the last are."""
_LATER = 2
"""Weights reached at a share s of a run count in its mean as s squared: at 3/4 of it on average."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How an encoder is trained.

    Attributes:
        seed: Decides everything that is drawn.
        passes: How often the examples are gone through, each time changed anew.
        pieces: Padded word pieces in a batch.
        rate: Highest learning rate.
        head_factor: Times that rate is the one of the heads' embeddings, biases and last layers.
        warm_up: Share of the updates over which the rate rises; then it falls to 0 in a straight line.
        average: Whether the rate stays instead, and the run comes to a mean of the weights that it passed.
        decay: Weight decay.
        dropout: Share of what each layer adds that is left out of an update, drawn anew each time, in [0, 1).
        clip: Longest gradient.
        frozen: Lowest layers that stay as they are, for a run that starts from an earlier one; the fewer are
            trained, the faster.
        weights: How much each head counts.
        save_every: Updates between two checkpoints.
    """

    seed: int = 7
    passes: int = 5
    pieces: int = 3072
    rate: float = 3e-4
    head_factor: float = 3.0
    warm_up: float = 0.06
    average: bool = False
    decay: float = 0.01
    dropout: float = 0.0
    clip: float = 1.0
    frozen: int = 0
    weights: Weights = field(default_factory=Weights)
    save_every: int = 100


class Progress(NamedTuple):
    """How far a run is.

    Attributes:
        share: Of the whole run, in [0, 1].
        updates: Made so far.
        losses: Running means, by head.
        seconds: Since the run began, stops not counted.
    """

    share: float
    updates: int
    losses: dict[str, float]
    seconds: float


class Fitting:
    """One training run in a folder: it goes on where it was stopped.

    On the same kind of processor it comes to the same weights.

    Args:
        encoder: What is trained, in place; on a GPU where there is one.
        material: What it learns from.
        augmentation: How examples change from pass to pass.
        tokenizer: The encoder's.
        plan: How.
        folder: Takes the checkpoint and the log.
    """

    def __init__(  # noqa: PLR0913 - what is trained, on what, how and where
        self,
        encoder: Encoder,
        material: Material,
        augmentation: Augmentation,
        tokenizer: Tokenizer,
        *,
        plan: Plan,
        folder: Path,
    ) -> None:
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._encoder = encoder.to(self._device)
        encoder.freeze(plan.frozen)
        encoder.drop_out(plan.dropout)
        short = is_faster_short(self._device)
        if short:
            encoder.shorten()
        self._material, self._augmentation, self._tokenizer = material, augmentation, tokenizer
        self._fingerprint = material.fingerprint
        self._plan, self._folder = plan, folder
        self._optimizers = _create_optimizers(encoder, plan, short=short)
        self._average = AveragedModel(encoder, multi_avg_fn=_lean_to_later) if plan.average else None
        self._pass = self._batch = self._updates = 0
        self._seconds = 0.0
        self._means: dict[str, float] = {}

    def run(self, advance: Callable[[Progress], None]) -> None:
        """Train to the end; `advance` is called after every update.

        Raises:
            InputError: The folder holds a run with another plan, an unfinished one on other texts, or a
                damaged checkpoint.
            PiibenchError: The folder cannot be written, or the loss is no number any more.
        """
        torch.manual_seed(self._plan.seed)
        self._resume()
        self._encoder.train()
        while self._pass < self._plan.passes:
            lessons, batches = self._prepare()
            while self._batch < len(batches):
                started = time.perf_counter()
                share = (self._pass + self._batch / len(batches)) / self._plan.passes
                batch = batches[self._batch]
                chosen = [lesson for text, first, stop in batch for lesson in lessons[text][first:stop]]
                self._update(stack(chosen), share)
                self._batch += 1
                is_last = self._pass + 1 == self._plan.passes and self._batch == len(batches)
                if self._average and (self._updates % _AVERAGED_EVERY == 0 or is_last):
                    self._average.update_parameters(self._encoder)
                self._updates += 1
                self._seconds += time.perf_counter() - started
                if self._updates % self._plan.save_every == 0:
                    self._save(share)
                advance(Progress(share, self._updates, dict(self._means), self._seconds))
            self._pass, self._batch = self._pass + 1, 0
            if self._pass == self._plan.passes:
                self._save(1.0)
        if self._average:
            self._encoder.load_state_dict(self._average.module.state_dict())
        self._encoder.to("cpu").eval()

    def _prepare(self) -> tuple[list[list[Lesson]], list[list[tuple[int, int, int]]]]:
        rng = random.Random(f"{self._plan.seed}/{self._pass}")  # noqa: S311 - no secret
        changed = [self._augmentation.change(example, rng) for example in self._material.for_pass(self._pass)]
        lessons = teach(changed, self._tokenizer)
        lengths = [[len(lesson.window.ids) for lesson in windows] for windows in lessons]
        return lessons, list(plan_batches(lengths, rng, pieces=self._plan.pieces))

    def _update(self, batch: Batch, share: float) -> None:
        losses = measure(self._encoder, batch.to(self._device))
        self._encoder.zero_grad(set_to_none=True)
        losses.total(self._plan.weights).backward()
        nn.utils.clip_grad_norm_(self._encoder.parameters(), self._plan.clip)
        for optimizer in self._optimizers:
            for group in optimizer.param_groups:
                group["lr"] = group["peak"] * _choose_rate(share, self._plan)
            optimizer.step()
        for part in fields(losses):
            value: float = getattr(losses, part.name).item()
            self._means[part.name] = 0.98 * self._means.get(part.name, value) + 0.02 * value
        check_losses(*self._means.values())

    def _save(self, share: float) -> None:
        state = {
            "plan": asdict(self._plan),
            "material": self._fingerprint,
            "encoder": self._encoder.state_dict(),
            "average": self._average and self._average.module.state_dict(),
            "averaged": self._average and self._average.n_averaged,
            "optimizers": [optimizer.state_dict() for optimizer in self._optimizers],
            "at": (self._pass, self._batch, self._updates, self._seconds),
            "means": self._means,
            "random": (torch.get_rng_state(), torch.cuda.get_rng_state_all()),
        }
        line = {"share": share, "updates": self._updates, "seconds": self._seconds}
        save_checkpoint(self._folder, state, line | self._means)

    def _resume(self) -> None:
        state = load_checkpoint(self._folder)
        if state is None:
            return
        path = self._folder / CHECKPOINT
        # What a plan of an earlier piibench does not name was then as it is by default.
        if "plan" not in state or asdict(Plan()) | state["plan"] != asdict(self._plan):
            msg = f"{path} is of a run with another plan; use another folder, or remove it"
            raise InputError(msg)
        # A finished run reads nothing more; one of an earlier piibench does not tell what it read.
        is_done = state["at"][0] == self._plan.passes
        if not is_done and state.get("material", self._fingerprint) != self._fingerprint:
            msg = f"{path} is of a run on other texts or labels; give those, use another folder, or remove it"
            raise InputError(msg)
        try:
            self._encoder.load_state_dict(state["encoder"])
            if self._average:
                self._average.module.load_state_dict(state["average"])
                self._average.n_averaged.copy_(state["averaged"])
            for optimizer, left in zip(self._optimizers, state["optimizers"], strict=True):
                optimizer.load_state_dict(left)
        except (KeyError, ValueError, RuntimeError):
            msg = f"{path} is of another piibench; use another folder, with --start to go on from this one"
            raise InputError(msg) from None
        self._pass, self._batch, self._updates, self._seconds = state["at"]
        self._means = state["means"]
        _set_random(*state["random"])


def _set_random(processor: Tensor, accelerators: list[Tensor]) -> None:
    """Let chance go on where it was."""
    torch.set_rng_state(processor.cpu())
    if len(accelerators) == torch.cuda.device_count():
        torch.cuda.set_rng_state_all([state.cpu() for state in accelerators])


def _choose_rate(share: float, plan: Plan) -> float:
    """What part of the highest rate is taken at a share of the run."""
    if share < plan.warm_up:
        return share / plan.warm_up + 0.01
    return 1.0 if plan.average else (1 - share) / (1 - plan.warm_up)


@torch.no_grad()
def _lean_to_later(means: Sequence[Tensor], weights: Sequence[Tensor], count: Tensor | int) -> None:
    """Take weights into the mean of `count` earlier ones (Shamir and Zhang 2013: polynomial decay)."""
    share = (_LATER + 1) / (count + 1 + _LATER)
    for mean, each in zip(means, weights, strict=True):
        mean.lerp_(each, share)


def _create_optimizers(encoder: Encoder, plan: Plan, *, short: bool) -> tuple[Muon, torch.optim.AdamW]:
    """Muon for the matrices of hidden layers; AdamW for embeddings, biases, norms and what gives logits."""
    linear = {part.weight for part in encoder.modules() if isinstance(part, nn.Linear)}
    matrices, body, plain, heads = [], [], [], []
    for name, parameter in encoder.named_parameters():
        if not parameter.requires_grad:
            continue
        if parameter in linear and not name.startswith(_LOGITS):
            matrices.append(parameter)
        elif name.startswith(_HEADS):
            heads.append(parameter)
        else:
            (plain if parameter.ndim == 1 else body).append(parameter)
    muon = Muon(
        [{"params": matrices, "peak": plan.rate}],
        lr=plan.rate,
        weight_decay=plan.decay,
        dtype=torch.bfloat16 if short else torch.float32,
    )
    adam = torch.optim.AdamW(
        [
            {"params": body, "peak": plan.rate, "weight_decay": plan.decay},
            {"params": plain, "peak": plan.rate, "weight_decay": 0.0},
            {"params": heads, "peak": plan.rate * plan.head_factor, "weight_decay": plan.decay},
        ],
        lr=plan.rate,
    )
    return muon, adam
