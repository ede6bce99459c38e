"""Which values of a category a query means: those it states, and those whose sentence is about the same."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING

from piibench.data.mentions import find_values
from piibench.data.taxonomy import INFO, Category
from piibench.systems.rules.lexicon import fold
from piibench.systems.rules.selection.tables import load_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from piibench.data.schema import Entity

_SENTENCE_END = re.compile(r"[.?!;](?=\s|$)|\n")
_WORD = re.compile(r"[^\W_]+")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_STEM = 5
_CLAUSE = 160
_MENTIONS = 3


def find_stated(query: str, found: Iterable[Entity]) -> frozenset[str]:
    """Whose value stands in the query; a value that alone singles a person out does not count."""
    holders: dict[str, list[str]] = defaultdict(list)
    for entity in found:
        if entity.category is not None and INFO[entity.category].identifier == "quasi":
            holders[entity.text].append(entity.id)
    ids: dict[str, list[str]] = defaultdict(list)
    words = set(_WORD.findall(query))
    for text, keys in holders.items():
        value = fold(text)
        first = _WORD.search(value)
        if first is None or first[0] in words:
            ids[value] += keys
    return frozenset(key for value, _ in find_values(query, ids) for key in ids[value])


def find_outdone(description: str, query: str, kept: Iterable[Entity]) -> frozenset[str]:
    """Of several values of one category, those whose sentence shares fewer words with the query."""
    rivals: dict[tuple[str, Category | None], list[Entity]] = defaultdict(list)
    for entity in kept:
        rivals[entity.subject, entity.category].append(entity)
    rivals = {key: entities for key, entities in rivals.items() if len(entities) > 1}
    if not rivals:
        return frozenset()
    outdone: set[str] = set()
    folded = fold(description)
    wanted = _stems(fold(query)) - _common_stems()
    for entities in rivals.values():
        shared = [len(wanted & _surroundings(description, folded, entity)) for entity in entities]
        most = max(shared)
        outdone.update(e.id for e, count in zip(entities, shared, strict=True) if count < most)
    return frozenset(outdone)


def _surroundings(description: str, folded: str, entity: Entity) -> frozenset[str]:
    """Stems of the words in the sentences around an entity's first mentions."""
    stems: set[str] = set()
    for start, end in entity.mentions[:_MENTIONS]:
        first, last = max(0, start - _CLAUSE), end + _CLAUSE
        before = [match.end() for match in _SENTENCE_END.finditer(description[first:start])]
        after = _SENTENCE_END.search(description[end:last])
        stems |= _stems(folded[first + (before[-1] if before else 0) : start])
        stems |= _stems(folded[end : (end + after.start()) if after else last])
    return frozenset(stems)


def _stems(folded: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in _LONG_WORD.findall(folded))


@cache
def _common_stems() -> frozenset[str]:
    return _stems(fold(" ".join(load_table().common)))
