"""A model's folder: what was written comes back, and nothing else is taken for it."""

from __future__ import annotations

import json

import pytest

from piibench.errors import InputError, PiibenchError
from piibench.systems.weights import SETTINGS, read_checked, write_checked

MAKER = "piibench train it"


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "deep" / "weights"
    write_checked(folder, {"net": b"abc", "words": b"x\n"}, {"seed": 7})
    return folder


def test_what_was_written_is_read(folder) -> None:
    checked = read_checked(folder, ("net", "words"), maker=MAKER)
    assert checked.files == {"net": b"abc", "words": b"x\n"}
    assert checked.settings == {"seed": 7}
    assert len(checked.fingerprint) == 8


@pytest.mark.parametrize(("net", "seed"), [(b"abd", 7), (b"abc", 8)])
def test_another_file_or_setting_gives_another_fingerprint(folder, tmp_path, net, seed) -> None:
    write_checked(tmp_path, {"net": net, "words": b"x\n"}, {"seed": seed})
    one, other = (read_checked(place, ("net", "words"), maker=MAKER) for place in (folder, tmp_path))
    assert one.fingerprint != other.fingerprint


def test_a_changed_file_is_refused(folder) -> None:
    (folder / "net").write_bytes(b"abd")
    with pytest.raises(InputError, match=r"net is not the file that was made \(sha256 differs\)"):
        read_checked(folder, ("net",), maker=MAKER)


def test_a_file_without_a_hash_is_refused(folder) -> None:
    (folder / "more").write_bytes(b"abc")
    with pytest.raises(InputError, match="more is not the file that was made"):
        read_checked(folder, ("more",), maker=MAKER)


@pytest.mark.parametrize("name", ["net", SETTINGS])
def test_an_absent_file_names_the_remedy(folder, name) -> None:
    (folder / name).unlink()
    with pytest.raises(InputError, match=rf"\({name} is absent\); `{MAKER}` makes one"):
        read_checked(folder, ("net",), maker=MAKER)


def test_a_file_in_the_folders_place_is_no_model(tmp_path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="is absent"):
        read_checked(tmp_path / "file", ("net",), maker=MAKER)


def test_a_folder_in_a_files_place_is_one_clear_line(folder) -> None:
    (folder / "net").unlink()
    (folder / "net").mkdir()
    with pytest.raises(InputError, match="is a directory"):
        read_checked(folder, ("net",), maker=MAKER)


@pytest.mark.parametrize("content", [b"{", b"[]", b"{}", b"\xff", json.dumps({"hashes": 1}).encode()])
def test_damaged_settings_are_refused(folder, content) -> None:
    (folder / SETTINGS).write_bytes(content)
    with pytest.raises(InputError, match="is damaged"):
        read_checked(folder, ("net",), maker=MAKER)


def test_a_place_that_cannot_be_written_is_one_clear_line(tmp_path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(PiibenchError, match="cannot be written"):
        write_checked(tmp_path / "file", {}, {})
