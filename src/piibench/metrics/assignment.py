"""Linear assignment, typed: which row goes with which column so that the weights add up highest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scipy.optimize import linear_sum_assignment  # pyright: ignore[reportUnknownVariableType]

if TYPE_CHECKING:
    from collections.abc import Sequence


def assign(weights: Sequence[Sequence[float]]) -> tuple[tuple[int, int], ...]:
    """Choose pairs (row, column), each row and column at most once, of the highest total weight.

    Args:
        weights: At least one row, rows of the same length, at least one column.

    Returns:
        min(rows, columns) pairs, ascending.
    """
    rows, columns = linear_sum_assignment(weights, maximize=True)  # pyright: ignore[reportUnknownVariableType]
    return tuple((int(row), int(column)) for row, column in zip(rows, columns, strict=True))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
