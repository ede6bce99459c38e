"""The curve of a keep threshold: what it hides against what it leaves for the answer."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from matplotlib import style

from piibench.reports.curves import draw_strokes
from piibench.reports.figures import GRID, STYLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

    from piibench.analysis.calibration import Point

_LINES: Mapping[str, str] = MappingProxyType(
    {
        "privacy_unrelated": "unneeded PII gone",
        "kept": "needed PII still shown",
        "query_f1": "query-related F1",
        "mask_f1": "masking F1",
    }
)


@style.context(STYLE)
def draw_thresholds(points: Sequence[Point], chosen: float) -> Figure:
    """Draw the scores over the threshold.

    Args:
        points: In order of their thresholds.
        chosen: The threshold that is marked.
    """
    known = {name: [point for point in points if name in point.scores] for name in _LINES}
    figure, panel = draw_strokes(
        {
            words: ([point.threshold for point in known[name]], [point.scores[name] for point in known[name]])
            for name, words in _LINES.items()
        }
    )
    panel.axvline(chosen, color=GRID, linewidth=1.4, zorder=0)
    panel.set(xlabel="keep threshold: hides more to the right", xlim=(0, 1), ylim=(0, 1))
    return figure
