"""A prompt read by the encoder: what stands where, whose it is, and how likely the query needs it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from piibench.data.mentions import find_overlaps, find_values
from piibench.data.schema import Labelled, Prompt, gather_entities, subject_letter
from piibench.data.taxonomy import TYPE_OF
from piibench.systems.encoder.fusion import fuse
from piibench.systems.encoder.linking import BLOCK, Value, group
from piibench.systems.encoder.outputs import OWNER, run
from piibench.systems.encoder.references import TOGETHER, find_near, find_references
from piibench.systems.encoder.spans import Found, decode
from piibench.systems.encoder.spelling import blank_steering
from piibench.systems.encoder.values import REFERENCE, number_kind, relate, spot
from piibench.systems.encoder.windows import pieces_of, read_prompts
from piibench.systems.rules.custom import NO_CUSTOM

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from piibench.data.mentions import Span
    from piibench.data.schema import Entity
    from piibench.data.taxonomy import PIIType
    from piibench.systems.encoder.linking import Linking
    from piibench.systems.encoder.outputs import Whole
    from piibench.systems.encoder.session import Model
    from piibench.systems.encoder.values import Spot
    from piibench.systems.encoder.windows import Reading
    from piibench.systems.rules.custom import Custom

_SHORTEST_REPEAT = 4
_LAST_SUBJECT = 26 + 26**2 + 26**3 - 1
"""The subject with the letters ZZZ takes whatever comes behind it."""


@dataclass(frozen=True, slots=True)
class Insight:
    """One prompt after the network has run: what it says about the description, and about the query."""

    reading: Reading
    outputs: Whole
    query_outputs: Whole

    def pieces_of(self, span: Span) -> slice:
        """The pieces that a span touches; of a span without pieces the next one, or the last."""
        first, stop = pieces_of(span, self.reading.offsets)
        first = min(first, max(0, self.reading.pieces - 1))
        return slice(first, max(first + 1, stop))

    def read_values(
        self, model: Model, values: Sequence[tuple[Span, PIIType]]
    ) -> tuple[list[Spot], NDArray[np.float32], NDArray[np.float32]]:
        """Let the second network read values, in order of their start, up to BLOCK of them together.

        Beside each block it reads the words near by that may mean a person, up to TOGETHER in all.

        Returns:
            Where and what each value is, and what `session.Reader` says; zeros for a text without pieces.
        """
        count = len(values)
        parts = [self.pieces_of(span) for span, _ in values]
        begun = (
            (span, number_kind(kind), part.start) for (span, kind), part in zip(values, parts, strict=True)
        )
        spots = spot(self.reading.text, begun)
        owners = np.zeros((count, 2, OWNER), np.float32)
        needed = np.zeros(count, np.float32)
        if not count or not self.reading.pieces:
            return spots, owners, needed
        referring = find_references(self.reading.text, [span for span, _ in values])
        starts = np.array([span.start for span in referring], np.int64)
        pieces = np.searchsorted(self.reading.offsets[:-1, 1], starts, side="right")
        referred = spot(self.reading.text, zip(referring, repeat(REFERENCE), pieces.tolist()))
        places = np.array([seen.place for seen in spots], np.int64)
        for start in range(0, count, BLOCK):
            first = max(0, min(start, count - BLOCK))  # the last block is full, too
            block = slice(first, min(first + BLOCK, count))
            most = TOGETHER - (block.stop - first)
            chosen: list[int] = find_near(pieces, places[block], most=most).tolist()
            told, weighed = self._read(
                model,
                spots[block] + [referred[one] for one in chosen],
                parts[block] + [self.pieces_of(referring[one]) for one in chosen],
            )
            owners[block], needed[block] = told[: block.stop - first], weighed[: block.stop - first]
        return spots, owners, needed

    def _read(
        self, model: Model, spots: Sequence[Spot], parts: Sequence[slice]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """What the second network says of the values and references that stand at these pieces."""
        return model.reader(
            np.stack([self.outputs.average_notes(part) for part in parts]),
            np.array([self.outputs.needed[part].mean(dtype=np.float32) for part in parts]),
            np.array([seen.kind for seen in spots], np.int64),
            relate(spots),
        )


def weigh(insight: Insight, model: Model, entities: Sequence[Entity]) -> dict[str, float]:
    """Probability that the query needs each entity, by its id: its mentions' mean logit."""
    mentions = sorted({(span, entity.type) for entity in entities for span in entity.mentions})
    _, _, needed = insight.read_values(model, mentions)
    return _to_chances(insight, entities, dict(zip(mentions, needed.tolist(), strict=True)))


