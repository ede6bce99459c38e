"""`piibench verify`."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from piibench.cli.options import check_output


def verify(
    data: Annotated[
        list[str], typer.Argument(metavar="DATA.jsonl...", help="Labelled samples; .gz is unpacked.")
    ],
    *,
    worklist: Annotated[
        str | None,
        typer.Option("--worklist", metavar="FILE", help="Write what people must look at, one JSON a line."),
    ] = None,
) -> None:
    """Check labelled samples for everything that rules can doubt.

    Reading already refuses wrong offsets and unknown categories. This finds loose spans, unlabelled repeats,
    queries that give a value away, near duplicates and more; it ends with 1 where anything is found.
    """
    from collections import Counter
    from itertools import chain

    from rich.table import Table

    from piibench.cli.console import create_console
    from piibench.data.files import read_samples
    from piibench.data.output import write_lines
    from piibench.synthesis.verification import KINDS
    from piibench.synthesis.verification import verify as check

    check_output("--worklist", worklist, *data)
    samples = chain.from_iterable(read_samples(path) for path in data)
    findings = list(check(samples))
    if worklist:
        lines = ({"sample": f.sample_id, "kind": f.kind, "where": f.where, "span": f.span} for f in findings)
        write_lines(worklist, (json.dumps(line, ensure_ascii=False) for line in lines))
    if worklist != "-":
        counts = Counter(finding.kind for finding in findings)
        table = Table("found", "kind", "what it means", box=None)
        for kind, meaning in KINDS.items():
            table.add_row(str(counts[kind]), kind, meaning)
        create_console().print(table)
    if findings:
        raise typer.Exit(1)
