"""The two networks in ONNX Runtime, and what is refused when it is loaded."""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple

import numpy as np
import pytest
from tokenizers import Tokenizer, models

from piibench.data.mentions import Span
from piibench.data.schema import Prompt
from piibench.data.taxonomy import PIIType
from piibench.errors import InputError
from piibench.systems.encoder import session
from piibench.systems.encoder.linking import DISTANCES
from piibench.systems.encoder.outputs import NOTES, OWNER
from piibench.systems.encoder.reading import study
from piibench.systems.encoder.references import TOGETHER
from piibench.systems.encoder.session import NETWORK, READER, TOKENIZER, load_model
from piibench.systems.encoder.values import KINDS, number_kind, relate, spot
from piibench.systems.encoder.windows import read_prompts
from piibench.systems.weights import SETTINGS
from piibench.training.export import write_settings

MIXED = [
    ("Ann Smith lives in Leeds.", "Where does Ann live?"),
    ("bob", ""),
    ("", "who?"),
    ("Ann in Leeds, 34\r\n" * 200, "how old? " * 60),
    ("😀 王小明 e\u0301 \ud800", "?"),
    ("in " * 384, "ann"),
]


def windows_of(model, *prompts):
    readings = read_prompts(
        [Prompt(description=text, query=query) for text, query in prompts], model.tokenizer
    )
    return [window for reading in readings for window in reading.windows]


def assert_near(one, other):
    for own, theirs in zip(astuple(one), astuple(other), strict=True):
        np.testing.assert_allclose(own, theirs, atol=1e-4)


def change_settings(folder, **changes):
    path = folder / SETTINGS
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def refusal(folder):
    with pytest.raises(InputError) as refused:
        load_model(folder, 1)
    message = str(refused.value)
    assert "\n" not in message
    return message


def test_a_window_says_the_same_alone_and_among_others(model):
    windows = windows_of(model, *MIXED)
    together = model.network(windows)
    assert [len(outputs.needed) for outputs in together] == [len(window.ids) for window in windows]
    for window, outputs in zip(windows, together, strict=True):
        (alone,) = model.network([window])
        assert_near(outputs, alone)


def test_a_prompt_says_the_same_alone_and_among_others(model):
    prompts = [Prompt(description=text, query=query) for text, query in MIXED]
    for prompt, insight in zip(prompts, study(model, prompts), strict=True):
        (alone,) = study(model, [prompt])
        assert_near(insight.outputs, alone.outputs)


def test_no_window_no_run(model):
    assert model.network([]) == []


def test_the_query_changes_what_is_needed(model):
    """The network looks at the query: another one gives other logits."""
    one, other = (
        study(model, [Prompt(description="Ann", query=query)])[0] for query in ("ann?", "in leeds 7")
    )
    assert not np.allclose(one.outputs.needed, other.outputs.needed)


def draw_values(count, *, seed=7, apart=3):
    """What the reader is told of so many values, each on its own line."""
    rng = np.random.default_rng(seed)
    notes, needed = rng.standard_normal((count, NOTES), np.float32), rng.standard_normal(count, np.float32)
    person = number_kind(PIIType.PER)
    spots = spot("x\n" * count, ((Span(2 * n, 2 * n + 1), person, apart * n) for n in range(count)))
    return notes, needed, rng.integers(0, KINDS, count), relate(spots)


@pytest.mark.parametrize("count", [1, 2, TOGETHER])
def test_each_value_is_answered(model, count):
    owners, needed = model.reader(*draw_values(count))
    assert (owners.shape, needed.shape) == ((count, 2, OWNER), (count,))
    assert owners.dtype == needed.dtype == np.float32


def test_values_say_the_same_in_any_order(model):
    notes, needed, kinds, relations = draw_values(9)
    order = np.random.default_rng(1).permutation(9)
    before = model.reader(notes, needed, kinds, relations)
    after = model.reader(notes[order], needed[order], kinds[order], relations[np.ix_(order, order)])
    for one, other in zip(before, after, strict=True):
        np.testing.assert_allclose(other, one[order], atol=1e-5)


@pytest.mark.parametrize("part", range(4))
def test_a_value_hears_of_the_one_beside_it(model, part):
    """Notes, logit or type of the second value change what is said of the first, and so does where it stands."""
    told, others = draw_values(2), draw_values(2, seed=8, apart=900)
    changed = [given.copy() for given in told]
    beside = (0, 1) if part == 3 else 1
    changed[part][beside] = others[part][beside]
    assert abs(model.reader(*told)[1][0] - model.reader(*changed)[1][0]) > 1e-4


def test_weights_in_8_bits_load_and_say_nearly_the_same(model, quantized):
    small = load_model(quantized, 1)
    windows = windows_of(model, *MIXED)
    for full, rounded in zip(model.network(windows), small.network(windows), strict=True):
        assert np.abs(full.states - rounded.states).mean() < 0.05
    assert small.fingerprint != model.fingerprint


def test_the_settings_come_back(model):
    assert model.settings.owner_bias == pytest.approx([0.1 * number for number in range(DISTANCES)])
    assert (model.settings.keep_threshold, model.settings.owner_threshold) == (0.5, 0.25)
    assert model.settings.owner_rivalry == 1
    assert int(model.fingerprint, 16) >= 0


