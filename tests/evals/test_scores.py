"""Which scores belong to which task."""

from __future__ import annotations

import pytest

from piibench.data.schema import Prediction
from piibench.evals.kinds import Answer
from piibench.evals.scores import DETECTION, MASKING, QUERY, create_measure
from piibench.metrics.measures import METRICS, POOLED
from piibench.systems.compose import protect_sync
from piibench.systems.registry import load_system


def test_each_score_belongs_to_one_task():
    for names in (METRICS, POOLED):
        for name in names:
            assert sum(name.startswith(families) for families in (DETECTION, QUERY, MASKING)) == 1, name


@pytest.mark.parametrize("families", [DETECTION, QUERY, MASKING])
def test_a_task_has_its_own_scores_and_no_other(samples, families):
    gold = samples[0]
    masked = protect_sync(load_system("rules"), gold.prompt)
    pred = Prediction(
        id=gold.id,
        description=gold.description,
        query=gold.query,
        entities=masked.entities,
        relevant=(),
        masked=masked.description,
    )
    (scores,) = create_measure(families)(gold, Answer(pred))
    assert (scores.id, scores.subset, scores.arm) == (gold.id, gold.subset, None)
    assert set(scores.scores) == {name for name in METRICS if name.startswith(families)}
    assert set(scores.counts) == {name for name in POOLED if name.startswith(families)}
    assert create_measure(families)(gold, Answer()) == ()


def test_an_answer_is_read_back_as_it_was_written(samples):
    gold = samples[0]
    pred = Prediction(id=gold.id, description=gold.description, needed=("x",), meta={"model": "small"})
    answer = Answer(pred, flagged=True, details={"ratings": [3, 4]})
    assert Answer.from_json(answer.to_json()) == answer
    assert Answer.from_json(Answer().to_json()) == Answer()
    assert Answer.from_json(Answer(bare_shots=2).to_json()) == Answer(bare_shots=2)
