"""What makes a sample hard: its subjects, entities, length, what its query needs (section 4.7, Figure 4)."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from piibench.errors import DataError, InputError
from piibench.metrics.bootstrap import mean_intervals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from piibench.data.runs import SampleScores
    from piibench.data.schema import Sample

    Floats = NDArray[np.float64]

Factor = Literal["subjects", "entities", "characters", "relevant"]
FACTORS: tuple[Factor, ...] = get_args(Factor)
"""The panels of Figure 4."""

EDGES: Mapping[Factor, tuple[int, ...]] = MappingProxyType(
    {
        "subjects": tuple(range(11)),
        "entities": (0, 6, 9, 12, 15, 20, 34, 50, 60),
        "characters": (0, 500, 600, 700, 800, 900, 1000, 1500, 3000, 4500, 5000),
        "relevant": tuple(range(9)),
    }
)
"""Where bins begin; the last has no end.

5 subjects, 33 entities and 3,000 characters, beyond which the paper sees scores fall, end a bin.
"""


class Factors(NamedTuple):
    """What a sample is like.

    Attributes:
        subjects: People that its description is about.
        entities: PII entities in it.
        characters: Code points of it.
        relevant: Entities that its query needs; None where the data does not know.
    """

    subjects: int
    entities: int
    characters: int
    relevant: int | None


def list_factors(sample: Sample) -> Factors:
    """Count what might make a sample hard."""
    return Factors(
        subjects=len({entity.subject for entity in sample.entities}),
        entities=len(sample.entities),
        characters=len(sample.description),
        relevant=None if sample.relevant is None else len(sample.relevant),
    )


@dataclass(frozen=True, slots=True)
class Bin:
    """The samples whose factor lies in one range.

    Attributes:
        start: Lowest value of the factor.
        end: The value at which the next bin starts; None where this is the last.
        n: Samples in it that have the score.
        mean: Their mean score.
        low: Lower end of its 95 % interval.
        high: Upper end.
    """

    start: int
    end: int | None
    n: int
    mean: float
    low: float
    high: float

    @property
    def label(self) -> str:
        """The range, as in "3", "6–8" or "60 or more"."""
        if self.end is None:
            return f"{self.start} or more"
        return str(self.start) if self.end == self.start + 1 else f"{self.start}–{self.end - 1}"


def bin_means(  # noqa: PLR0913 - the draws are options
    samples: Iterable[Sample],
    scores: Iterable[SampleScores],
    factor: Factor,
    metric: str,
    bins: Sequence[int] | None = None,
    *,
    seed: int = 7,
    resamples: int = 1000,
) -> tuple[Bin, ...]:
    """Average a score over the samples that are alike in one factor, with bootstrap intervals (Figure 4).

    Args:
        samples: The gold samples.
        scores: Of some or all of them; one without the score, or without the factor, is left out.
        factor: What the samples are put in order by.
        metric: Name of the score.
        bins: Where bins begin, ascending; the last has no end. `EDGES` where None.
        seed: Seed of the draws.
        resamples: How often the samples of a bin are drawn.

    Returns:
        The bins that hold a sample, ascending.

    Raises:
        InputError: The bins do not ascend, or a sample lies before the first.
        DataError: A score belongs to no sample.
    """
    edges = np.array(EDGES[factor] if bins is None else bins)
    if edges.ndim != 1 or not edges.size or (np.diff(edges) <= 0).any():
        msg = "bins: give the values where bins begin, ascending"
        raise InputError(msg)
    table, values = gather_scores(samples, scores, metric)
    column = table[:, FACTORS.index(factor)]
    known = ~np.isnan(column)
    return tuple(_fill_bins(column[known], values[known], edges, np.random.default_rng(seed), resamples))


def gather_scores(
    samples: Iterable[Sample], scores: Iterable[SampleScores], metric: str
) -> tuple[Floats, Floats]:
    """Put the factors of the samples beside their scores.

    Args:
        samples: The gold samples.
        scores: Of some or all of them.
        metric: Name of the score.

    Returns:
        The factors, shape (n, 4) in the order of `FACTORS` with NaN where unknown, and the scores, shape
        (n,); n counts the samples that have the score.

    Raises:
        DataError: A score belongs to no sample.
    """
    known = {sample.id: list_factors(sample) for sample in samples}
    rows: list[Factors] = []
    values: list[float] = []
    for each in scores:
        if each.id not in known:
            msg = f'the score of "{each.id}" belongs to no sample; give the samples that were evaluated'
            raise DataError(msg)
        if (value := each.scores.get(metric)) is not None:
            rows.append(known[each.id])
            values.append(value)
    return np.array(rows, dtype=np.float64).reshape(-1, len(FACTORS)), np.array(values, dtype=np.float64)


def _fill_bins(
    column: Floats, values: Floats, edges: NDArray[np.int_], rng: np.random.Generator, resamples: int
) -> Iterator[Bin]:
    places = np.searchsorted(edges, column, side="right") - 1
    if (places < 0).any():
        msg = f"bins: a sample has fewer than {edges[0]}; begin lower"
        raise InputError(msg)
    ends = [*edges[1:].tolist(), None]
    for place in np.unique(places).tolist():
        chosen = values[places == place]
        low, high = mean_intervals(chosen[:, np.newaxis], rng=rng, resamples=resamples)[0].tolist()
        yield Bin(int(edges[place]), ends[place], len(chosen), float(chosen.mean()), low, high)
