"""The clock of `piibench mask` changes nothing of what a system does."""

from __future__ import annotations

import pytest

from piibench.cli.protection import TimedSystem, protect_timed
from piibench.data.outcomes import Decision, Findings, Selection
from piibench.data.schema import Entity, Prompt
from piibench.data.taxonomy import Category
from piibench.masking.vault import Vault

PROMPT = Prompt(description="34", query="How old?")
AGE = Entity(id="e1", subject="A", text="34", category=Category.AGE, mentions=((0, 2),))
KEPT = Selection((Decision("e1", keep=True, reason="kept"),))


class TwoSteps:
    """Finds the age, and keeps what it finds."""

    name, fingerprint = "double", "0000"

    def __init__(self) -> None:
        self.calls: list[str] = []

    async def detect(self, description):
        self.calls.append(f"detect {description}")
        return (AGE,) if description == "34" else ()

    async def select(self, prompt, found):
        self.calls.append("select")
        return KEPT


class OneStep(TwoSteps):
    """Does both at once."""

    async def detect_and_select(self, prompt):
        self.calls.append("both")
        return Findings((AGE,), (), KEPT)


@pytest.mark.parametrize(
    ("system", "calls"),
    [(TwoSteps, ["detect 34", "select", "detect How old?"]), (OneStep, ["both"])],
)
def test_a_system_that_does_both_at_once_is_asked_once(system, calls):
    worker = system()
    masked, timings = protect_timed(worker, PROMPT, style="tag", vault=Vault())
    assert (masked.description, worker.calls) == ("34", calls)
    assert list(timings) == ["detect", "select", "mask", "total"]
    assert timings["detect"] > 0
    assert (timings["select"] > 0) == ("select" in calls)


def test_a_clock_has_the_name_of_what_it_times():
    timed = TimedSystem(TwoSteps())
    assert (timed.name, timed.fingerprint) == ("double", "0000")
