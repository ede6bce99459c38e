"""Figures of scores: by the factors of a sample (Figure 4), and privacy against utility (section 4.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from matplotlib import style
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator

from piibench.analysis.factors import FACTORS
from piibench.metrics.tradeoff import trace_balance
from piibench.reports.figures import GRID, PAPER, STYLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from piibench.analysis.factors import Bin, Factor

INKS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#5A5A5A", "#8F6A00")
"""Colours that stay apart for every kind of colour vision; in grey, markers and dashes tell lines apart."""

_MARKERS = "osD^vPX*"
_DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)), (0, (3, 1, 1, 1)), (0, (7, 3)))
_FACTOR_NAMES: Mapping[Factor, str] = {
    "subjects": "subjects",
    "entities": "PII entities",
    "characters": "characters",
    "relevant": "entities that the query needs",
}
_LEVELS = tuple(level / 10 for level in range(2, 10))
_MOST_TICKS = 9
_SHORT_NAME = 40
"""Letters of a name, two of which stand beside each other below a figure."""


@dataclass(frozen=True, slots=True)
class Point:
    """One way to mask, in a trade-off.

    Attributes:
        label: Its name.
        privacy: P in [0, 1].
        utility: U in [0, 1].
    """

    label: str
    privacy: float
    utility: float


@style.context(STYLE)
def draw_factors(bins: Mapping[str, Mapping[Factor, Sequence[Bin]]], metric: str) -> Figure:
    """Draw mean scores over the factors of the samples, with 95 % intervals, a panel for each (Figure 4).

    Args:
        bins: System -> factor -> its bins; at most as many systems as there are `INKS`.
        metric: Name of the score.
    """
    factors: list[Factor] = [name for name in FACTORS if any(name in each for each in bins.values())]
    figure = _create_figure(7.6, 5.0 + 0.2 * len(bins))
    panels = figure.subplots(2, 2, sharey=True)
    for panel, factor in zip(panels.flat, factors, strict=False):
        _draw_factor(panel, factor, {name: each[factor] for name, each in bins.items() if factor in each})
    for panel in panels.flat[len(factors) :]:
        panel.set_axis_off()
    figure.supylabel(metric.replace("_", " "), fontsize=9)
    handles, labels = panels.flat[0].get_legend_handles_labels()
    if len(bins) > 1:
        _add_legend(figure, handles, labels)
    return figure


@style.context(STYLE)
def draw_tradeoff(points: Sequence[Point]) -> Figure:
    """Draw privacy against utility, and their balance over its weight (Equation 20).

    Args:
        points: The ways to mask; at most as many as there are `INKS`.
    """
    figure = _create_figure(7.6, 3.8 + 0.2 * len(points))
    left, right = figure.subplots(1, 2)
    _draw_levels(left)
    for point, ink, marker, dash in zip(points, INKS, _MARKERS, _DASHES, strict=False):
        left.plot(point.privacy, point.utility, marker, color=ink, markersize=8, label=point.label, zorder=3)
        weights, balanced = zip(*trace_balance(point.privacy, point.utility), strict=True)
        right.plot(weights, balanced, color=ink, marker=marker, markersize=4, linestyle=dash, linewidth=1.5)
    left.set(xlabel="privacy P", ylabel="utility U", xlim=(-0.03, 1.03), ylim=(0, 1.03))
    left.set_title("grey: equal B at α = 0.5", loc="left", fontsize=9)
    right.set(xlabel="weight of privacy α", ylabel="balanced score B", xlim=(-0.03, 1.03), ylim=(0, 1.03))
    right.set_title("B = αP + (1 − α)U", loc="left", fontsize=9)
    for panel in (left, right):
        _clean(panel)
    _add_legend(figure, *left.get_legend_handles_labels())
    return figure


def _add_legend(figure: Figure, handles: Sequence[Artist], labels: Sequence[str]) -> None:
    """Say below the panels what is what, in two columns where the names are short enough for them."""
    columns = 2 if max(map(len, labels), default=0) <= _SHORT_NAME else 1
    legend = figure.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False)
    for text in legend.get_texts():
        text.set_parse_math(False)


def draw_strokes(lines: Mapping[str, tuple[Sequence[float], Sequence[float]]]) -> tuple[Figure, Axes]:
    """Draw lines in one panel, told apart by colour and, in grey, by stroke; the caller sets `STYLE`.

    Args:
        lines: Words for the legend -> xs and ys; at most as many as there are `INKS`.
    """
    figure = _create_figure(6.0, 3.6)
    panel = figure.subplots()
    for (words, (xs, ys)), ink, dash in zip(lines.items(), INKS, _DASHES, strict=False):
        panel.plot(xs, ys, color=ink, linestyle=dash, label=words)
    _clean(panel)
    figure.legend(loc="outside right upper", frameon=False)
    return figure, panel


def _create_figure(width: float, height: float) -> Figure:
    return Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(wspace=0.06, hspace=0.08))


def _draw_factor(panel: Axes, factor: Factor, bins: Mapping[str, Sequence[Bin]]) -> None:
    labels = {each.start: each.label for system in bins.values() for each in system}
    starts = sorted(labels)
    # Neighbours stand a little apart, so that their intervals can be told apart.
    shifts = np.linspace(-0.16, 0.16, len(bins)) if len(bins) > 1 else (0.0,)
    for (name, system), ink, marker, dash, shift in zip(
        bins.items(), INKS, _MARKERS, _DASHES, shifts, strict=False
    ):
        means = [each.mean for each in system]
        panel.errorbar(
            [starts.index(each.start) + shift for each in system],
            means,
            # Where all scores are equal, rounding may part the mean from its interval.
            yerr=[
                [max(0.0, each.mean - each.low) for each in system],
                [max(0.0, each.high - each.mean) for each in system],
            ],
            color=ink,
            marker=marker,
            markersize=4.5,
            linestyle=dash,
            linewidth=1.5,
            elinewidth=1.0,
            capsize=2.5,
            label=name,
        )
    crowded = len(starts) > _MOST_TICKS
    panel.set_xticks(
        range(len(starts)),
        [labels[start].replace(" or more", "+") for start in starts],
        fontsize=7,
        rotation=30 if crowded or factor == "characters" else 0,
    )
    panel.set_title(_FACTOR_NAMES[factor], loc="left", fontweight="bold", fontsize=9)
    panel.set_ylim(0, 1.03)
    _clean(panel)


def _draw_levels(panel: Axes) -> None:
    for level in _LEVELS:
        xs = np.array([max(0.0, 2 * level - 1), min(1.0, 2 * level)])
        ys = 2 * level - xs
        panel.plot(xs, ys, color=GRID, linewidth=0.8, zorder=1)
        panel.annotate(
            f"{level:.1f}", (xs[1], ys[1]), fontsize=6.5, color=PAPER, ha="right", va="bottom", zorder=1
        )


def _clean(panel: Axes) -> None:
    panel.grid(axis="y", color=GRID, linewidth=0.6)
    panel.set_axisbelow(True)
    panel.yaxis.set_major_locator(MaxNLocator(6))
    panel.tick_params(length=0)
    panel.spines[["top", "right"]].set_visible(False)
