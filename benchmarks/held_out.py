"""Write the data on which the encoder is looked at from outside: genres and people that no training text has.

    python benchmarks/held_out.py --out DIR [--public FOLDER]

`genres.jsonl` and `fresh.jsonl` come with piibench; `presidio.jsonl` and `lifebench.jsonl` need the public
data sets.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from piibench.cli.exits import leave
from piibench.data.files import write_records
from piibench.data.output import explain_write_errors
from piibench.training.markup import read_corpus
from piibench.training.material import HELD_OUT_USERS, LIFEBENCH, is_trained_on, read_public

PRESIDIO = "presidio-research/presidio_synth_v2.jsonl"


def main() -> None:
    """Write the files and say how many samples each has."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, required=True, help="folder for the files")
    parser.add_argument("--public", type=Path, help="folder with lifebench-pii and presidio-research")
    arguments = parser.parse_args()
    found = {"genres": list(read_corpus("dev")), "fresh": list(read_corpus("test"))}
    if arguments.public:
        presidio = read_public("presidio", arguments.public / PRESIDIO)
        found["presidio"] = [sample for sample in presidio if not is_trained_on(sample)]
        lifebench = read_public("lifebench", arguments.public / LIFEBENCH)
        found["lifebench"] = [sample for sample in lifebench if sample.meta.get("user") in HELD_OUT_USERS]
    with explain_write_errors(str(arguments.out)):
        arguments.out.mkdir(parents=True, exist_ok=True)
    for name, samples in found.items():
        print(f"{write_records(arguments.out / f'{name}.jsonl', samples)} {name}")


if __name__ == "__main__":
    leave(main, Path(__file__).stem)
