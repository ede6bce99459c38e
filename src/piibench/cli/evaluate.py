"""`piibench evaluate`."""

from __future__ import annotations

from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from piibench.cli.options import (
    DataName,
    EmbedderName,
    ModelsUrl,
    Orders,
    Seed,
    split_names,
)
from piibench.cli.texts import warn
from piibench.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from piibench.data.schema import Sample
    from piibench.evals.experiment import Results
    from piibench.evals.grid import Grid
    from piibench.evals.meter import Meter
    from piibench.evals.request import Request

_NEEDED = {"inspect_ai": "inspect-ai", "openai": "openai"}
_PRICES = 2
_MILLION = 1e6


def evaluate(
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="Folder for logs, runs and scores.")],
    *,
    task: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,…",
            help="detection, query, masking, tradeoff; all where absent, tradeoff if --responder.",
        ),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,…",
            help="Systems of `piibench systems` but llm and bilstm_crf; encoder where no --model is given.",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,…",
            help="Models as provider/name (openai/gpt-4o, mockllm/model …); with --base-url, as the server"
            " there calls them.",
        ),
    ] = None,
    base_url: ModelsUrl = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,…", help="How models are asked about a query, or all; naive where absent."
        ),
    ] = None,
    candidates: Annotated[
        str | None,
        typer.Option(
            metavar="gold|own|SYSTEM",
            help="What is chosen from: the labels, the own detection, or a system's. Where absent, systems"
            " choose from their own, naive_with_choice from the labels.",
        ),
    ] = None,
    subset: Annotated[
        str | None, typer.Option(metavar="NAME,…", help="single, multi, hard, distract; all where absent.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Only the first N samples of each subset.")
    ] = None,
    data: DataName = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with what DIR holds; it knows what was asked.")
    ] = False,
    seed: Seed = 7,
    max_connections: Annotated[
        int, typer.Option(metavar="N", min=1, max=1000, help="Requests to a model at once.")
    ] = 10,
    timeout: Annotated[
        float, typer.Option(metavar="S", min=0.1, help="Seconds to wait for one reply.")
    ] = 120.0,
    price: Annotated[
        str | None,
        typer.Option(metavar="IN,OUT", help="Dollars a million tokens read and written; shows the cost."),
    ] = None,
    responder: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Trade-off: answers the prompts."),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="Trade-off: rates the answers; it sees the query, and the answer to the original prompt,"
            " unmasked.",
        ),
    ] = None,
    masker: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="Trade-off: masks in an arm of its own, llm, by what it detects and selects itself; asked by"
            " one --strategy, naive_with_choice where absent.",
        ),
    ] = None,
    arms: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,…",
            help="Trade-off: how prompts are masked: none, all, gold (what the labels call unneeded), any"
            " system; none,all,gold,encoder where absent.",
        ),
    ] = None,
    orders: Orders = None,
    embedder: EmbedderName = None,
) -> None:
    """Put the benchmark's tasks to any model, asked by any strategy, and to any other system.

    Stopped in any way, the same command goes on: no finished sample is done, and no reply asked for, again.
    A reply that cannot be understood counts as an empty answer; a sample without a reply is not scored, and
    asked again by the same command.

    Keys come from the environment: OPENAI_API_KEY (also with --base-url), ANTHROPIC_API_KEY and so on. A
    model sees the descriptions and queries of the data.
    """
    require_extra()
    prices = _read_price(price)
    from piibench.evals.experiment import evaluate as evaluate_grid
    from piibench.evals.models import Access
    from piibench.evals.request import Request
    from piibench.llm.openai_chat import Limits

    request = Request(
        tasks=split_names(task),
        systems=split_names(system),
        models=split_names(model),
        strategies=split_names(strategy),
        candidates=candidates,
        subsets=split_names(subset),
        limit=limit,
        data=data,
        seed=seed,
        responder=responder,
        judge=judge,
        masker=masker,
        arms=split_names(arms),
        orders=cast("Literal[1, 2] | None", orders),
        embedder=embedder,
    )
    grid, samples = _find_grid(request, Path(out), resume=resume)
    access = Access(base_url, Limits(timeout_s=timeout, concurrency=max_connections))
    with _show_progress(prices) as show:
        results = evaluate_grid(grid, samples, Path(out), access=access, on_change=show)
    _report(results, Path(out), prices)


def require_extra() -> None:
    """Make sure that what evaluates is installed.

    Raises:
        MissingExtraError: It is not.
    """
    if missing := [package for module, package in _NEEDED.items() if find_spec(module) is None]:
        what = "an evaluation"
        raise MissingExtraError(what, missing[0])


def _read_price(price: str | None) -> tuple[float, float] | None:
    """Dollars a token read and written."""
    if price is None:
        return None
    try:
        amounts = [float(part) / _MILLION for part in price.split(",")]
    except ValueError:
        amounts = []
    if len(amounts) != _PRICES or not all(0 <= amount < 1 for amount in amounts):
        msg = "--price: give dollars a million tokens read and written, such as 2.50,10"
        raise InputError(msg)
    return amounts[0], amounts[1]


def _find_grid(request: Request, out: Path, *, resume: bool) -> tuple[Grid, tuple[Sample, ...]]:
    from piibench.evals.request import Request, create_grid, resume_grid

    if resume:
        present = resume_grid(out)
        if request == Request():
            return present
    return create_grid(request)


@contextmanager
def _show_progress(prices: tuple[float, float] | None) -> Generator[Callable[[Meter], None]]:
    """A line of samples, tokens, cost and time left: on a terminal, and nowhere else."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    columns = (
        TextColumn("samples"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        shown = bar.add_task("", total=None)
        yield lambda meter: bar.update(
            shown,
            total=meter.total,
            completed=meter.done + meter.failed,
            description=_describe_cost(meter, prices),
        )


def _describe_cost(meter: Meter, prices: tuple[float, float] | None) -> str:
    usage = meter.usage
    parts = [f"{usage.prompt_tokens + usage.reply_tokens:,} tokens"] if usage.calls else []
    if prices and usage.calls:
        parts.append(f"${usage.prompt_tokens * prices[0] + usage.reply_tokens * prices[1]:,.2f}")
    if meter.failed:
        parts.append(f"{meter.failed} without reply")
    return ", ".join(parts)


def _report(results: Results, out: Path, prices: tuple[float, float] | None) -> None:
    """Print the scores of what is finished, then what to do next; raise what is missing."""
    from piibench.cli.console import create_console
    from piibench.cli.results import print_results

    print_results(results.runs, create_console())
    if results.meter.usage.calls:
        warn(f"replies cost {_describe_cost(results.meter, prices)}")
    if results.runs:
        warn(f"{len(results.runs)} of {results.planned} runs are written to {out / 'runs'}")
        warn(
            f"next: piibench report {out} (tables and figures), piibench view {out} (every prompt and reply)"
        )
    if results.interrupted:
        warn("stopped; the same command goes on, and asks for no reply again that came already")
        raise KeyboardInterrupt
    if results.error:
        if results.meter.failed:
            warn(f"{results.meter.failed} samples got no answer; the same command asks for them again")
        raise results.error
