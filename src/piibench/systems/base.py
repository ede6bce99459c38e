"""The seams of a privacy protection system (section 3.1): detect, select, and both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from piibench.data.outcomes import Selection
    from piibench.data.schema import Entity, Prompt


@runtime_checkable
class Detector(Protocol):
    """Finds every PII entity of a description (task 1)."""

    async def detect(self, description: str) -> tuple[Entity, ...]:
        """Return the entities with ids e1, e2 …, subjects A, B … and all their mentions."""
        ...


@runtime_checkable
class Selector(Protocol):
    """Decides which of the found entities the query needs (task 2)."""

    async def select(self, prompt: Prompt, found: tuple[Entity, ...]) -> Selection:
        """Return one decision for each entity in `found`, in the same order."""
        ...


@runtime_checkable
class System(Detector, Selector, Protocol):
    """A detector and a selector under one name."""

    @property
    def name(self) -> str:
        """The name under which the registry knows it."""
        ...

    @property
    def fingerprint(self) -> str:
        """Four or more hexadecimal digits that change whenever its answers may change."""
        ...
