"""Which settings a trained encoder gets."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

import json
from dataclasses import replace
from statistics import fmean

import torch

from handmade_network import let_speak
from piibench.analysis.calibration import THRESHOLDS
from piibench.data.schema import Sample
from piibench.errors import PiibenchError
from piibench.metrics.detection import compare_detection
from piibench.systems.encoder.linking import DISTANCES
from piibench.systems.encoder.reading import detect, study
from piibench.systems.encoder.session import NETWORK, READER, TOKENIZER, Settings, load_model
from piibench.systems.weights import SETTINGS
from piibench.training import encoder
from piibench.training.encoder import (
    FIGURES,
    choose_settings,
    move_towards,
    try_links,
    write_model,
)
from piibench.training.export import export_encoder, write_settings


def make(bias, threshold=-2.0):
    return Settings(0.5, bias, (0.0,) * DISTANCES, threshold, 3.0, 0.2)


@pytest.mark.parametrize(
    ("scored", "chosen"),
    [
        ([(0.800, make(-0.5)), (0.796, make(0.0)), (0.794, make(0.5))], make(0.0)),
        ([(0.805, make(-0.5)), (0.799, make(0.0))], make(-0.5)),
        ([(0.799, make(0.0, -1.0)), (0.800, make(0.0, -3.0)), (0.7995, make(0.0, -4.0))], make(0.0, -3.0)),
        ([(0.0, make(-1.0))], make(-1.0)),
    ],
    ids=["as good and finds more", "finds more but worse", "the best of one bias", "nothing found"],
)
def test_of_settings_as_good_the_one_that_finds_most_is_chosen(scored, chosen):
    assert choose_settings(scored) == chosen


def test_each_way_to_link_is_scored_as_detection_with_it_is(create_encoder, tokenizer, tmp_path):
    """Pairs have logits about the thresholds."""
    encoder = let_speak(create_encoder())
    encoder.reader.leave.weight.data *= 0.1
    export_encoder(encoder, tokenizer, tmp_path, quantized=False)
    write_settings(tmp_path, replace(make(0.0), owner_bias=(-6.0,) * DISTANCES))
    model = load_model(tmp_path, 1)
    texts = ("Lance lives in Elm Row, with Uma. He works there, she does not.", "Uma is 34; Lance is 7.")
    insights = study(
        model, [Sample(id="s", subset="multi", description=text, query="").prompt for text in texts]
    )
    samples = [
        Sample(id="s", subset="multi", description=text, query="", entities=detect(insight, model))
        for text, insight in zip(texts, insights, strict=True)
    ]
    scored = list(try_links(samples, insights, model))
    assert len({settings for _, settings in scored}) == len(scored) == 4 * 4 * 5
    assert len({score for score, _ in scored}) > 1
    for score, settings in scored:
        changed = replace(model, settings=settings)
        again = [
            compare_detection(sample.entities, detect(insight, changed)).strict.f1
            for sample, insight in zip(samples, insights, strict=True)
        ]
        assert score == fmean(again)


@pytest.mark.parametrize("blend", [1.0, 0.75, 0.25])
def test_each_weight_goes_a_share_of_its_way(create_encoder, blend):
    """From w to w + 4 it is w + 3 at 0.75."""
    encoder = create_encoder()
    before = {name: part.clone() for name, part in encoder.state_dict().items()}
    encoder.load_state_dict({name: part + 4 for name, part in before.items()})
    move_towards(encoder, before, blend)
    for name, part in encoder.state_dict().items():
        torch.testing.assert_close(part, before[name] + 4 * blend, atol=1e-5, rtol=0)


ASKED = Sample(id="s", subset="single", description="Lance is in Elm Row.", query="Who is in?", relevant=())


def test_a_model_is_written_with_its_figures_and_nothing_else(create_encoder, tokenizer, tmp_path):
    outcome = write_model(create_encoder(), tokenizer, tmp_path, [ASKED])
    assert load_model(tmp_path, 1).settings == outcome.settings
    figures = json.loads((tmp_path / FIGURES).read_text("utf-8"))
    assert [figure["threshold"] for figure in figures] == list(THRESHOLDS)
    assert {path.name for path in tmp_path.iterdir()} == {NETWORK, READER, TOKENIZER, SETTINGS, FIGURES}


def test_an_earlier_model_stays_whole_until_all_is_chosen(create_encoder, tokenizer, tmp_path, monkeypatch):
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    write_model(create_encoder(), tokenizer, tmp_path, [ASKED])
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr(encoder, "choose_threshold", stop)
    with pytest.raises(KeyboardInterrupt):
        write_model(create_encoder(1), tokenizer, tmp_path, [ASKED])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_model_that_cannot_be_written_is_one_clear_line(create_encoder, tokenizer, tmp_path):
    (tmp_path / SETTINGS).mkdir()
    with pytest.raises(PiibenchError, match=f"^{tmp_path.name}: cannot be written: "):
        write_model(create_encoder(), tokenizer, tmp_path, [ASKED])
