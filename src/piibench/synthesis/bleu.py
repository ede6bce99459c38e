"""Self-BLEU: how well each text of a set is foretold by the others.

BLEU-4 (Papineni et al. 2002) of every text with all the others as references, on average (Zhu et al. 2018):
clipped counts of word n-grams up to 4, their geometric mean, and the brevity penalty by the reference whose
length is closest. Nothing is smoothed: a text of which no four words in a row stand elsewhere scores 0.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Gram = tuple[str, ...]

ORDERS = (1, 2, 3, 4)
"""Lengths of the n-grams of BLEU-4."""


def list_grams(words: Sequence[str], n: int) -> Iterator[Gram]:
    """Yield every n words in a row."""
    return zip(*(words[at:] for at in range(n)), strict=False)


def self_bleu(texts: Sequence[Sequence[str]]) -> float:
    """Mean BLEU-4 of each text against all the others.

    Args:
        texts: The words of each.

    Returns:
        A number in [0, 1]; 0 for fewer than two texts. Time and memory are linear in the number of words.
    """
    if len(texts) < 2:  # noqa: PLR2004 - a text and a reference
        return 0.0
    logs = [0.0] * len(texts)
    for n in ORDERS:
        for place, precision in enumerate(_precisions(texts, n)):
            logs[place] += math.log(precision) / len(ORDERS) if precision else -math.inf
    lengths = sorted(map(len, texts))
    scores = (math.exp(log) * _brevity(len(text), lengths) for log, text in zip(logs, texts, strict=True))
    return sum(scores) / len(texts)


def _precisions(texts: Sequence[Sequence[str]], n: int) -> Iterator[float]:
    """The share of a text's n-grams that stand in another one, each counted as often as there at most."""
    counts = [Counter(list_grams(text, n)) for text in texts]
    first: Counter[Gram] = Counter()
    second: Counter[Gram] = Counter()
    owner: dict[Gram, int] = {}
    for place, grams in enumerate(counts):
        for gram, count in grams.items():
            if count > first[gram]:
                first[gram], second[gram], owner[gram] = count, first[gram], place
            else:
                second[gram] = max(second[gram], count)
    for place, grams in enumerate(counts):
        elsewhere = (
            (count, (second if owner[gram] == place else first)[gram]) for gram, count in grams.items()
        )
        yield sum(map(min, elsewhere)) / max(1, grams.total())


def _brevity(length: int, lengths: Sequence[int]) -> float:
    """The penalty for a text shorter than the closest other; `lengths` are those of all texts, ascending."""
    place = bisect_left(lengths, length)
    others = [*lengths[max(0, place - 1) : place], *lengths[place + 1 : place + 2]]
    closest = min(others, key=lambda other: (abs(other - length), other))
    return 1.0 if length >= closest else math.exp(1 - closest / max(1, length))
