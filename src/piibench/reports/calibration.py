"""The curve of a keep threshold: what it hides against what it leaves for the answer."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from matplotlib import style
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from piibench.reports.figures import GRID, OURS, PAPER, STYLE, TEXT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from piibench.analysis.calibration import Point

_LINES: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "privacy_unrelated": ("unneeded PII gone", OURS, "-"),
        "kept": ("needed PII still shown", "#C4500B", "--"),
        "query_f1": ("query-related F1", PAPER, ":"),
        "mask_f1": ("masking F1", TEXT, "-."),
    }
)
"""Score -> its words, colour and stroke; the strokes tell them apart in grey."""


def draw_thresholds(points: Sequence[Point], chosen: float) -> Figure:
    """Draw the scores over the threshold.

    Args:
        points: In order of their thresholds.
        chosen: The threshold that is marked.
    """
    with style.context(STYLE):
        figure = Figure(figsize=(6.0, 3.6), layout=ConstrainedLayoutEngine())
        panel = figure.subplots()
        for name, (words, colour, stroke) in _LINES.items():
            known = [point for point in points if name in point.scores]
            panel.plot(
                [point.threshold for point in known],
                [point.scores[name] for point in known],
                stroke,
                color=colour,
                label=words,
            )
        panel.axvline(chosen, color=GRID, linewidth=1.4, zorder=0)
        panel.set_xlabel("keep threshold: hides more to the right")
        panel.set_ylim(0, 1)
        panel.set_xlim(0, 1)
        panel.grid(axis="y", color=GRID, linewidth=0.6)
        panel.spines[["top", "right"]].set_visible(False)
        figure.legend(loc="outside right upper", frameon=False)
    return figure
