"""Stems of invented names, each in one partition only: the rare part of organisations, streets, handles."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from piibench.generators.wordlists import keep_partition, read_rows, read_words, split_words

if TYPE_CHECKING:
    from piibench.generators.base import Partition

_JOINED = {
    "stem": ("onset", "ending"),
    "brand": ("brand", "brand ending"),
    "pet": ("pet onset", "pet ending"),
}


_TRIPLED = re.compile(r"(.)\1\1")


@cache
def list_stems(kind: str, partition: Partition) -> tuple[str, ...]:
    """The partition's own stems of a kind.

    Args:
        kind: "stem" (place-like), "brand" (coined), "pet" (pet names), or a part of `values/stems.txt`.
        partition: Whose stems.
    """
    parts = read_words("stems")
    if kind not in _JOINED:
        return keep_partition(parts[kind], partition)
    first, second = _JOINED[kind]
    joined = {a + b for a, b in product(parts[first], parts[second]) if not _TRIPLED.search(a + b)}
    return keep_partition(sorted(joined | set(parts["pet word"] if kind == "pet" else ())), partition)


@cache
def list_families(culture: str, partition: Partition) -> tuple[str, ...]:
    """The family names of a culture that organisations and streets of the partition may carry."""
    for code, kind, names in read_rows("names"):
        if code == culture and kind == "family":
            return keep_partition(split_words(names), partition)
    return ()


@cache
def list_streets(words: str, partition: Partition) -> tuple[str, ...]:
    """The stems of street names of a group of `values/streets.txt`."""
    for row in read_rows("streets"):
        if row[0] == words:
            return keep_partition(split_words(row[1]), partition)
    return ()


@cache
def list_street_patterns(words: str, *, for_family: bool = False) -> tuple[str, ...]:
    """The patterns of street names of a group, for a stem or for a family name; "{}" stands for it."""
    row = next(row for row in read_rows("streets") if row[0] == words)
    return split_words(row[-1] if for_family else row[2])
