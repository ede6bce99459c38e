"""How far an evaluation has come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from piibench.errors import PiibenchError, SystemFailureError
from piibench.llm.chat import Usage

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(slots=True)
class Meter:
    """Counts samples and what they cost.

    Attributes:
        total: Samples of all runs.
        done: Samples answered, those of an earlier attempt included.
        failed: Samples that got no reply in this attempt.
        usage: What this attempt's answers cost, replies kept from an earlier one included.
        error: Why the first of those got none.
        on_change: Is handed this meter after each sample.
    """

    total: int = 0
    done: int = 0
    failed: int = 0
    usage: Usage = field(default_factory=Usage)
    error: PiibenchError | None = None
    on_change: Callable[[Meter], None] | None = None

    def advance(self, usage: Usage) -> None:
        """Count a sample that was answered."""
        self.done += 1
        self.usage += usage
        self._tell()

    def fail(self, error: Exception) -> None:
        """Count a sample that got no reply."""
        self.failed += 1
        if self.error is None:
            known = isinstance(error, PiibenchError)
            self.error = error if known else SystemFailureError(f"a sample failed: {type(error).__name__}")
        self._tell()

    def _tell(self) -> None:
        if self.on_change:
            self.on_change(self)
