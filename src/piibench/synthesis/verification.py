"""Verification by machine: everything about a sample that rules can doubt (section 3.2.4).

Each check names a place, never a value. What a person must decide is collected as work for annotators.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from piibench.data.mentions import find_values
from piibench.data.taxonomy import PIIType
from piibench.synthesis.scenarios import load_scenarios

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from piibench.data.mentions import Span
    from piibench.data.schema import Entity, Sample

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "loose span": "a mention starts or ends with space, punctuation, an article or a title",
        "unlabelled repeat": "a labelled value stands elsewhere without a label",
        "ordinary word": "a value is an everyday word",
        "shared place": "two entities claim the same place, or one begins in the other and ends behind",
        "value in query": "the query repeats a value",
        "name needed": "a person's name is marked as relevant",
        "nothing needed": "no entity is marked as relevant",
        "beyond scenario": "a relevant entity is of a category that the scenario does not need",
        "no name": "a subject has no name",
        "near duplicate": "its description is almost that of an earlier sample",
    }
)
"""What can be found, in words for people."""

NEAR_DUPLICATE = 0.9
"""Estimated share of common word 5-grams from which on two descriptions count as the same."""

_LOOSE = re.compile(r"\A[\s,.;:!?]|[\s,;:!?]\Z|\A(?:an?|[Tt]he|An)\s")
_TITLE = re.compile(r"\A(?:mrs?|ms|miss|dr|prof|sir|madam)\b\.?\s", re.IGNORECASE)
_ORDINARY_WORDS = """
a an and any are as at be but by day do for from had has have he her him his home house i if in is it its job
me month my name no not of on one or our out she so some that the their them then there they this time to
two up us was we week were what when where who why will with work year yes you your
"""
ORDINARY = frozenset(_ORDINARY_WORDS.split())
"""Everyday words, in lower case."""
_SHINGLE = 5
_BANDS, _ROWS = 16, 6
_BLOCK = 4096
"""Word 5-grams that are hashed at once."""
_PRIME = np.uint64((1 << 31) - 1)
_FACTORS, _SHIFTS = np.random.default_rng(1).integers(1, 1 << 31, size=(2, _BANDS * _ROWS), dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class Finding:
    """A doubt about one sample.

    Attributes:
        kind: One of KINDS.
        sample_id: The sample.
        where: Id of the entity, or the field it concerns.
        span: The place in the description, where there is one.
    """

    kind: str
    sample_id: str
    where: str
    span: Span | None = None


def verify(samples: Iterable[Sample]) -> Iterator[Finding]:
    """Yield every doubt about some samples, sample by sample."""
    twins = _Twins()
    for sample in samples:
        yield from verify_sample(sample)
        if twin := twins.enter(sample):
            yield Finding("near duplicate", sample.id, f"sample {twin}")


def verify_sample(sample: Sample) -> Iterator[Finding]:
    """Yield every doubt that one sample gives alone."""
    checks = (_check_edges, _check_repeats, _check_words, _check_places, _check_query, _check_names)
    return chain.from_iterable(check(sample) for check in checks)


def _check_edges(sample: Sample) -> Iterator[Finding]:
    for entity in sample.entities:
        titled = entity.type is PIIType.PER and _TITLE.search(entity.text)
        if titled or _LOOSE.search(entity.text) or _is_half_bracketed(entity.text):
            yield Finding("loose span", sample.id, entity.id, entity.mentions[0])


def _is_half_bracketed(value: str) -> bool:
    return any(value.count(opens) != value.count(closes) for opens, closes in ("()", "[]", "“”"))


def _check_repeats(sample: Sample) -> Iterator[Finding]:
    labelled = {place for entity in sample.entities for span in entity.mentions for place in range(*span)}
    owners = {entity.text: entity for entity in sample.entities if _is_telling(entity)}
    for value, span in find_values(sample.description, owners):
        if labelled.isdisjoint(range(*span)):
            yield Finding("unlabelled repeat", sample.id, owners[value].id, span)


def _is_telling(entity: Entity) -> bool:
    """Whether the value standing elsewhere is hardly chance: a short number may well be."""
    return len(entity.text) > 3 or entity.type is PIIType.PER  # noqa: PLR2004 - longer than "120"


def _check_words(sample: Sample) -> Iterator[Finding]:
    for entity in sample.entities:
        # "He" may be a name, "US" and "A" are no words.
        told = entity.type is PIIType.PER or entity.text.isupper()
        if (entity.text if told else entity.text.casefold()) in ORDINARY:
            yield Finding("ordinary word", sample.id, entity.id, entity.mentions[0])


def _check_places(sample: Sample) -> Iterator[Finding]:
    places = [(span, entity) for entity in sample.entities for span in entity.mentions]
    around: list[Span] = []  # from the widest to the narrowest
    for span, entity in sorted(places, key=lambda place: (place[0].start, -place[0].end)):
        while around and around[-1].end <= span.start:
            around.pop()
        if around and (span == around[-1] or not around[-1].contains(span)):
            yield Finding("shared place", sample.id, entity.id, span)
        else:
            around.append(span)


def _check_query(sample: Sample) -> Iterator[Finding]:
    owners = {entity.text.casefold(): entity for entity in sample.entities if _is_telling(entity)}
    for value, _ in find_values(sample.query.casefold(), owners):
        yield Finding("value in query", sample.id, owners[value].id)
    if sample.relevant is not None and not sample.relevant:
        yield Finding("nothing needed", sample.id, "relevant")
    scenario = load_scenarios().get(str(sample.meta.get("scenario")))
    from_template = sample.meta.get("query") == "template"
    for entity in sample.relevant_entities:
        if entity.type is PIIType.PER:
            yield Finding("name needed", sample.id, entity.id)
        elif from_template and scenario and entity.category not in scenario.needs:
            yield Finding("beyond scenario", sample.id, entity.id)


def _check_names(sample: Sample) -> Iterator[Finding]:
    for subject in sample.subjects:
        if all(entity.type is not PIIType.PER for entity in subject.entities):
            yield Finding("no name", sample.id, f"subject {subject.id}")


class _Twins:
    """Finds near duplicates by MinHash with banding; memory grows with the number of samples alone."""

    def __init__(self) -> None:
        self._buckets: dict[tuple[int, tuple[int, ...]], tuple[str, tuple[int, ...]]] = {}

    def enter(self, sample: Sample) -> str | None:
        """Take a sample in; return the id of an earlier one that it nearly repeats."""
        signature = _sign(sample.description)
        twin = None
        for band in range(_BANDS):
            key = (band, signature[band * _ROWS : (band + 1) * _ROWS])
            earlier, theirs = self._buckets.setdefault(key, (sample.id, signature))
            is_own = theirs is signature  # ids of other files may be the same
            if twin is None and not is_own and _likeness(signature, theirs) >= NEAR_DUPLICATE:
                twin = earlier
        return twin


def _sign(text: str) -> tuple[int, ...]:
    """The smallest hash of the text's word 5-grams under each of _BANDS * _ROWS hash functions."""
    words = text.casefold().split()
    grams = {" ".join(words[at : at + _SHINGLE]) for at in range(max(1, len(words) - _SHINGLE + 1))}
    hashes = np.array([zlib.crc32(gram.encode("utf-8", "replace")) for gram in grams], dtype=np.uint64)
    blocks = (hashes[at : at + _BLOCK, None] for at in range(0, len(hashes), _BLOCK))
    smallest = [((block * _FACTORS + _SHIFTS) % _PRIME).min(axis=0) for block in blocks]
    return tuple(np.min(smallest, axis=0).tolist())


def _likeness(ours: tuple[int, ...], theirs: tuple[int, ...]) -> float:
    return sum(a == b for a, b in zip(ours, theirs, strict=True)) / len(ours)
