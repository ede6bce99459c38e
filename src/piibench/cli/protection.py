"""One prompt through one system, with the time that each step takes."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from piibench.systems.base import Closable, OnePass
from piibench.systems.compose import detect_then_select, protect_sync

if TYPE_CHECKING:
    from collections.abc import Generator

    from piibench.data.outcomes import Findings, Masked, Selection
    from piibench.data.schema import Entity, Prompt
    from piibench.masking.placeholders import Style
    from piibench.masking.vault import Vault
    from piibench.systems.base import System


@dataclass(slots=True)
class TimedSystem:
    """A system that keeps the time of its steps.

    Attributes:
        system: The one that works.
        timings_ms: Step -> milliseconds, summed over its calls.
    """

    system: System
    timings_ms: dict[str, float] = field(default_factory=lambda: {"detect": 0.0, "select": 0.0})

    @property
    def name(self) -> str:
        """The system's name."""
        return self.system.name

    @property
    def fingerprint(self) -> str:
        """The system's fingerprint."""
        return self.system.fingerprint

    async def detect(self, description: str) -> tuple[Entity, ...]:
        """Find the entities of a description, against the clock."""
        with self._clock("detect"):
            return await self.system.detect(description)

    async def select(self, prompt: Prompt, found: tuple[Entity, ...]) -> Selection:
        """Decide which entities the query needs, against the clock."""
        with self._clock("select"):
            return await self.system.select(prompt, found)

    async def detect_and_select(self, prompt: Prompt) -> Findings:
        """Do both; where the system does them at once, all the time goes to "detect"."""
        if isinstance(self.system, OnePass):
            with self._clock("detect"):
                return await self.system.detect_and_select(prompt)
        return await detect_then_select(self, prompt)

    async def close(self) -> None:
        """Close what connections the system has."""
        if isinstance(self.system, Closable):
            await self.system.close()

    @contextmanager
    def _clock(self, step: str) -> Generator[None]:
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.timings_ms[step] += (time.perf_counter() - begun) * 1000


def protect_timed(
    system: System, prompt: Prompt, *, style: Style, vault: Vault
) -> tuple[Masked, dict[str, float]]:
    """Hide what the query does not need.

    Returns:
        The outcome, and milliseconds for "detect" (of a system that does both at once, with the choice),
        "select", "mask" and "total".
    """
    timed, begun = TimedSystem(system), time.perf_counter()
    masked = protect_sync(timed, prompt, style=style, vault=vault)
    total = (time.perf_counter() - begun) * 1000
    steps = timed.timings_ms | {"mask": total - sum(timed.timings_ms.values()), "total": total}
    return masked, {step: round(spent, 3) for step, spent in steps.items()}
