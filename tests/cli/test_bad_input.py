"""Bad input, one row each: a clear line, the right exit code, no traceback, no personal value."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

NAME = "Quentin Harbottle"
MORE_THAN_A_PIPE_HOLDS = 1 << 20
TEXT = f"I am {NAME}, 34."
GOLD = {
    "id": "s1",
    "description": TEXT,
    "entities": [{"id": "e1", "subject": "A", "text": NAME, "category": "Full Name", "mentions": [[5, 22]]}],
}


def lines(*records: object) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def gold(**changes: object) -> dict[str, object]:
    return GOLD | {"entities": [GOLD["entities"][0] | changes]}


class Row(NamedTuple):
    """Files to make, arguments, standard input; what must be said, and the exit code."""

    arguments: tuple[str, ...]
    said: str
    code: int = 2
    files: dict[str, bytes] = {}  # noqa: RUF012 - never changed
    stdin: bytes = b""


MASK = ("mask", "--system", "stub")
PREDICT = ("predict", "data.jsonl", "--out", "pred.jsonl", "--system", "stub")
SCORE = ("score", "gold.jsonl", "gold.jsonl")

ROWS = {
    "nothing to mask": Row(MASK, "standard input is empty; there is nothing to do", code=0),
    "NUL byte": Row(MASK, "standard input: holds a NUL byte at byte 18", stdin=NAME.encode() + b"\0"),
    "UTF-16": Row(MASK, "holds a NUL byte at byte 2", stdin=TEXT.encode("utf-16-le")),
    "not UTF-8": Row(
        MASK, "standard input: is not UTF-8 at byte 6", stdin=TEXT.replace("Q", "é").encode("latin-1")
    ),
    "surrogates as bytes": Row(MASK, "is not UTF-8 at byte 1", stdin=b"\xed\xa0\x80" + NAME.encode()),
    "no such file": Row((*MASK, "letter.txt"), "letter.txt: no such file; check the name"),
    "text as file": Row((*MASK, TEXT), "the file named: no such file; check the name"),
    "long text as file": Row((*MASK, NAME[:7] * 40), "the file named: cannot be read"),
    "long text as data": Row(
        ("predict", NAME[:7] * 40, "--out", "y"), "cannot be reached: File name too long"
    ),
    "text as option": Row((*MASK, f"--{NAME} is 34"), "there is no such option"),
    "wrong option": Row((*MASK, "--keep-thresold", "1"), "No such option: --keep-thresold"),
    "text as data": Row(("predict", TEXT, "--out", "y"), "the file named: no such file"),
    "name as patterns": Row((*MASK[:1], "--patterns", NAME), "the file named: cannot be read"),
    "address as file": Row((*MASK, f"{NAME.split()[1]}@example.org"), "the file named: no such file"),
    "a directory": Row((*MASK, "."), "is a directory; give a file"),
    "unknown system": Row(
        ("mask", "--system", "rulez"), 'unknown system; did you mean "rules"?', stdin=TEXT.encode()
    ),
    "unknown style": Row((*MASK, "--style", NAME), "is not one of 'tag', 'numbered'"),
    "text as arguments": Row((*MASK, "letter.txt", *NAME.split()), "too many arguments"),
    "text as verb": Row((TEXT,), "No such command"),
    "text as number": Row(("predict", "x", "--out", "y", f"--workers={NAME}"), "--workers"),
    "no output named": Row(("predict", "data.jsonl"), "Missing option '--out'"),
    "two outputs at once": Row((*MASK, "--json", "--explain"), "--json and --explain exclude each other"),
    "patterns elsewhere": Row(
        (*MASK, "--patterns", "x.toml"), "only the systems encoder and rules take patterns"
    ),
    "no vault to restore": Row(("restore", "--vault", "talk.json"), "talk.json"),
    "a vault that is none": Row(
        ("restore", "--vault", "talk.json"), "talk.json", files={"talk.json": TEXT.encode()}
    ),
    "vault in no folder": Row(
        (*MASK, "--vault", "absent/talk.json"), "talk.json", stdin=TEXT.encode(), files={}
    ),
    "broken line 1000": Row(
        PREDICT,
        "data.jsonl, line 1000: is not valid JSON at column",
        files={
            "data.jsonl": b"".join(lines({"description": TEXT}) for _ in range(999))
            + b'{"description": "'
            + NAME.encode()
        },
    ),
    "line not an object": Row(
        PREDICT,
        "line 2: is a string, not an object",
        files={"data.jsonl": lines({"description": TEXT}, NAME)},
    ),
    "no description": Row(
        PREDICT, "line 1, description: is missing", files={"data.jsonl": lines({"text": TEXT})}
    ),
    "lone surrogate": Row(
        PREDICT,
        "line 1, description: holds half of a surrogate pair",
        files={"data.jsonl": lines({"description": f"\ud800 {NAME}"})},
    ),
    "NUL bytes in records": Row(
        PREDICT, "line 2: holds NUL bytes", files={"data.jsonl": lines({"description": TEXT}) + b"\0" * 512}
    ),
    "empty data": Row(PREDICT, "data.jsonl: holds no records", files={"data.jsonl": b""}),
    "output is the data": Row(
        ("predict", "data.jsonl", "--out", "./data.jsonl"),
        "--out: is the data itself",
        files={"data.jsonl": lines({"description": TEXT})},
    ),
    "output of others": Row(
        PREDICT,
        "is not a prediction of piibench",
        files={"data.jsonl": lines({"description": TEXT}), "pred.jsonl": TEXT.encode()},
    ),
    "packed output": Row(
        ("predict", "data.jsonl", "--out", "p.gz", "--system", "stub"),
        "cannot grow line by line",
        files={"data.jsonl": lines(GOLD)},
    ),
    "output in no folder": Row(
        ("predict", "data.jsonl", "--out", "no/p.jsonl", "--system", "stub"),
        "p.jsonl: cannot be written: there is no such folder",
        code=1,
        files={"data.jsonl": lines(GOLD)},
    ),
    "system that fails": Row(
        PREDICT,
        "system stub failed on the record of line 1: RuntimeError",
        code=1,
        files={"data.jsonl": lines({"description": f"RAISE {NAME}"})},
    ),
    "internal error": Row(
        MASK,
        "internal error in mask: RuntimeError; rerun with PIIBENCH_DEBUG=1",
        code=1,
        stdin=f"RAISE {NAME}".encode(),
    ),
    "no memory": Row(MASK, "not enough memory", code=1, stdin=b"MEMORY"),
    "unknown category": Row(
        SCORE,
        "line 1, entities[0].category: unknown category",
        files={"gold.jsonl": lines(gold(category=NAME))},
    ),
    "offsets off by one": Row(
        SCORE,
        "line 1, entities[0].mentions[0]: [6, 23] does not hold the entity's text",
        files={"gold.jsonl": lines(gold(mentions=[[6, 23]]))},
    ),
    "offsets inclusive": Row(
        SCORE, "[5, 21] does not hold", files={"gold.jsonl": lines(gold(mentions=[[5, 21]]))}
    ),
    "an id twice": Row(
        SCORE, "line 2, id: is the same as on line 1", files={"gold.jsonl": lines(GOLD, GOLD)}
    ),
    "newer schema": Row(
        SCORE, "line 1, schema: must be 1", files={"gold.jsonl": lines(GOLD | {"schema": 2})}
    ),
    "the name of all subsets": Row(
        SCORE,
        'line 1, subset: "all" means every subset together',
        files={"gold.jsonl": lines(GOLD | {"subset": "all"})},
    ),
    "packed by name only": Row(
        ("score", "g.jsonl.gz", "g.jsonl.gz"), "is not gzip", files={"g.jsonl.gz": lines(GOLD)}
    ),
    "packed and cut": Row(
        ("score", "g.jsonl.gz", "x"), "cut short", files={"g.jsonl.gz": gzip.compress(lines(GOLD))[:-9]}
    ),
    "packed, not by name": Row(
        SCORE, "name that ends in .gz", files={"gold.jsonl": gzip.compress(lines(GOLD))}
    ),
    "no field to cluster by": Row(
        (*SCORE, "--cluster", NAME),
        "no sample has the field by which to cluster; name one that stands in meta, or description",
        files={"gold.jsonl": lines(GOLD)},
    ),
    "a seed below 0": Row((*SCORE, "--seed", "-1"), "'--seed': Input should be greater than or equal to 0"),
    "the data as worklist": Row(
        ("verify", "gold.jsonl", "--worklist", "gold.jsonl"),
        "--worklist: is the data itself",
        files={"gold.jsonl": lines(GOLD)},
    ),
    "the data as what is imported": Row(
        ("import", "auto", "x.jsonl", "--out", "./x.jsonl"),
        "--out: is the data itself",
        files={"x.jsonl": lines({"words": [NAME]})},
    ),
    "a folder to score": Row(("score", ".", "."), "is a directory"),
    "unknown format": Row(
        ("import", NAME, "x.jsonl", "--out", "y.jsonl"),
        "unknown format; use auto, paper, presidio, lifebench",
    ),
    "no known format": Row(
        ("import", "auto", "x.jsonl", "--out", "y.jsonl"),
        "line 1: its format is none that is known",
        files={"x.jsonl": lines({"words": [NAME]})},
    ),
}


def check_said(errors: str, said: str) -> None:
    assert said in errors
    assert "Traceback" not in errors
    for word in (*NAME.split(), "34"):
        assert word not in errors
    assert all(line.startswith("piibench: ") for line in errors.splitlines())


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_one_clear_line(piibench, tmp_path: Path, row: Row) -> None:
    for name, content in row.files.items():
        (tmp_path / name).write_bytes(content)
    done = piibench(*row.arguments, stdin=row.stdin)
    check_said(done.stderr, row.said)
    assert done.returncode == row.code
    assert len(done.stderr.splitlines()) == 1
    assert not done.stdout


@pytest.mark.parametrize(
    "text",
    [
        f"\u202b{NAME}\u202c \u05e9\u05dc\u05d5\u05dd, 34",
        f"e\u0301 {NAME} a\u0308\u0323 \u200d 34\u0301",
        f"one\r\ntwo {NAME}\r\n\r\nthree\rfour\n",
        f"\U0001f469\u200d\U0001f467 {NAME} \U0001f1e9\U0001f1ea",
        " \n\t ",
        NAME,
    ],
    ids=["right to left", "combining", "CRLF", "emoji", "only space", "nothing else"],
)
def test_odd_texts_are_masked_and_come_back_byte_for_byte(piibench, text: str) -> None:
    done = piibench("mask", "--system", "stub", "--vault", "talk.json", stdin=text)
    assert (done.returncode, done.stderr) == (0, "")
    assert NAME not in done.stdout
    back = piibench("restore", "--vault", "talk.json", stdin=done.stdout)
    assert (back.returncode, back.stdout) == (0, text)


def test_a_byte_order_mark_is_no_text(piibench) -> None:
    assert piibench("mask", "--system", "stub", stdin=b"\xef\xbb\xbfHi").stdout == "Hi"


@pytest.mark.parametrize("system", ["stub", "rules"])
def test_ten_megabytes_are_masked(piibench, system: str) -> None:
    text = (TEXT + " word" * 60 + "\n") * (10_000_000 // 317)
    done = piibench("mask", "--system", system, stdin=text)
    assert (done.returncode, done.stderr) == (0, "")
    assert NAME not in done.stdout
    assert done.stdout.count("\n") == text.count("\n")


def test_a_query_that_is_not_utf8(piibench) -> None:
    done = piibench("mask", "--system", "stub", "--query", os.fsdecode(b"\xff " + NAME.encode()), stdin=TEXT)
    check_said(done.stderr, "--query: is not UTF-8 at character 1")
    assert done.returncode == 2


@pytest.mark.parametrize("arguments", [("taxonomy",), ("taxonomy", "--json"), ("systems",), ("--help",)])
def test_a_closed_pipe_is_left_in_silence(command, environment, arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*command, *arguments], stdout=writer, stderr=subprocess.PIPE, env=environment, check=False
    )
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("closed", "arguments", "out"),
    [
        (">&-", ("taxonomy",), b""),
        (">&-", ("mask", "--system", "stub"), b""),
        ("<&-", ("mask", "--system", "stub"), b""),
        ("2>&-", ("mask", "--system", "stub"), b""),
        ("2>&-", ("taxonomy", "--nonesuch"), b""),
    ],
)
def test_closed_standard_streams_are_empty_ones(
    command, environment, closed: str, arguments: tuple[str, ...], out: bytes
) -> None:
    call = ["sh", "-c", f'"$@" {closed}', "sh", *command, *arguments]
    done = subprocess.run(call, input=b"", capture_output=True, env=environment, check=False)
    assert done.stdout == out
    assert b"Traceback" not in done.stderr
    assert b"internal error" not in done.stderr
    assert done.returncode == (2 if "--nonesuch" in arguments else 0)


def test_what_an_encoding_lacks_is_a_question_mark(piibench) -> None:
    done = piibench(
        "mask", "--explain", "--system", "stub", stdin=f"{TEXT} 😊", env={"PYTHONIOENCODING": "cp1252"}
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "?" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments", [("taxonomy",), ("taxonomy", "--json"), ("mask", "--system", "stub"), ("--help",)]
)
def test_standard_output_on_a_full_disk(piibench, arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = piibench(*arguments, stdin=TEXT, stdout=full)
    check_said(done.stderr, "standard output: cannot be written: No space left on device")
    assert done.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [
        ("predict", "data.jsonl", "--system", "stub", "--out", "/dev/full"),
        ("import", "paper", "paper.jsonl", "--out", "/dev/full"),
    ],
)
def test_a_full_disk_is_one_clear_line(piibench, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "data.jsonl").write_bytes(lines(GOLD))
    labelled = [{"label": "PER", "tag": "Full Name", "entity": NAME}]
    (tmp_path / "paper.jsonl").write_bytes(lines({"description": TEXT, "entities": labelled}))
    done = piibench(*arguments)
    check_said(done.stderr, "full: cannot be written: no space is left on the device")
    assert done.returncode == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_no_permission_for_real(piibench, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text(TEXT)
    (tmp_path / "letter.txt").chmod(0)
    done = piibench("mask", "letter.txt")
    check_said(done.stderr, "letter.txt: no permission to read it")
    assert done.returncode == 2


REFUSING = """
import io, os, pathlib
def guard(function):
    def guarded(*arguments, **options):
        if any(str(one).endswith(("letter.txt", "pred.jsonl")) for one in arguments):
            raise PermissionError(13, "Permission denied")
        return function(*arguments, **options)
    return guarded
