"""Files are written whole or not at all."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from piibench.data.output import write_lines
from piibench.errors import PiibenchError


def test_lines_are_written_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    assert write_lines(path, ["one", "zwei é"]) == 2
    assert path.read_bytes() == "one\nzwei é\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_gzip_bytes_depend_on_the_lines_alone(tmp_path: Path) -> None:
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        write_lines(tmp_path / name, ["one", "two"])
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes()) == b"one\ntwo\n"


def test_a_failure_on_the_way_leaves_the_older_file(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("old\n")

    def fail():
        yield "new"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_lines(path, fail())
    assert path.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old\n")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_lines(tmp_path / "link", ["new"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_is_one_clear_line_and_is_not_replaced() -> None:
    with pytest.raises(PiibenchError, match="full: cannot be written: no space is left on the device"):
        write_lines("/dev/full", ["x"])
    assert Path("/dev/full").is_char_device()


@pytest.mark.parametrize(
    ("name", "problem"),
    [(".", "it is a directory"), ("absent/out.jsonl", "no such folder"), ("file/x", "not a folder")],
)
def test_places_that_cannot_be_written(tmp_path: Path, name: str, problem: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PiibenchError, match=problem):
        write_lines(tmp_path / name, ["x"])


def stop(*_: object, **__: object) -> None:
    raise SystemExit


def test_what_a_killed_process_left_is_not_in_the_way(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "out.jsonl"
    for name in ("replace", "unlink"):  # killed: nothing is tidied up
        monkeypatch.setattr(Path, name, stop)
    for attempt in ("the first", "the second"):
        with pytest.raises(SystemExit):
            write_lines(path, [attempt])
    monkeypatch.undo()
    assert len(list(tmp_path.iterdir())) == 2
    assert write_lines(path, ["whole"]) == 1


def test_a_file_that_others_may_not_read_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text("old")
    path.chmod(0o600)
    write_lines(path, ["new"])
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_text() == "new\n"


def test_a_name_decides_on_packing_and_not_what_it_links_to(tmp_path: Path) -> None:
    (tmp_path / "blob").write_bytes(b"")
    link = tmp_path / "x.jsonl.gz"
    link.symlink_to("blob")
    write_lines(link, ["{}"])
    assert gzip.decompress((tmp_path / "blob").read_bytes()) == b"{}\n"


@pytest.mark.skipif(not Path("/dev/stdout").is_symlink(), reason="no /dev/stdout here")
def test_standard_output_by_its_path_is_gone_on_with(tmp_path: Path) -> None:
    out = tmp_path / "f.txt"
    out.write_text("keep me\n")
    code = "from piibench.data.output import write_lines; write_lines('/dev/stdout', ['more'])"
    with out.open("a") as stream:
        subprocess.run([sys.executable, "-c", code], stdout=stream, check=True)
    assert out.read_text() == "keep me\nmore\n"
