"""Lines for people."""

from __future__ import annotations

import pytest

from piibench.cli.texts import name_some


@pytest.mark.parametrize(
    ("count", "named"),
    [(1, "1"), (3, "1, 2, 3"), (4, "1, 2, 3 and 1 more"), (1234, "1, 2, 3 and 1,231 more")],
)
def test_the_first_are_named_and_the_others_counted(count, named):
    assert name_some([str(number + 1) for number in range(count)], 3) == named
