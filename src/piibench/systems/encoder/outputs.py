"""What the first network says about every piece of a prompt, windows put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

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

Floats: TypeAlias = "NDArray[np.float32] | NDArray[np.float16]"


@dataclass(frozen=True, slots=True)
class Outputs:
    """Logits for the pieces of a window, a query or a whole description.

    Of a window they are float32. Of a whole text they are kept in half precision, within its +-65,504, for
    the outputs of a megabyte of text are most of the memory that reading it takes.

    Attributes:
        states: Outside, begins, continues, for each of the seven types, (pieces, TYPES, STATES).
        categories: (pieces, CATEGORIES), in the order of Table 10.
        needed: Whether the query needs what stands there, before the second network adds to it, (pieces,).
        notes: For the second network; see `values`, (pieces, NOTES).
    """

    states: Floats
    categories: Floats
    needed: Floats
    notes: Floats

    def __getitem__(self, pieces: slice) -> Outputs:
        """The outputs of some of the pieces."""
        return Outputs(self.states[pieces], self.categories[pieces], self.needed[pieces], self.notes[pieces])

    def put(self, pieces: slice, answer: Outputs) -> None:
        """Write the outputs of some of the pieces."""
        self.states[pieces] = answer.states
        self.categories[pieces] = answer.categories
        self.needed[pieces] = answer.needed
        self.notes[pieces] = answer.notes

    @classmethod
    def empty(cls, pieces: int) -> Outputs:
        """Room for the outputs of a whole text of so many pieces, yet to be written; half precision."""
        return cls(
            np.empty((pieces, TYPES, STATES), np.float16),
            np.empty((pieces, CATEGORIES), np.float16),
            np.empty(pieces, np.float16),
            np.empty((pieces, NOTES), np.float16),
        )


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

    description: Outputs
    query: Outputs


def run(readings: Sequence[Reading], network: Network) -> list[Answer]:
    """Run the network over all windows of all readings and put each reading's outputs together.

    A piece that two windows share is answered by the one in whose middle it stands more nearly.
    """
    joined = [
        Answer(
            Outputs.empty(reading.pieces), Outputs.empty(len(reading.query_offsets) if reading.windows else 0)
        )
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
