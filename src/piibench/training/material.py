"""Which texts one pass of the training goes through.

Synthetic samples are free, so every pass takes new ones, and the next ones of the public data; the texts of
the corpus come in every pass, with the next of their queries; beside texts of one's own only some of them do.
All are changed each time (see `augmentation`).
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

from piibench.data.files import read_samples
from piibench.data.importers import IMPORTERS
from piibench.data.lines import read_lines, read_objects
from piibench.data.taxonomy import PIIType
from piibench.errors import DataError
from piibench.training.examples import Example, read_fields, read_sample
from piibench.training.markup import read_corpus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from piibench.data.schema import Sample

SYNTHETIC: Mapping[str, int] = {"single": 1200, "multi": 4600, "hard": 600, "distract": 1000}
"""Samples of each subset in one pass."""
PUBLIC: Mapping[str, int] = {"lifebench-pii": 100, "presidio-research": 600, "ci-rl": 200}
"""Texts of each public data set in one pass."""
LIFEBENCH = "lifebench-pii/lifebench_pii.jsonl.gz"
PRESIDIO = "presidio-research/presidio_generated_large.jsonl"
CI_RL = "ci-rl/train.jsonl"
HELD_OUT_USERS = frozenset({"yinhao", "sunyuwei"})
"""Users of lifebench-pii that no training sees."""
QUERIES_A_PASS = 2
"""At least, of each text of the corpus; most have five or six."""
PASSES_FOR_ALL = 3
"""After these passes every query of a text has come, where two in a pass would take longer."""
_LIFEBENCH_TYPES = frozenset({PIIType.PER, PIIType.CODE, PIIType.ORG})
"""What lifebench-pii labels as we do; its places are often common nouns."""
_PRESIDIO_TYPES = frozenset(PIIType) - {PIIType.DEM, PIIType.QUANTITY}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Own:
    """Texts that a training is to learn from beside the corpus.

    Attributes:
        samples: One for each query of each text. What the corpus has of the texts, too, is taken from here.
        rehearse: Share of the corpus's other texts that a pass takes, in [0, 1].
    """

    samples: Sequence[Sample]
    rehearse: float


@dataclass(frozen=True, slots=True)
class Material:
    """What there is to learn from.

    Attributes:
        asked: Texts, each with several queries, of which every pass takes the next `QUERIES_A_PASS`, or more.
        fresh: Samples of which every pass takes the next ones, by source, with how many.
        rehearsed: Texts as in `asked`, of which every pass takes the next ones only, so that they are not
            forgotten.
        rehearsal: How many of them.
    """

    asked: Sequence[Sequence[Example]]
    fresh: Mapping[str, tuple[Sequence[Example], int]]
    rehearsed: Sequence[Sequence[Example]] = ()
    rehearsal: int = 0

    def for_pass(self, number: int) -> list[Example]:
        """The examples of a pass, 0-based; after the last new ones the first come again."""
        chosen: list[Example] = []
        turns = [(texts, number) for texts in self.asked]
        begun = number * self.rehearsal
        for place, texts in enumerate(_take(self.rehearsed, self.rehearsal, number), begun):
            turns.append((texts, place // len(self.rehearsed)))
        for texts, turn in turns:
            chosen.extend(_take(texts, max(QUERIES_A_PASS, -(-len(texts) // PASSES_FOR_ALL)), turn))
        for examples, count in self.fresh.values():
            chosen.extend(_take(examples, count, number))
        return chosen

    @property
    def examples(self) -> list[Example]:
        """All of them."""
        fresh = (example for examples, _ in self.fresh.values() for example in examples)
        return [*chain.from_iterable(chain(self.asked, self.rehearsed)), *fresh]

    @property
    def fingerprint(self) -> str:
        """Another for other texts, queries or labels, another order, or another number of them in a pass."""
        counts = {name: count for name, (_, count) in self.fresh.items()}
        digest = blake2b(repr((self.rehearsal, counts)).encode(), digest_size=16)
        for example in self.examples:
            places = chain(example.places, example.asked, example.references)
            labels = [(*at.span, at.type, at.category, at.subject, at.needed) for at in places]
            digest.update(json.dumps((example.source, example.query, example.text, labels)).encode())
        return digest.hexdigest()

    @property
    def counts(self) -> Counter[str]:
        """How many examples there are of each source."""
        return Counter(example.source for example in self.examples)


def _take(examples: Sequence[T], count: int, turn: int) -> Iterator[T]:
    """Yield the next `count`, or all where there are fewer; after the last the first come again."""
    count = min(count, len(examples))
    yield from (examples[place % len(examples)] for place in range(turn * count, (turn + 1) * count))


def gather(
    synthetic: Path, public: Path | None, own: Own | None = None, *, seed: int, share: float = 1.0
) -> Material:
    """Read everything that the encoder is trained on.

    Args:
        synthetic: Folder that `piibench synthesize --partition train` made.
        public: Folder with the public data sets; None trains without them.
        own: Texts of one's own beside the corpus; None where there are none.
        seed: Decides the order of each text's queries and of the public texts; below a share of 1 also which
            texts of the corpus are taken.
        share: Of the corpus and the public data, in (0, 1]; below 1 for a quick run.

    Raises:
        DataError: A file is malformed.
        InputError: A file of the synthetic data is absent.
    """
    fresh = {
        f"synthetic-{subset}": (
            [
                read_sample(sample, f"synthetic-{subset}")
                for sample in read_samples(synthetic / f"{subset}.jsonl.gz")
            ],
            round(count * share),
        )
        for subset, count in SYNTHETIC.items()
    }
    rng = random.Random(f"{seed}/material")  # noqa: S311 - no secret
    asked = [rng.sample(same, len(same)) for same in _group_by_text(read_corpus("train"))]
    if share < 1:
        asked = rng.sample(asked, round(share * len(asked)))
    rehearsed: list[list[Example]] = []
    if own is not None:
        theirs = [rng.sample(same, len(same)) for same in _group_by_text(own.samples)]
        known = {same[0].text for same in theirs}
        rehearsed = [same for same in asked if same[0].text not in known]
        rng.shuffle(rehearsed)
        asked = theirs
    if public is not None:
        readers = {
            "lifebench-pii": _read_lifebench,
            "presidio-research": _read_presidio,
            "ci-rl": _read_tasks,
        }
        for name, count in PUBLIC.items():
            examples = list(readers[name](public))
            rng.shuffle(examples)
            fresh[name] = (examples, round(count * share))
    rehearsal = round(own.rehearse * len(rehearsed)) if own is not None else 0
    return Material(asked, {name: part for name, part in fresh.items() if part[0]}, rehearsed, rehearsal)


def read_partition(folder: Path) -> Iterator[Example]:
    """Yield the samples that a text of one or two persons makes, long ones included, as examples.

    Args:
        folder: What `piibench synthesize` made.
    """
    for subset in ("single", "multi", "hard"):
        for sample in read_samples(folder / f"{subset}.jsonl.gz"):
            yield read_sample(sample, f"synthetic-{subset}")


def read_held_out(dev: Path, share: float) -> Iterator[Sample]:
    """Yield what blends, thresholds and settings are chosen on.

    Args:
        dev: Folder that `piibench synthesize --partition dev` made.
        share: In (0, 1].

    Yields:
        That share of the samples of the marked dev texts, at least 20, of all kinds; then of each subset in
        the folder as many samples as that share of the texts, at least 5.
    """
    corpus = list(read_corpus("dev"))
    yield from corpus[:: max(1, min(len(corpus) // 20, round(1 / share)))]
    each = max(5, round(share * len({sample.description for sample in corpus})))
    for subset in ("single", "multi", "hard", "distract"):
        yield from islice(read_samples(dev / f"{subset}.jsonl.gz"), each)


def _group_by_text(samples: Iterable[Sample]) -> Iterator[list[Example]]:
    texts: dict[str, list[Example]] = {}
    for sample in samples:
        texts.setdefault(sample.description, []).append(read_sample(sample, "corpus", swappable=True))
    yield from texts.values()


def _read_lifebench(public: Path) -> Iterator[Example]:
    for sample in read_public("lifebench", public / LIFEBENCH):
        if sample.meta.get("user") not in HELD_OUT_USERS:
            yield replace(read_sample(sample, "lifebench-pii"), types=_LIFEBENCH_TYPES)


def _read_presidio(public: Path) -> Iterator[Example]:
    for sample in read_public("presidio", public / PRESIDIO):
        if is_trained_on(sample):
            yield replace(read_sample(sample, "presidio-research"), types=_PRESIDIO_TYPES)


def is_trained_on(sample: Sample) -> bool:
    """Whether a sample of presidio-research is made of a template of the training half.

    Raises:
        DataError: The sample names no template.
    """
    template = str(sample.meta.get("template_id"))
    if not template.isdecimal():
        problem = "its template_id must be a whole number, for the data are split by it"
        raise DataError(problem, place=f"sample {sample.id}")
    return int(template) % 2 == 0


def read_public(kind: str, path: Path) -> Iterator[Sample]:
    """Yield the samples of a public data set.

    Args:
        kind: Its importer, one of `IMPORTERS`.
        path: The file.

    Raises:
        DataError: It is malformed.
    """
    skipped: Counter[str] = Counter()
    for line in read_objects(path):
        sample = IMPORTERS[kind].convert(line, skipped)
        if sample is not None:
            yield sample


def _read_tasks(public: Path) -> Iterator[Example]:
    return read_fields(read_lines(public / CI_RL), "ci-rl")
