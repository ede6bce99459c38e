"""`--system llm` as people run it, against a server on loopback that behaves, misbehaves and dies."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from loopback_model import Response, complete, find_dead_address, serve
from piibench.data.files import read_predictions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NAME, QUERY = "Quentin Harbottle", "Which town is that?"
TEXT = f"{NAME} is 34 and lives in Odense."
MASKED = "<PER> is <Age> and lives in Odense."
ENOUGH = {"OPENAI_BASE_URL": "", "OPENAI_API_KEY": ""}


def write_data(folder: Path, count: int) -> None:
    lines = [{"id": f"r{n}", "description": f"{TEXT} {n}", "query": QUERY} for n in range(count)]
    (folder / "data.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def answer(asked: str) -> str:
    """What an ideal model says: to the description, to the query about it, to the query alone."""
    if TEXT not in asked:
        return "{}"
    if QUERY in asked:
        return '### Answer: ["Odense"]'
    return json.dumps({"A": {NAME: "PER", "34": "Age", "Odense": "LOC"}})


def respond(spoil: Callable[[str], Response | None] = lambda _: None) -> Callable[[dict[str, Any]], Response]:
    """Behave, save where `spoil` has something else for a question."""

    def reply(body: dict[str, Any]) -> Response:
        asked = "\n".join(message["content"] for message in body["messages"])
        return spoil(asked) or complete(answer(asked))

    return reply


def options(url: str, *more: str) -> tuple[str, ...]:
    return ("--system", "llm", "--model", "m1", "--base-url", url, *more)


def test_mask_prints_what_may_leave(piibench) -> None:
    with serve(respond()) as server:
        done = piibench("mask", "-q", QUERY, *options(server.url), stdin=TEXT)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{MASKED}\n\n{QUERY}\n"
    assert len(server.requests) == 3


@pytest.mark.parametrize("strategy", ["naive", "self_cot"])
def test_mask_by_another_strategy(piibench, strategy: str) -> None:
    with serve(respond()) as server:
        done = piibench("mask", "-q", QUERY, *options(server.url, "--strategy", strategy), stdin=TEXT)
    assert done.stdout.startswith(MASKED)


def test_the_model_may_select_from_what_rules_found(piibench) -> None:
    with serve(respond()) as server:
        done = piibench("mask", "-q", QUERY, *options(server.url, "--detector", "rules"), stdin=TEXT)
    assert done.returncode == 0
    assert "Odense" in done.stdout
    assert "34" not in done.stdout
    assert len(server.requests) == 1


def test_detect_lists(piibench) -> None:
    with serve(respond()) as server:
        done = piibench("detect", "--json", *options(server.url), stdin=TEXT)
    assert [(one["text"], one["type"]) for one in json.loads(done.stdout)] == [
        (NAME, "PER"),
        ("34", "DEM"),
        ("Odense", "LOC"),
    ]


def test_a_reply_that_makes_no_sense_lets_nothing_out(piibench) -> None:
    with serve(lambda _: complete(f"Well, {NAME} is a person.")) as server:
        done = piibench("mask", "-q", QUERY, *options(server.url), stdin=TEXT)
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be understood" in done.stderr
    assert NAME not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_predict_asks_for_several_prompts_at_once_and_keeps_their_order(piibench, tmp_path: Path) -> None:
    write_data(tmp_path, 24)
    seen = 0

    def spoil(asked: str) -> Response | None:
        nonlocal seen
        seen += 1
        made = complete(answer(asked) if f"{TEXT} 5" not in asked or QUERY in asked else "no idea")
        made.delay_s = 0.02 * (seen % 3)
        return made

    with serve(respond(spoil)) as server:
        done = piibench("predict", "data.jsonl", "--out", "pred.jsonl", *options(server.url))
    assert done.returncode == 0
    assert done.stderr.splitlines()[0].startswith("piibench: 24 records in ")
    assert done.stderr.splitlines()[1:] == [
        "piibench: 1 records are flagged: a reply of the model could not be understood"
    ]
    assert 4 <= server.most_at_once <= 8
    made = list(read_predictions(tmp_path / "pred.jsonl"))
    assert [one.id for one in made] == [f"r{n}" for n in range(24)]
    assert [one.masked for one in made if one.id != "r5"] == [f"{MASKED} {n}" for n in range(24) if n != 5]
    assert made[5].entities == ()
    assert made[5].meta["flagged"] is True
    assert {key: value for key, value in made[6].meta.items() if key not in ("system", "ms")} == {
        "model": "m1",
        "strategy": "naive_with_choice",
    }
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["data.jsonl", "pred.jsonl"]


def test_workers_are_prompts_at_once(piibench, tmp_path: Path) -> None:
    write_data(tmp_path, 6)

    def slow(asked: str) -> Response:
        made = complete(answer(asked))
        made.delay_s = 0.02
        return made

    with serve(respond(slow)) as server:
        done = piibench(
            "predict", "data.jsonl", "--out", "pred.jsonl", *options(server.url, "--workers", "2")
        )
    assert done.returncode == 0
    assert server.most_at_once == 2


def test_a_server_that_fails_halfway_costs_nothing(piibench, tmp_path: Path) -> None:
    write_data(tmp_path, 20)

    def spoil(asked: str) -> Response | None:
        late = re.search(rf"{re.escape(TEXT)} 1\d", asked)
        return Response(status=418) if late and QUERY in asked else None

    call = ("predict", "data.jsonl", "--out", "pred.jsonl")
    with serve(respond(spoil)) as server:
        stopped = piibench(*call, *options(server.url))
    assert stopped.returncode == 1
    assert len((tmp_path / "pred.jsonl").read_text().splitlines()) == 10
    said, why = stopped.stderr.splitlines()
    assert said == "piibench: stopped: 10 records are whole; the same command goes on"
    assert "refuses the request (HTTP 418)" in why
    answered = [body for body in server.requests if not spoil(json.dumps(body["messages"]))]
    with serve(respond()) as server:
        done = piibench(*call, *options(server.url))
    assert done.returncode == 0
    assert "10 were there already" in done.stderr
    made = list(read_predictions(tmp_path / "pred.jsonl"))
    assert [(one.id, one.masked) for one in made] == [(f"r{n}", f"{MASKED} {n}") for n in range(20)]
    texts = [json.dumps(body["messages"]) for body in (*answered, *server.requests)]
    once = [text for text in texts if TEXT in text]
    assert len(once) == len(set(once)) == 40
    assert not (tmp_path / "pred.jsonl.replies").exists()


def test_another_model_does_not_go_on_but_may_start_over(piibench, tmp_path: Path) -> None:
    write_data(tmp_path, 2)
    call = ("predict", "data.jsonl", "--out", "pred.jsonl")
    with serve(respond()) as server:
        piibench(*call, *options(server.url))
        refused = piibench(*call, *options(server.url), "--model", "m2")
        assert refused.returncode == 2
        assert "was made by another system" in refused.stderr
        again = piibench(*call, *options(server.url), "--model", "m2", "--overwrite")
        assert again.returncode == 0
        assert {body["model"] for body in server.requests} == {"m1", "m2"}


def test_a_pipe_gets_predictions_and_no_file_is_left(piibench, tmp_path: Path) -> None:
    write_data(tmp_path, 2)
    with serve(respond()) as server:
        done = piibench("predict", "data.jsonl", "--out", "-", *options(server.url))
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["r0", "r1"]
    assert [path.name for path in tmp_path.iterdir()] == ["data.jsonl"]


def test_a_dead_address_is_one_clear_line_and_exit_code_1(piibench) -> None:
    done = piibench("mask", *options(find_dead_address()), stdin=TEXT)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "piibench: model server, /chat/completions: nobody answers at that address;"
        " start the server, or check --base-url (5 tries)\n"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--system", "llm"), "the system llm needs a model; give --model NAME"),
        (("--system", "llm", "--model", "m1"), "no address of a model server; give --base-url"),
        (options("nonsense"), "is none of the web"),
        (options("http://127.0.0.1:9/v1", "--strategy", "naiv"), "naive"),
        (("--model", "m1"), "--model: only the systems llm and presidio take a model"),
        (("--strategy", "naive"), "--strategy: only the system llm takes a strategy"),
        (("--base-url", "x", "--system", "presidio"), "--base-url: only the system llm takes an address"),
    ],
)
def test_what_is_missing_or_misplaced(piibench, arguments: tuple[str, ...], said: str) -> None:
    done = piibench("mask", *arguments, stdin=TEXT, env=ENOUGH)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("response", "said"),
    [
        (Response(status=401), "refuses the key (HTTP 401); set OPENAI_API_KEY"),
        (Response('{"error": {"message": "model m1 not found"}}', 404), "check --model\n"),
        (Response("no such page", 404), "check --base-url"),
    ],
)
def test_what_no_second_try_would_mend(piibench, response: Response, said: str) -> None:
    with serve(lambda _: response) as server:
        done = piibench("mask", *options(server.url), stdin=TEXT)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(server.requests) == 1
