"""The main path (section 3.1): detect, select, mask."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from piibench.data.outcomes import Findings
from piibench.data.taxonomy import INFO, PIIType
from piibench.masking.mask import mask
from piibench.systems.base import Closable, OnePass

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any, TypeVar

    from piibench.data.outcomes import Masked
    from piibench.data.schema import Entity, Prompt
    from piibench.masking.placeholders import Style
    from piibench.masking.vault import Vault
    from piibench.systems.base import Detector, System

    _Result = TypeVar("_Result")

DIRECT_TYPES = frozenset({PIIType.PER, PIIType.CODE})
"""Types all of whose categories single a person out."""


async def protect(
    system: System, prompt: Prompt, *, style: Style = "tag", vault: Vault | None = None
) -> Masked:
    """Hide everything in a prompt that its query does not need.

    Args:
        system: Finds and chooses.
        prompt: Description and query; both may be empty.
        style: "tag" (`<Phone Number>`), "numbered" (`<Phone Number 2>`) or "pseudonym" (a stand-in).
        vault: Remembers what was hidden, for `restore`; one for each conversation.

    Returns:
        The masked description and query with every decision and its reason.
    """
    return conceal(prompt, await detect_and_select(system, prompt), style=style, vault=vault)


def conceal(
    prompt: Prompt, findings: Findings, *, style: Style = "tag", vault: Vault | None = None
) -> Masked:
    """Mask what the findings do not need, and the direct identifiers of the query; see `protect`."""
    found, asked, needed = findings
    return mask(prompt, found, keep=needed, asked=choose_asked(asked), style=style, vault=vault)


async def detect_and_select(system: System, prompt: Prompt) -> Findings:
    """Find what both texts hold, and choose among what the description does; at once where that can be."""
    if isinstance(system, OnePass):
        return await system.detect_and_select(prompt)
    return await detect_then_select(system, prompt)


async def detect_then_select(system: System, prompt: Prompt) -> Findings:
    """Find the entities of the description, choose among them, and find those of the query."""
    found = await system.detect(prompt.description)
    selection = await system.select(prompt, found)
    return Findings(found, await system.detect(prompt.query) if prompt.query else (), selection)


def choose_asked(asked: tuple[Entity, ...]) -> tuple[Entity, ...]:
    """The direct identifiers that a query itself states.

    Whoever writes a town or a salary into the question wants it considered; a name or a number that
    singles a person out is hidden there too.
    """
    return tuple(
        entity.model_copy(update={"id": f"q{number}"})
        for number, entity in enumerate(asked, 1)
        if _is_direct(entity)
    )


def _is_direct(entity: Entity) -> bool:
    if entity.category is None:
        return entity.type in DIRECT_TYPES
    return INFO[entity.category].identifier == "direct"


def protect_sync(
    system: System, prompt: Prompt, *, style: Style = "tag", vault: Vault | None = None
) -> Masked:
    """Do what `protect` does, from code that runs no event loop; a system's connections are closed after."""
    return asyncio.run(_then_close(protect(system, prompt, style=style, vault=vault), system))


def detect_sync(detector: Detector, description: str) -> tuple[Entity, ...]:
    """Detect, from code that runs no event loop; connections are closed after."""
    return asyncio.run(_then_close(detector.detect(description), detector))


async def _then_close(work: Coroutine[Any, Any, _Result], worker: Detector) -> _Result:
    try:
        return await work
    finally:
        if isinstance(worker, Closable):
            await worker.close()
