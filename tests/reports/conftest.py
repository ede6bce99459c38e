"""A small evaluation, with a trade-off, read once."""

from __future__ import annotations

import pytest

from evaluations import write_evaluation
from piibench.data.runs import Run, SampleScores, write_run
from piibench.data.shipped import load_shipped
from piibench.reports.document import create_document

ARMS = {"none": (0.0, 1.0), "all": (1.0, 0.5), "gold": (0.75, 0.875)}


@pytest.fixture(scope="session")
def evaluation(tmp_path_factory):
    out = write_evaluation(tmp_path_factory.mktemp("made") / "results")
    gold = load_shipped()
    run = Run(
        task="tradeoff",
        system="llm",
        model="openai/gpt-4o",
        roles={"judge": "some/judge"},
        n=len(gold),
        data="3f2c",
        version="0",
    )
    scores = [
        SampleScores(
            id=sample.id,
            subset=sample.subset,
            arm=arm,
            scores={"privacy": privacy, "utility": utility, "balanced": (privacy + utility) / 2},
        )
        for sample in gold
        for arm, (privacy, utility) in ARMS.items()
    ]
    write_run(out, run, [], scores)
    return out


@pytest.fixture(scope="session")
def document(evaluation):
    return create_document(evaluation)
