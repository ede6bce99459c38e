"""How much the samples of a data set resemble each other. The measures are ours: the paper gives none.

- Distinct-n: distinct word n-grams over all of them, in the descriptions; it falls as a data set grows.
- Self-BLEU: of descriptions drawn by chance (`piibench.synthesis.bleu`).
- Commonest pattern: the share of samples with the sentence pattern that stands in most. A pattern is a
  sentence with every labelled value replaced by its category and every pronoun by one sign.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from heapq import heappush, heappushpop, nlargest
from random import Random
from typing import TYPE_CHECKING

from piibench.data.schema import ALL
from piibench.synthesis.bleu import list_grams, self_bleu

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from piibench.data.schema import Entity, Sample

BLEU_TEXTS = 200
"""How many descriptions of a subset the self-BLEU is taken over, at most."""

_LEAST_WORDS = 4
"""Words besides values that make a line a sentence; shorter ones are the labels and greetings of forms."""

_TOKEN = re.compile(r"\w+|[^\w\s]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)]*\s+|\n+")
_VALUE = re.compile(r"<[^<>]*>")
_PRONOUN = re.compile(
    r"\b(?:i|me|my|mine|myself|you|your|yours|yourself|we|us|our|ours|ourselves"
    r"|s?he|him|his|himself|hers?|herself|they|them|their|theirs|themselves)\b"
)


@dataclass(frozen=True, slots=True)
class Diversity:
    """How diverse the samples of a subset are; every measure lies in [0, 1].

    Attributes:
        distinct_2: Distinct over all pairs of neighbouring words.
        distinct_4: Distinct over all four words in a row.
        self_bleu: Mean BLEU-4 of a description against others.
        commonest_pattern: Share of the samples in which the commonest sentence pattern stands.
    """

    distinct_2: float
    distinct_4: float
    self_bleu: float
    commonest_pattern: float


@dataclass(slots=True)
class _Tally:
    """What is known of a subset. N-grams are kept as hashes, which take a third of the memory."""

    samples: int = 0
    grams: dict[int, set[int]] = field(default_factory=lambda: {2: set[int](), 4: set[int]()})
    totals: Counter[int] = field(default_factory=Counter[int])
    patterns: Counter[str] = field(default_factory=Counter[str])
    drawn: list[tuple[float, list[str]]] = field(default_factory=list[tuple[float, list[str]]])

    def enter(self, sample: Sample, lot: float) -> None:
        tokens = _TOKEN.findall(sample.description.casefold())
        self.samples += 1
        self.patterns.update(list_patterns(sample))
        (heappush if len(self.drawn) < BLEU_TEXTS else heappushpop)(self.drawn, (lot, tokens))
        for n, seen in self.grams.items():
            seen.update(map(hash, list_grams(tokens, n)))
            self.totals[n] += max(0, len(tokens) - n + 1)

    def __or__(self, other: _Tally) -> _Tally:
        return _Tally(
            self.samples + other.samples,
            {n: seen | other.grams[n] for n, seen in self.grams.items()},
            self.totals + other.totals,
            self.patterns + other.patterns,
            nlargest(BLEU_TEXTS, self.drawn + other.drawn),
        )

    def report(self) -> Diversity:
        distinct = {n: len(seen) / max(1, self.totals[n]) for n, seen in self.grams.items()}
        return Diversity(
            distinct_2=distinct[2],
            distinct_4=distinct[4],
            self_bleu=self_bleu([tokens for _, tokens in self.drawn]),
            commonest_pattern=max(self.patterns.values(), default=0) / max(1, self.samples),
        )


class DiversityMeter:
    """Takes note of samples as they pass by. Its memory grows with what is distinct in them.

    Args:
        seed: Of the draw of descriptions for self-BLEU.
    """

    def __init__(self, *, seed: int = 7) -> None:
        self._lots = Random(seed)  # noqa: S311 - no secret
        self._subsets: dict[str, _Tally] = {}

    def watch(self, samples: Iterable[Sample]) -> Iterator[Sample]:
        """Pass samples on."""
        for sample in samples:
            self._subsets.setdefault(sample.subset, _Tally()).enter(sample, self._lots.random())
            yield sample

    def report(self) -> dict[str, Diversity]:
        """The diversity of each subset, in order of appearance, and of `ALL` where there are several."""
        found = {name: tally.report() for name, tally in self._subsets.items()}
        if len(found) > 1:
            whole = _Tally()
            for tally in self._subsets.values():
                whole |= tally
            found[ALL] = whole.report()
        return found


def list_patterns(sample: Sample) -> frozenset[str]:
    """The sentence patterns of a description and its query."""
    texts = (_replace_values(sample.description, sample.entities), sample.query.casefold())
    sentences = (" ".join(each.split()) for text in texts for each in _SENTENCE_END.split(text))
    return frozenset(
        _PRONOUN.sub("_", sentence)
        for sentence in sentences
        if len(_WORD.findall(_VALUE.sub(" ", sentence))) >= _LEAST_WORDS
    )


def _replace_values(text: str, entities: Sequence[Entity]) -> str:
    """The text in lower case with "<CATEGORY>" for every mention."""
    parts: list[str] = []
    at = 0
    for span, label in sorted((span, entity.label) for entity in entities for span in entity.mentions):
        if span.start >= at:
            parts += (text[at : span.start].casefold(), f"<{label.upper()}>")
            at = span.end
    return "".join([*parts, text[at:].casefold()])
