"""From examples to what the BiLSTM-CRF learns: words with tags, cut into chunks, in batches."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from piibench.errors import InputError
from piibench.systems.bilstm_crf.tagger import pad
from piibench.systems.bilstm_crf.viterbi import CATEGORIES, OUTSIDE
from piibench.systems.bilstm_crf.words import UNKNOWN, Vocabulary, normalise, split_words
from piibench.systems.encoder.windows import pieces_of
from piibench.training.examples import ALL_TYPES

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from piibench.training.examples import Example, Place

LENGTH = 120
"""Words in a chunk, about: none ends within a value."""

_NUMBER = {category: number for number, category in enumerate(CATEGORIES)}


@dataclass(frozen=True, slots=True)
class Lesson:
    """A text's words and their tags.

    Attributes:
        features: (n, 4).
        tags: (n,).
    """

    features: NDArray[np.int64]
    tags: NDArray[np.int64]

    def __getitem__(self, part: slice) -> Lesson:
        """Some of the words."""
        return Lesson(self.features[part], self.tags[part])


class Batch(NamedTuple):
    """Chunks side by side, padded.

    Attributes:
        features: (b, n, 4).
        lengths: (b,).
        tags: (b, n).
        mask: True where a word stands, (b, n).
    """

    features: Tensor
    lengths: Tensor
    tags: Tensor
    mask: Tensor


def choose(examples: Iterable[Example], part: str) -> list[Example]:
    """The examples whose every place is marked with its category; a tag sequence can say nothing less.

    Raises:
        InputError: There is none.
    """
    chosen = [
        example
        for example in examples
        if example.text.strip()
        and example.types == ALL_TYPES
        and all(place.category is not None for place in example.places)
    ]
    if not chosen:
        msg = f"the {part} partition has no text with all categories marked; `piibench synthesize` makes some"
        raise InputError(msg)
    return chosen


def count_words(examples: Iterable[Example]) -> Counter[str]:
    """How often each normalised word stands in the texts."""
    counts: Counter[str] = Counter()
    for example in examples:
        counts.update(normalise(match.group()) for match in split_words(example.text))
    return counts


def create_vocabulary(counts: Counter[str], *, least: int, most: int) -> Vocabulary:
    """Make a vocabulary of the `most` frequent words that stand at least `least` times."""
    order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return Vocabulary([word for word, count in order[:most] if count >= least])


def teach(example: Example, vocabulary: Vocabulary) -> Lesson:
    """Tag the words of an example; of places that overlap the first stands, of nested ones the outer."""
    offsets, features = vocabulary.read(example.text)
    tags = np.full(len(offsets), OUTSIDE, np.int64)
    for place in sorted(example.places, key=lambda place: (place.span.start, -place.span.end)):
        _mark(place, offsets, tags)
    return Lesson(features, tags)


def _mark(place: Place, offsets: NDArray[np.int64], tags: NDArray[np.int64]) -> None:
    first, stop = pieces_of(place.span, offsets)
    if place.category is None or first >= stop or tags[first:stop].any():
        return
    number = _NUMBER[place.category]
    tags[first:stop] = 2 + 2 * number
    tags[first] = 1 + 2 * number


def plan_pass(lessons: Sequence[Lesson], rng: random.Random, size: int) -> list[list[Lesson]]:
    """Cut all lessons into chunks, each pass elsewhere, and put chunks of like length into batches."""
    chunks = [chunk for lesson in lessons for chunk in cut_lesson(lesson, rng.randrange(LENGTH))]
    rng.shuffle(chunks)
    chunks.sort(key=lambda chunk: len(chunk.tags))
    batches = [chunks[start : start + size] for start in range(0, len(chunks), size)]
    rng.shuffle(batches)
    return batches


def cut_lesson(lesson: Lesson, shift: int) -> Iterator[Lesson]:
    """Yield chunks of about `LENGTH` words; the first is shorter by `shift` where the text is longer."""
    count, start = len(lesson.tags), 0
    stop = LENGTH - shift if count > LENGTH else count
    while start < count:
        while stop < count and lesson.tags[stop] != OUTSIDE:
            stop += 1
        yield lesson[start:stop]
        start, stop = stop, min(stop + LENGTH, count)


def stack(batch: Sequence[Lesson], unknown: NDArray[np.float32], rng: np.random.Generator) -> Batch:
    """Pad chunks to one length.

    Args:
        batch: The chunks.
        unknown: Chance of each word of the vocabulary to be read as unknown, so that the network learns to
            do without it, (words,).
        rng: Draws these.
    """
    features, lengths = pad([chunk.features for chunk in batch])
    words = features[..., 0]
    words[rng.random(words.shape, np.float32) < unknown[words]] = UNKNOWN
    mask = np.arange(features.shape[1], dtype=np.int64) < lengths[:, None]
    tags = np.zeros(mask.shape, np.int64)
    tags[mask] = np.concatenate([chunk.tags for chunk in batch])
    return Batch(
        torch.from_numpy(features),
        torch.from_numpy(lengths).long(),
        torch.from_numpy(tags),
        torch.from_numpy(mask),
    )
