"""Gold samples in Inspect's form."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as InspectSample

from piibench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from piibench.data.runs import Task
    from piibench.data.schema import Sample


def create_dataset(samples: Iterable[Sample], task: Task) -> MemoryDataset:
    """Make Inspect's form of the samples that a task can be put to.

    Raises:
        InputError: There is none, because no sample says what its query needs.
    """
    wanted = choose_samples(samples, task)
    if not wanted:
        msg = "the data do not say what their queries need (relevant); only --task detection can be measured"
        raise InputError(msg)
    return MemoryDataset([_convert(sample, task) for sample in wanted], name="piibench")


def choose_samples(samples: Iterable[Sample], task: Task) -> list[Sample]:
    """The samples that a task can be put to: tasks about a query need to know what it needs."""
    return [sample for sample in samples if task == "pii_detection" or sample.relevant is not None]


def _convert(sample: Sample, task: Task) -> InspectSample:
    wanted = {
        "query_related": sample.relevant_entities,
        "query_unrelated_masking": sample.unrelated_entities,
    }.get(task, sample.entities)
    return InspectSample(
        id=sample.id,
        input=sample.description if task == "pii_detection" else f"{sample.description}\n\n{sample.query}",
        target=json.dumps([entity.text for entity in wanted], ensure_ascii=False),
        metadata={"subset": sample.subset},
    )
