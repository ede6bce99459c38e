from __future__ import annotations

from piibench.metrics.assignment import assign


def test_assign_takes_the_highest_total():
    # 3 + 0 < 2 + 2
    assert assign([[3.0, 2.0], [2.0, 0.0]]) == ((0, 1), (1, 0))


def test_assign_leaves_the_longer_side_partly_free():
    assert assign([[1.0, 5.0, 2.0]]) == ((0, 1),)
    assert assign([[1.0], [5.0], [2.0]]) == ((1, 0),)
