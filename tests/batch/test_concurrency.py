"""Many prompts at once: order, how many at a time, failures, closing."""

from __future__ import annotations

import asyncio
import gc
import json
from itertools import islice

import pytest

from piibench.batch import concurrency
from piibench.batch.concurrency import AHEAD, protect_at_once
from piibench.data.files import PromptRecord
from piibench.data.outcomes import Selection
from piibench.errors import EndpointError, SystemFailureError
from piibench.systems.base import Networked


class Waiting:
    """A system that waits as long as the description says, in milliseconds, and fails where it says so."""

    name = "waiting"
    fingerprint = "0123"

    def __init__(self, at_once: int = 4) -> None:
        self.at_once = at_once
        self.working = self.most = self.closed = 0
        self.begun: list[str] = []
        self.ended: list[str] = []

    async def detect(self, description: str):
        if not description:
            return ()
        self.begun.append(description)
        self.working += 1
        self.most = max(self.most, self.working)
        try:
            await asyncio.sleep(float(description.split(maxsplit=1)[0]) / 1000)
            if "DEAD" in description:
                raise EndpointError("dead")  # noqa: EM101
            if "BUG" in description:
                raise RuntimeError(description)
        finally:
            self.working -= 1
        self.ended.append(description)
        return ()

    async def select(self, prompt, found) -> Selection:
        return Selection()

    def follow(self, notes):
        notes["model"] = "m"
        return self

    async def close(self) -> None:
        self.closed += 1


def records(*texts: str) -> list[PromptRecord]:
    return [PromptRecord(f"r{n}", "real", text, line=n) for n, text in enumerate(texts, 1)]


def ids(written) -> list[str]:
    return [json.loads(one.line)["id"] for one in written]


def test_the_order_is_the_inputs_whoever_is_first() -> None:
    system = Waiting()
    assert isinstance(system, Networked)
    made = list(protect_at_once(records(*(f"{60 - 5 * (n % 12)}" for n in range(30))), system))
    assert ids(made) == [f"r{n}" for n in range(1, 31)]
    assert system.ended != system.begun
    assert system.most == 4
    assert system.closed == 1
    assert json.loads(made[0].line)["meta"]["model"] == "m"
    assert [one.characters for one in made[:2]] == [2, 2]
    assert not any(one.flagged for one in made)


def test_a_slow_one_does_not_stop_the_others() -> None:
    system = Waiting(2)
    list(protect_at_once(records("200", *(["1"] * 20)), system))
    assert system.ended[-1] == "200"


def test_only_so_many_are_read_ahead() -> None:
    read: list[str] = []

    def feed():
        for record in records("300", *(["0"] * 500)):
            read.append(record.id)
            yield record

    first = next(iter(protect_at_once(feed(), Waiting(2))))
    assert json.loads(first.line)["id"] == "r1"
    assert len(read) <= 2 * AHEAD


def test_no_records_at_all() -> None:
    system = Waiting()
    assert list(protect_at_once([], system)) == []
    assert system.closed == 1


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [("20 DEAD", EndpointError, "dead"), ("20 BUG", SystemFailureError, "record of line 3: RuntimeError")],
)
def test_what_is_at_work_at_a_failure_gets_some_time_and_then_is_cancelled(
    monkeypatch: pytest.MonkeyPatch, text: str, error, said: str
) -> None:
    monkeypatch.setattr(concurrency, "GRACE_S", 0.5)
    system = Waiting(3)
    written = protect_at_once(records("1", "1", text, "50", "9000", "1"), system)
    assert ids(islice(written, 2)) == ["r1", "r2"]
    with pytest.raises(error, match=said):
        next(written)
    assert "50" in system.ended
    assert "9000" in system.begun
    assert "9000" not in system.ended
    assert system.closed == 1
    assert system.working == 0
    gc.collect()  # a task whose error nobody took would be reported here


def test_leaving_early_closes() -> None:
    system = Waiting()
    written = protect_at_once(records(*["1"] * 50), system)
    next(written)
    written.close()
    assert system.closed == 1
    assert system.working == 0
