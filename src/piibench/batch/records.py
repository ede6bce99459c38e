"""The work on one record: a prompt in, a prediction out."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

from piibench.batch.predictions import Maker
from piibench.data.schema import Prediction
from piibench.errors import PiibenchError, SystemFailureError
from piibench.systems.compose import protect

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterable, Iterator, Mapping

    from piibench.data.files import PromptRecord
    from piibench.data.outcomes import Masked
    from piibench.systems.base import Networked, System


class Records:
    """Records that end where one cannot be read; `finish` then says why, when those before are done."""

    def __init__(self, records: Iterable[PromptRecord]) -> None:
        self._records = records
        self._error: PiibenchError | None = None

    def __iter__(self) -> Iterator[PromptRecord]:
        try:
            yield from self._records
        except PiibenchError as error:
            self._error = error

    def finish(self) -> None:
        """Raise the error that ended them, if one did."""
        if self._error:
            raise self._error


class Written(NamedTuple):
    """A prediction, ready for its file.

    Attributes:
        line: It, as one line of JSON.
        characters: Length of the description in code points.
        flagged: Whether a reply could not be understood.
    """

    line: str
    characters: int
    flagged: bool


async def protect_record(
    record: PromptRecord, system: System, notes: Mapping[str, Any] | None = None
) -> Prediction:
    """Protect one prompt.

    Args:
        record: The prompt.
        system: Who protects it.
        notes: Is read after the work; joins the system's name and the milliseconds in the prediction's meta.

    Raises:
        SystemFailureError: The system failed in a way of its own.
    """
    begun = time.perf_counter()
    try:
        masked = await protect(system, record.prompt)
        taken = round((time.perf_counter() - begun) * 1000, 3)
        return _describe(record, masked, system, {"ms": taken, **(notes or {})})
    except PiibenchError:
        raise
    except Exception as error:
        msg = f"system {system.name} failed on the record of line {record.line}: {type(error).__name__}"
        raise SystemFailureError(msg) from error


def _describe(record: PromptRecord, masked: Masked, system: System, notes: Mapping[str, Any]) -> Prediction:
    found = {entity.id for entity in masked.entities}
    return Prediction(
        id=record.id,
        subset=record.subset,
        description=record.description,
        query=record.query,
        entities=masked.entities,
        relevant=tuple(d.entity_id for d in masked.selection.decisions if d.keep and d.entity_id in found),
        masked=masked.description,
        masked_query=masked.query,
        meta={"system": Maker(system.name, system.fingerprint).to_meta(), **notes},
    )


def predict_record(record: PromptRecord, system: System, runner: asyncio.Runner) -> Prediction:
    """Do what `protect_record` does, from code that runs no event loop."""
    return runner.run(protect_record(record, system))


def write_record(record: PromptRecord, system: System, runner: asyncio.Runner) -> Written:
    """Protect one prompt and write its prediction."""
    return Written(predict_record(record, system, runner).to_json(), len(record.description), flagged=False)


async def write_followed(record: PromptRecord, system: Networked) -> Written:
    """Protect one prompt by a system that waits on a network, and write its prediction with its notes."""
    notes: dict[str, Any] = {}
    prediction = await protect_record(record, system.follow(notes), notes)
    return Written(prediction.to_json(), len(record.description), flagged=bool(notes.get("flagged")))
