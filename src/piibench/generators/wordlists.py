"""The word lists in `values/`: read once, split among train, dev and test where a word is rare.

One row a line, columns split by "|"; a line that starts with "#" is a comment.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from piibench.generators.base import Partition

_TRAIN_SHARE, _DEV_SHARE = 128, 48
Item = TypeVar("Item")


@cache
def read_rows(name: str) -> tuple[tuple[str, ...], ...]:
    """All rows of `values/<name>.txt`, each cut into its columns."""
    text = (files("piibench.generators") / "values" / f"{name}.txt").read_text("utf-8")
    lines = (line.strip() for line in text.splitlines())
    return tuple(tuple(line.split("|")) for line in lines if line and not line.startswith("#"))


def split_words(column: str, separator: str = ",") -> tuple[str, ...]:
    """The entries of one column, in order, without repeats."""
    return tuple(dict.fromkeys(word.strip() for word in column.split(separator) if word.strip()))


@cache
def read_words(name: str) -> dict[str, tuple[str, ...]]:
    """The rows of a two-column file: key to entries."""
    return {row[0]: split_words(row[1]) for row in read_rows(name)}


@cache
def read_for(name: str, culture: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a file whose last column names this culture or "*"."""
    return tuple(row for row in read_rows(name) if row[-1] == "*" or culture in split_words(row[-1]))


@cache
def read_own(name: str, culture: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a file whose last column names this culture itself."""
    return tuple(row for row in read_rows(name) if culture in split_words(row[-1]))


@cache
def find_partition(word: str) -> Partition:
    """The one partition that may use a rare word, by hash: half train, a fifth dev, the rest test."""
    bucket = blake2b(word.casefold().encode(), digest_size=1).digest()[0]
    if bucket < _TRAIN_SHARE:
        return "train"
    return "dev" if bucket < _TRAIN_SHARE + _DEV_SHARE else "test"


def keep_partition(words: Iterable[str], partition: Partition) -> tuple[str, ...]:
    """The words of one partition, in order."""
    return tuple(word for word in words if find_partition(word) == partition)


def happens(rng: Random, share: float) -> bool:
    """True in that share of the calls, 0 to 1."""
    return rng.random() < share


def pick(rng: Random, items: Sequence[Item]) -> Item:
    """One of the items, each as likely; quicker than `rng.choice`."""
    return items[int(rng.random() * len(items))]
