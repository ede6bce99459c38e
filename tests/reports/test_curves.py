"""What figures show is what was measured."""

from __future__ import annotations

import pytest

from piibench.analysis.factors import Bin
from piibench.reports.curves import Point, draw_factors, draw_tradeoff


def test_bins_of_all_systems_share_their_axis() -> None:
    first = (Bin(1, 2, 5, 0.5, 0.4, 0.6), Bin(3, None, 5, 0.3, 0.2, 0.5))
    second = (Bin(2, 3, 5, 0.9, 0.8, 1.0),)
    figure = draw_factors({"a": {"subjects": first}, "b": {"subjects": second}}, "query_f1")
    panel = figure.axes[0]
    assert [label.get_text() for label in panel.get_xticklabels()] == ["1", "2", "3+"]
    lines = list(panel.containers)
    assert list(lines[0].lines[0].get_ydata()) == [0.5, 0.3]
    assert list(lines[1].lines[0].get_xdata()) == pytest.approx([1.16])
    assert not any(other.axison for other in figure.axes[1:])


def test_the_balance_runs_from_utility_to_privacy() -> None:
    figure = draw_tradeoff([Point("gold", 0.8, 0.9), Point("all", 1.0, 0.5)])
    left, right = figure.axes
    for line, (privacy, utility) in zip(right.lines, [(0.8, 0.9), (1.0, 0.5)], strict=True):
        values = line.get_ydata()
        assert (values[0], values[-1]) == pytest.approx((utility, privacy))
        assert values[len(values) // 2] == pytest.approx((privacy + utility) / 2)
    assert {line.get_label() for line in left.lines} >= {"gold", "all"}


def test_long_names_stand_below_each_other_and_are_no_formulas() -> None:
    bins = {"subjects": (Bin(1, 2, 5, 0.5, 0.4, 0.6),)}
    names = [
        f"vllm/meta-llama/Llama-3.1-70B-Instruct, {way} $_$"
        for way in ("naive_with_choice", "self_consistency")
    ]
    figure = draw_factors(dict.fromkeys(names, bins), "query_f1")
    figure.draw_without_rendering()
    (legend,) = figure.legends
    box, page = legend.get_window_extent(), figure.bbox
    assert page.x0 <= box.x0
    assert box.x1 <= page.x1
