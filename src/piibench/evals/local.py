"""Systems that run on this machine, put to tasks 1 to 3."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from piibench.batch.predictions import Maker
from piibench.data.outcomes import Findings
from piibench.data.schema import Prediction
from piibench.errors import PiibenchError, SystemFailureError
from piibench.systems.base import Networked, OnePass
from piibench.systems.compose import conceal, protect

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from piibench.data.outcomes import Selection
    from piibench.data.schema import Entity, Prompt, Sample
    from piibench.systems.base import Detector, System


@dataclass(frozen=True)
class LocalSystem:
    """A system that finds and selects; what it found in a sample serves every task.

    A `OnePass` system that selects from what it found itself reads text and query of a sample together, as in
    `predict`, and once.

    Attributes:
        system: Who selects.
        detector: Who finds what it selects from; None for the labels of the data.
    """

    system: System
    detector: Detector | None
    _read: dict[str, tuple[Findings, dict[str, Any]]] = field(
        default_factory=dict[str, tuple[Findings, dict[str, Any]]]
    )
    _found: dict[str, Prediction] = field(default_factory=dict[str, Prediction])
    _protected: dict[str, Prediction] = field(default_factory=dict[str, Prediction])

    async def find(self, gold: Sample) -> Prediction:
        """Find every entity of the description (task 1).

        Raises:
            SystemFailureError: The system failed in a way of its own.
        """
        return await self._attempt(self._find, gold, self._found)

    async def protect(self, gold: Sample) -> Prediction:
        """Find, select and mask, as `piibench predict` does (tasks 2 and 3).

        Raises:
            SystemFailureError: The system failed in a way of its own.
        """
        return await self._attempt(self._protect, gold, self._protected)

    async def _attempt(
        self, work: Callable[[Sample], Awaitable[Prediction]], gold: Sample, done: dict[str, Prediction]
    ) -> Prediction:
        if gold.id not in done:
            try:
                done[gold.id] = await work(gold)
            except PiibenchError:
                raise
            except Exception as error:
                msg = f'system {self.system.name} failed on sample "{gold.id}": {type(error).__name__}'
                raise SystemFailureError(msg) from error
        return done[gold.id]

    async def _find(self, gold: Sample) -> Prediction:
        notes: dict[str, Any] = {}
        system = self._follow(notes)
        if isinstance(system, OnePass):
            findings, notes = await self._read_once(system, gold, notes)
            return self._record(gold, findings.found, notes)
        return self._record(gold, await system.detect(gold.description), notes)

    async def _read_once(
        self, system: OnePass, gold: Sample, notes: dict[str, Any]
    ) -> tuple[Findings, dict[str, Any]]:
        """What the system makes of a sample, with what it noted when it did."""
        if gold.id not in self._read:
            self._read[gold.id] = await system.detect_and_select(gold.prompt), notes
        return self._read[gold.id]

    async def _protect(self, gold: Sample) -> Prediction:
        notes: dict[str, Any] = {}
        system = self._follow(notes)
        if self.detector is self.system and isinstance(system, OnePass):
            findings, notes = await self._read_once(system, gold, notes)
            masked = conceal(gold.prompt, findings)
            found = masked.entities
        else:
            found = await self._find_candidates(gold, notes)
            masked = await protect(_Informed(system, gold.description, found), gold.prompt)
        known = {entity.id for entity in found}
        decisions = masked.selection.decisions
        return self._record(gold, found, notes).model_copy(
            update={
                "relevant": tuple(d.entity_id for d in decisions if d.keep and d.entity_id in known),
                "masked": masked.description,
                "masked_query": masked.query,
            }
        )

    async def _find_candidates(self, gold: Sample, notes: dict[str, Any]) -> tuple[Entity, ...]:
        if self.detector is None:
            return gold.entities
        if self.detector is not self.system:
            return await self.detector.detect(gold.description)
        own = await self.find(gold)
        notes |= {name: value for name, value in own.meta.items() if name != "system"}
        return own.entities

    def _follow(self, notes: dict[str, Any]) -> System:
        return self.system.follow(notes) if isinstance(self.system, Networked) else self.system

    def _record(self, gold: Sample, found: tuple[Entity, ...], notes: Mapping[str, Any]) -> Prediction:
        return Prediction(
            id=gold.id,
            subset=gold.subset,
            description=gold.description,
            query=gold.query,
            entities=found,
            meta={"system": Maker(self.system.name, self.system.fingerprint).to_meta(), **notes},
        )


@dataclass(frozen=True, slots=True)
class _Informed:
    """A system that is told what stands in one description."""

    system: System
    description: str
    found: tuple[Entity, ...]

    @property
    def name(self) -> str:
        return self.system.name

    @property
    def fingerprint(self) -> str:
        return self.system.fingerprint

    async def detect(self, description: str) -> tuple[Entity, ...]:
        return self.found if description == self.description else await self.system.detect(description)

    async def select(self, prompt: Prompt, found: tuple[Entity, ...]) -> Selection:
        return await self.system.select(prompt, found)
