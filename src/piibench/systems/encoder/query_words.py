"""The words of a query, which the second network reads beside the values of the text.

It then sees of whom and of what the query speaks while it weighs the values against each other: of two
salaries the one of the person who is asked about, of four dates the one that is meant.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.systems.encoder.names import split_name
from piibench.systems.encoder.values import QUERY_WORD, Spot
from piibench.systems.encoder.windows import pieces_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from piibench.systems.encoder.windows import Reading

MOST_WORDS = 80
"""How many are read; of a longer query its beginning and its end."""
BEFORE = 1000
"""So far before the text the query is taken to stand, in pieces and in lines; `values` tells no two things
apart that stand farther from each other than this."""
_WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f])*")


def read_words(reading: Reading, values: Iterable[Spot]) -> Iterator[tuple[Spot, slice]]:
    """Describe the words of a query of which the network sees a piece, MOST_WORDS of them at most.

    Args:
        reading: The query with its pieces.
        values: Those of the description. A word of two letters or more that stands in the name of one, alone
            or in a word such as "o'brien", has that word as its name.

    Yields:
        Each word as if it stood far before the description, and its pieces among those of the query.
    """
    named = {
        part: whole
        for value in values
        for whole in split_name(value.name or "")
        for part in _WORD.findall(whole)
        if len(part) > 1
    }
    words = list(_WORD.finditer(reading.query))
    if len(words) > MOST_WORDS:
        words = [*words[: MOST_WORDS // 2], *words[-MOST_WORDS // 2 :]]
    for word in words:
        first, stop = pieces_of(Span(*word.span()), reading.query_offsets)
        if first < stop:
            name = named.get(unicodedata.normalize("NFC", word[0].casefold()))
            yield Spot(QUERY_WORD, first - BEFORE, -BEFORE, -BEFORE, name), slice(first, stop)
