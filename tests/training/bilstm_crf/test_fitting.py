"""A whole run on a toy language: it learns, stops early, and goes on where it was stopped."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")
pytest.importorskip("onnx", reason="onnx is not installed: pip install 'piibench[train]'")

import torch

from piibench.data.mentions import Span
from piibench.data.taxonomy import TYPE_OF, Category
from piibench.errors import InputError, PiibenchError
from piibench.metrics.prf import PRF
from piibench.systems.bilstm_crf import create_bilstm_crf
from piibench.training.bilstm_crf import fitting, train_bilstm_crf
from piibench.training.bilstm_crf.fitting import Fitting, Plan, Record
from piibench.training.bilstm_crf.network import Shape
from piibench.training.checkpoints import CHECKPOINT, LOG
from piibench.training.examples import Example, Place

PLAN = Plan(passes=3, batch=4, rate=0.02, least=1, unknown=0.1, shape=Shape(8, 4, 4, 12, 0.1))


class Stop(Exception):  # noqa: N818 - it is no error
    pass


def write(rng: random.Random) -> Example:
    """A few sentences such as "Ann Smith is 34."."""
    text, places = "", []
    for _ in range(rng.randint(2, 5)):
        name = f"{rng.choice(('Ann', 'Bo', 'Cy', 'Dee'))} {rng.choice(('Smith', 'Jones', 'Ray'))}"
        for value, category, behind in (
            (name, Category.FULL_NAME, " is "),
            (str(rng.randint(18, 90)), Category.AGE, ". The day was fine. "),
        ):
            span = Span(len(text), len(text) + len(value))
            places.append(Place(span, TYPE_OF[category], category))
            text += value + behind
    return Example("toy", "", text, tuple(places))


@pytest.fixture(scope="module")
def texts():
    rng = random.Random(1)
    return [write(rng) for _ in range(24)], [write(rng) for _ in range(6)]


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def ignore(_) -> None:
    pass


def weights_of(fitting: Fitting) -> list:
    return [part.tolist() for part in fitting.network.state_dict().values()]


def test_a_toy_language_is_learned(texts, tmp_path) -> None:
    shares = []
    plan = Plan(passes=12, batch=4, rate=0.02, least=1, unknown=0.1, shape=PLAN.shape)
    report = train_bilstm_crf(*texts, tmp_path, plan=plan, advance=lambda step: shares.append(step.share))
    assert report.dev.f1 > 0.95
    assert report.record.best_pass <= report.record.passes <= 12
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] <= 1
    lines = [json.loads(line) for line in (tmp_path / LOG).read_text().splitlines()]
    assert [line["passes"] for line in lines] == list(range(1, report.record.passes + 1))
    assert lines[-1]["loss"] < lines[0]["loss"]
    system = create_bilstm_crf(weights=str(tmp_path / "weights"), threads=1)
    found = asyncio.run(system.detect("The day was fine. Bo Jones is 41. "))
    assert [(one.text, one.label) for one in found] == [("Bo Jones", "Full Name"), ("41", "Age")]


def test_a_stopped_run_ends_with_the_same_weights(texts, tmp_path) -> None:
    whole = Fitting(*texts, plan=PLAN, folder=tmp_path / "whole")
    whole.run(ignore)

    def stop(step) -> None:
        if step.share > 0.5:
            raise Stop

    with pytest.raises(Stop):
        Fitting(*texts, plan=PLAN, folder=tmp_path / "parts").run(stop)
    second = Fitting(*texts, plan=PLAN, folder=tmp_path / "parts")
    record = second.run(ignore)
    assert record[:3] == whole.record[:3]
    assert weights_of(second) == weights_of(whole)
    third = Fitting(*texts, plan=PLAN, folder=tmp_path / "parts")
    assert third.run(lambda _: pytest.fail("a finished run learns nothing more")) == record
    assert weights_of(third) == weights_of(whole)


def test_another_plan_or_other_texts_are_another_run(texts, tmp_path) -> None:
    train, dev = texts
    Fitting(train, dev, plan=Plan(passes=1, shape=PLAN.shape), folder=tmp_path).run(ignore)
    for others, plan in ((train, PLAN), (train[1:], Plan(passes=1, shape=PLAN.shape))):
        with pytest.raises(InputError, match="another plan or other texts"):
            Fitting(others, dev, plan=plan, folder=tmp_path).run(ignore)


def test_a_damaged_checkpoint_names_the_remedy(texts, tmp_path) -> None:
    (tmp_path / CHECKPOINT).write_bytes(b"no checkpoint")
    with pytest.raises(InputError, match="is damaged; remove it"):
        Fitting(*texts, plan=PLAN, folder=tmp_path).run(ignore)


def test_it_stops_when_dev_gets_no_better(texts, tmp_path, monkeypatch) -> None:
    scores = iter((0.0, 0.0, 0.0, 0.5, 0.5, 0.4, 0.9))
    monkeypatch.setattr(fitting, "judge", lambda *_: PRF(0.5, 0.5, next(scores)))
    plan = Plan(patience=2, shape=PLAN.shape)
    record = Fitting(*texts, plan=plan, folder=tmp_path).run(ignore)
    assert (record.passes, record.best_pass, record.best) == (6, 4, 0.5)


def test_a_run_that_came_to_nothing_saves_nothing(texts, tmp_path) -> None:
    with pytest.raises(PiibenchError, match="the loss is no number any more; a lower --rate helps"):
        Fitting(*texts, plan=replace(PLAN, rate=1e30), folder=tmp_path).run(ignore)
    assert list(tmp_path.iterdir()) == []


def test_a_record_keeps_the_best() -> None:
    record = Record().add(0.0, 1.0).add(0.5, 1.0).add(0.4, 1.0)
    assert record == Record(passes=3, best_pass=2, best=0.5, seconds=3.0)


def test_nothing_to_learn_from(tmp_path) -> None:
    with pytest.raises(InputError, match="the train partition"):
        train_bilstm_crf([], [], tmp_path, plan=PLAN, advance=ignore)
