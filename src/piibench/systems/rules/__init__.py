"""The system `rules`: formats, check digits, lexicons and cue words. No model, no network."""

from __future__ import annotations

import hashlib
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from piibench.systems.rules.custom import NO_CUSTOM, create_custom
from piibench.systems.rules.detector import detect
from piibench.systems.rules.selection.selector import select

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from piibench.data.outcomes import Selection
    from piibench.data.schema import Entity, Prompt


class Rules:
    """Detects by form and word list, selects by a table of scenarios.

    Args:
        patterns: A TOML file of the user's own patterns and lists (see `custom`).
    """

    name = "rules"

    def __init__(self, patterns: str | Path | None = None) -> None:
        self._patterns = Path(patterns) if patterns is not None else None
        self._custom = create_custom(self._patterns) if self._patterns else NO_CUSTOM

    async def detect(self, description: str) -> tuple[Entity, ...]:
        """Find the entities of a description."""
        return detect(description, custom=self._custom)

    async def select(self, prompt: Prompt, found: tuple[Entity, ...]) -> Selection:
        """Decide which entities the query calls for."""
        return select(prompt, found)

    @cached_property
    def fingerprint(self) -> str:
        """Hash of this room's code, lexicons and tables, and of the user's patterns."""
        digest = hashlib.sha256()
        for path in _walk(files("piibench.systems.rules")):
            digest.update(path.read_bytes())
        if self._patterns:
            digest.update(self._patterns.read_bytes())
        return digest.hexdigest()[:8]


def create_rules(**options: str) -> Rules:
    """Make the system `rules`; `patterns=FILE` adds the user's own."""
    return Rules(**options)


def _walk(room: Traversable) -> Iterator[Traversable]:
    for path in sorted(room.iterdir(), key=lambda path: path.name):
        if path.is_dir():
            if path.name != "__pycache__":
                yield from _walk(path)
        elif path.name.endswith((".py", ".txt", ".toml", ".gz")):
            yield path
