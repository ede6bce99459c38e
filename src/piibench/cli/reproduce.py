"""`piibench reproduce`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from piibench.cli.evaluate import evaluate, require_extra
from piibench.cli.options import (  # noqa: TC001 - typer reads them
    DataName,
    EmbedderName,
    ModelsUrl,
    Orders,
    Seed,
)
from piibench.cli.report_folder import require_drawing
from piibench.cli.texts import warn
from piibench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from piibench.reports.experiments import Experiment

_REAL = "real"
_TRADEOFF = "tradeoff"
_CONSISTENCY = "consistency"
_WAYS = {
    "scores": "piibench reproduce",
    "factors": "piibench reproduce",
    "statistics": "piibench statistics",
    _CONSISTENCY: "piibench reproduce --real",
}
_SYNTHETIC = "synthetic"
"""Folders inside --out of the two evaluations that a consistency takes: this, and `_REAL`."""


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
    base_url: ModelsUrl = None,
    judge: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Rates the answers of table-08; --model gives them.")
    ] = None,
    orders: Orders = None,
    embedder: EmbedderName = None,
    real: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Labelled real texts, for table-14 to table-16, which compare both data."
        ),
    ] = None,
    data: DataName = None,
    limit: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Only the first N samples of each subset, to try it out."),
    ] = None,
    seed: Seed = 7,
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
    given = {"model": model, "system": system, "judge": judge, "data": data, "real": real}
    _check(experiment, given | {"orders": str(orders) if orders else None, "embedder": embedder})
    if out is None:
        msg = f"--out: name a folder for the runs of {experiment.name}"
        raise InputError(msg)
    require_extra()
    require_drawing()
    from piibench.evals.request import read_chosen

    run = partial(
        evaluate,
        task=",".join(experiment.tasks),
        base_url=base_url,
        candidates="own" if experiment.settings.candidates == "llm" else None,
        limit=limit or _spread(experiment),
        seed=seed,
        **_say_who(experiment, model=model, system=system),
    )
    if _TRADEOFF in experiment.tasks:
        run = partial(run, judge=judge, orders=orders, embedder=embedder)
    if experiment.kind == _CONSISTENCY:
        # What the second part lacks is told before the work on the first.
        read_chosen(real, (), limit or _spread(experiment))
        first, second = Path(out) / _SYNTHETIC, Path(out) / _REAL
        run(str(first), subset=_name_synthetic(experiment), data=data)
        run(str(second), data=real)
        _show(experiment, str(first), str(second))
        return
    run(out, subset=",".join(experiment.subsets), data=data)
    _show(experiment, out)


def _say_who(experiment: Experiment, *, model: str | None, system: str | None) -> dict[str, str | None]:
    """The options of `evaluate` that name who answers, and how they are asked."""
    if _TRADEOFF in experiment.tasks:
        return {"responder": model, "arms": ",".join(filter(None, (*experiment.arms, system)))}
    asked = ",".join(experiment.strategies) if model else ""
    return {"model": model, "system": system, "strategy": asked or None}


def _name_synthetic(experiment: Experiment) -> str:
    return ",".join(subset for subset in experiment.subsets if subset != _REAL)


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


def _check(experiment: Experiment, given: Mapping[str, str | None]) -> None:
    """Say what else makes a result, what is missing, or what is too much.

    Raises:
        InputError: It cannot be reproduced like this.
    """
    if missing := _find_missing(experiment, given):
        msg = f"{experiment.name}: {missing}"
        raise InputError(msg)
    if _TRADEOFF not in experiment.tasks:
        for option in ("judge", "orders", "embedder"):
            if given[option]:
                msg = f"--{option}: {experiment.name} has nothing to rate; leave it out"
                raise InputError(msg)
    if given["real"] and experiment.kind != _CONSISTENCY:
        msg = f"--real: {experiment.name} does not compare two data sets; leave it out, or use --data"
        raise InputError(msg)


def _find_missing(experiment: Experiment, given: Mapping[str, str | None]) -> str | None:
    is_tradeoff = _TRADEOFF in experiment.tasks
    if experiment.kind == "statistics":
        return "describes the data and takes no run; see piibench statistics --help"
    if experiment.kind == _CONSISTENCY and not given["real"]:
        return "compares synthetic with real texts; give labelled real ones with --real FILE"
    if experiment.kind != _CONSISTENCY and _REAL in experiment.subsets and not given["data"]:
        return 'is about real texts; give labelled ones, of subset "real", with --data FILE'
    if is_tradeoff and not (given["model"] and given["judge"]):
        return "takes two models; name who answers with --model, and who rates with --judge"
    if not given["model"] and not given["system"]:
        return "takes a model or a system; name it with --model or --system (such as rules)"
    return None


def _spread(experiment: Experiment) -> int | None:
    """Samples of each subset where the paper takes so many in all."""
    return experiment.limit and -(-experiment.limit // len(experiment.subsets))


def _show(experiment: Experiment, out: str, real: str | None = None) -> None:
    from piibench.cli.console import create_console
    from piibench.cli.sheets import print_sheet
    from piibench.reports.document import create_document, create_reproduction
    from piibench.reports.writing import write_report

    if experiment.kind == "factors":
        for path in write_report(create_document(out), Path(out) / "report"):
            typer.echo(path)
        return
    sheet = create_reproduction(experiment.number, out, real)
    if sheet is None:
        warn(f"{experiment.result}: no sample has a score for it; has the data other subsets, or no labels?")
    else:
        print_sheet(sheet, create_console())
