"""The ways to mask that a trade-off compares (section 4.5): each makes the prompt that is sent."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from piibench.errors import InputError, PiibenchError, SystemFailureError
from piibench.evals.shots import count_bare, no_shots
from piibench.masking.mask import mask
from piibench.masking.placeholders import find_forms
from piibench.masking.vault import Vault
from piibench.strategies.registry import get_strategy
from piibench.systems.base import Networked
from piibench.systems.compose import protect
from piibench.systems.llm.system import MODEL as MODEL_SYSTEM
from piibench.systems.llm.system import Recipe, compose_llm
from piibench.systems.registry import DEFAULT_SYSTEM, load_system

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from piibench.data.schema import Prompt, Sample
    from piibench.evals.bench import Bench
    from piibench.llm.chat import Chat
    from piibench.masking.placeholders import Style
    from piibench.systems.base import System

    Masker = Callable[[Sample, Mapping[str, Chat]], Awaitable["Sent"]]

NONE, ALL, GOLD = "none", "all", "gold"
"""No Mask, All PII Mask and, by the labels, Query-unrelated PII Mask; any other arm is a system's name."""
LABELLED = (NONE, ALL, GOLD)
DEFAULT_ARMS = (*LABELLED, DEFAULT_SYSTEM)
MASKER = "masker"
"""The role of the model that masks in the arm `MODEL_SYSTEM`."""

_STYLE: Style = "numbered"
"""Tells values of one kind apart, so that all of them can be put back into an answer."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A prompt as it leaves.

    Attributes:
        description: Masked.
        query: Likewise.
        vault: What its placeholders stand for.
        flagged: Whether the reply of a model that masked it could not be understood.
        bare_shots: Worked examples that such a model saw without a chain of thought.
    """

    description: str = field(repr=False)
    query: str = field(repr=False)
    vault: Vault
    flagged: bool = False
    bare_shots: int = 0

    @property
    def text(self) -> str:
        """What a model reads."""
        return f"{self.description}\n\n{self.query}"

    @property
    def placeholders(self) -> tuple[str, ...]:
        """Those that masking wrote: a number in them is no value that shows."""
        text = self.text
        written = (form.span for form in find_forms(text) if form.exact and self.vault.knows(form))
        return tuple(dict.fromkeys(text[span.start : span.end] for span in written))


def name_arm(arm: str) -> str:
    """An arm without the fingerprint of its system."""
    return arm.partition("@")[0]


def choose_arms(wanted: Iterable[str], strategy: str | None = None) -> tuple[str, ...]:
    """Check arms, and give systems their fingerprints.

    Args:
        wanted: As `--arms` takes them; `DEFAULT_ARMS` where empty.
        strategy: How a model that masks is asked; None where none is there to mask.

    Returns:
        Each once. "none" comes first, wanted or not: its answer is what the others are compared with.

    Raises:
        InputError: An arm is unknown or lacks its model, or nothing is masked.
    """
    names = [name for name in dict.fromkeys(wanted or DEFAULT_ARMS) if name != NONE]
    if not names:
        msg = f'--arms: name a way to mask beside "{NONE}": {ALL}, {GOLD}, or a system of `piibench systems`'
        raise InputError(msg)
    if MODEL_SYSTEM in names and strategy is None:
        msg = f"--arms {MODEL_SYSTEM}: name the model that masks with --{MASKER}"
        raise InputError(msg)
    own = {name: name for name in LABELLED} | {MODEL_SYSTEM: f"{MODEL_SYSTEM}@{strategy}"}
    return (NONE, *(own.get(name) or fingerprint_system(name) for name in names))


def create_masker(arm: str, bench: Bench) -> Masker:
    """Make what masks the prompts of an arm.

    Args:
        arm: "none", "all", "gold", "llm@" and a strategy, or a system's name with or without fingerprint.
        bench: Has the systems, and the worked examples that a strategy may show.

    Raises:
        UnknownSystemError: There is none of that name.
        UnknownStrategyError: Likewise.
    """
    if arm in LABELLED:

        async def by_labels(gold: Sample, chats: Mapping[str, Chat]) -> Sent:
            del chats
            return _mask_by_labels(arm, gold)

        return by_labels
    if name_arm(arm) == MODEL_SYSTEM:
        return _mask_by_model(arm.partition("@")[2], bench)
    system = bench.system(name_arm(arm))

    async def by_system(gold: Sample, chats: Mapping[str, Chat]) -> Sent:
        del chats
        return await _protect(system, gold)

    return by_system


def _mask_by_model(strategy: str, bench: Bench) -> Masker:
    """Query-unrelated PII Mask by what a model detects and selects itself."""
    find_shots = bench.shots.find if get_strategy(strategy).needs_shots else no_shots

    async def by_model(gold: Sample, chats: Mapping[str, Chat]) -> Sent:
        chat = chats[MASKER]
        recipe = Recipe(strategy=strategy, shots=await find_shots(chat))
        sent = await _protect(cast("System", compose_llm(chat, recipe)), gold)
        return replace(sent, bare_shots=count_bare(recipe.shots))

    return by_model


def _mask_by_labels(arm: str, gold: Sample) -> Sent:
    vault = Vault()
    if arm == NONE:
        return Sent(gold.description, gold.query, vault)
    kept = () if arm == ALL else (gold.relevant or ())
    masked = mask(gold.prompt, gold.entities, kept, style=_STYLE, vault=vault)
    return Sent(masked.description, masked.query, vault)


async def _protect(system: System, gold: Sample) -> Sent:
    notes: dict[str, Any] = {}
    vault = Vault()
    worker = system.follow(notes) if isinstance(system, Networked) else system
    prompt: Prompt = gold.prompt
    try:
        masked = await protect(worker, prompt, style=_STYLE, vault=vault)
    except PiibenchError:
        raise
    except Exception as error:
        msg = f'system {system.name} failed on sample "{gold.id}": {type(error).__name__}'
        raise SystemFailureError(msg) from error
    return Sent(masked.description, masked.query, vault, flagged=bool(notes.get("flagged")))


def fingerprint_system(name: str) -> str:
    """A system's name with its fingerprint, as in "rules@9ab1".

    Raises:
        InputError: There is no such system, or it lacks something.
    """
    system = load_system(name)
    return f"{system.name}@{system.fingerprint}"
