"""The curve of a keep threshold."""

from __future__ import annotations

from piibench.analysis.calibration import Point
from piibench.reports.calibration import draw_thresholds

POINTS = [
    Point(0.2, {"query_f1": 0.5, "mask_f1": 0.6, "privacy_unrelated": 0.7, "kept": 0.9}),
    Point(0.4, {"query_f1": 0.6, "mask_f1": 0.7, "privacy_unrelated": 0.8}),
]


def test_a_line_for_each_score_and_one_for_the_choice() -> None:
    (panel,) = draw_thresholds(POINTS, 0.4).axes
    drawn = {
        line.get_label(): list(zip(line.get_xdata(), line.get_ydata(), strict=True)) for line in panel.lines
    }
    assert drawn["unneeded PII gone"] == [(0.2, 0.7), (0.4, 0.8)]
    assert drawn["needed PII still shown"] == [(0.2, 0.9)]  # no sample has the score at 0.4
    assert panel.lines[-1].get_xdata() == [0.4, 0.4]
