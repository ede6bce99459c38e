"""The seams of a privacy protection system (section 3.1): detect, select, both, and what a network adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from piibench.data.outcomes import Findings, Selection
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


@runtime_checkable
class OnePass(System, Protocol):
    """A system that reads description and query together, and so finds and chooses at once."""

    async def detect_and_select(self, prompt: Prompt) -> Findings:
        """Return what `detect`, for both texts, and `select` would, from one reading of the prompt."""
        ...


@runtime_checkable
class Closable(Protocol):
    """Something that holds connections."""

    async def close(self) -> None:
        """Close them, in the event loop that used them; the next use opens them again."""
        ...


@runtime_checkable
class Networked(System, Closable, Protocol):
    """A system that waits on a network: many prompts may wait at once, and a reply may be unusable.

    By itself it raises an `EndpointError` where it cannot tell what is personal: text that nobody has looked
    at must not leave. What `follow` returns goes on as if nothing had been found, which is how a measurement
    counts such a reply.
    """

    @property
    def at_once(self) -> int:
        """Prompts worth working on at the same time."""
        ...

    def follow(self, notes: dict[str, Any]) -> System:
        """Return the same system for one prompt, which notes how its result came about.

        Args:
            notes: Takes "model" and "strategy", and "flagged": True where a reply could not be understood.
        """
        ...
