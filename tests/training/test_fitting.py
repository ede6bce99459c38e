"""A toy is learned; a stop changes nothing; another run's folder is left alone."""

from __future__ import annotations

import json
import math
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

import torch

from piibench.data.mentions import Span
from piibench.data.taxonomy import TYPE_OF, Category
from piibench.errors import InputError, PiibenchError
from piibench.training.augmentation import Augmentation
from piibench.training.checkpoints import CHECKPOINT, LOG
from piibench.training.examples import Example, Place
from piibench.training.fitting import (
    Fitting,
    Plan,
    Progress,
    _choose_rate,
    _create_optimizers,
    _lean_to_later,
)
from piibench.training.losses import measure
from piibench.training.material import Material
from piibench.training.recovery import start_from
from piibench.training.tensors import stack, teach

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("Lance", "Uma", "Ivo", "Ana", "Tom", "Ola")
CITIES = ("Leeds", "York", "Bath", "Bonn", "Ulm", "Linz")


def write(name: str, city: str) -> Example:
    text = f"{name} lives in {city} as he told me"
    places = (
        Place(Span(0, len(name)), TYPE_OF[Category.NICKNAME], Category.NICKNAME, "A", needed=False),
        Place(
            Span(text.index(city), text.index(city) + len(city)),
            TYPE_OF[Category.CITY_REGION],
            Category.CITY_REGION,
            "A",
            True,
        ),
    )
    he, me = text.index("he "), text.index(" me") + 1
    references = (Place(Span(he, he + 2), subject="A"), Place(Span(me, me + 2), subject="B"))
    return Example("toy", "where is he", text, places, swappable=True, references=references)


TEXTS = [write(name, city) for name in NAMES for city in CITIES]
MATERIAL = Material([[text] for text in TEXTS[:12]], {"fresh": (TEXTS[12:], 8)})
PLAN = Plan(passes=3, pieces=110, save_every=3)
"""About five updates a pass."""


class StopError(Exception):
    """Somebody ends the run."""


def fit(
    create_encoder: Any,
    tokenizer: Any,
    folder: Path,
    plan: Plan = PLAN,
    *,
    stop: int = 0,
    material: Material = MATERIAL,
) -> list[Progress]:
    """Train into a folder, up to `stop` updates where it is given."""
    seen: list[Progress] = []

    def advance(progress: Progress) -> None:
        seen.append(progress)
        if progress.updates == stop:
            raise StopError

    encoder = create_encoder(plan.seed)
    fitting = Fitting(encoder, material, Augmentation(material.examples), tokenizer, plan=plan, folder=folder)
    if stop:
        with pytest.raises(StopError):
            fitting.run(advance)
    else:
        fitting.run(advance)
    return seen


def saved(folder: Path) -> dict[str, Any]:
    return torch.load(folder / CHECKPOINT, weights_only=True)


