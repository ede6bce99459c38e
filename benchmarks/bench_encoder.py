"""How fast is `encoder`, how does it grow, and how does it stand beside its own network and Presidio?

    python benchmarks/bench_encoder.py [--rounds N] [--weights DIR] [--presidio-model NAME]

Prints, in one run, milliseconds per 1,000 characters for one prompt at a time on one core and on two (the
whole path: read, detect, select, mask), beside the network's forward pass alone, which is the floor, and of
which kinds of operators that consists; kilobytes a second of many prompts in two processes; the same for
texts of growing size; the peak memory of a process that protects the largest of them; and, where
presidio-analyzer is installed, Presidio on the same texts.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from piibench import Prompt, load_system, protect
from piibench.cli.exits import run_script
from piibench.data import datasets
from piibench.systems.encoder.session import NETWORK, SHIPPED, Session, load_model, open_network
from piibench.systems.encoder.windows import read_prompts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from piibench.systems.encoder.windows import Window

GROWTH = (1_000, 10_000, 100_000, 1_000_000)
CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
SAMPLES = 120
STATUS = Path("/proc/self/status")
"""Where Linux tells what memory a process took; macOS has no such file."""
LEAST_TOLD = 0.01


def time_per_thousand(run: Callable[[Prompt], object], prompts: Sequence[Prompt], rounds: int) -> float:
    """Median over rounds of the wall milliseconds that `run` takes per 1,000 characters of the prompts."""
    characters = sum(len(prompt.description) for prompt in prompts)
    laps: list[float] = []
    for _ in range(rounds):
        start = time.perf_counter()
        for prompt in prompts:
            run(prompt)
        laps.append((time.perf_counter() - start) * 1e6 / characters)
    return statistics.median(laps)


def keep_to(cores: int | None) -> None:
    """Let this process run on so many cores, on all where None; macOS cannot, there threads are the limit."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, CORES[:cores])


def protect_all(prompts: list[Prompt], options: dict[str, str]) -> int:
    """Protect prompts in this process; returns how many."""
    system = load_system("encoder", threads=1, **options)

    async def work() -> int:
        return len([await protect(system, prompt) for prompt in prompts])

    return asyncio.run(work())


def measure_memory(prompt: Prompt, options: dict[str, str]) -> float:
    """Protect a prompt in this process; returns the most MiB that were resident since it began."""
    protect_all([prompt], options)
    return int(STATUS.read_text(encoding="ascii").split("VmHWM:")[1].split()[0]) / 1024


def profile_network(windows: Sequence[Window], folder: Path) -> dict[str, float]:
    """Share of the network's own time, on one core, of each kind of operator, the largest first."""
    path = folder / NETWORK
    with TemporaryDirectory() as place:
        session = open_network(path.read_bytes(), path, 1, profile=Path(place) / "profile")
        Session(session)(windows)
        events = json.loads(Path(session.end_profiling()).read_text(encoding="utf-8"))
    spent: Counter[str] = Counter()
    for event in events:
        if event["cat"] == "Node" and event["name"].endswith("_kernel_time"):
            spent[event["args"]["op_name"]] += event["dur"]
    return {name: taken / spent.total() for name, taken in spent.most_common()}


def create_presidio(model: str | None) -> Callable[[Prompt], object] | None:
    """Presidio's analyzer as the system `presidio` has it; None where it is absent."""
    try:
        system = load_system("presidio", **({"model": model} if model else {}))
    except Exception as error:  # noqa: BLE001 - whatever is missing, the rest is still measured
        print(f"Presidio left out: {error}")
        return None
    loop = asyncio.new_event_loop()
    return lambda prompt: loop.run_until_complete(system.detect(prompt.description))


def main(
    *,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds to take the median of.")] = 5,
    weights: Annotated[Path | None, typer.Option(help="Another model than the shipped one.")] = None,
    presidio_model: Annotated[
        str | None, typer.Option(help="spaCy model for Presidio: name or folder.")
    ] = None,
) -> None:
    """Run everything and print it."""
    options = {"weights": str(weights)} if weights else {}
    samples = [
        sample
        for subset in ("single", "multi")
        for sample in islice(datasets.load("pii-bench-v1", subset), SAMPLES)
    ]
    prompts = [sample.prompt for sample in samples]
    characters = sum(len(prompt.description) for prompt in prompts)
    print(f"{len(prompts)} prompts, {characters:,} characters; wall milliseconds per 1,000 characters")
    loop = asyncio.new_event_loop()
    for threads in (1, 2):
        keep_to(threads)
        start = time.perf_counter()
        load_model.cache_clear()
        system = load_system("encoder", threads=threads, **options)
        loaded = time.perf_counter() - start
        model = load_model(weights or SHIPPED, threads)
        windows = {
            prompt.description: read_prompts([prompt], model.tokenizer)[0].windows for prompt in prompts
        }
        whole = time_per_thousand(
            lambda prompt, system=system: loop.run_until_complete(protect(system, prompt)),
            prompts,
            rounds,
        )
        floor = time_per_thousand(
            lambda prompt, run=model.network, windows=windows: run(windows[prompt.description]),
            prompts,
            rounds,
        )
        print(
            f"{threads} core(s): whole {whole:6.2f}  network alone {floor:6.2f}  ratio {whole / floor:.2f}"
            f"  loaded in {loaded:.2f} s"
        )
        if threads == 1:
            read = [window for parts in windows.values() for window in parts]
            shares = profile_network(read, weights or SHIPPED)
            told = ", ".join(f"{name} {share:.0%}" for name, share in shares.items() if share >= LEAST_TOLD)
            pieces = sum(len(window.ids) for window in read) * 1000 / characters
            print(f"{pieces:.0f} pieces per 1,000 characters, the query's with them; of the network: {told}")
    keep_to(None)
    if presidio := create_presidio(presidio_model):
        print(f"Presidio, detection alone {time_per_thousand(presidio, prompts, rounds):6.2f}")
    size = sum(len(prompt.description.encode()) for prompt in prompts)
    start = time.perf_counter()
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(protect_all, (prompts[::2], prompts[1::2]), (options, options)))
    print(f"two processes: {size / 1000 / (time.perf_counter() - start):.0f} kB/s, start included")
    joined = "\n\n".join(prompt.description for prompt in prompts)
    texts = [(joined * (wanted // len(joined) + 1))[:wanted] for wanted in GROWTH]
    long = [Prompt(description=text, query=prompts[0].query) for text in texts]
    for prompt in long:
        spent = time_per_thousand(lambda p: loop.run_until_complete(protect(system, p)), [prompt], 1)
        print(f"{len(prompt.description):>9,} characters: {spent:7.2f} per 1,000")
    if not STATUS.exists():
        return
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        peak = pool.submit(measure_memory, long[-1], options).result()
    print(f"{len(long[-1].description):>9,} characters in a process of their own: {peak:.0f} MiB at most")


if __name__ == "__main__":
    run_script(main)
