"""Whose each value is: values that are likely to have one owner are drawn together (subjects A, B ...).

Two values i and j have one owner with logit u_i . v_j + u_j . v_i + b(d), where u and v are what the
reader of values says of each (see `values`) and d is how far the two stand apart. Groups grow by average
linkage: the two groups with the highest mean logit join, if it is above the threshold. Two different names
are a reason against it ("rivalry"), unless one is a part of the other, as "Ann" is of "Ann Lee".
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

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
"""Names of a group that are compared with others', the latest."""


class Value(NamedTuple):
    """A value whose owner is sought.

    Attributes:
        vectors: u and v, (2, d).
        place: Number of its first piece in the description.
        name: Its text where it is a person's name; equal names have one owner.
    """

    vectors: NDArray[np.float32]
    place: int
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Linking:
    """What decides whether two groups have one owner.

    Attributes:
        bias: b(d) for each class of distances, (DISTANCES,).
        threshold: Mean logit above which two groups join.
        rivalry: Taken off the mean logit of two groups that have different names.
    """

    bias: tuple[float, ...]
    threshold: float = -2.0
    rivalry: float = 4.0


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

    Equal names have one owner throughout, whatever the network says.

    Args:
        values: In order of the text.
        linking: See there.

    Returns:
        The owner's number of each value, (n,).
    """
    owners: list[int] = []
    groups: list[_Group] = []
    named: dict[str, int] = {}
    latest: list[int] = []
    for start in range(0, len(values), BLOCK):
        block = values[start : start + BLOCK]
        returning = {value.name: named[value.name] for value in block if value.name in named}
        earlier = sorted({*latest, *returning.values()}, key=lambda number: groups[number].last)
        nodes = [groups[number] for number in earlier]
        known = {name: earlier.index(number) for name, number in returning.items() if name}
        of_value = _place_values(block, nodes, known)
        labels = _join(nodes, linking)
        numbers = {labels[node]: number for node, number in reversed(list(enumerate(earlier)))}
        for value, node in zip(block, of_value, strict=True):
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

    def __init__(self, *values: Value) -> None:
        self.total: NDArray[np.float32] = np.zeros(1, np.float32)
        self.count = 0
        self.last = 0
        self.names: deque[str] = deque(maxlen=_NAMES)
        for value in values:
            self.add(value)

    def add(self, value: Value) -> None:
        self.total = self.total + value.vectors
        self.count += 1
        self.last = value.place
        if value.name and value.name not in self.names:
            self.names.append(value.name)


def are_forms(one: str, other: str) -> bool:
    """Whether two names may be one person's: all words of one stand in the other."""
    words, others = set(one.split()), set(other.split())
    return words <= others or others <= words


def _find_rivals(nodes: Sequence[_Group]) -> NDArray[np.bool_]:
    """Whether two groups have names that are no forms of one."""
    names = list(dict.fromkeys(name for node in nodes for name in node.names))
    held = np.array([[name in node.names for name in names] for node in nodes], np.float32)
    differ = [[not are_forms(one, other) for other in names] for one in names]
    size = len(names)
    held = held.reshape(len(nodes), size)
    return held @ np.array(differ, np.float32).reshape(size, size) @ held.T > 0


def _place_values(block: Sequence[Value], nodes: list[_Group], known: dict[str, int]) -> list[int]:
    """Give each value a node, equal names the same one; return their numbers. `nodes`, `known` grow."""
    of_value: list[int] = []
    earlier = len(nodes)
    for value in block:
        number = known.get(value.name) if value.name else None
        if number is None:
            number = len(nodes)
            nodes.append(_Group(value))
            if value.name:
                known[value.name] = number
        elif number >= earlier:
            nodes[number].add(value)
        of_value.append(number)
    return of_value


def _join(nodes: Sequence[_Group], linking: Linking) -> list[int]:
    """Label of the group of each node: that of its first node. O(n^3) for the few nodes of a block."""
    vectors = np.asarray(np.stack([node.total / node.count for node in nodes]), np.float32)
    places = np.array([node.last for node in nodes], np.int64)
    # Sums of logits over the pairs of two groups; divided by both sizes they are the means.
    sums = score_pairs(vectors, places, linking).astype(np.float64)
    rivals = _find_rivals(nodes)
    sizes = np.ones(len(nodes))
    labels = np.arange(len(nodes))
    means = sums - linking.rivalry * rivals
    np.fill_diagonal(means, -np.inf)
    while means.max() > linking.threshold:
        left, right = sorted(divmod(int(means.argmax()), len(nodes)))
        for table in (sums, rivals):
            table[left] += table[right]
            table[:, left] += table[:, right]
        sizes[left] += sizes[right]
        labels[labels == right] = left
        row = sums[left] / (sizes[left] * sizes) - linking.rivalry * rivals[left]
        row[labels != np.arange(len(nodes))] = row[left] = -np.inf
        means[left] = means[:, left] = row
        means[right] = means[:, right] = -np.inf
    return labels.tolist()
