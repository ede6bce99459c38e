"""The ways to mask that a trade-off compares (section 4.5): each makes the prompt that is sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from piibench.errors import InputError, PiibenchError, SystemFailureError
from piibench.masking.mask import mask
from piibench.masking.vault import Vault
from piibench.systems.base import Networked
from piibench.systems.compose import protect
from piibench.systems.registry import DEFAULT_SYSTEM, load_system

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from piibench.data.outcomes import Masked
    from piibench.data.schema import Prompt, Sample
    from piibench.masking.placeholders import Style
    from piibench.systems.base import System

    Masker = Callable[[Sample], Awaitable["Sent"]]

NONE, ALL, GOLD = "none", "all", "gold"
"""No Mask, All PII Mask and, by the labels, Query-unrelated PII Mask; any other arm is a system's name."""
LABELLED = (NONE, ALL, GOLD)
DEFAULT_ARMS = (*LABELLED, DEFAULT_SYSTEM)

_STYLE: Style = "numbered"
"""Tells values of one kind apart, so that all of them can be put back into an answer."""
_MODEL_SYSTEM = "llm"


@dataclass(frozen=True, slots=True)
class Sent:
    """A prompt as it leaves, and what its placeholders stand for."""

    description: str = field(repr=False)
    query: str = field(repr=False)
    vault: Vault

    @property
    def text(self) -> str:
        """What a model reads."""
        return f"{self.description}\n\n{self.query}"


def name_arm(arm: str) -> str:
    """An arm without the fingerprint of its system."""
    return arm.partition("@")[0]


def choose_arms(wanted: Iterable[str]) -> tuple[str, ...]:
    """Check arms, and give systems their fingerprints.

    Args:
        wanted: As `--arms` takes them; `DEFAULT_ARMS` where empty.

    Returns:
        Each once. "none" comes first, wanted or not: its answer is what the others are compared with.

    Raises:
        InputError: An arm is unknown, or nothing is masked.
    """
    names = [name for name in dict.fromkeys(wanted or DEFAULT_ARMS) if name != NONE]
    if not names:
        msg = f'--arms: name a way to mask beside "{NONE}": {ALL}, {GOLD}, or a system of `piibench systems`'
        raise InputError(msg)
    if _MODEL_SYSTEM in names:
        msg = f"--arms {_MODEL_SYSTEM}: no model can be named for it here; choose another system"
        raise InputError(msg)
    return (NONE, *(name if name in LABELLED else _fingerprint(name) for name in names))


def create_masker(arm: str, find_system: Callable[[str], System]) -> Masker:
    """Make what masks the prompts of an arm.

    Args:
        arm: "none", "all", "gold", or a system's name with or without fingerprint.
        find_system: Gives the system of a name.

    Raises:
        UnknownSystemError: There is none of that name.
    """
    if arm in LABELLED:

        async def by_labels(gold: Sample) -> Sent:
            return _mask_by_labels(arm, gold)

        return by_labels
    system = find_system(name_arm(arm))

    async def by_system(gold: Sample) -> Sent:
        vault = Vault()
        return _to_sent(await _protect(system, gold, vault), vault)

    return by_system


def _mask_by_labels(arm: str, gold: Sample) -> Sent:
    vault = Vault()
    if arm == NONE:
        return Sent(gold.description, gold.query, vault)
    kept = () if arm == ALL else (gold.relevant or ())
    return _to_sent(mask(gold.prompt, gold.entities, kept, style=_STYLE, vault=vault), vault)


async def _protect(system: System, gold: Sample, vault: Vault) -> Masked:
    notes: dict[str, Any] = {}
    worker = system.follow(notes) if isinstance(system, Networked) else system
    prompt: Prompt = gold.prompt
    try:
        return await protect(worker, prompt, style=_STYLE, vault=vault)
    except PiibenchError:
        raise
    except Exception as error:
        msg = f'system {system.name} failed on sample "{gold.id}": {type(error).__name__}'
        raise SystemFailureError(msg) from error


def _to_sent(masked: Masked, vault: Vault) -> Sent:
    return Sent(masked.description, masked.query, vault)


def _fingerprint(name: str) -> str:
    system = load_system(name)
    return f"{system.name}@{system.fingerprint}"
