"""Systems of this machine, with candidates of their own, of others, and of the labels."""

from __future__ import annotations

import asyncio

import pytest

from piibench.data.outcomes import Selection
from piibench.evals.bench import Bench
from piibench.evals.grid import GOLD, OWN
from piibench.evals.local import LocalSystem
from piibench.systems.compose import detect_then_select, protect_sync
from piibench.systems.registry import load_system


@pytest.mark.parametrize("candidates", [None, OWN, "rules"])
def test_what_a_system_does_is_what_protect_does(samples, candidates):
    local = Bench().local("rules@0", candidates)
    for gold in samples:
        pred = asyncio.run(local.protect(gold))
        masked = protect_sync(load_system("rules"), gold.prompt)
        assert pred.entities == masked.entities == asyncio.run(local.find(gold)).entities
        assert (pred.masked, pred.masked_query) == (masked.description, masked.query)
        assert set(pred.relevant or ()) == {i for i in masked.selection.relevant if not i.startswith("q")}
        assert pred.meta["system"]["name"] == "rules"


def test_with_the_labels_as_candidates_only_the_selection_is_the_systems(samples):
    local = Bench().local("rules", GOLD)
    for gold in samples:
        pred = asyncio.run(local.protect(gold))
        chosen = asyncio.run(load_system("rules").select(gold.prompt, gold.entities))
        assert pred.entities == gold.entities
        assert set(pred.relevant or ()) == chosen.relevant


def test_a_sample_is_worked_on_once_for_all_tasks(samples):
    local = Bench().local("rules", None)
    first = asyncio.run(local.protect(samples[0]))
    assert asyncio.run(local.protect(samples[0])) is first


class AtOnce:
    """Does both at once, as the rules do it in two steps."""

    name, fingerprint = "once", "0000"

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.rules = load_system("rules")

    async def detect(self, description):
        self.calls.append("detect")
        return await self.rules.detect(description)

    async def select(self, prompt, found):
        self.calls.append("select")
        return await self.rules.select(prompt, found)

    async def detect_and_select(self, prompt):
        self.calls.append("both")
        return await detect_then_select(self.rules, prompt)


def test_a_system_that_reads_once_protects_in_one_step(samples):
    system = AtOnce()
    pred = asyncio.run(LocalSystem(system, system).protect(samples[0]))
    assert system.calls == ["both"]
    expected = asyncio.run(Bench().local("rules", None).protect(samples[0]))
    assert (pred.entities, pred.relevant) == (expected.entities, expected.relevant)
    assert (pred.masked, pred.masked_query) == (expected.masked, expected.masked_query)


def test_a_system_that_reads_once_reads_a_sample_once_for_all_tasks(samples):
    system = AtOnce()
    local = LocalSystem(system, system)
    found = asyncio.run(local.find(samples[0]))
    pred = asyncio.run(local.protect(samples[0]))
    assert system.calls == ["both"]
    assert pred.entities == found.entities


def test_told_what_stands_in_the_text_it_selects_and_reads_the_query(samples):
    for detector in (None, load_system("rules")):
        system = AtOnce()
        pred = asyncio.run(LocalSystem(system, detector).protect(samples[0]))
        assert system.calls == ["select", "detect"]
        assert pred.masked is not None


class Remote:
    """A system that waits on a network, and whose reply was unreadable."""

    name, fingerprint, at_once = "remote", "0000", 2

    def __init__(self, notes=None) -> None:
        self.notes = {} if notes is None else notes

    def follow(self, notes):
        return Remote(notes)

    async def detect(self, description):
        self.notes["flagged"] = True
        return ()

    async def select(self, prompt, found):
        return Selection()

    async def close(self):
        pass


class RemoteAtOnce(Remote):
    """The same, and it reads text and query together."""

    def follow(self, notes):
        return RemoteAtOnce(notes)

    async def detect_and_select(self, prompt):
        self.notes["flagged"] = True
        return await detect_then_select(self, prompt)


def test_what_a_system_noted_when_it_read_a_sample_is_told_in_every_task(samples):
    remote = RemoteAtOnce()
    local = LocalSystem(remote, remote)
    assert asyncio.run(local.find(samples[0])).meta["flagged"] is True
    assert asyncio.run(local.protect(samples[0])).meta["flagged"] is True


def test_a_system_on_a_network_notes_what_it_could_not_read(samples):
    local = LocalSystem(Remote(), None)
    assert asyncio.run(local.find(samples[0])).meta["flagged"] is True
    remote = Remote()
    for detector in (remote, None):
        assert asyncio.run(LocalSystem(remote, detector).protect(samples[0])).meta["flagged"] is True
