"""The entry point: the verbs and their help."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from piibench import __version__
from piibench.cli.analyze import analyze
from piibench.cli.calibrate import calibrate
from piibench.cli.demo import demo
from piibench.cli.detect import detect
from piibench.cli.evaluate import evaluate
from piibench.cli.exits import leave
from piibench.cli.importing import import_records
from piibench.cli.mask import mask
from piibench.cli.predict import predict
from piibench.cli.report_folder import report
from piibench.cli.reproduce import reproduce
from piibench.cli.restore import restore
from piibench.cli.score import score
from piibench.cli.statistics import statistics
from piibench.cli.synthesize import synthesize
from piibench.cli.systems import systems
from piibench.cli.taxonomy import taxonomy
from piibench.cli.train import train
from piibench.cli.verify import verify
from piibench.cli.view import view

if TYPE_CHECKING:
    from collections.abc import Callable

VERBS: dict[str, tuple[Callable[..., None], str]] = {
    "mask": (mask, "piibench mask letter.txt -q 'Can I afford it?' --vault talk.json"),
    "restore": (restore, "piibench restore answer.txt --vault talk.json"),
    "detect": (detect, "piibench detect letter.txt --json"),
    "predict": (predict, "piibench predict data.jsonl --out pred.jsonl --workers 4"),
    "score": (score, "piibench score gold.jsonl pred.jsonl --per-type"),
    "evaluate": (evaluate, "piibench evaluate --system rules --limit 50 --out results"),
    "view": (view, "piibench view results"),
    "analyze": (analyze, "piibench analyze results --task detection --real other"),
    "report": (report, "piibench report results --format html,md"),
    "reproduce": (reproduce, "piibench reproduce table-07 --system rules --limit 25 --out seven"),
    "import": (import_records, "piibench import auto presidio.json --out gold.jsonl"),
    "synthesize": (synthesize, "piibench synthesize --out data --subset multi --n 100 --workers 2"),
    "verify": (verify, "piibench verify data/multi.jsonl.gz --worklist doubts.jsonl"),
    "statistics": (statistics, "piibench statistics data/*.jsonl.gz"),
    "calibrate": (calibrate, "piibench calibrate dev.jsonl --figure curve.svg"),
    "train": (train, "piibench train encoder --out model --quick"),
    "systems": (systems, "piibench mask letter.txt --system rules"),
    "taxonomy": (taxonomy, "piibench taxonomy --json"),
    "demo": (demo, "piibench demo"),
}

app = typer.Typer(
    name="piibench",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help takes half the time
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _unwrap(docstring: str | None) -> str:
    """Join the lines of each paragraph, so that help wraps at the terminal's width."""
    paragraphs = inspect.cleandoc(docstring or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


for _name, (_verb, _example) in VERBS.items():
    app.command(_name, help=_unwrap(_verb.__doc__), epilog=f"Example: {_example}")(_verb)


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - the form of typer's callbacks
    if wanted:
        typer.echo(f"piibench {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True, epilog="Try first: piibench demo")
def _begin(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Hide the personal data in a prompt that its question does not need, and measure how well that works.

    Everything runs on this machine, and nothing is sent anywhere unless you name a model.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run() -> NoReturn:
    """Run the command and leave with its exit code."""
    verb = next((word for word in sys.argv[1:] if word in VERBS), "")
    leave(lambda: app(standalone_mode=False, prog_name="piibench"), f"piibench {verb}".strip())
