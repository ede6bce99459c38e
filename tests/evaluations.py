"""A small evaluation on disk, as `piibench evaluate` would write it: a rule system and a model that lists values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from piibench import load_system, protect_sync
from piibench.data.runs import Run, SampleScores, write_data, write_run
from piibench.data.schema import Prediction
from piibench.data.shipped import load_shipped
from piibench.metrics.measures import METRICS, POOLED, measure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from piibench.data.runs import Task
    from piibench.data.schema import Sample

FAMILIES: dict[Task, tuple[str, ...]] = {
    "pii_detection": ("strict", "ent", "rouge", "span"),
    "query_related": ("query",),
    "query_unrelated_masking": ("mask", "privacy", "kept"),
}


def predict(sample: Sample) -> Prediction:
    """What `rules` makes of a sample."""
    masked = protect_sync(load_system("rules"), sample.prompt)
    known = {entity.id for entity in masked.entities}
    return Prediction(
        id=sample.id,
        subset=sample.subset,
        description=sample.description,
        query=sample.query,
        entities=masked.entities,
        relevant=tuple(each for each in sorted(masked.selection.relevant) if each in known),
        masked=masked.description,
        masked_query=masked.query,
    )


def name(sample: Sample) -> Prediction:
    """What a model answers that names all but the first needed value, and hides one of the others."""
    return Prediction(
        id=sample.id,
        description=sample.description,
        needed=tuple(entity.text for entity in sample.relevant_entities[1:]),
        hidden=tuple(entity.text for entity in sample.unrelated_entities[:1]),
    )


def score(task: Task, gold: Sample, pred: Prediction) -> SampleScores:
    measures = measure(gold, pred)
    metrics = {each: METRICS[each].of(measures) for each in METRICS if each.startswith(FAMILIES[task])}
    counts = {each: POOLED[each](measures) for each in POOLED if each.startswith(FAMILIES[task])}
    return SampleScores(
        id=gold.id,
        subset=gold.subset,
        scores=metrics,
        counts={key: (each.tp, each.pred, each.gold) for key, each in counts.items() if each},
    )


def write_evaluation(out: Path, samples: Sequence[Sample] | None = None) -> Path:
    """Write runs of both in all tasks (the model finds nothing in task 1)."""
    out.mkdir(parents=True, exist_ok=True)
    gold = load_shipped() if samples is None else samples
    write_data(out, gold)
    for system, model, strategy, answer in (
        ("rules@9ab1", None, None, predict),
        ("llm", "openai/gpt-4o", "naive", name),
    ):
        predictions = [answer(sample) for sample in gold]
        for task in FAMILIES:
            run = Run(
                task=task,
                system=system,
                model=model,
                strategy=strategy,
                n=len(gold),
                data="3f2c",
                version="0",
            )
            write_run(out, run, predictions, score_all(task, gold, predictions))
    return out


def score_all(
    task: Task, gold: Iterable[Sample], predictions: Iterable[Prediction]
) -> Iterable[SampleScores]:
    return (score(task, sample, pred) for sample, pred in zip(gold, predictions, strict=True))
