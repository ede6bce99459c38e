"""How fast are samples made, does the time grow linearly, and does the memory stay flat?

    python benchmarks/bench_synthesis.py [--workers N] [--partition train|dev|test] [--sizes 2842,20000]

Makes data sets of growing size, each in a process of its own, with PII-Bench's proportions of the four
subsets (1,214 : 1,228 : 200 : 200). Prints the seconds of the clock and of the processor, samples a second,
and the peak memory of the parent and of the largest worker; the last line gives the ratios of the largest
data set to the smallest. Linear time is a ratio of processor seconds near the ratio of samples; flat memory
is a ratio near 1.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from piibench.cli.exits import run_script
from piibench.errors import InputError, PiibenchError
from piibench.generators.base import Partition
from piibench.synthesis.pipeline import SIZES, Recipe, synthesize

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST = 20
MEASURES = ("samples", "clock", "processor", "parent", "worker")
_KIB = 1024 if sys.platform == "darwin" else 1
"""What `ru_maxrss` counts in: bytes on macOS, KiB elsewhere."""


def measure(samples: int, workers: int, partition: str) -> dict[str, float]:
    """Make one data set in this process and its workers.

    Returns:
        Samples made, seconds of clock and processor, peak MiB of this process and of its largest worker.
    """
    total = sum(SIZES.values())
    sizes = {subset: round(samples * size / total) for subset, size in SIZES.items()}
    start = time.perf_counter()
    with TemporaryDirectory() as folder:
        synthesize(Recipe(sizes, partition=partition), Path(folder), workers=workers, advance=lambda _: None)
    clock = time.perf_counter() - start
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {
        "samples": sum(sizes.values()),
        "clock": clock,
        "processor": sum(each.ru_utime + each.ru_stime for each in (own, children)),
        "parent": own.ru_maxrss / _KIB / 1024,
        "worker": children.ru_maxrss / _KIB / 1024,
    }


def measure_apart(samples: int, workers: int, partition: str) -> dict[str, float]:
    """`measure` in a fresh process, so that no data set profits from an earlier one."""
    arguments = ["--alone", str(samples), "--workers", str(workers), "--partition", partition]
    done = subprocess.run([sys.executable, __file__, *arguments], stdout=subprocess.PIPE, check=False)
    if done.returncode:
        msg = f"the data set of {samples:,} samples was not made"
        raise PiibenchError(msg)
    return json.loads(done.stdout)


def print_table(rows: Sequence[dict[str, float]]) -> None:
    """Print the measures, and how the last row compares with the first."""
    print(f"{'samples':>9} {'clock s':>9} {'CPU s':>9} {'per s':>8} {'parent MiB':>11} {'worker MiB':>11}")
    for row in rows:
        rate = row["samples"] / row["clock"]
        print(
            f"{row['samples']:>9,.0f} {row['clock']:>9.1f} {row['processor']:>9.1f} {rate:>8.0f}"
            f" {row['parent']:>11.0f} {row['worker']:>11.0f}"
        )
    if len(rows) > 1:
        # With one worker the parent does it all.
        ratios = {name: rows[-1][name] / rows[0][name] for name in MEASURES if rows[0][name]}
        print("ratio   " + "   ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items()))


def read_sizes(text: str) -> list[int]:
    """Read whole numbers that commas part.

    Raises:
        InputError: One is none, or too small for each subset to have a sample.
    """
    sizes = [size.strip() for size in text.split(",")]
    if not all(size.isdecimal() and int(size) >= LEAST for size in sizes):
        msg = f"--sizes takes whole numbers from {LEAST} on, such as 2842,20000"
        raise InputError(msg)
    return list(map(int, sizes))


def main(
    *,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 2,
    partition: Annotated[Partition, typer.Option(help="Whose frames are used.")] = "test",
    sizes: Annotated[str, typer.Option(help="Samples of each data set, parted by commas.")] = "2842,20000",
    alone: Annotated[int | None, typer.Option(min=LEAST, hidden=True)] = None,
) -> None:
    """Run everything and print it."""
    if alone:
        print(json.dumps(measure(alone, workers, partition)))
        return
    print_table([measure_apart(size, workers, partition) for size in read_sizes(sizes)])


if __name__ == "__main__":
    run_script(main)