def _to_chances(
    insight: Insight, entities: Sequence[Entity], logits: Mapping[tuple[Span, PIIType], float]
) -> dict[str, float]:
    """Put the logits of the mentions of each entity together; 0 where there are none, or no pieces."""
    chances: dict[str, float] = {}
    for entity in entities:
        each = [logits[span, entity.type] for span in entity.mentions] if insight.reading.pieces else []
        # The logistic function, without overflow.
        chances[entity.id] = float(1 + np.tanh(np.mean(each) / 2)) / 2 if each else 0.0
    return chances


def study(model: Model, prompts: Sequence[Prompt]) -> list[Insight]:
    """Run the network over prompts."""
    readings = read_prompts(prompts, model.tokenizer)
    return [
        Insight(reading, *answer)
        for reading, answer in zip(readings, run(readings, model.network), strict=True)
    ]


def detect(insight: Insight, model: Model, *, custom: Custom = NO_CUSTOM) -> tuple[Entity, ...]:
    """Find the entities of a description and tell their owners apart. Linear in its length."""
    return detect_and_weigh(insight, model, custom=custom)[0]


def detect_and_weigh(
    insight: Insight, model: Model, *, custom: Custom = NO_CUSTOM
) -> tuple[tuple[Entity, ...], dict[str, float]]:
    """Do what `detect` and then `weigh` do; the second network runs once."""
    found, values, needed = find_and_read(insight, model, custom=custom)
    entities = tell_apart(insight.reading.text, found, values, model.settings.linking)
    logits = {(value.span, TYPE_OF[value.category]): one for value, one in zip(found, needed, strict=True)}
    return entities, _to_chances(insight, entities, logits)


def find_and_read(
    insight: Insight, model: Model, *, custom: Custom = NO_CUSTOM
) -> tuple[list[Found], list[Value], list[float]]:
    """Find the values of a description and let the second network read them.

    Returns:
        What was found, in order; what tells the owner of each; the logit that the query needs it.
    """
    reading = insight.reading
    found = _find(reading.text, insight.outputs, reading.offsets, model.settings.detect_bias, custom)
    mentions = [(value.span, TYPE_OF[value.category]) for value in found]
    spots, vectors, needed = insight.read_values(model, mentions)
    values = [Value(vector, seen.place, seen.name) for vector, seen in zip(vectors, spots, strict=True)]
    return found, values, needed.tolist()


def tell_apart(
    text: str, found: Sequence[Found], values: Sequence[Value], linking: Linking
) -> tuple[Entity, ...]:
    """Give what `find_and_read` found in a text to its owners."""
    return give(text, found, group(values, linking))


def give(text: str, found: Sequence[Found], owners: Iterable[int]) -> tuple[Entity, ...]:
    """Make entities of what was found in a text and the number of each owner, in the same order."""
    letters = [subject_letter(min(owner, _LAST_SUBJECT)) for owner in owners]
    return gather_entities(text, _label(found, letters))


def detect_asked(insight: Insight, model: Model, *, custom: Custom = NO_CUSTOM) -> tuple[Entity, ...]:
    """Find the entities of a query that stands in the first window; whose they are is not told apart."""
    reading = insight.reading
    found = _find(
        reading.query, insight.query_outputs, reading.query_offsets, model.settings.detect_bias, custom
    )
    return gather_entities(reading.query, _label(found, repeat(subject_letter(0), len(found))))


def _label(found: Sequence[Found], subjects: Iterable[str]) -> Iterator[Labelled]:
    for value, subject in zip(found, subjects, strict=True):
        yield Labelled(value.span, TYPE_OF[value.category], value.category, subject)


def _find(text: str, outputs: Whole, offsets: NDArray[np.int64], bias: float, custom: Custom) -> list[Found]:
    """What stands in a text, in order."""
    found = fuse(text, decode(outputs, offsets, blank_steering(text), bias=bias), custom=custom)
    found += list(custom.drop_allowed(text, _find_repeats(text, found)))
    return sorted(found, key=lambda value: value.span)


def _find_repeats(text: str, found: Sequence[Found]) -> list[Found]:
    """Further places of values that the network saw elsewhere; of two that begin together the longer."""
    first = {value.span.of(text): value for value in reversed(found)}
    is_taken = find_overlaps(value.span for value in found)
    repeats: list[Found] = []
    last = 0
    wanted = [value for value in first if len(value) >= _SHORTEST_REPEAT and not value.isdecimal()]
    for value, span in sorted(find_values(text, wanted), key=lambda pair: (pair[1].start, -pair[1].end)):
        if span.start < last or is_taken(span):
            continue
        last = span.end
        repeats.append(Found(span, first[value].category, 0.0))
    return repeats
