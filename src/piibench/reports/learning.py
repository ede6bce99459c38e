"""The learning curve of a training run, from its log."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from matplotlib import style
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from piibench.reports.figures import GRID, OURS, PAPER, STYLE, TEXT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LINES: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "states": ("where values stand", OURS, "-"),
        "categories": ("which category", "#C4500B", "--"),
        "needed": ("needed or not", PAPER, ":"),
        "owners": ("whose", TEXT, "-."),
    }
)
"""Loss -> its words, colour and stroke; the strokes tell them apart in grey."""


def draw_losses(log: Sequence[Mapping[str, float]]) -> Figure:
    """Draw the running means of the losses over the updates.

    Args:
        log: The lines of `log.jsonl`, each with "updates" and a number for each loss.
    """
    with style.context(STYLE):
        figure = Figure(figsize=(6.0, 3.2), layout=ConstrainedLayoutEngine())
        panel = figure.subplots()
        for name, (words, colour, stroke) in _LINES.items():
            updates, means = [line["updates"] for line in log], [line[name] for line in log]
            panel.plot(updates, means, stroke, color=colour, label=words)
        panel.set_yscale("log")
        panel.set_xlabel("updates")
        panel.set_ylabel("loss, running mean")
        panel.grid(axis="y", color=GRID, linewidth=0.6)
        panel.spines[["top", "right"]].set_visible(False)
        figure.legend(loc="outside right upper", frameon=False)
    return figure
