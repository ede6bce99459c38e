"""The trade-off as people run it: two models on a real server, and what the table says of them."""

from __future__ import annotations

import pytest

from loopback_model import Response, complete, serve
from oracle import Oracle
from piibench.data.files import write_records
from piibench.data.runs import read_runs
from piibench.data.shipped import load_shipped

ENV = dict.fromkeys(("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY"), "")
JUDGEMENT = (
    "RATING A: 8\nRATING B: 6\nJUDGMENT A: Reference and Response A are equally good\n"
    "JUDGMENT B: Reference is slightly better than Response B"
)
ASKED = ("evaluate", "--task", "tradeoff", "--out", "out", "--data", "data.jsonl", "--arms", "all,gold")
MODELS = ("--responder", "writer", "--judge", "critic")


@pytest.fixture(autouse=True)
def _data(tmp_path):
    write_records(tmp_path / "data.jsonl", load_shipped()[:2])


def answer(body) -> Response:
    prompt = body["messages"][-1]["content"]
    return complete(prompt[-300:] if body["model"] == "writer" else JUDGEMENT)


def test_arms_stand_in_one_table_with_how_steady_the_judge_was(piibench, tmp_path):
    with serve(answer) as server:
        done = piibench(*ASKED, *MODELS, "--base-url", server.url, env=ENV)
        asked = len(server.requests)
        again = piibench("evaluate", "--resume", "--out", "out", "--base-url", server.url, env=ENV)
        assert len(server.requests) == asked
    assert done.returncode == again.returncode == 0, done.stderr + again.stderr
    assert "Trade-off by writer: means over samples" in done.stdout
    assert [
        line.split()[0] for line in done.stdout.splitlines() if line[1:2].isalpha() and " 2 " in line
    ] == [
        "none",
        "all",
        "gold",
    ]
    assert max(map(len, done.stdout.splitlines())) <= 100
    said = " ".join(done.stdout.split())
    assert "ratings were readable, 0% of verdicts keep their sign in the other order" in said
    assert "ratings differ by 2.00 of 10 between orders" in said
    (folder,) = read_runs(tmp_path / "out")
    assert (folder.run.arms, folder.run.orders, folder.run.embedder) == (("none", "all", "gold"), 2, "use")


def test_a_masker_has_an_arm_of_its_own(piibench, tmp_path):
    (sample,) = load_shipped()[:1]
    oracle = Oracle([sample])

    def with_masker(body) -> Response:
        if body["model"] != "hider":
            return answer(body)
        is_known = sample.description.strip() in body["messages"][-1]["content"]
        return oracle(body) if is_known else complete('{"A": {}}')  # the query

    asked = ("--masker", "hider", "--strategy", "naive_with_choice", "--limit", "1")
    with serve(with_masker) as server:
        done = piibench(*ASKED, *MODELS, *asked, "--base-url", server.url, env=ENV)
        asked_of = {body["model"] for body in server.requests}
    assert done.returncode == 0, done.stderr
    assert asked_of == {"hider", "writer", "critic"}
    (folder,) = read_runs(tmp_path / "out")
    assert folder.run.arms == ("none", "all", "gold", "llm@naive_with_choice")
    assert folder.run.roles == {"judge": "critic", "masker": "hider"}
    assert [line.split()[:2] for line in done.stdout.splitlines() if line.strip().startswith("llm")] == [
        ["llm", "1"]
    ]


def test_a_judge_that_is_unknown_ends_in_one_line_and_the_answers_stay(piibench):
    def without_judge(body):
        return answer(body) if body["model"] == "writer" else Response("", 404)

    with serve(without_judge) as server:
        done = piibench(*ASKED, *MODELS, "--base-url", server.url, env=ENV)
        written = sum(body["model"] == "writer" for body in server.requests)
    assert done.returncode == 2
    assert "--base-url" in done.stderr.splitlines()[-1]
    with serve(answer) as server:
        done = piibench(*ASKED, *MODELS, "--base-url", server.url, env=ENV)
        assert sum(body["model"] == "writer" for body in server.requests) == 6 - written
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ((), "--responder"),
        (("--masker", "m"), "--responder"),
        ((*MODELS, "--masker", "m", "--strategy", "naive,self_cot"), "name one with --strategy"),
        ((*MODELS, "--orders", "3"), "--orders"),
        ((*MODELS, "--system", "rules"), "--arms"),
        ((*MODELS, "--embedder", "nobody/knows-it"), "nobody/knows-it"),
    ],
)
def test_wrong_input_is_refused_in_one_line(piibench, more, told):
    done = piibench(*ASKED, *more, "--base-url", "http://127.0.0.1:9/v1", env=ENV)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
