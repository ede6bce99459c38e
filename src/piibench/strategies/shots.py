"""Worked examples chosen without people, as in Auto-CoT (section 4.1): varied queries, right chains."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from piibench.errors import InputError
from piibench.prompts.answers import parse_thought
from piibench.strategies.base import Question, Shot
from piibench.strategies.registry import STRATEGIES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from numpy.typing import NDArray

    from piibench.data.schema import Entity, Sample
    from piibench.llm.chat import Chat
    from piibench.llm.embed import Embedder

TRIES = 4
"""Samples of a cluster whose chains are asked for, at most."""
LONGEST_THOUGHT = 1500
"""Characters of a chain that an example shows, at most: a prompt holds three."""

_ROUNDS = 50
_CHAIN = STRATEGIES["self_cot"]


async def choose_shots(
    chat: Chat, samples: Sequence[Sample], embedder: Embedder, *, k: int = 3, rng: Random
) -> tuple[Shot, ...]:
    """Choose worked examples.

    The queries are clustered by k-means over their vectors. Of each cluster, the sample nearest to its centre
    is taken whose zero-shot chain ends in exactly the right answer; where none of the nearest few has such a
    chain, the nearest one stands without a chain (`Shot.thought` is empty).

    Args:
        chat: The model that is to see the examples, and whose own chains they show.
        samples: From the train partition; those without a query or without needed entities are left out.
        embedder: Tells which queries are alike.
        k: How many.
        rng: Chooses the first centres.

    Raises:
        InputError: A sample is from the test partition, or there are fewer than `k` to choose from.
        EndpointError: No reply came.
        EndpointSetupError: None ever will.
    """
    if any(sample.meta.get("partition") == "test" for sample in samples):
        msg = "worked examples must not come from the test partition; take samples of the train partition"
        raise InputError(msg)
    pool = [sample for sample in samples if sample.query.strip() and sample.relevant]
    if len(pool) < k:
        msg = f"{k} worked examples need as many samples with query and needed entities, found {len(pool)}"
        raise InputError(msg)
    clusters = cluster_queries(embedder.embed([sample.query for sample in pool]), k, rng)
    return tuple([await _choose_shot(chat, [pool[index] for index in cluster]) for cluster in clusters])


def cluster_queries(vectors: NDArray[np.float32], k: int, rng: Random) -> tuple[tuple[int, ...], ...]:
    """Cluster vectors by k-means, the first centres far apart (k-means++).

    Args:
        vectors: Shape (n, d), n at least `k`.
        k: Number of clusters.
        rng: Chooses the first centres.

    Returns:
        Row numbers of each cluster, the nearest to its centre first; large clusters first. A cluster may be
        filled up by a row that was far from its centre, so that none is empty.
    """
    centres = vectors[_spread(vectors, k, rng)]
    owners = np.full(len(vectors), -1)
    for _ in range(_ROUNDS):
        distances = _measure(vectors, centres)
        nearest = _fill_empty(distances.argmin(axis=1), distances, k)
        if np.array_equal(nearest, owners):
            break
        owners = nearest
        centres = np.stack([vectors[owners == cluster].mean(axis=0) for cluster in range(k)])
    distances = _measure(vectors, centres)
    clusters = [
        sorted(np.flatnonzero(owners == cluster).tolist(), key=lambda row: (distances[row, cluster], row))
        for cluster in range(k)
    ]
    return tuple(tuple(cluster) for cluster in sorted(clusters, key=lambda rows: (-len(rows), rows)))


def _spread(vectors: NDArray[np.float32], k: int, rng: Random) -> list[int]:
    """Rows to start from: each further one the likelier, the farther it is from those taken."""
    rows = [rng.randrange(len(vectors))]
    while len(rows) < k:
        weights = _measure(vectors, vectors[rows]).min(axis=1)
        weights[rows] = 0.0
        left = [row for row in range(len(vectors)) if row not in rows]
        likely = [float(weights[row]) for row in left]
        rows.append(rng.choices(left, likely)[0] if sum(likely) > 0 else left[0])
    return rows


def _measure(vectors: NDArray[np.float32], centres: NDArray[np.float32]) -> NDArray[np.float64]:
    """Squared distances, of shape (n, k)."""
    gaps = vectors[:, None, :].astype(np.float64) - centres[None, :, :]
    return np.einsum("nkd,nkd->nk", gaps, gaps)


def _fill_empty(owners: NDArray[np.intp], distances: NDArray[np.float64], k: int) -> NDArray[np.intp]:
    """Give each cluster that has no row the one that lies farthest from its own centre."""
    own = distances[np.arange(len(owners)), owners]
    for cluster in range(k):
        if not (owners == cluster).any():
            crowded = np.bincount(owners, minlength=k)[owners] > 1
            row = int(np.where(crowded, own, -1.0).argmax())
            owners[row] = cluster
            own[row] = 0.0
    return owners


async def _choose_shot(chat: Chat, samples: Sequence[Sample]) -> Shot:
    for sample in samples[:TRIES]:
        choice = await _CHAIN.choose(chat, Question(sample.prompt))
        thought = parse_thought(choice.replies[0].text)
        is_right = choice.values is not None and set(choice.values) == set(
            _list_texts(sample.relevant_entities)
        )
        if is_right and 0 < len(thought) <= LONGEST_THOUGHT:
            return _make_shot(sample, thought)
    return _make_shot(samples[0], "")


def _make_shot(sample: Sample, thought: str) -> Shot:
    needed = _list_texts(sample.relevant_entities)
    hidden = tuple(text for text in _list_texts(sample.unrelated_entities) if text not in needed)
    return Shot(sample.description, sample.query, thought, needed, hidden)


def _list_texts(entities: Sequence[Entity]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entity.text for entity in entities))
