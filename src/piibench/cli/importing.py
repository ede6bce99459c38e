"""`piibench import`."""

from __future__ import annotations

from typing import Annotated

import typer

from piibench.cli.options import check_distinct
from piibench.cli.texts import warn


def import_records(
    format_name: Annotated[str, typer.Argument(metavar="FORMAT", help="auto, paper, presidio or lifebench.")],
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="JSON Lines or one JSON array; .gz is unpacked.")
    ],
    out: Annotated[str, typer.Option("--out", metavar="OUT.jsonl", help="Where the canonical records go.")],
) -> None:
    """Turn another project's labelled data into canonical records.

    Knows the PII-Bench paper's own tags, presidio-research and lifebench-pii. Spans that do not fit their
    text are left out and counted.
    """
    from collections import Counter

    from piibench.data.files import write_records
    from piibench.data.importers import read_foreign

    check_distinct("--out", out, file)
    skipped: Counter[str] = Counter()
    written = write_records(out, read_foreign(file, format_name, skipped))
    warn(f"{written} records written")
    for reason, count in sorted(skipped.items()):
        warn(f"left out, {count} times: {reason}")
