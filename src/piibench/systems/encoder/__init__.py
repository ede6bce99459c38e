"""The system `encoder`: a small network reads query and description, another the values and persons there."""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from piibench.data.outcomes import Decision, Findings, Selection
from piibench.data.schema import Prompt
from piibench.errors import InputError
from piibench.systems.encoder.reading import detect, detect_and_weigh, detect_asked, study, weigh
from piibench.systems.encoder.session import SHIPPED, load_model
from piibench.systems.rules import create_rules
from piibench.systems.rules.custom import NO_CUSTOM, create_custom
from piibench.systems.weights import settle_threads

if TYPE_CHECKING:
    from collections.abc import Mapping

    from piibench.data.schema import Entity


class Encoder:
    """Detects and selects; a prompt whose query is known takes one pass of the large network.

    Args:
        weights: Folder of another model than the shipped one, as `piibench train encoder` makes it.
        keep_threshold: Least probability of being needed at which a value is kept, in [0, 1]: higher hides
            more. The one chosen on held-out text where absent.
        threads: Threads for one prompt; 0 takes one for each core. Where absent 0, and 1 in a process among
            several.
        patterns: A TOML file of the user's own patterns and lists (see `rules.custom`).

    Raises:
        InputError: The threshold is no probability, or the weights are not usable.
    """

    name = "encoder"

    def __init__(
        self,
        weights: str | Path | None = None,
        keep_threshold: float | None = None,
        threads: int | None = None,
        patterns: str | Path | None = None,
    ) -> None:
        if keep_threshold is not None and not 0 <= keep_threshold <= 1:
            msg = f"--keep-threshold must be between 0 and 1, found {keep_threshold}"
            raise InputError(msg)
        threads = settle_threads(threads)
        self._custom = create_custom(Path(patterns)) if patterns is not None else NO_CUSTOM
        self._patterns = {"patterns": str(patterns)} if patterns is not None else {}
        self._model = load_model(Path(weights) if weights is not None else SHIPPED, threads)
        self.keep_threshold = (
            self._model.settings.keep_threshold if keep_threshold is None else keep_threshold
        )

    async def detect(self, description: str) -> tuple[Entity, ...]:
        """Find the entities of a description."""
        (insight,) = study(self._model, [Prompt(description=description)])
        return detect(insight, self._model, custom=self._custom)

    async def select(self, prompt: Prompt, found: tuple[Entity, ...]) -> Selection:
        """Decide which entities the query calls for."""
        if not prompt.query.strip():
            return Selection(
                tuple(Decision(entity.id, keep=False, reason="hidden: there is no query") for entity in found)
            )
        (insight,) = study(self._model, [prompt])
        return self._choose(found, weigh(insight, self._model, found))

    async def detect_and_select(self, prompt: Prompt) -> Findings:
        """Do both, and read the query, in one pass of the first network.

        A second one is for a query that is too long to stand in one window, or stands alone.
        """
        (insight,) = study(self._model, [prompt])
        found, chances = detect_and_weigh(insight, self._model, custom=self._custom)
        if not prompt.query.strip():
            return Findings(found, (), await self.select(prompt, found))
        if insight.reading.holds_query:
            asked = detect_asked(insight, self._model, custom=self._custom)
        else:
            asked = await self.detect(prompt.query)
        return Findings(found, asked, self._choose(found, chances))

    def _choose(self, found: tuple[Entity, ...], chances: Mapping[str, float]) -> Selection:
        return Selection(tuple(self._decide(entity, chances[entity.id]) for entity in found))

    def _decide(self, entity: Entity, chance: float) -> Decision:
        keep = chance >= self.keep_threshold
        share = f"{chance:.0%} likely to be needed; {entity.label}"
        return Decision(entity.id, keep, f"{'kept' if keep else 'hidden'}: {share}", round(chance, 4))

    @property
    def fingerprint(self) -> str:
        """Hash of the model, the threshold, this room's code and words, the rules and the user's patterns."""
        return hashlib.sha256(f"{self._origin}-{self.keep_threshold!r}".encode()).hexdigest()[:8]

    @cached_property
    def _origin(self) -> str:
        rules = create_rules(**self._patterns)
        digest = hashlib.sha256(f"{self._model.fingerprint}-{rules.fingerprint}".encode())
        for path in sorted(
            path for path in Path(__file__).parent.iterdir() if path.suffix in {".py", ".txt"}
        ):
            digest.update(path.read_bytes())
        return digest.hexdigest()


def create_encoder(**options: str | float) -> Encoder:
    """Make the system `encoder`; options are those of `Encoder`."""
    return Encoder(**options)  # pyright: ignore[reportArgumentType]
