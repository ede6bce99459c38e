"""The vault's file: private, whole or not at all, and checked when read."""

from __future__ import annotations

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from piibench.errors import VaultError
from piibench.masking.vault import Vault
from piibench.masking.vault_file import read_vault_file, write_vault_file


def vault_of(value: str) -> Vault:
    vault = Vault()
    vault.assign("Full Name", value, "numbered")
    return vault


def test_only_the_owner_may_read_it_from_the_first_byte(tmp_path, monkeypatch):
    modes: list[int] = []
    sync = os.fsync

    def watch(handle: int) -> None:
        modes.append(os.fstat(handle).st_mode)
        sync(handle)

    monkeypatch.setattr(os, "fsync", watch)
    path = tmp_path / "vault.json"
    path.write_text("old")
    path.chmod(0o644)
    before = os.umask(0)
    try:
        vault_of("Zoe").save(path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(modes[0]) == 0o600
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_ISDIR(modes[1])


@pytest.mark.parametrize("step", ["replace", "fsync", "fdopen"])
@pytest.mark.parametrize("reason", [errno.ENOSPC, errno.EIO])
def test_a_failed_save_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step: str, reason: int):
    path = tmp_path / "vault.json"
    vault_of("Zoe Quill").save(path)
    old = path.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise OSError(reason, os.strerror(reason))

    with monkeypatch.context() as patch:
        patch.setattr(os, step, fail)
        with pytest.raises(VaultError, match="cannot be written") as caught:
            vault_of("Ann Other").save(path)
    assert os.strerror(reason) in str(caught.value)
    assert "Ann" not in str(caught.value)
    assert path.read_bytes() == old
    assert [entry.name for entry in tmp_path.iterdir()] == ["vault.json"]


def test_a_disk_that_fills_up_while_writing_leaves_the_old_file(tmp_path):
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full on this system")
    with pytest.raises(OSError, match="No space"), full.open("wb", buffering=0) as file:
        file.write(b"x")
    path = tmp_path / "vault.json"
    vault_of("Zoe").save(path)
    assert read_vault_file(path)["numbered"] == [["Full Name", 1, "Zoe"]]


def test_an_interrupt_while_saving_leaves_no_draft(tmp_path, monkeypatch):
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        vault_of("Zoe").save(tmp_path / "vault.json")
    assert list(tmp_path.iterdir()) == []


def test_savers_at_once_never_mix_their_files(tmp_path):
    path = tmp_path / "vault.json"
    vaults = [vault_of(letter * 20_000) for letter in "abcd"]
    vaults[0].save(path)
    savers = [
        threading.Thread(target=lambda vault=vault: [vault.save(path) for _ in range(10)]) for vault in vaults
    ]
    for saver in savers:
        saver.start()
    while any(saver.is_alive() for saver in savers):
        [(_, _, value)] = read_vault_file(path)["numbered"]
        assert len(value) == 20_000
        assert len(set(value)) == 1
    for saver in savers:
        saver.join()
    assert [entry.name for entry in tmp_path.iterdir()] == ["vault.json"]


def test_a_link_goes_on_pointing_to_the_vault(tmp_path):
    target, link = tmp_path / "vault.json", tmp_path / "link.json"
    vault_of("Zoe").save(target)
    link.symlink_to(target)
    vault_of("Ann").save(link)
    assert link.is_symlink()
    assert len(Vault.load(target)) == 1


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is not JSON"),
        (b"\xff\xfe\x00", "is not JSON"),
        (b'{"format": "piibench-vault", "version": 1, "numb', "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"[]", "is not a piibench vault"),
        (b'{"name": "Zoe Quill"}', "is not a piibench vault"),
        (
            b'{"format": "piibench-vault", "version": 3}',
            "is of another version; this piibench reads versions 1 and 2",
        ),
        (b'{"format": "piibench-vault"}', "is of another version"),
    ],
)
def test_a_file_that_is_no_vault_is_refused_in_one_line(tmp_path, content: bytes, problem: str):
    path = tmp_path / "vault.json"
    path.write_bytes(content)
    with pytest.raises(VaultError, match=problem) as caught:
        Vault.load(path)
    assert str(caught.value).startswith("vault 'vault.json': ")
    assert "\n" not in str(caught.value)
    assert "Zoe" not in str(caught.value)


@pytest.mark.parametrize("name", ["absent.json", "", "a\0b"])
def test_what_cannot_be_read_is_refused(tmp_path, name: str):
    with pytest.raises(VaultError, match="cannot be read"):
        Vault.load(tmp_path / name)


@pytest.mark.parametrize("name", ["absent/vault.json", "a\0b", "x" * 300])
def test_what_cannot_be_written_is_refused(tmp_path, name: str):
    with pytest.raises(VaultError, match="cannot be written"):
        write_vault_file(tmp_path / name, {})


def test_who_changes_it_second_waits_and_sees_what_the_first_has_added(tmp_path: Path) -> None:
    path = tmp_path / "vault.json"
    inside, done = threading.Event(), threading.Event()

    def add_second() -> None:
        inside.wait(10)
        with Vault.hold(path) as vault:
            vault.assign("Full Name", "Bo", "numbered")
        done.set()

    thread = threading.Thread(target=add_second)
    thread.start()
    with Vault.hold(path) as vault:
        inside.set()
        assert not done.wait(0.2)
        vault.assign("Full Name", "Zoe", "numbered")
    thread.join(10)
    assert len(Vault.load(path)) == 2


def test_an_error_inside_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "vault.json"
    vault_of("Zoe").save(path)

    def fail() -> None:
        with Vault.hold(path) as vault:
            vault.assign("Full Name", "Bo", "numbered")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert len(Vault.load(path)) == 1


def test_held_twice_by_one_thread_is_told_instead_of_waiting_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "vault.json"
    with Vault.hold(path), pytest.raises(VaultError, match="held by this thread"):
        Vault.hold(path).__enter__()


@pytest.mark.parametrize("name", [".", "loop", "nul\0"])
def test_a_place_where_no_vault_can_be_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(VaultError, match="nothing was masked"):
        Vault.hold(tmp_path / name).__enter__()
    assert [path.name for path in tmp_path.iterdir()] == ["loop"]
