"""Write what a second annotator made of texts on which the encoder is measured: how much is there to reach?

    python benchmarks/second_annotator.py --out DIR
    piibench score DIR/genres.jsonl DIR/genres_second.jsonl --cluster description
    piibench predict DIR/genres.jsonl --out DIR/genres_encoder.jsonl
    piibench score DIR/genres.jsonl DIR/genres_encoder.jsonl --cluster description

and the same with `fresh`. `second_annotator/` holds 60 texts of the corpus's held-out genres and 60 of those
that only measure, drawn by chance, marked once more by somebody who saw no label, with what each query
needs. Writes for both the samples as they are labelled and the second annotator's marks as the predictions
of a system.
"""

from __future__ import annotations

from itertools import filterfalse, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from piibench.cli.exits import run_script
from piibench.data.files import write_records
from piibench.data.output import explain_write_errors
from piibench.data.schema import Prediction
from piibench.errors import DataError
from piibench.masking.mask import mask
from piibench.training.markup import is_in_passing, parse_marked, read_corpus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.data.schema import Sample
    from piibench.generators.base import Partition

READ_AGAIN = Path(__file__).parent / "second_annotator"
PARTS: dict[str, Partition] = {"genres": "dev", "fresh": "test"}


def name_text(sample: Sample) -> str:
    """Name the text of a sample of the corpus, whichever its query."""
    return sample.id.rpartition("-")[0]


def pair(name: str) -> Iterator[tuple[Sample, Sample]]:
    """Yield each sample that was annotated again, as it is labelled and as the second annotator has it.

    Raises:
        DataError: A text, or one of its queries, is not the one that is labelled.
    """
    asked = filterfalse(is_in_passing, read_corpus(PARTS[name]))
    labelled = {text: list(samples) for text, samples in groupby(asked, key=name_text)}
    path = READ_AGAIN / f"{name}.txt"
    again = groupby(parse_marked(path.read_text("utf-8"), path.name), key=lambda sample: sample.meta["genre"])
    for text, samples in again:
        firsts, seconds = labelled.get(text, []), list(samples)
        if [first.prompt for first in firsts] != [second.prompt for second in seconds]:
            msg = f"{text} and its queries are not those that are labelled"
            raise DataError(msg, place=path.name)
        yield from zip(firsts, seconds, strict=True)


def predict(first: Sample, second: Sample) -> Prediction:
    """Say what a system would that sees what the second annotator sees."""
    masked = mask(first.prompt, second.entities, keep=second.relevant or ())
    return Prediction(
        id=first.id,
        subset=first.subset,
        description=first.description,
        query=first.query,
        entities=second.entities,
        relevant=second.relevant,
        masked=masked.description,
        masked_query=masked.query,
    )


def main(*, out: Annotated[Path, typer.Option(help="Folder for the files.")]) -> None:
    """Write the files and say how many samples each has."""
    with explain_write_errors(str(out)):
        out.mkdir(parents=True, exist_ok=True)
    for name in PARTS:
        pairs = list(pair(name))
        write_records(out / f"{name}.jsonl", (first for first, _ in pairs))
        write_records(out / f"{name}_second.jsonl", (predict(*each) for each in pairs))
        print(f"{len(pairs)} {name}")


if __name__ == "__main__":
    run_script(main)
