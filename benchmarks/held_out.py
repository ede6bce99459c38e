"""Write the data on which the encoder is looked at from outside.

    python benchmarks/held_out.py --out DIR [--public FOLDER] [--dev FOLDER]

With piibench come `genres.jsonl`, of genres that no training text has; `fresh.jsonl`, `lexicon.jsonl`
(biographies), `prompts.jsonl` (what people paste into chatbots) and `snippets.jsonl` (a line or two), on
which nothing was chosen; and `genres_passing.jsonl` and `fresh_passing.jsonl`, the same texts with queries as
people ask in passing.
`presidio.jsonl` and `lifebench.jsonl` need the public data sets, in FOLDER by these names:
`presidio-research/presidio_synth_v2.jsonl` (github.com/microsoft/presidio-research, MIT) and
`lifebench-pii/lifebench_pii.jsonl.gz` (the PII scrubber data set made of github.com/zhiyuan5986/LifeBench,
Apache-2.0); training reads the latter, too, `presidio-research/presidio_generated_large.jsonl` and
`ci-rl/train.jsonl` (EricGLan/CI-RL, Apache-2.0). `dev.jsonl` is all that settings and blends are chosen on,
the other texts of dev, of kinds that are trained on, among them; it needs the folder that
`piibench synthesize --partition dev --n 150 --seed 5` makes.
"""

from __future__ import annotations

from itertools import filterfalse
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from piibench.cli.exits import run_script
from piibench.data.files import write_records
from piibench.data.output import explain_write_errors
from piibench.training.markup import is_in_passing, read_corpus
from piibench.training.material import HELD_OUT_USERS, LIFEBENCH, is_trained_on, read_held_out, read_public

if TYPE_CHECKING:
    from piibench.data.schema import Sample
    from piibench.generators.base import Partition

TEXTS: dict[str, tuple[Partition, tuple[str, ...]]] = {
    "genres": ("dev", ("unseen",)),
    "fresh": ("test", ("descriptions", "posts")),
    "lexicon": ("test", ("lexicon",)),
    "prompts": ("test", ("prompts",)),
    "snippets": ("test", ("snippets",)),
}
"""The files of the corpus of which each consists."""
PRESIDIO = "presidio-research/presidio_synth_v2.jsonl"


def main(
    *,
    out: Annotated[Path, typer.Option(help="Folder for the files.")],
    public: Annotated[
        Path | None, typer.Option(help="Folder with lifebench-pii and presidio-research.")
    ] = None,
    dev: Annotated[Path | None, typer.Option(help="Folder with the synthetic partition dev.")] = None,
) -> None:
    """Write the files and say how many samples each has."""
    found: dict[str, list[Sample]] = {}
    corpus = {part: list(read_corpus(part)) for part in {part for part, _ in TEXTS.values()}}
    for name, (part, files) in TEXTS.items():
        samples = [sample for sample in corpus[part] if sample.id.partition("-")[0] in files]
        found[name] = list(filterfalse(is_in_passing, samples))
        if in_passing := list(filter(is_in_passing, samples)):
            found[f"{name}_passing"] = in_passing
    if public:
        presidio = read_public("presidio", public / PRESIDIO)
        found["presidio"] = [sample for sample in presidio if not is_trained_on(sample)]
        lifebench = read_public("lifebench", public / LIFEBENCH)
        found["lifebench"] = [sample for sample in lifebench if sample.meta.get("user") in HELD_OUT_USERS]
    if dev:
        found["dev"] = list(read_held_out(dev, 1.0))
    with explain_write_errors(str(out)):
        out.mkdir(parents=True, exist_ok=True)
    for name, samples in found.items():
        print(f"{write_records(out / f'{name}.jsonl', samples)} {name}")


if __name__ == "__main__":
    run_script(main)
