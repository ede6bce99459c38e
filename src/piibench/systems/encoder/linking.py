"""Whose each value is: values that are likely to have one owner are drawn together (subjects A, B ...).

Two values i and j have one owner with logit u_i . v_j + u_j . v_i + b(d), where u and v are what the
reader of values says of each (see `values`) and d is how far the two stand apart. Groups grow by average
linkage: the two groups with the highest score join, if it is above the threshold. The score is the mean
logit. Two different names are a reason against it ("rivalry"), unless they may be one person's (see
`names`), the more so with each further value that both hold, every mention one ("reluctance"): a lone name
may be another's, but doubt does not make one person of two of whom much is told. Equal names, and a name
that can only be short for one other, have one owner from the start. In a text that names one person at most
the threshold is low: it seldom tells of another.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from piibench.systems.encoder.names import compare_forms, settle_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

BORDERS = (4, 8, 16, 32, 64, 128, 256, 512)
"""Where one class of distances ends and the next begins, in word pieces."""
DISTANCES = len(BORDERS) + 1

BLOCK = 160
"""Values that are read and compared at once; what came before is represented by its groups' means."""
REMEMBERED = 40
"""Groups of earlier blocks that a later value may still join, beside those whose names come again."""
_NAMES = 8
"""Names of a group of an earlier block that are compared with others', the latest."""
_MUCH = 9
"""Values from which on a further one of both groups is no further reason against joining them."""


class Value(NamedTuple):
    """A value whose owner is sought.

    Attributes:
        vectors: u and v, (2, d).
        place: Number of its first piece in the description.
        name: Its text where it is a person's name.
    """

    vectors: NDArray[np.float32]
    place: int
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Linking:
    """What decides whether two groups have one owner.

    Attributes:
        bias: b(d) for each class of distances, (DISTANCES,).
        threshold: Score above which two groups join.
        rivalry: Taken off the score of two groups that have different names.
        reluctance: Taken off it, too, for each value of the smaller of them but its first, up to the ninth.
        alone: The threshold, if this is lower, of a text with a single name or none.
    """

    bias: tuple[float, ...]
    threshold: float = -2.0
    rivalry: float = 4.0
    reluctance: float = 0.0
    alone: float = inf


