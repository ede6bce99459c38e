"""How well is what a query itself states found, beside a text and alone?

    python benchmarks/bench_queries.py [--weights DIR] [--show]

`queries.txt` holds queries with their direct identifiers marked, `{{value|category}}`; each is put beside a
text of the part of the corpus that only measures. Prints, for the one pass that reads both and for a pass
over the query alone, the share of the identifiers that are found whole, and how many other places are taken
for one.
"""

from __future__ import annotations

import asyncio
import re
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from piibench import Prompt, load_system, protect
from piibench.cli.exits import run_script
from piibench.data.mentions import Span
from piibench.training.markup import read_corpus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.base import System

QUERIES = Path(__file__).parent / "queries.txt"
_MARK = re.compile(r"\{\{([^{}|]+)\|[^{}|]+\}\}")


class Asked(NamedTuple):
    """A query and where its identifiers stand."""

    query: str
    stated: tuple[Span, ...]


def read_queries(text: str) -> Iterator[Asked]:
    """Yield the queries of a file, one a line."""
    for line in text.splitlines():
        query, stated, end = "", [], 0
        for match in _MARK.finditer(line):
            query += line[end : match.start()]
            stated.append(Span(len(query), len(query) + len(match[1])))
            query, end = query + match[1], match.end()
        yield Asked(query + line[end:], tuple(stated))


async def measure(system: System, asked: list[Asked], texts: list[str]) -> tuple[list[str], list[str]]:
    """Protect each query beside its text; return what was not found whole, and what else was found."""
    missed: list[str] = []
    wrong: list[str] = []
    for (query, stated), text in zip(asked, texts, strict=True):
        masked = await protect(system, Prompt(description=text, query=query))
        found = [span for entity in masked.asked for span in entity.mentions]
        covered = {place for span in found for place in range(span.start, span.end)}
        missed += [
            span.of(query)
            for span in stated
            if any(query[place].isalnum() and place not in covered for place in range(span.start, span.end))
        ]
        wrong += [span.of(query) for span in found if not any(span.overlaps(other) for other in stated)]
    return missed, wrong


def main(
    *,
    weights: Annotated[Path | None, typer.Option(help="Another model than the shipped one.")] = None,
    show: Annotated[bool, typer.Option("--show", help="Print what was missed and what was wrong.")] = False,
) -> None:
    """Measure both ways and print them."""
    system = load_system("encoder", **({"weights": str(weights)} if weights else {}))
    asked = list(read_queries(QUERIES.read_text(encoding="utf-8")))
    texts = dict.fromkeys(sample.description for sample in read_corpus("test"))
    beside = list(islice(cycle(texts), len(asked)))
    count = sum(len(each.stated) for each in asked)
    for name, descriptions in (("beside a text", beside), ("alone", [""] * len(asked))):
        missed, wrong = asyncio.run(measure(system, asked, descriptions))
        found = count - len(missed)
        print(f"{name}: {found} of {count} found ({found / count:.3f}), {len(wrong)} wrong")
        if show:
            print(f"  missed: {missed}\n  wrong: {wrong}")


if __name__ == "__main__":
    run_script(main)
