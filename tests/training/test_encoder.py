"""Which settings a trained encoder gets."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

import torch

from piibench.systems.encoder.linking import DISTANCES
from piibench.systems.encoder.session import Settings
from piibench.training.encoder import choose_settings, move_towards


def make(bias, threshold=-2.0):
    return Settings(0.5, bias, (0.0,) * DISTANCES, threshold, 3.0, 0.2)


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


@pytest.mark.parametrize("blend", [1.0, 0.75, 0.25])
def test_each_weight_goes_a_share_of_its_way(create_encoder, blend):
    """From w to w + 4 it is w + 3 at 0.75."""
    encoder = create_encoder()
    before = {name: part.clone() for name, part in encoder.state_dict().items()}
    encoder.load_state_dict({name: part + 4 for name, part in before.items()})
    move_towards(encoder, before, blend)
    for name, part in encoder.state_dict().items():
        torch.testing.assert_close(part, before[name] + 4 * blend, atol=1e-5, rtol=0)
