"""Query-aware PII masking, and PII-Bench, the benchmark that measures it.

from piibench import Prompt, load_system, protect_sync

masked = protect_sync(load_system("rules"), Prompt(description="…", query="…"))
masked.description, masked.query
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from piibench.data.files import read_predictions, read_samples
    from piibench.data.outcomes import Masked, Selection
    from piibench.data.schema import Entity, Prediction, Prompt, Sample
    from piibench.data.taxonomy import Category, PIIType
    from piibench.errors import PiibenchError
    from piibench.masking.mask import mask
    from piibench.masking.restore import Restorer, restore
    from piibench.masking.vault import Vault
    from piibench.metrics.score import score
    from piibench.systems.base import System
    from piibench.systems.compose import protect, protect_sync
    from piibench.systems.registry import load_system

__version__ = "0.1.0"

_HOME = {
    "Category": "piibench.data.taxonomy",
    "Entity": "piibench.data.schema",
    "Masked": "piibench.data.outcomes",
    "PIIType": "piibench.data.taxonomy",
    "PiibenchError": "piibench.errors",
    "Prediction": "piibench.data.schema",
    "Prompt": "piibench.data.schema",
    "Restorer": "piibench.masking.restore",
    "Sample": "piibench.data.schema",
    "Selection": "piibench.data.outcomes",
    "System": "piibench.systems.base",
    "Vault": "piibench.masking.vault",
    "load_system": "piibench.systems.registry",
    "mask": "piibench.masking.mask",
    "protect": "piibench.systems.compose",
    "protect_sync": "piibench.systems.compose",
    "read_predictions": "piibench.data.files",
    "read_samples": "piibench.data.files",
    "restore": "piibench.masking.restore",
    "score": "piibench.metrics.score",
}

__all__ = [
    "Category",
    "Entity",
    "Masked",
    "PIIType",
    "PiibenchError",
    "Prediction",
    "Prompt",
    "Restorer",
    "Sample",
    "Selection",
    "System",
    "Vault",
    "load_system",
    "mask",
    "protect",
    "protect_sync",
    "read_predictions",
    "read_samples",
    "restore",
    "score",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    msg = f"module 'piibench' has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
