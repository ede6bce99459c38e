"""Figures as files: SVG, PNG or PDF by the file's name. Nothing of pyplot's global state is used."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib import style
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MultipleLocator, PercentFormatter

from piibench.data.output import explain_write_errors
from piibench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from piibench.data.taxonomy import PIIType

FORMATS = (".svg", ".png", ".pdf")
"""Endings of file names that can be drawn to."""

OURS, PAPER, GRID, TEXT = "#0B5FA5", "#5A5A5A", "#D9D9D9", "#262626"
"""Colours: of our numbers, of printed ones and axes, of grids, of words."""
_BAR, _TICK = 0.4, 0.05
STYLE = {
    "font.size": 9,
    "font.family": "sans-serif",
    "axes.edgecolor": PAPER,
    "text.color": TEXT,
    "axes.labelcolor": TEXT,
    "xtick.color": TEXT,
    "ytick.color": TEXT,
    "hatch.linewidth": 0.7,
    "svg.hashsalt": "piibench",
}
"""The look of every figure."""
_METADATA = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}
_DPI = 200


def draw_type_shares(
    shares: Mapping[str, Mapping[PIIType, float]],
    published: Mapping[str, Mapping[PIIType, float]],
) -> Figure:
    """Draw the shares of the seven types, a panel for each subset (Figure 5).

    Args:
        shares: Ours, in [0, 1], by subset and type; drawn as solid bars in this order.
        published: The printed ones, drawn hatched beside ours; a subset may be missing.
    """
    columns = min(2, len(shares))
    rows = -(-len(shares) // columns)
    with style.context(STYLE):
        figure = Figure(
            figsize=(4.6 * columns, 2.3 * rows + 0.4),
            layout=ConstrainedLayoutEngine(wspace=0.06, hspace=0.08),
        )
        panels = figure.subplots(rows, columns, sharey=True, squeeze=False)
        for panel, (name, ours) in zip(panels.flat, shares.items(), strict=False):
            _draw_panel(panel, ours, published.get(name), title=f"PII-{name}" if name in published else name)
        for panel in panels.flat[len(shares) :]:
            panel.set_axis_off()
        handles, labels = panels.flat[0].get_legend_handles_labels()
        figure.supylabel("share of the entities", fontsize=9)
        figure.legend(handles, labels, loc="outside upper right", ncols=2, frameon=False)
    return figure


def check_format(path: str | Path) -> None:
    """Refuse a file whose name does not say how to draw it.

    Raises:
        InputError: Its ending is none of `FORMATS`.
    """
    if Path(path).suffix.lower() not in FORMATS:
        msg = f"{Path(path).name}: a figure is written to a file that ends in {', '.join(FORMATS)}"
        raise InputError(msg)


def save_figure(figure: Figure, path: str | Path) -> None:
    """Write a figure; the same numbers give the same bytes.

    Args:
        figure: What is drawn.
        path: The file; its ending chooses the format.

    Raises:
        InputError: The ending is none of `FORMATS`.
        PiibenchError: The file cannot be written.
    """
    check_format(path)
    target = Path(path)
    # The names inside an SVG are hashed when it is written.
    with explain_write_errors(target.name), style.context(STYLE):
        figure.savefig(target, dpi=_DPI, metadata=_METADATA[target.suffix.lower()])


def _draw_panel(
    panel: Axes, ours: Mapping[PIIType, float], printed: Mapping[PIIType, float] | None, *, title: str
) -> None:
    places = range(len(ours))
    left = _BAR if printed else _BAR / 2
    panel.bar([at - left for at in places], list(ours.values()), _BAR, align="edge", color=OURS, label="ours")
    if printed:
        panel.bar(
            list(places),
            [printed[each] for each in ours],
            _BAR,
            align="edge",
            color="white",
            edgecolor=PAPER,
            hatch="/////",
            linewidth=0.9,
            label="published",
        )
    panel.set_title(title, loc="left", fontweight="bold", fontsize=10, parse_math=False)
    panel.set_xticks(list(places), [str(each) for each in ours], fontsize=7)
    panel.tick_params(length=0)
    panel.yaxis.set_major_locator(MultipleLocator(_TICK))
    panel.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    panel.grid(axis="y", color=GRID, linewidth=0.6)
    panel.set_axisbelow(True)
    panel.spines[["top", "right", "left"]].set_visible(False)
