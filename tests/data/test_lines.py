"""Lines of JSON: what is accepted, and one clear refusal for everything else."""

from __future__ import annotations

import gzip
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from piibench.data import lines
from piibench.data.lines import read_lines, read_objects, show_field
from piibench.errors import DataError

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "Quentin Harbottle"
GOOD = json.dumps({"note": SECRET}).encode()


def read(path: Path) -> list[dict[str, Any]]:
    return [line.fields for line in read_lines(path)]


def refusal(path: Path) -> DataError:
    with pytest.raises(DataError) as caught:
        read(path)
    assert SECRET not in str(caught.value)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("data", "numbers"),
    [
        (b'{"a": 1}\n{"a": 2}\n', [1, 2]),
        (b'{"a": 1}\n{"a": 2}', [1, 2]),
        (b'\xef\xbb\xbf{"a": 1}\r\n\r\n  \n{"a": 2}\r\n', [1, 4]),
        ('{"a": "\u2028 é 😀"}\n'.encode(), [1]),
    ],
    ids=["plain", "no last line end", "BOM, CRLF and empty lines", "Unicode line ends are text"],
)
def test_each_object_comes_with_its_line_number(tmp_path: Path, data: bytes, numbers: list[int]) -> None:
    path = tmp_path / "data.jsonl"
    path.write_bytes(data)
    assert [line.number for line in read_lines(path)] == numbers


def test_gzip_is_unpacked_by_name(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n'))
    assert read(path) == [{"a": 1}]


def test_line_ends_inside_a_text_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text(json.dumps({"a": "one\r\ntwo\rthree\n"}))
    assert read(path) == [{"a": "one\r\ntwo\rthree\n"}]


def test_a_surrogate_pair_written_as_escapes_is_one_character(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text('{"a": "\\ud83d\\ude00"}')
    assert read(path) == [{"a": "😀"}]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "holds no records"),
        (b"\n \n", "holds no records"),
        (GOOD + b"\n" + GOOD[:-3], "line 2: is not valid JSON at column"),
        (b"[" + GOOD + b"]", "line 1: is an array, not an object"),
        (b'"%s"' % SECRET.encode(), "is a string, not an object"),
        (b"null", "is null, not an object"),
        (b"12", "is a number, not an object"),
        (GOOD + b"\n" + SECRET.encode("utf-16"), "line 2: is not UTF-8 at byte 1"),
        (GOOD.replace(b"Q", b"\xff"), "is not UTF-8 at byte 11 of the line"),
        (gzip.compress(GOOD, mtime=0), "name that ends in .gz"),
        (GOOD + b"\n\0\0\0\0\n", "line 2: holds NUL bytes"),
        (GOOD.replace(b"Q", b"Q\0"), "holds NUL bytes"),
        (
            b'{"a": ["x", {"bad": "\\ud800 %s"}]}' % SECRET.encode(),
            "a[1].bad: holds half of a surrogate pair",
        ),
        (b'{"\\udfff": 1}', "?: holds half of a surrogate pair"),
        (b'{"a": NaN}', "a number that JSON does not allow"),
        (b'{"a": %s}' % (b"9" * 5000), "a number that JSON does not allow"),
        (b'{"a": ' + b"[" * 200_000, "nested too deeply"),
    ],
)
def test_a_bad_line_is_refused_by_number(tmp_path: Path, data: bytes, problem: str) -> None:
    path = tmp_path / "data.jsonl"
    path.write_bytes(data)
    message = str(refusal(path))
    assert message.startswith("data.jsonl")
    assert problem in message


def test_line_1000_is_named_after_999_good_ones(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_bytes((GOOD + b"\n") * 999 + GOOD[:-1] + b"\n" + GOOD)
    records = read_lines(path)
    assert sum(1 for _, _ in zip(range(999), records, strict=False)) == 999
    with pytest.raises(DataError, match=r"data\.jsonl, line 1000: is not valid JSON"):
        next(records)


def test_a_file_without_line_ends_cannot_fill_the_memory(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 1 << 20)
    path = tmp_path / "data.jsonl"
    path.write_bytes(GOOD + b"\n" + b" " * (2 << 20))
    assert "line 2: is longer than 1 MiB" in str(refusal(path))


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("plain.jsonl.gz", GOOD, "is named .gz but is not gzip"),
        ("short.jsonl.gz", gzip.compress(GOOD * 9, mtime=0)[:-9], "cut short"),
        ("broken.jsonl.gz", gzip.compress(GOOD, mtime=0)[:10] + b"\xff" * 30, "damaged"),
        ("empty.jsonl.gz", b"", "holds no records"),
    ],
)
def test_gzip_that_is_none_or_damaged(tmp_path: Path, name: str, data: bytes, problem: str) -> None:
    (tmp_path / name).write_bytes(data)
    assert problem in str(refusal(tmp_path / name))


def test_places_that_are_no_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert "no such file" in str(refusal(tmp_path / "absent.jsonl"))
    assert "no such file" in str(refusal(tmp_path / "file" / "below.jsonl"))
    assert "is a directory" in str(refusal(tmp_path))
    assert "check the name" in str(refusal(tmp_path / "a\0b"))


def test_no_permission(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "data.jsonl"
    path.write_bytes(GOOD)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(lines.Path, "open", refuse)
    assert str(refusal(path)) == "data.jsonl: no permission to read it; check the file's mode"


def test_standard_input_is_named_so(monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(GOOD + b"\n{")))
    with pytest.raises(DataError, match=r"^standard input, line 2: is not valid JSON"):
        list(read_lines("-"))


@pytest.mark.parametrize(
    "data", [b' \n[{"a": 1}, {"a": 2}]', b'{"a": 1}\n{"a": 2}', b'\xef\xbb\xbf[{"a":1},{"a":2}]\n']
)
@pytest.mark.parametrize("packed", [False, True])
def test_an_array_and_lines_give_the_same_objects(tmp_path: Path, data: bytes, packed: bool) -> None:
    path = tmp_path / ("data.json.gz" if packed else "data.json")
    path.write_bytes(gzip.compress(data) if packed else data)
    assert [(line.number, line.fields["a"]) for line in read_objects(path)] == [(1, 1), (2, 2)]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"[]", "holds no records"),
        (b'[{"a": 1}, 5]', r"\[1\]: is not an object"),
        (b'[{"a": 1},\n', "is not valid JSON at line 2, column 1; the array must be whole"),
        (b'[{"a": 1}, {"a": "\\ud800"}]', r"\[1\].a: holds half of a surrogate pair"),
    ],
)
def test_a_bad_array_is_refused_by_position(tmp_path: Path, data: bytes, problem: str) -> None:
    path = tmp_path / "data.json"
    path.write_bytes(data)
    with pytest.raises(DataError, match=problem):
        list(read_objects(path))


def test_keys_that_may_be_personal_are_not_shown() -> None:
    assert show_field(("entities", 2, "mentions", 0)) == "entities[2].mentions[0]"
    assert show_field(("meta", SECRET)) == "meta.?"
