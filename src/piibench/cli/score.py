"""`piibench score`."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from piibench.cli.options import check_output
from piibench.cli.texts import warn


def score(
    gold: Annotated[str, typer.Argument(metavar="GOLD.jsonl", help="Labelled samples; .gz is unpacked.")],
    pred: Annotated[str, typer.Argument(metavar="PRED.jsonl", help="What `predict` wrote for them.")],
    *,
    json_file: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Write every score here too; - prints them alone."),
    ] = None,
    per_type: Annotated[
        bool, typer.Option("--per-type", help="Add the tables by type and by category.")
    ] = False,
    allow_missing: Annotated[
        bool,
        typer.Option("--allow-missing", help="Score a sample without prediction as if nothing was found."),
    ] = False,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the bootstrap intervals.")] = 7,
    resamples: Annotated[int, typer.Option(metavar="N", min=1, help="Draws of the bootstrap.")] = 1000,
    cluster: Annotated[
        str,
        typer.Option(
            metavar="FIELD",
            help="For the intervals draw samples together that share this field of meta, such as frame in"
            " synthetic data, or their description: they are alike.",
            show_default=False,
        ),
    ] = "",
) -> None:
    """Compare predictions with labelled samples.

    strict: text, type and subject agree; ent: the text alone; span: a single mention, by its offsets. Where
    the data knows no subjects or labels types only, quote ent and span.
    """
    import gc

    from piibench.data.files import read_predictions, read_samples
    from piibench.data.output import write_lines
    from piibench.metrics.score import score as compare

    check_output("--json", json_file, gold, pred)
    gc.disable()  # all records stay to the end; looking for cycles among them takes a third of the time
    report = compare(
        read_samples(gold),
        read_predictions(pred),
        seed=seed,
        resamples=resamples,
        allow_missing=allow_missing,
        cluster=cluster,
    )
    if json_file != "-":
        from piibench.cli.console import create_console
        from piibench.cli.report import print_report

        print_report(report, create_console(), per_label=per_type)
    if json_file:
        write_lines(json_file, [json.dumps(report.to_dict(), ensure_ascii=False, indent=2)])
    if report.overall.missing:
        warn(f"{report.overall.missing} samples had no prediction and count as nothing found")
