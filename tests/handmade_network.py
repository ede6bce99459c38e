"""Outputs of an encoder made by hand, and networks that answer by a simple rule, for tests."""

from __future__ import annotations

from dataclasses import astuple
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from piibench.data.taxonomy import TYPE_OF, Category
from piibench.systems.encoder.outputs import CATEGORIES, NOTES, OWNER, STATES, TYPES, Outputs, Whole
from piibench.systems.encoder.spans import CATEGORY_ORDER, TYPE_ORDER
from piibench.systems.encoder.windows import Reading, Window, cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

SURE = 8.0


class Mark(NamedTuple):
    """Pieces [first, stop) are one value of a category; its owner vectors are those of `owner`."""

    first: int
    stop: int
    category: Category
    owner: int = 0
    needed: float = 0.0


def mark_outputs(pieces: int, *marks: Mark) -> Outputs:
    """Say outside with logit 8 everywhere but at the marks, which say their category with logit 8.

    Two values of one owner get the logit 2 x 8 = 16 (u = v = sqrt(8) e_owner), of two owners 0.
    """
    states = np.zeros((pieces, TYPES, STATES), np.float32)
    states[:, :, 0] = SURE
    categories = np.zeros((pieces, CATEGORIES), np.float32)
    needed = np.zeros(pieces, np.float32)
    notes = np.zeros((pieces, NOTES), np.float32)
    for mark in marks:
        run, kind = slice(mark.first, mark.stop), TYPE_ORDER.index(TYPE_OF[mark.category])
        states[run, kind] = (0, 0, SURE)
        states[mark.first, kind] = (0, SURE, 0)
        categories[run, CATEGORY_ORDER.index(mark.category)] = SURE
        needed[run] = mark.needed
        notes[run, [mark.owner, OWNER + mark.owner]] = SURE**0.5
    return Outputs(states, categories, needed, notes)


def make_whole(outputs: Outputs) -> Whole:
    """The same, as they are for a whole text."""
    whole = Whole.empty(len(outputs.needed))
    whole.put(slice(None), outputs)
    return whole


_KINDS = 97
_TABLE = np.random.default_rng(7)


def _draw(*shape: int) -> NDArray[np.float32]:
    """Numbers that half precision holds as they are."""
    return _TABLE.standard_normal((_KINDS, *shape)).astype(np.float16).astype(np.float32)


_ANSWERS = Outputs(_draw(TYPES, STATES), _draw(CATEGORIES), _draw(), _draw(NOTES))


def answer_by_id(ids: NDArray[np.int64]) -> Outputs:
    """Outputs that depend on the id of each piece and nothing else."""
    rows = ids % _KINDS
    return Outputs(
        _ANSWERS.states[rows], _ANSWERS.categories[rows], _ANSWERS.needed[rows], _ANSWERS.notes[rows]
    )


class NetworkById:
    """A network that answers by piece id alone, so that windows change nothing."""

    def __call__(self, windows: Sequence[Window]) -> list[Outputs]:
        return [answer_by_id(window.ids) for window in windows]


class NetworkByHand:
    """A network that gives the outputs it was made with, for one description after the other; of queries none."""

    def __init__(self, *outputs: Outputs) -> None:
        self.outputs = outputs
        self.begun = 0

    def __call__(self, windows: Sequence[Window]) -> list[Outputs]:
        return [self._answer(window) for window in windows]

    def _answer(self, window: Window) -> Outputs:
        self.begun += window.start == 0
        own = self.outputs[(self.begun - 1) % len(self.outputs)][window.start : window.start + window.width]
        parts = [astuple(part) for part in (mark_outputs(window.first), own, mark_outputs(1))]
        return Outputs(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


class ReaderByHand:
    """A reader of values that says what the notes say, and keeps what it was told in each call."""

    def __init__(self) -> None:
        self.told: list[tuple[NDArray[Any], ...]] = []

    def __call__(
        self,
        notes: NDArray[np.float32],
        needed: NDArray[np.float32],
        kinds: NDArray[np.int64],
        relations: NDArray[np.int64],
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        self.told.append((notes, needed, kinds, relations))
        return notes[:, : 2 * OWNER].reshape(-1, 2, OWNER), needed


def let_speak(encoder: Any) -> Any:
    """Let the reader of values say something (see `fill_zeros`); eval mode."""
    fill_zeros(encoder.reader)
    return encoder.eval()


def fill_zeros(reader: Any) -> Any:
    """Give a reader of values, which adds nothing at first, random weights for its zeros."""
    for part in reader.parameters():
        if not part.any():
            part.data.normal_(std=0.3)
    return reader


def window_ids(ids: NDArray[np.int64]) -> Reading:
    """Cut ids of pieces into windows with a query of one piece; each piece is one character."""
    places = np.arange(len(ids))
    windows = tuple(
        Window(
            np.concatenate(([2, 9, 3], ids[start:stop], [3])),
            np.array([0, 0, 0, *[1] * (stop - start + 1)]),
            np.zeros(stop - start + 4, np.int64),
            3,
            start,
            stop - start,
        )
        for start, stop in cut(len(ids))
    )
    offsets = np.stack((places, places + 1), axis=1)
    return Reading("?", np.array([[0, 1]]), "x" * len(ids), offsets, windows)
