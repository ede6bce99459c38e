"""A prompt read by the encoder: what stands where, whose it is, and how likely the query needs it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from piibench.data.mentions import find_values
from piibench.data.schema import Labelled, Prompt, gather_entities, subject_letter
from piibench.data.taxonomy import TYPE_OF, PIIType
from piibench.systems.encoder.fusion import fuse
from piibench.systems.encoder.linking import Linking, Value, group
from piibench.systems.encoder.outputs import run
from piibench.systems.encoder.spans import Found, decode
from piibench.systems.encoder.windows import read_prompts
from piibench.systems.rules.custom import NO_CUSTOM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from piibench.data.mentions import Span
    from piibench.data.schema import Entity
    from piibench.systems.encoder.outputs import Outputs
    from piibench.systems.encoder.session import Model
    from piibench.systems.encoder.windows import Reading
    from piibench.systems.rules.custom import Custom

_SHORTEST_REPEAT = 4
_LAST_SUBJECT = 26 + 26**2 + 26**3 - 1
"""The subject with the letters ZZZ takes whatever comes behind it."""


@dataclass(frozen=True, slots=True)
class Insight:
    """One prompt after the network has run."""

    reading: Reading
    outputs: Outputs

    def pieces_of(self, span: Span) -> slice:
        """The pieces that a span touches; of a span without pieces the next one, or the last."""
        offsets = self.reading.offsets
        first = int(np.searchsorted(offsets[:, 1], span.start, side="right"))
        stop = int(np.searchsorted(offsets[:, 0], span.end, side="left"))
        first = min(first, max(0, len(offsets) - 1))
        return slice(first, max(first + 1, stop))

    def chance(self, entity: Entity) -> float:
        """Probability that the query needs an entity: its mentions' mean logit."""
        if not entity.mentions or not self.reading.pieces:
            return 0.0
        logits = [float(self.outputs.needed[self.pieces_of(span)].mean()) for span in entity.mentions]
        return float(1 + np.tanh(np.mean(logits) / 2)) / 2  # the logistic function, without overflow


def study(model: Model, prompts: Sequence[Prompt]) -> list[Insight]:
    """Run the network over prompts."""
    readings = read_prompts(prompts, model.tokenizer)
    return [
        Insight(reading, outputs)
        for reading, outputs in zip(readings, run(readings, model.network), strict=True)
    ]


def detect(insight: Insight, model: Model, *, custom: Custom = NO_CUSTOM) -> tuple[Entity, ...]:
    """Find the entities of a description and tell their owners apart. Linear in its length."""
    text, settings = insight.reading.text, model.settings
    found = decode(insight.outputs, insight.reading.offsets, text, bias=settings.detect_bias)
    found = fuse(text, found, custom=custom)
    found += list(custom.drop_allowed(text, _find_repeats(text, found)))
    found.sort(key=lambda value: value.span)
    if not found:
        return ()
    linking = Linking(settings.owner_bias, settings.owner_threshold, settings.owner_rivalry)
    owners = group([_prepare(insight, value) for value in found], linking)
    return gather_entities(
        text,
        (
            Labelled(
                value.span,
                TYPE_OF[value.category],
                value.category,
                subject_letter(min(owner, _LAST_SUBJECT)),
            )
            for value, owner in zip(found, owners, strict=True)
        ),
    )


def _prepare(insight: Insight, found: Found) -> Value:
    pieces = insight.pieces_of(found.span)
    is_name = TYPE_OF[found.category] is PIIType.PER
    name = found.span.of(insight.reading.text).casefold() if is_name else None
    return Value(insight.outputs.owners[pieces].mean(0), pieces.start, name)


def _find_repeats(text: str, found: Sequence[Found]) -> list[Found]:
    """Further places of values that the network saw elsewhere; of two that begin together the longer."""
    first = {value.span.of(text): value for value in reversed(found)}
    taken = [value.span for value in found]
    starts = np.array([span.start for span in taken])
    order = np.argsort(starts)
    ends = np.array([span.end for span in taken])[order]
    starts = starts[order]
    repeats: list[Found] = []
    last = 0
    wanted = [value for value in first if len(value) >= _SHORTEST_REPEAT and not value.isdecimal()]
    for value, span in sorted(find_values(text, wanted), key=lambda pair: (pair[1].start, -pair[1].end)):
        place = int(np.searchsorted(ends, span.start, side="right"))
        if span.start < last or (place < len(starts) and starts[place] < span.end):
            continue
        last = span.end
        repeats.append(Found(span, first[value].category, 0.0))
    return repeats
