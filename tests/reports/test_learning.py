"""The learning curve."""

from __future__ import annotations

from piibench.reports.figures import save_figure
from piibench.reports.learning import draw_losses

LOG = [
    {"updates": 100, "states": 2.0, "categories": 2.9, "needed": 0.44, "owners": 0.61},
    {"updates": 200, "states": 0.6, "categories": 1.6, "needed": 0.41, "owners": 0.65},
]


def test_four_losses_over_the_updates(tmp_path) -> None:
    figure = draw_losses(LOG)
    (panel,) = figure.axes
    assert [line.get_xdata().tolist() for line in panel.lines] == [[100, 200]] * 4
    assert [line.get_ydata().tolist() for line in panel.lines] == [
        [2.0, 0.6],
        [2.9, 1.6],
        [0.44, 0.41],
        [0.61, 0.65],
    ]
    save_figure(figure, tmp_path / "learning.svg")
    save_figure(draw_losses(LOG), tmp_path / "again.svg")
    assert (tmp_path / "learning.svg").read_bytes() == (tmp_path / "again.svg").read_bytes()


def test_a_run_that_began_anew_is_drawn_alone() -> None:
    (panel,) = draw_losses([*LOG, LOG[-1]]).axes  # the end is saved twice where it falls on a multiple
    assert [line.get_xdata().tolist() for line in panel.lines] == [[100, 200, 200]] * 4
    anew = [{**line, "chosen": 0.5} for line in LOG]
    (panel,) = draw_losses([*LOG, {"updates": 300, "states": 0.5}, *anew]).axes
    assert [line.get_xdata().tolist() for line in panel.lines] == [[100, 200]] * 5
