"""What the encoder reads: a prompt as windows of word pieces, each with the query before it.

`[CLS] query [SEP] part of the description [SEP]`. The vocabulary knows no case and no line ends, so every
piece carries one feature that says how it is written and what stands before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from piibench.systems.encoder.spelling import spell

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from piibench.data.mentions import Span
    from piibench.data.schema import Prompt

LONGEST = 512
"""Pieces that the network takes at once, the three marks included."""
LONGEST_QUERY = 240
"""Pieces of a query that are read; of a longer one its beginning and its end."""
WIDEST = 384
"""Pieces of the description in one window; fewer where the query is long."""
OVERLAP = 64
"""Pieces that two neighbouring windows share."""

STRETCH = 20_000
"""Characters behind which, at the next space, tab or line end, a long text is taken apart anew: what the
tokenizer says of each piece takes much room."""
SHAPES = 8
GAPS = 5
FEATURES = SHAPES * GAPS
"""How many values a piece's feature has: shape x gap."""

_SPACE = re.compile(r"[ \t\n\r]")
_LINE_END = re.compile("[\n\r\v\f\x85\u2028\u2029]")


class Marks(NamedTuple):
    """Ids of the two special pieces."""

    start: int
    separator: int


@dataclass(frozen=True, slots=True)
class Window:
    """One input of the network.

    Attributes:
        ids: Word pieces, (n,).
        segments: 0 for the query's part, 1 for the description's, (n,).
        features: Shape and gap of each piece, in [0, FEATURES), (n,).
        first: Place in `ids` of the first piece of the description.
        start: Number of that piece among all pieces of the description.
        width: How many pieces of the description it holds.
    """

    ids: NDArray[np.int64]
    segments: NDArray[np.int64]
    features: NDArray[np.int64]
    first: int
    start: int
    width: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A prompt as the network sees it.

    Attributes:
        query: The query.
        query_offsets: Half-open code point range of each of its pieces that stand in every window, (q, 2).
        text: The description.
        offsets: The same of each piece of the description, (pieces, 2).
        windows: They cover all pieces; neighbours overlap.
    """

    query: str
    query_offsets: NDArray[np.int64]
    text: str
    offsets: NDArray[np.int64]
    windows: tuple[Window, ...]

    @property
    def pieces(self) -> int:
        """How many word pieces the description has."""
        return len(self.offsets)

    @property
    def holds_query(self) -> bool:
        """Whether there is a window, and the query is so short that it stands there whole for certain."""
        return bool(self.windows) and len(self.query_offsets) < LONGEST_QUERY


def read_prompts(prompts: Sequence[Prompt], tokenizer: Tokenizer) -> list[Reading]:
    """Cut prompts into windows.

    Args:
        prompts: Descriptions and queries; a query may be empty.
        tokenizer: An uncased word-piece tokenizer.

    Raises:
        ValueError: The tokenizer lacks one of the two marks.
    """
    marks = Marks(_id_of(tokenizer, "[CLS]"), _id_of(tokenizer, "[SEP]"))
    # One after the other: for a prompt or two, handing them to threads costs more than it saves.
    return [
        _read(_take_apart(prompt.query, tokenizer), _take_apart(prompt.description, tokenizer), prompt, marks)
        for prompt in prompts
    ]


def _id_of(tokenizer: Tokenizer, mark: str) -> int:
    number = tokenizer.token_to_id(mark)
    if number is None:
        msg = f"the tokenizer has no {mark}"
        raise ValueError(msg)
    return number


class _Pieces(NamedTuple):
    """All pieces of one text."""

    ids: NDArray[np.int64]
    offsets: NDArray[np.int64]
    features: NDArray[np.int64]


def _take_apart(text: str, tokenizer: Tokenizer) -> _Pieces:
    clean = spell(text)
    parts: list[_Pieces] = []
    end = 0
    for start, stop in _stretch(clean):
        encoding = tokenizer.encode(clean[start:stop], add_special_tokens=False)
        offsets = [(first + start, last + start) for first, last in encoding.offsets]
        features = np.fromiter(_describe(text, offsets, end), np.int64, len(offsets))
        parts.append(
            _Pieces(np.array(encoding.ids, np.int64), np.array(offsets, np.int64).reshape(-1, 2), features)
        )
        end = offsets[-1][1] if offsets else end
    return parts[0] if len(parts) == 1 else _Pieces(*map(np.concatenate, zip(*parts, strict=True)))


def _stretch(text: str) -> Iterator[tuple[int, int]]:
    """Yield half-open ranges that cover a text; the later ones begin with white space, which parts pieces."""
    start = 0
    while (found := _SPACE.search(text, start + STRETCH)) is not None:
        yield start, found.start()
        start = found.start()
    yield start, len(text)


def _read(query: _Pieces, description: _Pieces, prompt: Prompt, marks: Marks) -> Reading:
    asked = _shorten(len(query.ids))
    head_ids = np.concatenate(([marks.start], query.ids[asked], [marks.separator]))
    head_features = np.concatenate(([0], query.features[asked], [0]))
    windows: list[Window] = []
    widest = min(WIDEST, LONGEST - len(head_ids) - 1)
    for start, stop in cut(len(description.ids), widest):
        body = slice(start, stop)
        ids = np.concatenate((head_ids, description.ids[body], [marks.separator]))
        segments = np.ones(len(ids), np.int64)
        segments[: len(head_ids)] = 0
        features = np.concatenate((head_features, description.features[body], [0]))
        windows.append(Window(ids, segments, features, len(head_ids), start, stop - start))
    return Reading(
        prompt.query, query.offsets[asked], prompt.description, description.offsets, tuple(windows)
    )


def _shorten(length: int) -> NDArray[np.int64]:
    if length <= LONGEST_QUERY:
        return np.arange(length)
    half = LONGEST_QUERY // 2
    return np.concatenate((np.arange(half), np.arange(length - half, length)))


def cut(pieces: int, widest: int = WIDEST) -> Iterator[tuple[int, int]]:
    """Yield the half-open ranges of the windows over so many pieces; none for an empty text."""
    start = 0
    while start < pieces:
        stop = min(start + widest, pieces)
        yield start, stop
        if stop == pieces:
            return
        start = stop - OVERLAP


def pieces_of(span: Span, offsets: NDArray[np.int64]) -> tuple[int, int]:
    """The pieces that a span touches, half-open; `offsets` are those of a `Reading`."""
    first = int(np.searchsorted(offsets[:, 1], span.start, side="right"))
    return first, max(first, int(np.searchsorted(offsets[:, 0], span.end, side="left")))


def owned(windows: Sequence[Window]) -> Iterator[tuple[int, int]]:
    """Yield for each window the pieces it answers for; two neighbours meet in the middle of their overlap."""
    borders = [0]
    for left, right in pairwise(windows):
        borders.append((right.start + left.start + left.width) // 2)
    if windows:
        borders.append(windows[-1].start + windows[-1].width)
    yield from pairwise(borders)


def _describe(text: str, offsets: Sequence[tuple[int, int]], end: int) -> Iterator[int]:
    for start, stop in offsets:
        yield _shape(text[start:stop]) * GAPS + _gap(text[end:start], at_start=end == 0)
        end = stop


def _shape(piece: str) -> int:
    if piece.islower():
        return 1 if piece.isalpha() else 7
    if piece.isdigit():
        return 6
    if piece.isupper():
        return 3 if len(piece) > 1 else 4
    if piece.istitle():
        return 2
    return 5 if any(char.isalpha() for char in piece) else 0


def _gap(between: str, *, at_start: bool) -> int:
    if at_start or "\n\n" in between.replace("\r\n", "\n"):
        return 4
    if _LINE_END.search(between):
        return 3
    if "\t" in between or "  " in between:
        return 2
    return 1 if between else 0