io.open, os.open = guard(io.open), guard(os.open)
from piibench.cli.main import run
run()
"""


@pytest.mark.parametrize(
    "case",
    [
        (("mask", "--system", "stub", "letter.txt"), "letter.txt: no permission to read it", 2),
        (("score", "letter.txt", "letter.txt"), "letter.txt: no permission to read it", 2),
        (
            ("predict", "data.jsonl", "--system", "stub", "--out", "pred.jsonl"),
            "pred.jsonl: cannot be written: no permission",
            1,
        ),
    ],
)
def test_no_permission_simulated(command, environment, tmp_path: Path, case) -> None:
    arguments, said, code = case
    (tmp_path / "letter.txt").write_text(TEXT)
    (tmp_path / "data.jsonl").write_bytes(lines(GOLD))
    done = subprocess.run(
        [command[0], "-c", REFUSING, *arguments],
        capture_output=True,
        cwd=tmp_path,
        env=environment,
        check=False,
    )
    check_said(done.stderr.decode(), said)
    assert done.returncode == code


def test_ctrl_c_while_waiting_for_input(command, environment) -> None:
    process = subprocess.Popen(
        [*command, "mask", "--system", "stub"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    assert process.stdin is not None
    process.stdin.write(b"x" * MORE_THAN_A_PIPE_HOLDS)  # is taken as soon as the command waits for input
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=400)
    assert process.returncode == 130
    assert (output, errors) == (b"", b"piibench: interrupted\n")


def test_the_traceback_is_there_for_who_asks(piibench) -> None:
    done = piibench("mask", "--system", "stub", stdin="RAISE", env={"PIIBENCH_DEBUG": "1"})
    assert "Traceback" in done.stderr
    assert done.returncode == 1
