"""A figure as SVG that stands inside a web page: its words are text, and follow the page's colours."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from matplotlib import style

from piibench.reports.figures import GRID, PAPER, STYLE, TEXT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOURS = {TEXT: "currentColor", PAPER: "var(--faint)", GRID: "var(--rule)", "#000000": "currentColor"}
_NAMED = re.compile(r'(\bid="|href="#|url\(#)')
_PROLOGUE = re.compile(r"\A.*?(?=<svg\b)", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>\s*", re.DOTALL)
_SIZE = re.compile(
    r'(<svg\b[^>]*?) width="[^"]*"([^>]*?) height="[^"]*"|(<svg\b[^>]*?) height="[^"]*"([^>]*?) width="[^"]*"'
)


def write_inline(figure: Figure, name: str) -> str:
    """Write a figure for a page.

    Args:
        figure: What is drawn.
        name: Unique on the page; every id in the SVG begins with it.

    Returns:
        An `<svg>` element that is as wide as its place.
    """
    buffer = io.StringIO()
    with style.context([STYLE, {"svg.fonttype": "none", "svg.hashsalt": name}]):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    text = _METADATA.sub("", _PROLOGUE.sub("", buffer.getvalue()), count=1)
    text = _SIZE.sub(lambda found: "".join(part for part in found.groups() if part), text, count=1)
    for colour, variable in _COLOURS.items():
        text = re.sub(re.escape(colour), variable, text, flags=re.IGNORECASE)
    return _NAMED.sub(lambda found: f"{found[1]}{name}-", text).strip()
