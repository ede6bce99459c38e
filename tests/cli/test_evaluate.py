"""The verb as people run it: models on a real server, stopped in every way, and wrong input."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import socket
import subprocess
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING

import httpx
import pytest

from loopback_model import Response, find_dead_address, serve
from oracle import Oracle
from piibench.cli import main
from piibench.data.files import write_records
from piibench.data.runs import read_runs
from piibench.data.shipped import load_shipped
from piibench.reports.scores import list_unfinished

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEYS = (
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "ANTHROPIC_API_KEY",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
)
SAMPLES = load_shipped()[:12]
INTERRUPTED = 130


@pytest.fixture
def env(tmp_path):
    """No keys, and a home of its own."""
    return dict.fromkeys(KEYS, "") | {"XDG_DATA_HOME": str(tmp_path / "home")}


@pytest.fixture
def data(tmp_path):
    """A file of a dozen samples."""
    write_records(tmp_path / "data.jsonl", SAMPLES)
    return "data.jsonl"


@pytest.fixture
def start(command, environment, tmp_path, env):
    """Start the command without waiting for it."""

    def start(*arguments: str, **options) -> subprocess.Popen[bytes]:
        options = {"env": environment | env, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        return subprocess.Popen([*command, *arguments], cwd=tmp_path, **options)

    return start


def ask(url: str, data: str, *more: str) -> tuple[str, ...]:
    asked = (
        "evaluate",
        "--out",
        "out",
        "--data",
        data,
        "--model",
        "small",
        "--base-url",
        url,
        "--task",
        "query",
    )
    return (*asked, *more)


def test_a_model_at_an_address_is_evaluated(piibench, tmp_path, env, data):
    with serve(Oracle(SAMPLES)) as server:
        done = piibench(*ask(server.url, data, "--price", "1000,2000"), env=env)
        assert done.returncode == 0, done.stderr
        assert "Authorization" not in server.headers[0]
        assert {body["model"] for body in server.requests} == {"small"}
    assert "Task 2, what the query needs by small, naive: means over samples" in done.stdout
    assert "1.000–1.000" in done.stdout
    assert done.stderr.splitlines() == [
        "piibench: replies cost 168 tokens, $0.22",
        "piibench: 1 of 1 runs are written to out/runs",
        "piibench: next: piibench report out (tables and figures), piibench view out (every prompt and reply)",
    ]
    (folder,) = read_runs(tmp_path / "out")
    assert (folder.run.model, folder.run.strategy, folder.run.n) == ("small", "naive", len(SAMPLES))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_stopped_halfway_the_same_command_loses_and_repeats_nothing(start, tmp_path, data, how):
    oracle, halfway, resumed = Oracle(SAMPLES), threading.Event(), threading.Event()

    def respond(body):
        response = oracle(body)
        if len(server.requests) > len(SAMPLES) // 2 and not resumed.is_set():
            halfway.set()
            response.delay_s = 60
        return response

    with serve(respond) as server:
        asked = ask(server.url, data, "--max-connections", "2")
        process = start(*asked)
        assert halfway.wait(300)
        deadline = time.monotonic() + 300
        while read_kept(tmp_path) < len(SAMPLES) // 2:  # replies on their way are written down
            assert time.monotonic() < deadline
            time.sleep(0.1)
        process.send_signal(how)
        _, errors = process.communicate(timeout=400)
        assert process.returncode == (-how if how == signal.SIGKILL else INTERRUPTED), errors.decode()
        assert (b"the same command goes on" in errors) == (how == signal.SIGINT)
        kept, before = read_kept(tmp_path), len(server.requests)
        assert len(list_unfinished(tmp_path / "out")) == 1
        resumed.set()
        second = start(*asked)
        _, errors = second.communicate(timeout=400)
        assert second.returncode == 0, errors.decode()
        again = Counter(
            oracle.recognise(body["messages"][-1]["content"])[0].id for body in server.requests[before:]
        )
    assert kept == len(SAMPLES) // 2
    assert set(again.values()) == {1}
    assert len(again) == len(SAMPLES) - kept
    assert list_unfinished(tmp_path / "out") == ()
    (folder,) = read_runs(tmp_path / "out")
    assert folder.run.n == len(SAMPLES)
    assert all(each.scores["query_f1"] == 1.0 for each in folder.scores())


def read_kept(folder: Path) -> int:
    """How many replies are on disk."""
    lines = (folder / "out" / "replies" / "small.jsonl").read_text("utf-8").splitlines()
    return len({json.loads(line)["key"] for line in lines if line})


def test_resume_knows_what_was_asked(piibench, env, data):
    with serve(Oracle(SAMPLES)) as server:
        first = piibench(*ask(server.url, data), env=env)
        asked = len(server.requests)
        again = piibench("evaluate", "--out", "out", "--resume", "--base-url", server.url, env=env)
        other = piibench("evaluate", "--out", "out", "--resume", "--data", "none.jsonl", env=env)
        assert len(server.requests) == asked
    assert (other.returncode, other.stdout) == (2, "")
    assert (first.returncode, again.returncode) == (0, 0), again.stderr
    assert again.stdout == first.stdout


def test_a_dead_server_fails_in_one_line_and_the_next_attempt_goes_on(piibench, env, data):
    dead = piibench(*ask(find_dead_address(), data), env=env)
    assert dead.returncode == 1
    lines = dead.stderr.splitlines()
    assert lines[-1].startswith("piibench: model server, /chat/completions: nobody answers at that address")
    assert "the same command asks for them again" in lines[0]
    assert len(lines) == 2
    with serve(Oracle(SAMPLES)) as server:
        assert piibench(*ask(server.url, data), env=env).returncode == 0


@pytest.mark.parametrize(
    ("response", "told"),
    [
        (Response("", 401), "set OPENAI_API_KEY"),
        (
            Response('{"error": "model not found"}', 404),
            "--model small: model server, /chat/completions: knows no",
        ),
        (Response("<html>", 404), "check --base-url"),
    ],
)
def test_a_server_that_refuses_ends_in_one_line(piibench, env, data, response, told):
    with serve(lambda _: response) as server:
        done = piibench(*ask(server.url, data), env=env)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert told in done.stderr
    assert "--writer" not in done.stderr


def test_a_terminal_shows_progress(start, environment, env, data):
    terminal, end = pty.openpty()
    wide = environment | env | {"TERM": "xterm", "COLUMNS": "120"}
    with serve(Oracle(SAMPLES)) as server:
        process = start(
            *ask(server.url, data, "--price", "1000,2000"), env=wide, stdout=subprocess.DEVNULL, stderr=end
        )
        os.close(end)
        shown = b"".join(read_all(terminal))
        assert process.wait(60) == 0
    assert b"12/12" in shown
    assert b"168 tokens, $0.22" in shown


def read_all(terminal: int) -> Iterator[bytes]:
    """Everything until the other end closes."""
    with contextlib.suppress(OSError):
        while part := os.read(terminal, 65536):
            yield part


@pytest.fixture
def refused(monkeypatch, tmp_path, capsys, env, data):
    """Run the verb in this process; return its exit code and what it told."""
    for name, value in env.items():
        monkeypatch.setenv(name, value) if value else monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("PIIBENCH_DEBUG", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bare.jsonl").write_text('{"schema": 1, "id": "1", "description": "x"}\n', "utf-8")

    def run(*arguments: str) -> tuple[int, str]:
        given = [data if argument == "DATA" else argument for argument in arguments]
        monkeypatch.setattr("sys.argv", ["piibench", "evaluate", *given])
        with pytest.raises(SystemExit) as caught:
            main.run()
        return caught.value.code, capsys.readouterr().err

    return run


MODEL = ("--out", "out", "--data", "DATA", "--model")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((*MODEL, "nope/x"), 'no provider is called "nope"'),
        ((*MODEL, "small"), "write provider/model, such as openai/small, or give the address"),
        ((*MODEL, "openai/gpt-4o"), "OPENAI_API_KEY"),
        ((*MODEL, "openai-api/here/small"), "HERE_API_KEY"),
        ((*MODEL, "small", "--base-url", "nonsense"), "it should look like http://localhost:8080/v1"),
        ((*MODEL, "mockllm/model", "--strategy", "naiv"), 'did you mean "naive"?'),
        (
            (*MODEL, "mockllm/model", "--task", "detect"),
            '--task: there is no "detect"; known: detection, query',
        ),
        ((*MODEL, "mockllm/model", "--subset", "sinlge"), 'has no subset "sinlge"; it has single'),
        ((*MODEL, "mockllm/model", "--candidates", "ruels"), 'did you mean "rules"?'),
        ((*MODEL, "mockllm/model", "--price", "3"), "--price: give dollars a million tokens"),
        (("--out", "out", "--data", "DATA", "--system", "ruels"), 'did you mean "rules"?'),
        (("--out", "out", "--data", "DATA", "--system", "llm"), "name the model with --model"),
        (("--out", "out", "--data", "DATA", "--strategy", "naive"), "--strategy: says how a model is asked"),
        (("--out", "out", "--data", "none.jsonl"), "none.jsonl: no such file"),
        (("--out", "out", "--data", "nowhere"), "there is no data set of that name"),
        (
            ("--out", "out", "--data", "bare.jsonl", "--task", "query"),
            "only --task detection can be measured",
        ),
        (("--out", "out", "--resume"), "--resume: out holds no evaluation"),
        (("--data", "DATA"), "Missing option '--out'"),
    ],
)
def test_wrong_input_is_refused_in_one_line(refused, tmp_path, arguments, told):
    code, errors = refused(*arguments)
    assert (code, errors.count("\n")) == (2, 1), errors
    assert told in errors
    assert not (tmp_path / "out").exists()


def test_what_is_in_the_way_is_named(refused, tmp_path):
    (tmp_path / "file").write_text("", "utf-8")
    code, errors = refused("--out", "file", "--data", "DATA")
    assert (code, errors.count("\n")) == (1, 1), errors
    assert "a file is in its place" in errors
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "grid.json").write_text("{", "utf-8")
    code, errors = refused("--out", "odd", "--data", "DATA")
    assert (code, errors.count("\n")) == (2, 1), errors
    assert "grid.json: is no grid" in errors


def test_without_the_extra_the_way_to_it_is_told(refused, monkeypatch):
    monkeypatch.setattr("piibench.cli.evaluate.find_spec", lambda _: None)
    code, errors = refused("--out", "out")
    assert code == 2
    assert "pip install 'piibench[eval]'" in errors


def test_view_wants_the_folder_of_an_evaluation(piibench):
    done = piibench("view", ".")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "holds no evaluation" in done.stderr


def test_view_serves_the_logs_on_this_machine_alone(piibench, start, env, data):
    evaluated = piibench("evaluate", "--out", "out", "--data", data, "--task", "detection", env=env)
    assert evaluated.returncode == 0, evaluated.stderr
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = start("view", "out", "--port", str(port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        listing = fetch(f"http://127.0.0.1:{port}/api/logs", patience_s=300)
        taken = piibench("view", "out", "--port", str(port), env=env)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(300)
    assert "pii-detection--encoder" in listing
    assert (taken.returncode, taken.stderr.count("\n")) == (2, 1), taken.stderr
    assert "choose another" in taken.stderr


def fetch(url: str, *, patience_s: float) -> str:
    """A page, as soon as somebody serves it."""
    until = time.monotonic() + patience_s
    while True:
        try:
            return httpx.get(url, trust_env=False).text
        except httpx.HTTPError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)
