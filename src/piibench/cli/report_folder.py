"""`piibench report`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from piibench.cli.texts import warn
from piibench.errors import InputError, MissingExtraError

_EVERYTHING = "all"


def report(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A folder that `piibench evaluate` wrote.")],
    *,
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR2", help="Where to write; DIR/report where absent.")
    ] = None,
    real: Annotated[
        str | None,
        typer.Option(
            metavar="DIR3",
            help="The same systems evaluated on real texts: adds Tables 14 to 16 (PCS, Spearman).",
        ),
    ] = None,
    formats: Annotated[
        str, typer.Option("--format", metavar="NAME,…", help="md, tex, csv, html, or all.")
    ] = _EVERYTHING,
    figures: Annotated[
        str,
        typer.Option(
            metavar="NAME,…", help="pdf, svg, png, all, or none: the page shows the figures by itself."
        ),
    ] = _EVERYTHING,
) -> None:
    """Write the tables and figures of an evaluation: Markdown, LaTeX, CSV and one self-contained web page.

    Each table has the paper's layout. Every score of ours is a mean over samples with its 95 % bootstrap
    interval; what the paper prints stands beside it, marked as the authors' data: the samples are not the
    same, so only magnitude and order compare. Tables 3 and 9 and Figure 5 describe what was evaluated.

    Systems of the same task are compared sample by sample (paired bootstrap, Holm's correction). Each run
    signs its score with all that it depends on.
    """
    require_drawing()
    from piibench.reports.document import create_document
    from piibench.reports.writing import FIGURES, FORMATS, check_names, write_report

    wanted, drawn = _choose(formats, FORMATS), _choose(figures, FIGURES)
    drawn = () if drawn == ("none",) else drawn
    if not wanted:
        msg = f"--format: names none; choose from {', '.join(FORMATS)}"
        raise InputError(msg)
    check_names("--format", wanted, FORMATS)
    check_names("--figures", drawn, FIGURES)
    document = create_document(folder, real)
    for warning in document.warnings:
        warn(warning)
    for path in write_report(document, out or Path(folder) / "report", formats=wanted, figures=drawn):
        typer.echo(path)


def require_drawing() -> None:
    """Make sure that what draws the figures is installed.

    Raises:
        MissingExtraError: It is not.
    """
    if find_spec("matplotlib") is None:
        what = "a report"
        raise MissingExtraError(what, "matplotlib")


def _choose(names: str, known: tuple[str, ...]) -> tuple[str, ...]:
    given = tuple(dict.fromkeys(part for name in names.split(",") if (part := name.strip().lower())))
    if _EVERYTHING in given:
        return known
    return given
