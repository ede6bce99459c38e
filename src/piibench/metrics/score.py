"""Score the predictions of a system against gold samples."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from piibench.data.schema import Prediction, Sample
from piibench.errors import DataError, InputError
from piibench.metrics.aggregates import add_up, average, tabulate_categories, tabulate_types
from piibench.metrics.measures import measure
from piibench.metrics.report import GroupReport, Report
from piibench.metrics.signature import create_signature, digest

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

    from piibench.metrics.bootstrap import Clusters
    from piibench.metrics.measures import Measures

R = TypeVar("R", Sample, Prediction)

DESCRIPTION = "description"
"""Clusters samples by their text, of which each may have several queries."""
NAMED_IDS = 3
"""How many ids an error lists."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A sample with its prediction and what was measured on them.

    Attributes:
        gold: The sample.
        digest: Hash of its content.
        pred: Its prediction; None where there is none.
        measures: What was measured; without a prediction, on an empty one.
    """

    gold: Sample
    digest: bytes
    pred: Prediction | None
    measures: Measures


def score(  # noqa: PLR0913 - what is compared, and how sure it is
    gold: Iterable[Sample],
    pred: Iterable[Prediction],
    *,
    seed: int = 7,
    resamples: int = 1000,
    allow_missing: bool = False,
    cluster: str = "",
) -> Report:
    """Score predictions against gold samples, as means over samples (Appendix F.1, F.2.1).

    The order of either does not matter; a prediction belongs to the sample of the same id.

    Args:
        gold: The samples.
        pred: The predictions, one for each sample.
        seed: Seed of the bootstrap.
        resamples: How often the bootstrap draws, at least 1.
        allow_missing: Score a sample without a prediction as if the system had found nothing, and report
            how many there were. What its text would have shown is unknown, so privacy is not counted there.
        cluster: A field of `meta`, or "description": samples that have it in common are drawn together, and
            the intervals are those of so many clusters (see `bootstrap`). One without it stands alone.

    Raises:
        DataError: There is no sample, an id is used twice, a prediction is missing or about no sample, or
            its description is not the sample's.
        InputError: No sample has the field by which to cluster.
    """
    samples = _index(gold, "sample")
    predictions = _index(pred, "prediction")
    _check_pairs(samples, predictions, allow_missing=allow_missing)
    common = _find_common(samples.values(), cluster) if cluster else {}
    draw = _Draw(seed, resamples, cluster, common)
    answers = [
        field
        for field in ("relevant", "needed", "hidden")
        if any(getattr(prediction, field) is not None for prediction in predictions.values())
    ]
    scored = [_score_pair(samples[key], predictions.get(key), answers) for key in sorted(samples)]
    by_subset: defaultdict[str, list[Scored]] = defaultdict(list)
    for pair in scored:
        by_subset[pair.gold.subset].append(pair)
    return Report(
        overall=_report("all", scored, draw),
        subsets={name: _report(name, by_subset[name], draw) for name in sorted(by_subset)},
    )


def _find_common(samples: Collection[Sample], field: str) -> dict[str, Hashable]:
    """Sample id -> what it has in common with the others of its cluster; without those that stand alone."""
    if field == DESCRIPTION:
        return {sample.id: (sample.description,) for sample in samples}
    known = {sample.id: sample.meta[field] for sample in samples if sample.meta.get(field) is not None}
    if not known:
        msg = f"no sample has the field by which to cluster; name one that stands in meta, or {DESCRIPTION}"
        raise InputError(msg)
    return {key: (json.dumps(value, sort_keys=True, default=str),) for key, value in known.items()}


def _index(records: Iterable[R], kind: str) -> dict[str, R]:
    indexed: dict[str, R] = {}
    for record in records:
        if record.id in indexed:
            msg = f'{kind} "{record.id}" occurs twice; keep one record for each id'
            raise DataError(msg)
        indexed[record.id] = record
    return indexed


def _check_pairs(
    samples: dict[str, Sample], predictions: dict[str, Prediction], *, allow_missing: bool
) -> None:
    if not samples:
        msg = "there is no gold sample; nothing to score"
        raise DataError(msg)
    missing = [key for key in samples if key not in predictions]
    if missing and not allow_missing:
        msg = (
            f"{len(missing)} of {len(samples)} samples have no prediction ({_list_ids(missing)}); finish the"
            " run, or allow missing predictions to score them as if nothing was found"
        )
        raise DataError(msg)
    unknown = [key for key in predictions if key not in samples]
    if unknown:
        msg = (
            f"{len(unknown)} of {len(predictions)} predictions belong to no gold sample"
            f" ({_list_ids(unknown)}); score them against the samples they were made on"
        )
        raise DataError(msg)
    for key, prediction in predictions.items():
        if prediction.description != samples[key].description:
            msg = f'prediction "{key}" has another description than the gold sample; predict on the same data'
            raise DataError(msg)
        if prediction.query and prediction.query != samples[key].query:
            msg = f'prediction "{key}" is for another query than the gold sample; predict on the same data'
            raise DataError(msg)


def _list_ids(ids: Sequence[str]) -> str:
    named = ", ".join(f'"{key}"' for key in ids[:NAMED_IDS])
    return f"{named} …" if len(ids) > NAMED_IDS else named


def _score_pair(gold: Sample, pred: Prediction | None, answers: Iterable[str]) -> Scored:
    """Score a prediction; where there is none, one with nothing in the fields that others answer in."""
    if pred is not None:
        return Scored(gold, digest(gold), pred, measure(gold, pred))
    empty = Prediction(
        id=gold.id,
        description=gold.description,
        query=gold.query,
        meta={},
    ).model_copy(update=dict.fromkeys(answers, ()))
    return Scored(gold, digest(gold), None, measure(gold, empty))


class _Draw(NamedTuple):
    """How intervals are drawn: samples whose ids have something in common by a field together."""

    seed: int
    resamples: int
    field: str
    common: Mapping[str, Hashable]

    def number(self, scored: Iterable[Scored]) -> Clusters | None:
        """The number of each one's cluster, from 0 without gaps; None where each is drawn alone."""
        ids = [pair.gold.id for pair in scored]
        if self.common.keys().isdisjoint(ids):
            return None
        keys = [self.common.get(key, key) for key in ids]  # what is in common is no string
        numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        return np.array([numbers[key] for key in keys], np.int64)

    def sign(self, clusters: Clusters | None) -> str:
        """Name the field and how many clusters it makes, as in "frame/80"; empty where there are none."""
        return "" if clusters is None else f"{self.field}/{clusters.max() + 1}"


def _report(name: str, scored: Sequence[Scored], draw: _Draw) -> GroupReport:
    measures = [pair.measures for pair in scored]
    predictions = [pair.pred for pair in scored if pair.pred is not None]
    clusters = draw.number(scored)
    return GroupReport(
        name=name,
        n=len(scored),
        flagged=sum(1 for prediction in predictions if prediction.meta.get("flagged")),
        missing=len(scored) - len(predictions),
        means=average(measures, seed=draw.seed, resamples=draw.resamples, clusters=clusters),
        pooled=add_up(measures, seed=draw.seed, resamples=draw.resamples, clusters=clusters),
        by_type=tabulate_types(measures),
        by_category=tabulate_categories(measures),
        signature=create_signature(
            name, (pair.digest for pair in scored), predictions, seed=draw.seed, cluster=draw.sign(clusters)
        ),
    )
