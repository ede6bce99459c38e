"""How fast is `rules`, how does it grow, and how does it stand beside Presidio's patterns?

    python benchmarks/bench_rules.py [--rounds N] [--data RECORDS.jsonl]

Prints milliseconds per 1,000 characters on one core for detection alone and for the whole path (detect,
select, mask), the same for texts of growing size, and, where presidio-analyzer is installed, the ratio to
Presidio's pattern recognizers (no language model) on the same texts in the same run. The floor is one pass
over the text: the time of the Aho-Corasick search alone is printed as such.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from piibench import Prompt, load_system, protect
from piibench.cli.exits import run_script
from piibench.data.files import read_samples
from piibench.data.shipped import load_demos, load_shipped
from piibench.errors import InputError
from piibench.systems.rules.detector import detect
from piibench.systems.rules.lexicon import fold, load_lexicons

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

GROWTH = (1_000, 10_000, 100_000, 1_000_000)


def time_per_thousand(run: Callable[[str], object], texts: Sequence[str], rounds: int) -> float:
    """Median over rounds of the milliseconds that `run` takes per 1,000 characters of `texts`."""
    characters = sum(map(len, texts))
    laps: list[float] = []
    for _ in range(rounds):
        start = time.process_time()
        for text in texts:
            run(text)
        laps.append((time.process_time() - start) * 1e6 / characters)
    return statistics.median(laps)


def create_presidio() -> Callable[[str], object] | None:
    """Presidio's predefined English pattern recognizers, one after the other; None where absent."""
    try:
        import tldextract  # noqa: PLC0415 - optional
        from presidio_analyzer import PatternRecognizer, RecognizerRegistry  # noqa: PLC0415 - optional
    except ImportError:
        return None
    # Presidio's e-mail recognizer would fetch a list from the network; the list inside the package serves.
    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=())
    registry = RecognizerRegistry()
    registry.load_predefined_recognizers(languages=["en"])
    recognizers = [each for each in registry.recognizers if isinstance(each, PatternRecognizer)]
    return lambda text: [each.analyze(text, each.supported_entities) for each in recognizers]


def main(
    *,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds to take the median of.")] = 7,
    data: Annotated[Path | None, typer.Option(help="Records whose descriptions are timed as well.")] = None,
) -> None:
    """Run everything and print it."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    samples = [*load_shipped(), *load_demos()]
    texts = [sample.description for sample in samples]
    start = time.perf_counter()
    rules, lexicons = load_system("rules"), load_lexicons()
    print(f"load {time.perf_counter() - start:9.2f} s    lexicons and automaton, once for each process")
    queries = {sample.description: sample.query for sample in samples}

    loop = asyncio.new_event_loop()

    def run_whole(text: str) -> object:
        return loop.run_until_complete(protect(rules, Prompt(description=text, query=queries[text])))

    floor = time_per_thousand(lambda text: list(lexicons.search(text, fold(text))), texts, rounds)
    detection = time_per_thousand(detect, texts, rounds)
    whole = time_per_thousand(run_whole, texts, rounds)
    print(f"{len(texts)} texts, {sum(map(len, texts)):,} characters, one core, ms per 1,000 characters")
    print(f"floor  {floor:7.2f}        the lexicon search alone")
    print(f"detect {detection:7.2f}")
    print(f"whole  {whole:7.2f}        detect, select, mask")
    if presidio := create_presidio():
        other = time_per_thousand(presidio, texts, rounds)
        print(f"Presidio, patterns only {other:7.2f}    ratio Presidio / detect {other / detection:.2f}")
    else:
        print("Presidio is not installed: `make bench` installs it")
    if data:
        plain = [sample.description for sample in read_samples(data)]
        if not plain:
            msg = f"{data}: there is no record in it"
            raise InputError(msg)
        print(f"detect {time_per_thousand(detect, plain, 1):7.2f}        on the texts of {data.name}")
    joined = "\n\n".join(texts)
    for size in GROWTH:
        text = (joined * (size // len(joined) + 1))[:size]
        laps = max(1, min(rounds, 10**6 // size))
        print(f"{size:>9,} characters: {time_per_thousand(detect, [text], laps):7.2f}")


if __name__ == "__main__":
    run_script(main)