def test_a_model_is_loaded_once(weights, model):
    assert load_model(weights, 1) is model


def test_any_setting_changes_the_fingerprint(copy, model):
    change_settings(copy, detect_bias=0.5)
    assert load_model(copy, 1).fingerprint != model.fingerprint


@pytest.mark.parametrize("name", [NETWORK, READER, TOKENIZER])
@pytest.mark.parametrize("place", [0, -2])
def test_a_changed_byte_is_refused_by_name(copy, name, place):
    content = bytearray((copy / name).read_bytes())
    content[place] ^= 1
    (copy / name).write_bytes(content)
    message = refusal(copy)
    assert str(copy / name) in message
    assert "sha256 differs" in message


@pytest.mark.parametrize("name", [NETWORK, READER, TOKENIZER, SETTINGS])
def test_an_absent_file_is_refused_with_the_remedy(copy, name):
    (copy / name).unlink()
    message = refusal(copy)
    assert f"{name} is absent" in message
    assert "`piibench train encoder` makes one" in message


def test_an_absent_folder_is_refused_with_the_remedy(tmp_path):
    message = refusal(tmp_path / "nowhere")
    assert "nowhere" in message
    assert "`piibench train encoder`" in message


def test_a_file_for_a_folder_is_refused(copy):
    assert "`piibench train encoder`" in refusal(copy / NETWORK)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"hashes": []}', b"{}"])
def test_settings_that_are_no_settings_are_refused(copy, content):
    (copy / SETTINGS).write_bytes(content)
    message = refusal(copy)
    assert str(copy / SETTINGS) in message


@pytest.mark.parametrize(
    "name",
    [
        "keep_threshold",
        "detect_bias",
        "owner_bias",
        "owner_threshold",
        "owner_rivalry",
        "owner_reluctance",
    ],
)
def test_an_absent_setting_is_refused_by_name(copy, name):
    path = copy / SETTINGS
    path.write_text(
        json.dumps({key: value for key, value in json.loads(path.read_text()).items() if key != name})
    )
    message = refusal(copy)
    assert f"{path} is of another piibench (wrong or absent: {name})" in message
    assert "`piibench train encoder`" in message


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"keep_threshold": "much"}, "wrong or absent: keep_threshold"),
        ({"keep_threshold": 1.5}, "keep_threshold is not between 0 and 1"),
        ({"detect_bias": float("nan")}, "wrong or absent: detect_bias"),
        ({"owner_bias": [0, None]}, "wrong or absent: owner_bias"),
        ({"owner_bias": [0, 1]}, "owner_bias has not 9 numbers"),
        ({"colour": "red", "owner_threshold": []}, "wrong or absent: owner_threshold, colour"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(copy, changes, problem):
    change_settings(copy, **changes)
    assert problem in refusal(copy)


@pytest.mark.parametrize("name", [NETWORK, READER, TOKENIZER])
def test_settings_that_vouch_for_no_such_file_are_refused(copy, name):
    hashes = json.loads((copy / SETTINGS).read_text())["hashes"]
    change_settings(copy, hashes={key: value for key, value in hashes.items() if key != name})
    assert str(copy / name) in refusal(copy)


@pytest.mark.parametrize("name", [NETWORK, READER, TOKENIZER])
def test_a_file_that_is_no_model_is_refused_though_its_hash_is_right(copy, name, model):
    (copy / name).write_bytes(b"hello")
    write_settings(copy, model.settings)
    assert f"{copy / name} is of another piibench" in refusal(copy)


def test_a_tokenizer_without_marks_is_refused(copy, model):
    Tokenizer(models.WordPiece({"[UNK]": 0, "a": 1}, unk_token="[UNK]")).save(str(copy / TOKENIZER))
    write_settings(copy, model.settings)
    assert "[CLS] and [SEP]" in refusal(copy)


def test_a_tokenizer_that_cuts_and_fills_up_does_not(copy, model):
    """Text beyond a cut would go out unmasked: 600 pieces are read, not 128."""
    tokenizer = Tokenizer.from_file(str(copy / TOKENIZER))
    tokenizer.enable_truncation(128)
    tokenizer.enable_padding(length=128)
    tokenizer.save(str(copy / TOKENIZER))
    write_settings(copy, model.settings)
    long, short = study(load_model(copy, 1), [Prompt(description="in " * 600), Prompt(description="in")])
    assert (long.reading.pieces, short.reading.pieces) == (600, 1)


def test_the_settings_hold_the_hashes_of_the_files(weights):
    hashes = json.loads((weights / SETTINGS).read_text())["hashes"]
    assert hashes == {
        name: hashlib.sha256((weights / name).read_bytes()).hexdigest()
        for name in (NETWORK, READER, TOKENIZER)
    }


def test_a_reader_that_knows_no_references_is_refused(weights, monkeypatch):
    """As those of an older piibench are: their table of kinds ends before REFERENCE."""
    monkeypatch.setattr(session, "REFERENCE", KINDS)
    with pytest.raises(
        InputError, match=r"values\.onnx is of another piibench \(it does not read references\)"
    ):
        load_model.__wrapped__(weights, 1)
