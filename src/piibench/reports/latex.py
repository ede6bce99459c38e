"""A report as LaTeX tables (packages booktabs and graphicx), to be included by a paper."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.reports.sheets import AUTHORS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.reports.document import Document
    from piibench.reports.sheets import Entry, Line, Sheet

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_"},
    "–": "--",
    "±": r"$\pm$",
    "·": r"\textperiodcentered{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "α": r"$\alpha$",
    "ρ": r"$\rho$",
}
_ESCAPED = re.compile("|".join(map(re.escape, _SPECIAL)))


def write_latex(document: Document) -> str:
    """Write the tables of a report, one `table*` each."""
    head = ["% Needs \\usepackage{booktabs,graphicx}.", *(f"% {line}" for line in document.signatures)]
    return "\n\n".join(("\n".join(head), *map(write_sheet, document.sheets))) + "\n"


def write_sheet(sheet: Sheet) -> str:
    """Write one table; the notes become its caption."""
    caption = escape(" ".join((f"{sheet.title}.", *sheet.notes)))
    lines = [row for line in sheet.lines for row in _write_line(line, len(sheet.columns))]
    return "\n".join(
        (
            r"\begin{table*}",
            r"\centering",
            rf"\caption{{{caption}}}",
            rf"\label{{tab:{sheet.name}}}",
            r"\resizebox{\ifdim\width>\textwidth\textwidth\else\width\fi}{!}{%",
            rf"\begin{{tabular}}{{l{'r' * len(sheet.columns)}}}",
            r"\toprule",
            *_write_head(sheet),
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}}",
            r"\end{table*}",
        )
    )


def escape(text: str) -> str:
    """Make a text safe for LaTeX."""
    return _ESCAPED.sub(lambda found: _SPECIAL[found[0]], " ".join(text.split()))


def _write_head(sheet: Sheet) -> Iterator[str]:
    if sheet.groups:
        cells = (
            rf"\multicolumn{{{span}}}{{c}}{{{escape(group)}{_say(origin)}}}"
            for group, origin, span in sheet.groups
        )
        yield rf" & {' & '.join(cells)} \\"
        at = 2
        rules = list[str]()
        for _, _, span in sheet.groups:
            rules.append(rf"\cmidrule(lr){{{at}-{at + span - 1}}}")
            at += span
        yield "".join(rules)
    yield rf"{escape(sheet.corner)} & {' & '.join(escape(column.label) for column in sheet.columns)} \\"


def _say(origin: str | None) -> str:
    return rf" \emph{{({AUTHORS})}}" if origin == "authors" else " (ours)" if origin else ""


def _write_line(line: Line, columns: int) -> Iterator[str]:
    if line.heading:
        yield rf"\multicolumn{{{columns + 1}}}{{l}}{{\textbf{{{escape(line.heading)}}}}} \\"
    label = escape(line.label)
    cells = [rf"\emph{{{label}}}" if line.origin == "authors" else label, *map(_write_entry, line.entries)]
    yield rf"{' & '.join(cells)} \\"


def _write_entry(entry: Entry | None) -> str:
    if entry is None:
        return "--"
    text = escape(entry.text) + (rf"\textsuperscript{{{entry.mark}}}" if entry.mark else "")
    if entry.origin == "authors":
        return rf"\emph{{{text}}}"
    return rf"{text} {{\scriptsize {escape(entry.interval)}}}" if entry.interval else text
