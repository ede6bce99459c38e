"""On which files of the training corpus is the encoder worst? A training that comes back to them learns most.

    python benchmarks/hardest.py [--files N] [--texts N] [--weights DIR] [FILE ...]

    eval "piibench train encoder --out DIR --start shipped $(python benchmarks/hardest.py --files 100)"

Masks some texts of each file, drawn by chance but always the same, for two of the queries of each, and
prints the files with the lowest Strict-F1 and query F1 together, the worst first, as options `--texts` for
`eval`; the scores go to standard error. FILE: marked texts, instead of the whole corpus.
"""

from __future__ import annotations

import asyncio
import random
import shlex
import sys
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib.resources import files
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from piibench import load_system
from piibench.batch.records import protect_record
from piibench.cli.exits import run_script
from piibench.cli.progress import show_progress
from piibench.cli.texts import read_text
from piibench.data.files import PromptRecord
from piibench.errors import InputError
from piibench.metrics.measures import METRICS, measure
from piibench.training.markup import parse_marked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from piibench.data.schema import Sample

QUERIES = 2
SCORES = ("strict_f1", "query_f1", "mask_f1", "kept")


class Hardness(NamedTuple):
    """What the encoder reaches on a file.

    Attributes:
        file: Its path.
        scores: Means over samples by name, in [0, 1], of those that its samples have.
    """

    file: str
    scores: Mapping[str, float]

    @property
    def together(self) -> float:
        """Strict-F1 and query F1; the lower, the more there is to learn."""
        return self.scores["strict_f1"] + self.scores["query_f1"]


def choose(samples: list[Sample], texts: int) -> Iterator[Sample]:
    """Yield up to two samples of each of so many texts, drawn by chance, always the same."""
    rng = random.Random(len(samples))  # noqa: S311 - no secret
    by_text: defaultdict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        by_text[sample.description].append(sample)
    for same in rng.sample(list(by_text.values()), min(texts, len(by_text))):
        yield from rng.sample(same, min(QUERIES, len(same)))


def try_file(file: str, options: dict[str, str], texts: int) -> Hardness:
    """Score the encoder on some samples of a file.

    Raises:
        InputError: There are none.
    """
    system = load_system("encoder", threads=1, **options)
    scores: dict[str, list[float]] = {name: [] for name in SCORES}
    samples = list(parse_marked(read_text(file), Path(file).name))
    if not samples:
        msg = f"there are no marked texts in {file}; give files of the form of piibench/training/corpus"
        raise InputError(msg)
    for sample in choose(samples, texts):
        record = PromptRecord(sample.id, sample.subset, sample.description, sample.query)
        measures = measure(sample, asyncio.run(protect_record(record, system)))
        for name, collected in scores.items():
            if (score := METRICS[name].of(measures)) is not None:
                collected.append(score)
    return Hardness(file, {name: fmean(collected) for name, collected in scores.items() if collected})


def main(
    *,
    file: Annotated[list[str] | None, typer.Argument(help="Marked texts.")] = None,
    most: Annotated[int, typer.Option("--files", min=1, help="How many to name.")] = 100,
    texts: Annotated[int, typer.Option(min=1, help="Texts of each that are tried.")] = 6,
    weights: Annotated[Path | None, typer.Option(help="Another model than the shipped one.")] = None,
) -> None:
    """Try all files and name the worst."""
    room = Path(str(files("piibench.training"))) / "corpus" / "train"
    tried = file or sorted(map(str, room.glob("*.txt")))
    options = {"weights": str(weights)} if weights else {}
    found: list[Hardness] = []
    with ProcessPoolExecutor(2) as pool, show_progress("files", len(tried)) as show:
        for hardness in pool.map(partial(try_file, options=options, texts=texts), tried):
            found.append(hardness)
            show(len(found))
    worst = sorted(found, key=lambda each: each.together)[:most]
    for each in worst:
        told = ", ".join(f"{name} {score:.3f}" for name, score in each.scores.items())
        print(f"{Path(each.file).name}: {told}", file=sys.stderr)
    print(*(f"--texts {shlex.quote(each.file)}" for each in worst))


if __name__ == "__main__":
    run_script(main)
