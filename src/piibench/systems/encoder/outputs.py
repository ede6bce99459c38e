"""What the first network says about every piece of a prompt, windows put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from piibench.systems.encoder.windows import owned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from piibench.systems.encoder.windows import Reading, Window

TYPES = 7
STATES = 3
"""Outside, begins, continues."""
CATEGORIES = 55
OWNER = 64
"""Length of each of the two vectors from which a pair's common owner is scored."""
NOTES = 3 * OWNER
"""Length of what is noted of a piece for the second network; it begins with a guess at the two vectors."""
TOGETHER = 4
"""Windows that are asked for at once; their answers are copied and let go before the next."""
_LEVELS = 127


@dataclass(frozen=True, slots=True)
class Outputs:
    """Logits for the pieces of a window.

    Attributes:
        states: Outside, begins, continues, for each of the seven types, (pieces, TYPES, STATES).
        categories: (pieces, CATEGORIES), in the order of Table 10.
        needed: Whether the query needs what stands there, before the second network adds to it, (pieces,).
        notes: For the second network; see `values`, (pieces, NOTES).
    """

    states: NDArray[np.float32]
    categories: NDArray[np.float32]
    needed: NDArray[np.float32]
    notes: NDArray[np.float32]

    def __getitem__(self, pieces: slice) -> Outputs:
        """The outputs of some of the pieces."""
        return Outputs(self.states[pieces], self.categories[pieces], self.needed[pieces], self.notes[pieces])


@dataclass(frozen=True, slots=True)
class Whole:
    """The outputs for a whole query or description; those of a megabyte are most of the memory that it takes.

    Attributes:
        states: As in `Outputs`, in half precision, within its +-65,504.
        categories: The same.
        needed: The same.
        levels: The notes, of each piece in steps of its own, in [-127, 127], (pieces, NOTES).
        steps: How large they are, (pieces,).
    """

    states: NDArray[np.float16]
    categories: NDArray[np.float16]
    needed: NDArray[np.float16]
    levels: NDArray[np.int8]
    steps: NDArray[np.float32]

    @classmethod
    def empty(cls, pieces: int) -> Whole:
        """Room for the outputs of so many pieces, yet to be written."""
        return cls(
            np.empty((pieces, TYPES, STATES), np.float16),
            np.empty((pieces, CATEGORIES), np.float16),
            np.empty(pieces, np.float16),
            np.empty((pieces, NOTES), np.int8),
            np.empty(pieces, np.float32),
        )

    def put(self, pieces: slice, answer: Outputs) -> None:
        """Write the outputs of some of the pieces."""
        self.states[pieces] = answer.states
        self.categories[pieces] = answer.categories
        self.needed[pieces] = answer.needed
        steps = np.abs(answer.notes).max(1) / _LEVELS
        self.steps[pieces] = steps
        self.levels[pieces] = np.rint(answer.notes / np.where(steps, steps, 1)[:, None])

    def average_notes(self, pieces: slice) -> NDArray[np.float32]:
        """Mean of the notes of some pieces, at least one, (NOTES,)."""
        steps = self.steps[pieces]
        return steps @ self.levels[pieces] / np.float32(len(steps))


class Network(Protocol):
    """Runs the encoder."""

    def __call__(self, windows: Sequence[Window]) -> list[Outputs]:
        """Return the outputs of all pieces of each window, in the same order."""
        ...


class Answer(NamedTuple):
    """What the network says about a prompt.

    Attributes:
        description: Of all its pieces.
        query: Of those of its pieces that the first window holds; none where there is no window.
    """

    description: Whole
    query: Whole


def run(readings: Sequence[Reading], network: Network) -> list[Answer]:
    """Run the network over all windows of all readings and put each reading's outputs together.

    A piece that two windows share is answered by the one in whose middle it stands more nearly.
    """
    joined = [
        Answer(Whole.empty(reading.pieces), Whole.empty(len(reading.query_offsets) if reading.windows else 0))
        for reading in readings
    ]
    places = [
        (answer, window, range_)
        for reading, answer in zip(readings, joined, strict=True)
        for window, range_ in zip(reading.windows, owned(reading.windows), strict=True)
    ]
    for first in range(0, len(places), TOGETHER):
        part = places[first : first + TOGETHER]
        answers = network([window for _, window, _ in part])
        for (answer, window, (start, stop)), outputs in zip(part, answers, strict=True):
            shift = window.first - window.start
            answer.description.put(slice(start, stop), outputs[start + shift : stop + shift])
            if window.start == 0:
                answer.query.put(slice(None), outputs[1 : window.first - 1])  # between two marks
    return joined
