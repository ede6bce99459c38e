"""The tasks under Inspect's own command."""

from __future__ import annotations

import pytest
from inspect_ai import eval as inspect_eval

from loopback_model import serve
from oracle import Oracle
from piibench.data.files import write_records
from piibench.errors import UnknownStrategyError
from piibench.evals import _registry
from piibench.evals.models import Access, create_model
from piibench.evals.tasks import KINDS

QUIET = {"display": "none", "log_level": "critical", "log_realtime": False, "ctl_server": False}


@pytest.fixture
def data(tmp_path, samples):
    """The samples in a file."""
    path = tmp_path / "data.jsonl"
    write_records(path, samples)
    return str(path)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("pii_detection", {}),
        ("query_related", {"strategy": "self_cot"}),
        ("query_related", {"strategy": "naive_with_choice", "candidates": "own"}),
        ("query_unrelated_masking", {"subset": "multi"}),
    ],
)
def test_a_model_that_knows_the_labels_scores_1(tmp_path, samples, data, name, options):
    with serve(Oracle(samples)) as server:
        model = create_model("small", Access(server.url))
        task = getattr(_registry, name)(data=data, **options)
        (log,) = inspect_eval(task, model=model, log_dir=str(tmp_path / "logs"), **QUIET)
    assert log.status == "success"
    assert log.eval.task.endswith(name)
    scores = {score.name: score for score in log.results.scores}
    assert scores[KINDS[name].headline[0]].metrics["mean"].value == 1.0
    expected = 2 if "subset" in options else len(samples)
    assert log.results.completed_samples == expected


def test_a_system_needs_no_model(tmp_path, samples, data):
    task = _registry.query_related(data=data, system="rules")
    (log,) = inspect_eval(task, log_dir=str(tmp_path / "logs"), **QUIET)
    assert log.status == "success"
    assert log.results.completed_samples == len(samples)


def test_a_wrong_strategy_is_named(data):
    with pytest.raises(UnknownStrategyError):
        _registry.query_related(data=data, strategy="naively")
