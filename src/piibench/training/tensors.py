"""From examples to batches: windows, and for every piece what the heads should say."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from piibench.data.schema import Prompt
from piibench.systems.encoder.outputs import TYPES
from piibench.systems.encoder.references import find_references
from piibench.systems.encoder.spans import CATEGORY_ORDER
from piibench.systems.encoder.values import REFERENCE, RELATIONS, number_kind, relate, spot
from piibench.systems.encoder.windows import owned, pieces_of, read_prompts
from piibench.training.examples import Place

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from tokenizers import Tokenizer
    from torch import Tensor

    from piibench.data.taxonomy import PIIType
    from piibench.systems.encoder.values import Spot
    from piibench.systems.encoder.windows import Reading, Window
    from piibench.training.examples import Example

IGNORED = -100
_STEP = 32
"""Batches are as long as a multiple of it: a CPU prepares its products anew for every new shape."""
_CATEGORY = {category: number for number, category in enumerate(CATEGORY_ORDER)}


class Value(NamedTuple):
    """A marked place in a window, or a word that may mean a person.

    Attributes:
        first: Its first piece in the window's input.
        stop: One past its last.
        needed: 1, 0 or IGNORED.
        owner: Number of its subject in the text, or IGNORED.
        spot: Where and what it is, for the reader of values.
    """

    first: int
    stop: int
    needed: int
    owner: int
    spot: Spot


@dataclass(frozen=True, slots=True)
class Lesson:
    """A window with what the heads should say about it.

    Attributes:
        window: The input.
        text: Number of the text that it is part of; owners compare within a text.
        states: (n, TYPES), IGNORED where the source says nothing.
        categories: (n,), IGNORED outside values of known category and where two nest.
        values: The marked places and references that begin in the window's own part; of two windows one
            answers.
    """

    window: Window
    text: int
    states: NDArray[np.int64]
    categories: NDArray[np.int64]
    values: tuple[Value, ...]


def teach(examples: Sequence[Example], tokenizer: Tokenizer) -> list[list[Lesson]]:
    """Make the lessons of each example, one for each of its windows."""
    prompts = [Prompt(description=example.text, query=example.query) for example in examples]
    readings = read_prompts(prompts, tokenizer)
    return [
        _teach_one(example, reading, number)
        for number, (example, reading) in enumerate(zip(examples, readings, strict=True))
    ]


def _teach_one(example: Example, reading: Reading, number: int) -> list[Lesson]:
    target = _Target.create(reading.pieces, example)
    asked = _Target.create(len(reading.query_offsets), example)
    for place in example.asked:
        asked.mark(place, pieces_of(place.span, reading.query_offsets))
    owners: dict[str, int] = {}
    values: list[Value] = []
    read = [*((place, number_kind(place.type)) for place in example.places), *_refer(example)]
    pieces = [pieces_of(place.span, reading.offsets) for place, _ in read]
    spots = spot(
        example.text,
        ((place.span, kind, first) for (place, kind), (first, _) in zip(read, pieces, strict=True)),
    )
    for (place, kind), seen, (first, stop) in zip(read, spots, pieces, strict=True):
        if first == stop:
            continue
        if kind != REFERENCE:
            target.mark(place, (first, stop))
        owner = IGNORED if place.subject is None else owners.setdefault(place.subject, len(owners))
        needed = IGNORED if place.needed is None else int(place.needed)
        values.append(Value(first, stop, needed, owner, seen))
    lessons = [
        _cut(window, number, target, [value for value in values if start <= value.first < stop])
        for window, (start, stop) in zip(reading.windows, owned(reading.windows), strict=True)
    ]
    for lesson in lessons[:1]:  # of the query, too, one window answers
        own = slice(1, lesson.window.first - 1)
        lesson.states[own], lesson.categories[own] = asked.states, asked.categories
    return lessons


def _refer(example: Example) -> Iterator[tuple[Place, int]]:
    """The words of a text that may mean a person; whom, where its source says so."""
    coming = sorted(example.references, key=lambda place: place.span)
    at = 0
    for span in find_references(example.text, [place.span for place in example.places]):
        while at < len(coming) and coming[at].span.end <= span.start:
            at += 1
        known = at < len(coming) and coming[at].span.contains(span)
        yield Place(span, subject=coming[at].subject if known else None), REFERENCE


class _Target(NamedTuple):
    """What the heads should say about the pieces of a text.

    Attributes:
        types: Types that the source labels.
        states: (pieces, TYPES).
        categories: (pieces,).
        named: Which pieces have had a category; one that has had two teaches neither, (pieces,).
    """

    types: frozenset[PIIType]
    states: NDArray[np.int64]
    categories: NDArray[np.int64]
    named: NDArray[np.bool_]

    @classmethod
    def create(cls, pieces: int, example: Example) -> _Target:
        states = np.full((pieces, TYPES), IGNORED, np.int64)
        states[:, [number_kind(kind) for kind in example.types]] = 0
        return cls(example.types, states, np.full(pieces, IGNORED, np.int64), np.zeros(pieces, np.bool_))

    def mark(self, place: Place, pieces: tuple[int, int]) -> None:
        first, stop = pieces
        if place.type is None or place.type not in self.types:
            self.states[first:stop] = IGNORED
        elif first < stop:
            self.states[first:stop, number_kind(place.type)] = 2
            self.states[first, number_kind(place.type)] = 1
        if place.category is not None:
            own, named = self.categories[first:stop], self.named[first:stop]
            own[~named] = _CATEGORY[place.category]
            own[own != _CATEGORY[place.category]] = IGNORED
            named[:] = True


def _cut(window: Window, number: int, target: _Target, values: Sequence[Value]) -> Lesson:
    start, stop, shift = window.start, window.start + window.width, window.first - window.start
    own = slice(window.first, window.first + window.width)
    states = np.full((len(window.ids), TYPES), IGNORED, np.int64)
    states[own] = target.states[start:stop]
    categories = np.full(len(window.ids), IGNORED, np.int64)
    categories[own] = target.categories[start:stop]
    inside = tuple(
        value._replace(first=value.first + shift, stop=value.stop + shift)
        for value in values
        if value.stop <= stop
    )
    return Lesson(window, number, states, categories, inside)


@dataclass(frozen=True, slots=True)
class Batch:
    """Lessons side by side, padded.

    Attributes:
        ids: (b, n).
        segments: (b, n).
        features: (b, n).
        mask: (b, n).
        states: (b, n, TYPES).
        categories: (b, n).
        values: Row, first piece, one past the last, (v, 3).
        kinds: Types, or REFERENCE, (v,).
        needed: 1, 0 or IGNORED, (v,).
        owners: Number of the subject or IGNORED, (v,).
        members: Which of the values each text holds, -1 where it has fewer than another, (t, m).
        relations: How the values of a text stand to each other, (t, m, m, RELATIONS).
    """

    ids: Tensor
    segments: Tensor
    features: Tensor
    mask: Tensor
    states: Tensor
    categories: Tensor
    values: Tensor
    kinds: Tensor
    needed: Tensor
    owners: Tensor
    members: Tensor
    relations: Tensor

    def to(self, device: str) -> Batch:
        """The same batch on another device."""
        return Batch(*(getattr(self, part.name).to(device) for part in fields(self)))


def stack(lessons: Sequence[Lesson]) -> Batch:
    """Pad lessons to one length and put them side by side."""
    size, longest = len(lessons), _round_up(max(len(lesson.window.ids) for lesson in lessons))
    inputs = np.zeros((4, size, longest), np.int64)
    states = np.full((size, longest, TYPES), IGNORED, np.int64)
    categories = np.full((size, longest), IGNORED, np.int64)
    rows: list[tuple[int, int, int]] = []
    values: list[Value] = []
    seats: dict[int, list[int]] = {}
    for row, lesson in enumerate(lessons):
        length = len(lesson.window.ids)
        inputs[0, row, :length] = lesson.window.ids
        inputs[1, row, :length] = lesson.window.segments
        inputs[2, row, :length] = lesson.window.features
        inputs[3, row, :length] = 1
        states[row, :length] = lesson.states
        categories[row, :length] = lesson.categories
        for value in lesson.values:
            seats.setdefault(lesson.text, []).append(len(values))
            rows.append((row, value.first, value.stop))
            values.append(value)
    ids, segments, features, mask = torch.from_numpy(inputs)
    return Batch(
        ids,
        segments,
        features,
        mask,
        torch.from_numpy(states),
        torch.from_numpy(categories),
        torch.tensor(rows, dtype=torch.int64).reshape(-1, 3),
        torch.tensor([value.spot.kind for value in values], dtype=torch.int64),
        torch.tensor([value.needed for value in values], dtype=torch.int64),
        torch.tensor([value.owner for value in values], dtype=torch.int64),
        *_seat(list(seats.values()), values),
    )


def _round_up(length: int) -> int:
    return -(-length // _STEP) * _STEP


def _seat(texts: Sequence[Sequence[int]], values: Sequence[Value]) -> tuple[Tensor, Tensor]:
    most = max(map(len, texts), default=0)
    seats = torch.full((len(texts), most), -1)
    relations = torch.zeros((len(texts), most, most, RELATIONS), dtype=torch.int64)
    for row, members in enumerate(texts):
        count = len(members)
        seats[row, :count] = torch.tensor(members)
        relations[row, :count, :count] = torch.from_numpy(relate([values[member].spot for member in members]))
    return seats, relations


def plan_batches(
    lengths: Sequence[Sequence[int]], rng: random.Random, *, pieces: int, most_windows: int = 4
) -> Iterator[list[tuple[int, int, int]]]:
    """Plan one pass: texts of like length go together, so that little is padded.

    Args:
        lengths: Pieces of each window of each text.
        rng: Shuffles.
        pieces: Padded pieces that one batch may hold.
        most_windows: Windows of one text in a pass; of a longer text a random stretch.

    Yields:
        Batches of (text, first window, one past the last).
    """
    order = list(range(len(lengths)))
    rng.shuffle(order)
    chosen: list[tuple[int, int, int, int]] = []
    for text in order:
        windows = lengths[text]
        first = rng.randrange(max(1, len(windows) - most_windows + 1)) if windows else 0
        stop = min(len(windows), first + most_windows)
        if stop > first:
            chosen.append((text, first, stop, _round_up(max(windows[first:stop]))))
    batches: list[list[tuple[int, int, int]]] = []
    pool = 512
    for start in range(0, len(chosen), pool):
        batch: list[tuple[int, int, int]] = []
        count = longest = 0
        for text, first, stop, length in sorted(chosen[start : start + pool], key=lambda item: item[3]):
            if batch and max(longest, length) * (count + stop - first) > pieces:
                batches.append(batch)
                batch, count, longest = [], 0, 0
            batch.append((text, first, stop))
            count, longest = count + stop - first, max(longest, length)
        if batch:
            batches.append(batch)
    rng.shuffle(batches)
    yield from batches