def read_log(folder: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (folder / LOG).read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def whole(create_encoder, tokenizer, tmp_path_factory) -> Path:
    """A run without a stop."""
    folder = tmp_path_factory.mktemp("whole")
    fit(create_encoder, tokenizer, folder)
    return folder


def assert_same(left: dict[str, Any], right: dict[str, Any]) -> None:
    assert left["at"][:3] == right["at"][:3]
    assert left["means"] == right["means"]
    assert all(torch.equal(part, right["encoder"][name]) for name, part in left["encoder"].items())


def test_a_toy_is_learned(create_encoder, tokenizer, tmp_path):
    plan = Plan(passes=12, pieces=64, rate=5e-3, head_factor=2, save_every=1000)
    seen = fit(create_encoder, tokenizer, tmp_path, plan)
    encoder = create_encoder().eval()
    batch = stack([lesson for lessons in teach(TEXTS, tokenizer) for lesson in lessons])
    with torch.no_grad():
        before = measure(encoder, batch)
        encoder.load_state_dict(saved(tmp_path)["encoder"])
        after = measure(encoder, batch)
    for head in fields(before):
        assert getattr(after, head.name) < getattr(before, head.name) / 2
    assert [part.updates for part in seen] == list(range(1, len(seen) + 1))
    assert [part.share for part in seen] == sorted(part.share for part in seen)
    assert sum(seen[-1].losses.values()) < sum(seen[0].losses.values())


@pytest.mark.parametrize("stop", [2, 3, 7, 12])
def test_a_run_that_was_stopped_ends_as_one_that_was_not(create_encoder, tokenizer, whole, tmp_path, stop):
    fit(create_encoder, tokenizer, tmp_path, stop=stop)
    assert (tmp_path / CHECKPOINT).exists() == (stop >= PLAN.save_every)
    fit(create_encoder, tokenizer, tmp_path)
    assert_same(saved(tmp_path), saved(whole))


def test_chance_goes_on_where_it_was_after_a_resumption(create_encoder, tokenizer, whole, tmp_path):
    """With another random state in the checkpoint a run goes on, but to other weights."""
    fit(create_encoder, tokenizer, tmp_path, stop=7)
    state = saved(tmp_path)
    generator = torch.Generator().manual_seed(8)
    state["random"] = (generator.get_state(), state["random"][1])
    torch.save(state, tmp_path / CHECKPOINT)
    fit(create_encoder, tokenizer, tmp_path)
    again, reference = saved(tmp_path), saved(whole)
    assert again["at"][:3] == reference["at"][:3]
    assert not torch.equal(again["encoder"]["states.weight"], reference["encoder"]["states.weight"])


def test_the_same_seed_gives_the_same_weights(create_encoder, tokenizer, whole, tmp_path):
    fit(create_encoder, tokenizer, tmp_path)
    assert_same(saved(tmp_path), saved(whole))


def test_another_seed_gives_others(create_encoder, tokenizer, whole, tmp_path):
    fit(create_encoder, tokenizer, tmp_path, replace(PLAN, seed=8))
    assert not torch.equal(
        saved(tmp_path)["encoder"]["states.weight"], saved(whole)["encoder"]["states.weight"]
    )


def test_frozen_layers_stay_as_they_are_and_the_heads_learn(create_encoder, tokenizer, tmp_path):
    fit(create_encoder, tokenizer, tmp_path, replace(PLAN, frozen=1))
    trained, begun = saved(tmp_path), create_encoder(PLAN.seed).state_dict()
    moved = {name for name, weights in begun.items() if not torch.equal(trained["encoder"][name], weights)}
    body = ("words.", "positions.", "segments.", "features.", "norm.", "layers.0.")
    assert not {name for name in moved if name.startswith(body)}
    assert {name.split(".")[0] for name in moved} == {
        *("states", "categories", "needed", "notes", "reader", "owner_bias")
    }


def test_what_drops_out_after_a_stop_is_what_would_have_without_one(
    create_encoder, tokenizer, whole, tmp_path
):
    plan = replace(PLAN, dropout=0.3)
    fit(create_encoder, tokenizer, tmp_path / "run", plan)
    fit(create_encoder, tokenizer, tmp_path / "stopped", plan, stop=7)
    fit(create_encoder, tokenizer, tmp_path / "stopped", plan)
    dropped = saved(tmp_path / "run")
    assert_same(saved(tmp_path / "stopped"), dropped)
    assert dropped["at"][:3] == saved(whole)["at"][:3]
    assert not torch.equal(dropped["encoder"]["states.weight"], saved(whole)["encoder"]["states.weight"])


def test_a_run_that_came_to_nothing_leaves_the_checkpoint_before(create_encoder, tokenizer, tmp_path):
    with pytest.raises(PiibenchError, match="the loss is no number any more; a lower --rate helps"):
        fit(create_encoder, tokenizer, tmp_path, replace(PLAN, rate=1e30, save_every=1))
    (line,) = read_log(tmp_path)  # the first loss is of the weights as they were
    assert line["updates"] == saved(tmp_path)["at"][2] == 1
    assert math.isfinite(line["states"])


def test_a_finished_run_learns_no_more(create_encoder, tokenizer, tmp_path):
    plan = replace(PLAN, passes=1)
    fit(create_encoder, tokenizer, tmp_path, plan)
    before = saved(tmp_path)
    assert fit(create_encoder, tokenizer, tmp_path, plan) == []
    assert_same(saved(tmp_path), before)


def test_a_folder_with_another_plan_is_refused_and_left_as_it_is(create_encoder, tokenizer, whole):
    before = (whole / CHECKPOINT).read_bytes()
    with pytest.raises(InputError, match="another plan; use another folder, or remove it"):
        fit(create_encoder, tokenizer, whole, replace(PLAN, rate=1e-4))
    assert (whole / CHECKPOINT).read_bytes() == before


OTHER = Material(MATERIAL.asked[:-1], MATERIAL.fresh)


def test_a_stopped_run_does_not_go_on_with_other_texts(create_encoder, tokenizer, whole, tmp_path):
    fit(create_encoder, tokenizer, tmp_path, stop=7)
    before = (tmp_path / CHECKPOINT).read_bytes()
    with pytest.raises(InputError, match="on other texts or labels; give those, use another folder"):
        fit(create_encoder, tokenizer, tmp_path, material=OTHER)
    assert (tmp_path / CHECKPOINT).read_bytes() == before
    fit(create_encoder, tokenizer, tmp_path)
    assert_same(saved(tmp_path), saved(whole))


def test_a_finished_run_and_one_that_does_not_tell_its_texts_are_taken(
    create_encoder, tokenizer, whole, tmp_path
):
    assert fit(create_encoder, tokenizer, whole, material=OTHER) == []
    fit(create_encoder, tokenizer, tmp_path, stop=7)
    state = saved(tmp_path)
    del state["material"]
    torch.save(state, tmp_path / CHECKPOINT)
    assert fit(create_encoder, tokenizer, tmp_path, material=OTHER)


def test_a_run_of_before_there_was_an_option_goes_on_without_it_alone(
    create_encoder, tokenizer, whole, tmp_path
):
    fit(create_encoder, tokenizer, tmp_path, stop=7)
    state = saved(tmp_path)
    del state["plan"]["dropout"]
    torch.save(state, tmp_path / CHECKPOINT)
    with pytest.raises(InputError, match="another plan; use another folder, or remove it"):
        fit(create_encoder, tokenizer, tmp_path, replace(PLAN, dropout=0.3))
    fit(create_encoder, tokenizer, tmp_path)
    assert_same(saved(tmp_path), saved(whole))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut short", b"no checkpoint"])
def test_a_damaged_checkpoint_is_named_with_the_remedy(create_encoder, tokenizer, tmp_path, content):
    (tmp_path / CHECKPOINT).write_bytes(content)
    with pytest.raises(InputError, match=r"checkpoint\.pt is damaged; remove it"):
        fit(create_encoder, tokenizer, tmp_path)


def lose_a_layer(state: dict[str, Any]) -> None:
    del state["encoder"]["reader.layers.3.merge.weight"]


def have_one_optimizer(state: dict[str, Any]) -> None:
    state["optimizer"] = state.pop("optimizers")[1]


@pytest.mark.parametrize("change", [lose_a_layer, have_one_optimizer])
def test_a_checkpoint_of_another_piibench_is_refused(create_encoder, tokenizer, whole, tmp_path, change):
    state = saved(whole)
    change(state)
    torch.save(state, tmp_path / CHECKPOINT)
    with pytest.raises(InputError, match="is of another piibench; use another folder, with --start"):
        fit(create_encoder, tokenizer, tmp_path)


@pytest.mark.parametrize("short", [True, False])
def test_it_learns_in_either_arithmetic(create_encoder, tokenizer, tmp_path, monkeypatch, short):
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx512_bf16": short})
    seen = fit(create_encoder, tokenizer, tmp_path, Plan(passes=6, pieces=64, rate=3e-3, save_every=1000))
    assert sum(seen[-1].losses.values()) < sum(seen[0].losses.values())
    assert {part.dtype for part in saved(tmp_path)["encoder"].values()} == {torch.float32}


def test_a_folder_is_made_where_there_is_none(create_encoder, tokenizer, tmp_path):
    fit(create_encoder, tokenizer, tmp_path / "new" / "run", replace(PLAN, passes=1))
    assert (tmp_path / "new" / "run" / LOG).exists()


def test_a_file_in_the_folders_place_is_one_clear_line(create_encoder, tokenizer, tmp_path):
    (tmp_path / "run").touch()
    with pytest.raises(PiibenchError, match="run: cannot be written"):
        fit(create_encoder, tokenizer, tmp_path / "run")


def test_the_log_has_one_line_a_save(whole):
    lines = read_log(whole)
    updates = saved(whole)["at"][2]
    # Every third update and the end.
    assert [line["updates"] for line in lines] == [*range(3, updates + 1, 3), updates]
    assert lines[-1]["share"] == 1
    losses = {"states", "categories", "needed", "chosen", "owners", "references"}
    assert all(set(line) == {"share", "updates", "seconds"} | losses for line in lines)


def test_the_rate_rises_and_falls():
    # Over the first tenth to its highest, a hundredth more; then (1 - share) / 0.9.
    shares = (0.0, 0.05, 0.0999, 0.1, 0.55, 1.0)
    rates = [_choose_rate(share, Plan(warm_up=0.1)) for share in shares]
    assert rates == pytest.approx([0.01, 0.51, 1.009, 1.0, 0.5, 0.0])


def test_the_rate_stays_where_weights_are_averaged():
    shares = (0.0, 0.05, 0.1, 0.55, 1.0)
    rates = [_choose_rate(share, Plan(warm_up=0.1, average=True)) for share in shares]
    assert rates == pytest.approx([0.01, 0.51, 1.0, 1.0, 1.0])


def test_later_weights_count_more_in_the_mean():
    # The k-th of n weights counts as k (k + 1): the rising factorial that stands for k squared.
    mean, passed = torch.tensor([5.0]), [torch.tensor([value]) for value in (5.0, 2.0, -3.0, 8.0)]
    for count, weights in enumerate(passed[1:], start=1):
        _lean_to_later([mean], [weights], count)
    assert mean.item() == pytest.approx((2 * 5 + 6 * 2 + 12 * -3 + 20 * 8) / 40)


AVERAGED = Plan(passes=4, pieces=110, rate=2e-3, average=True, save_every=3)


@pytest.fixture(scope="module")
def averaged(create_encoder, tokenizer, tmp_path_factory) -> Path:
    """A run without a stop that averages."""
    folder = tmp_path_factory.mktemp("averaged")
    fit(create_encoder, tokenizer, folder, AVERAGED)
    return folder


@pytest.mark.parametrize("stop", [4, 12])
def test_a_run_that_averages_and_was_stopped_has_the_mean_of_one_that_was_not(
    create_encoder, tokenizer, averaged, tmp_path, stop
):
    fit(create_encoder, tokenizer, tmp_path, AVERAGED, stop=stop)
    fit(create_encoder, tokenizer, tmp_path, AVERAGED)
    left, right = saved(tmp_path), saved(averaged)
    assert_same(left, right)
    updates = left["at"][2]
    assert updates > 11  # after 1, 11, ... and the last
    assert left["averaged"] == right["averaged"] == len({*range(1, updates, 10), updates})
    assert all(torch.equal(part, right["average"][name]) for name, part in left["average"].items())


def test_a_run_that_averages_comes_to_the_mean(create_encoder, tokenizer, averaged):
    encoder, augmentation = create_encoder(AVERAGED.seed), Augmentation(MATERIAL.examples)
    Fitting(encoder, MATERIAL, augmentation, tokenizer, plan=AVERAGED, folder=averaged).run(lambda _: None)
    state, again = saved(averaged), create_encoder(8)
    start_from(averaged, again)
    for name, weights in encoder.state_dict().items():
        assert torch.equal(weights, state["average"][name])
        assert torch.equal(weights, again.state_dict()[name])
    assert not torch.equal(encoder.states.weight, state["encoder"]["states.weight"])


def test_all_that_learns_follows_the_rate(create_encoder, tokenizer, tmp_path):
    encoder, augmentation = create_encoder(PLAN.seed), Augmentation(MATERIAL.examples)
    fitting = Fitting(encoder, MATERIAL, augmentation, tokenizer, plan=PLAN, folder=tmp_path)
    shares: list[float] = []

    def check(progress: Progress) -> None:
        expected = _choose_rate(progress.share, PLAN)
        groups = [group for optimizer in fitting._optimizers for group in optimizer.param_groups]
        assert [group["lr"] for group in groups] == [group["peak"] * expected for group in groups]
        shares.append(progress.share)

    fitting.run(check)
    assert len(set(shares)) > 10


def test_matrices_heads_and_single_rows_are_changed_each_in_its_way(create_encoder):
    encoder = create_encoder()
    muon, adam = _create_optimizers(encoder, Plan(rate=1.0, head_factor=3.0, decay=0.5), short=False)
    groups = (*muon.param_groups, *adam.param_groups)
    named = {id(part): name for name, part in encoder.named_parameters()}
    matrices, body, plain, heads = ({named[id(part)] for part in group["params"]} for group in groups)
    assert [(group["peak"], group["weight_decay"]) for group in groups] == [
        (1, 0.5),
        (1, 0.5),
        (1, 0),
        (3, 0.5),
    ]
    assert {
        "layers.0.attend.weight",
        "needed.judge.0.weight",
        "notes.2.weight",
        "reader.layers.0.attend.weight",
    } <= matrices
    assert body == {"positions.weight", "segments.weight"}
    assert {"norm.weight", "layers.0.attend.bias", "layers.0.norm_output.bias"} <= plain
    assert {
        "features.weight",
        "states.weight",
        "states.bias",
        "categories.weight",
        "needed.judge.2.weight",
        "notes.2.bias",
        "reader.leave.weight",
        "reader.leave.bias",
        "reader.relations.weight",
        "owner_bias",
    } <= heads
    assert matrices | body | plain | heads == set(named.values()) - {"words.weight"}
    assert sum(map(len, (matrices, body, plain, heads))) == len(named) - 1
