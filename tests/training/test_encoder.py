"""Which settings a trained encoder gets."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

from piibench.systems.encoder.linking import DISTANCES
from piibench.systems.encoder.session import Settings
from piibench.training.encoder import choose_settings


def make(bias, threshold=-2.0):
    return Settings(0.5, bias, (0.0,) * DISTANCES, threshold, 3.0)


@pytest.mark.parametrize(
    ("scored", "chosen"),
    [
        ([(0.800, make(-0.5)), (0.799, make(0.0)), (0.797, make(0.5))], make(0.0)),
        ([(0.803, make(-0.5)), (0.799, make(0.0))], make(-0.5)),
        ([(0.799, make(0.0, -1.0)), (0.800, make(0.0, -3.0)), (0.7995, make(0.0, -4.0))], make(0.0, -3.0)),
        ([(0.0, make(-1.0))], make(-1.0)),
    ],
    ids=["as good and finds more", "finds more but worse", "the best of one bias", "nothing found"],
)
def test_of_settings_as_good_the_one_that_finds_most_is_chosen(scored, chosen):
    assert choose_settings(scored) == chosen
