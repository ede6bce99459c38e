"""The verb with a model on a real server."""

from __future__ import annotations

import json
import os
import subprocess
import time

import pytest

from loopback_model import Response, complete, serve
from obliging_model import answer

ENV = dict.fromkeys(
    ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"), ""
)
ASK = ("synthesize", "--out", "made", "--subset", "single", "--n", "5", "--writer", "small")


def oblige(body) -> Response:
    return complete(answer(body["messages"][0]["content"]))


def test_a_model_writes_and_what_became_of_it_is_told(piibench, tmp_path):
    with serve(oblige) as server:
        done = piibench(*ASK, "--workers", "3", "--base-url", server.url, env=ENV)
        assert done.returncode == 0, done.stderr
        written = json.loads((tmp_path / "made" / "manifest.json").read_text("utf-8"))["writing"][
            "single.jsonl.gz"
        ]
        assert f"this run: {written['written']} samples by the model" in done.stderr
        asked = len(server.requests)
        again = piibench(*ASK, "--base-url", server.url, env=ENV)
        assert (again.returncode, len(server.requests)) == (0, asked)


def test_an_address_without_a_model_is_refused(piibench):
    done = piibench("synthesize", "--out", "out", "--n", "1", "--base-url", "http://127.0.0.1:9/v1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--base-url: is the address of a model; name it with --writer" in done.stderr


def test_a_model_without_an_address_is_refused(piibench):
    done = piibench(*ASK, env=ENV)
    assert done.returncode == 2
    assert "give --base-url, or set OPENAI_BASE_URL" in done.stderr


@pytest.mark.parametrize(
    ("response", "code", "told"),
    [
        (Response("", 401), 2, "set OPENAI_API_KEY"),
        (Response('{"error": "model not found"}', 404), 2, "check --writer"),
        (Response("", 400), 1, "refuses the request"),
    ],
)
def test_a_server_that_refuses_ends_in_one_line(piibench, response, code, told):
    with serve(lambda _: response) as server:
        done = piibench(*ASK, "--base-url", server.url, env=ENV)
    assert (done.returncode, done.stderr.count("\n")) == (code, 1), done.stderr
    assert told in done.stderr


def is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_killed_command_takes_its_processes_along_and_is_begun_anew(command, environment, tmp_path):
    call = [*command, "synthesize", "--out", "made", "--subset", "multi", "--n", "9000", "--workers", "2"]
    process = subprocess.Popen(
        call, stderr=subprocess.PIPE, env=environment, cwd=tmp_path, start_new_session=True
    )
    for _ in range(2400):
        if any(path.stat().st_size for path in tmp_path.glob("made/.multi*")):
            break
        time.sleep(0.05)
    process.kill()
    process.communicate(timeout=60)  # ends when nobody holds its standard error any more
    for _ in range(200):
        if not is_alive(process.pid):
            break
        time.sleep(0.05)
    assert not is_alive(process.pid)
    assert not (tmp_path / "made" / "multi.jsonl.gz").exists()
