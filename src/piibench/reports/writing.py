"""Writes a report into a folder, in the formats that are wanted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from piibench.data.output import explain_write_errors, write_lines
from piibench.errors import InputError
from piibench.reports.comma_separated import write_csv
from piibench.reports.figures import FORMATS as FIGURE_FORMATS
from piibench.reports.figures import save_figure
from piibench.reports.latex import write_latex
from piibench.reports.markdown import write_markdown
from piibench.reports.page import write_page

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from piibench.reports.document import Document

FORMATS = ("md", "tex", "csv", "html")
"""What a report can be written as."""
FIGURES = tuple(ending.removeprefix(".") for ending in FIGURE_FORMATS)
"""What its figures can be written as."""

_LINKED = ("svg", "png", "pdf")


def check_names(option: str, given: Sequence[str], known: Collection[str]) -> None:
    """Refuse an unknown format.

    Args:
        option: Where it was given, as in "--format".
        given: What was given.
        known: What there is.

    Raises:
        InputError: One of them is unknown.
    """
    if unknown := [name for name in given if name not in known]:
        msg = f'{option}: there is no "{unknown[0]}"; choose from {", ".join(known)}'
        raise InputError(msg)


def write_report(
    document: Document,
    out: str | Path,
    *,
    formats: Sequence[str] = FORMATS,
    figures: Sequence[str] = FIGURES,
) -> tuple[Path, ...]:
    """Write `report.md`, `.tex`, `.csv` and `.html`, and each figure as a file.

    Args:
        document: What it says.
        out: The folder; made where absent.
        formats: Some of `FORMATS`.
        figures: Some of `FIGURES`; none where the page alone shows them.

    Returns:
        The files, the page first.

    Raises:
        InputError: A format is unknown.
        PiibenchError: A file cannot be written.
    """
    check_names("--format", formats, FORMATS)
    check_names("--figures", figures, FIGURES)
    target = Path(out)
    with explain_write_errors(target.name):
        target.mkdir(parents=True, exist_ok=True)
    pictures = [target / f"{each.name}.{ending}" for each in document.pictures for ending in figures]
    for path, figure in zip(pictures, (p.figure for p in document.pictures for _ in figures), strict=True):
        save_figure(figure, path)
    linked = next((ending for ending in _LINKED if ending in figures), None)
    links = [(each.name, f"{each.name}.{linked}") for each in document.pictures if linked]
    written = list[Path]()
    for name in sorted(formats, key=("html", "md", "tex", "csv").index):
        path = target / f"report.{name}"
        write_lines(path, [_write(document, name, links).rstrip("\n")])
        written.append(path)
    return (*written, *pictures)


def _write(document: Document, name: str, links: Sequence[tuple[str, str]]) -> str:
    match name:
        case "html":
            return write_page(document)
        case "md":
            return write_markdown(document, links)
        case "tex":
            return write_latex(document)
        case _:
            return write_csv(document.sheets)