def sort_distance(pieces: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number of the class of each distance in word pieces."""
    return np.digitize(pieces, BORDERS)


def score_pairs(
    vectors: NDArray[np.float32], places: NDArray[np.int64], linking: Linking
) -> NDArray[np.float32]:
    """Logit that two values have one owner, for all pairs.

    Args:
        vectors: u and v of each value, (n, 2, d).
        places: First piece of each, (n,).
        linking: Gives b.

    Returns:
        A symmetric matrix, (n, n).
    """
    half = vectors[:, 0] @ vectors[:, 1].T
    distances = sort_distance(np.abs(places[:, None] - places[None, :]))
    bias = np.array(linking.bias, np.float32)[distances]
    return np.asarray(half + half.T + bias, np.float32)


def group(values: Sequence[Value], linking: Linking) -> list[int]:
    """Number the owners of values in order of appearance; time and memory are linear.

    Equal names, and names that surely are one (see `settle_names`), have one owner throughout, whatever the
    network says.

    Args:
        values: In order of the text.
        linking: See there.

    Returns:
        The owner's number of each value, (n,).
    """
    fullest = settle_names(value.name for value in values if value.name)
    values = [value._replace(name=fullest.get(value.name or "")) for value in values]
    if len(set(fullest.values())) <= 1:
        linking = replace(linking, threshold=min(linking.threshold, linking.alone))
    owners: list[int] = []
    groups: list[_Group] = []
    named: dict[str, int] = {}
    latest: list[int] = []
    for start in range(0, len(values), BLOCK):
        block = values[start : start + BLOCK]
        returning = {value.name: named[value.name] for value in block if value.name in named}
        earlier = sorted({*latest, *returning.values()}, key=lambda number: groups[number].last)
        known = {name: earlier.index(number) for name, number in returning.items() if name}
        nodes = _seat(block, known, len(earlier))
        labels = _join([groups[number] for number in earlier], block, nodes, linking)
        numbers = {labels[node]: number for node, number in reversed(list(enumerate(earlier)))}
        for value, node in zip(block, nodes, strict=True):
            number = named.get(value.name) if value.name else None
            if number is None:
                number = numbers.setdefault(labels[node], len(groups))
            if number == len(groups):
                groups.append(_Group())
            if value.name:
                named[value.name] = number
            groups[number].add(value)
            owners.append(number)
        latest = list(dict.fromkeys(reversed((*latest, *owners[start:]))))[:REMEMBERED][::-1]
    return owners


class _Group:
    """Values of one owner: the sum of their vectors, how many, where the last stands, the latest names."""

    __slots__ = ("count", "last", "names", "total")

    def __init__(self) -> None:
        self.total: NDArray[np.float32] = np.zeros(1, np.float32)
        self.count = 0
        self.last = 0
        self.names: deque[str] = deque(maxlen=_NAMES)

    def add(self, value: Value) -> None:
        self.total = self.total + value.vectors
        self.count += 1
        self.last = value.place
        if value.name and value.name not in self.names:
            self.names.append(value.name)


def _seat(block: Sequence[Value], known: dict[str, int], free: int) -> list[int]:
    """Number the node of each value; equal names share one, and `known` ones have theirs."""
    nodes: list[int] = []
    for value in block:
        node = known.get(value.name, free) if value.name else free
        free += node == free
        if value.name:
            known[value.name] = node
        nodes.append(node)
    return nodes


def _join(
    earlier: Sequence[_Group], block: Sequence[Value], nodes: Sequence[int], linking: Linking
) -> list[int]:
    """Label of the group of each node: that of its first node. O(n^3) for the few nodes of a block.

    Args:
        earlier: Groups of earlier blocks; each is a node, and one value in the means.
        block: The values of this block.
        nodes: The node of each of them.
        linking: See there.
    """
    vectors = [group.total / group.count for group in earlier] + [value.vectors for value in block]
    places = [group.last for group in earlier] + [value.place for value in block]
    pairs = score_pairs(np.asarray(np.stack(vectors), np.float32), np.array(places, np.int64), linking)
    seats = [*range(len(earlier)), *nodes]
    held = np.eye(max(seats) + 1)[seats]
    # Sums of logits over the pairs of two groups; divided by both sizes they are the means.
    sums, sizes = held.T @ pairs @ held, held.sum(0)
    counts = held.T @ [*(group.count for group in earlier), *([1] * len(block))]
    rivals = _find_rivals(
        [*(group.names for group in earlier), *([value.name] if value.name else [] for value in block)], held
    )
    labels = np.arange(len(sizes))

    def score(node: int) -> NDArray[np.float64]:
        """What speaks for joining the group of a node with each other."""
        both = np.minimum(np.minimum(counts[node], counts), _MUCH) - 1
        against = rivals[node] * (linking.rivalry + linking.reluctance * both)
        row = sums[node] / (sizes[node] * sizes) - against
        row[labels != np.arange(len(sizes))] = row[node] = -np.inf
        return row

    scores = np.stack([score(node) for node in range(len(sizes))])
    while scores.max() > linking.threshold:
        left, right = sorted(divmod(int(scores.argmax()), len(sizes)))
        for table in (sums, rivals):
            table[left] += table[right]
            table[:, left] += table[:, right]
        sizes[left] += sizes[right]
        counts[left] += counts[right]
        labels[labels == right] = left
        scores[left] = scores[:, left] = score(left)
        scores[right] = scores[:, right] = -np.inf
    return labels.tolist()


def _find_rivals(names: Sequence[Sequence[str]], held: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether two nodes have names that are no forms of one, given the names of all that they hold."""
    distinct = list(dict.fromkeys(name for each in names for name in each))
    told = np.array([[name in each for name in distinct] for each in names], float)
    has = held.T @ told.reshape(len(names), len(distinct))
    return has @ ~compare_forms(distinct) @ has.T > 0
