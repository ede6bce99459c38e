"""`piibench reproduce`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from piibench.cli.evaluate import evaluate, require_extra
from piibench.cli.report_folder import require_drawing
from piibench.cli.texts import warn
from piibench.errors import InputError

if TYPE_CHECKING:
    from piibench.reports.experiments import Experiment

_REAL = "real"
_TRADEOFF = "tradeoff"
_WAYS = {
    "scores": "piibench reproduce",
    "factors": "piibench reproduce",
    "statistics": "piibench statistics",
    "consistency": "piibench analyze --real",
}


def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="table-07, figure-4 …; all are listed where absent.")
    ] = None,
    *,
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="Folder for logs, runs and scores.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="NAME,…", help="Models, as `piibench evaluate` takes them.")
    ] = None,
    system: Annotated[
        str | None, typer.Option(metavar="NAME,…", help="Systems of `piibench systems`.")
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Any OpenAI-compatible server, such as http://localhost:8080/v1."),
    ] = None,
    judge: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Rates the answers of table-08; --model gives them.")
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(metavar="FILE|NAME", help="Labelled samples, or a data set; pii-bench-v1 where absent."),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Only the first N samples of each subset, to try it out."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of all choices.")] = 7,
) -> None:
    """Run exactly what one table of the paper takes, and print the table: ours beside the authors'.

    Tasks, subsets, strategies and candidates are the paper's; the models and systems are yours. The data is
    not the authors': only magnitude and order compare. Stopped in any way, the same command goes on.
    """
    from piibench.reports.experiments import find_experiment

    if name is None:
        _list_experiments()
        return
    experiment = find_experiment(name)
    _check(experiment, model=model, system=system, judge=judge, data=data)
    if out is None:
        msg = f"--out: name a folder for the runs of {experiment.name}"
        raise InputError(msg)
    require_extra()
    require_drawing()
    is_tradeoff = _TRADEOFF in experiment.tasks
    evaluate(
        out,
        task=",".join(experiment.tasks),
        system=None if is_tradeoff else system,
        model=None if is_tradeoff else model,
        base_url=base_url,
        strategy=",".join(experiment.strategies) if model and not is_tradeoff else None,
        candidates="own" if experiment.settings.candidates == "llm" else None,
        subset=",".join(experiment.subsets),
        limit=limit or _spread(experiment),
        data=data,
        seed=seed,
        responder=model if is_tradeoff else None,
        judge=judge,
        arms=",".join(filter(None, (*experiment.arms, system))) if is_tradeoff else None,
    )
    _show(experiment, out)


def _list_experiments() -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from piibench.cli.console import create_console
    from piibench.reports.experiments import list_experiments

    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading in ("name", "shows", "made by"):
        table.add_column(heading, overflow="fold", no_wrap=heading != "shows")
    for each in list_experiments():
        table.add_row(each.name, each.title, _WAYS[each.kind])
    create_console().print(table)


def _check(
    experiment: Experiment, *, model: str | None, system: str | None, judge: str | None, data: str | None
) -> None:
    """Say what else makes a result, or what is missing.

    Raises:
        InputError: It cannot be reproduced like this.
    """
    missing = None
    match experiment.kind:
        case "statistics":
            missing = "describes the data and takes no run; see piibench statistics --help"
        case "consistency":
            missing = (
                "compares two evaluations; evaluate both data sets, each into its folder, and then run"
                " piibench analyze DIR --real DIR2"
            )
        case "scores" | "factors":
            if _REAL in experiment.subsets and not data:
                missing = 'is about real texts; give labelled ones, of subset "real", with --data FILE'
            elif _TRADEOFF in experiment.tasks and not (model and judge):
                missing = "takes two models; name who answers with --model, and who rates with --judge"
            elif not model and not system:
                missing = "takes a model or a system; name it with --model or --system (such as rules)"
    if missing:
        msg = f"{experiment.name}: {missing}"
        raise InputError(msg)
    if judge and _TRADEOFF not in experiment.tasks:
        msg = f"--judge: {experiment.name} has nothing to rate; leave it out"
        raise InputError(msg)


def _spread(experiment: Experiment) -> int | None:
    """Samples of each subset where the paper takes so many in all."""
    return experiment.limit and -(-experiment.limit // len(experiment.subsets))


def _show(experiment: Experiment, out: str) -> None:
    from piibench.cli.console import create_console
    from piibench.cli.sheets import print_sheet
    from piibench.reports.document import create_document, create_reproduction
    from piibench.reports.writing import write_report

    if experiment.kind == "factors":
        for path in write_report(create_document(out), Path(out) / "report"):
            typer.echo(path)
        return
    sheet = create_reproduction(experiment.number, out)
    if sheet is None:
        warn(f"{experiment.result}: no sample has a score for it; has the data other subsets, or no labels?")
    else:
        print_sheet(sheet, create_console())
