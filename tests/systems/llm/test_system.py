"""The system llm: its parts, its notes, its fingerprint, its connections."""

from __future__ import annotations

import asyncio
import json
from threading import Event, Thread

import pytest

from loopback_model import complete, serve
from piibench.data.schema import Prompt
from piibench.errors import (
    EndpointError,
    EndpointSetupError,
    InputError,
    PromptRefusedError,
    UnknownSystemError,
)
from piibench.llm.chat import Message, Reply
from piibench.llm.scripted import ScriptedChat
from piibench.systems.base import Networked
from piibench.systems.compose import detect_sync, protect, protect_sync
from piibench.systems.llm.refusals import LenientChat
from piibench.systems.llm.system import Recipe, compose_llm, create_llm
from piibench.systems.registry import load_system

TEXT, QUERY = "Maren is 34 and lives in Odense.", "Which town is that?"
PROMPT = Prompt(description=TEXT, query=QUERY)
FOUND = json.dumps({"A": {"Maren": "PER", "34": "Age", "Odense": "LOC"}})
NEEDED, NOTHING = '### Answer: ["Odense"]', "{}"
URL = "http://127.0.0.1:9/v1"


def answer(body) -> str:
    """What an ideal model says to each of the three questions about the prompt."""
    asked = "\n".join(message["content"] for message in body["messages"])
    if TEXT in asked:
        return NEEDED if QUERY in asked else FOUND
    return NOTHING


def compose(*replies: str, **recipe: str):
    return compose_llm(ScriptedChat(replies, "m1"), Recipe("m1", **recipe))


def test_it_finds_and_selects() -> None:
    masked = protect_sync(compose(FOUND, NEEDED, NOTHING), PROMPT)
    assert masked.description == "<PER> is <Age> and lives in Odense."
    assert masked.query == QUERY


def test_a_needed_value_that_the_model_made_up_is_not_called_lost() -> None:
    replies = '{"A": {"Maren": "PER", "Aarhus": "LOC"}}', '["Aarhus"]', NOTHING
    masked = protect_sync(compose(*replies), PROMPT)
    assert masked.selection.relevant == {"e2"}
    assert masked.lost == ()


def test_a_name_in_the_query_is_hidden_though_the_model_gives_only_its_type() -> None:
    prompt = Prompt(description=TEXT, query="Shall Cleo go to Turin?")
    system = compose(FOUND, NEEDED, '{"A": {"Cleo": "PER", "Turin": "LOC"}}')
    assert protect_sync(system, prompt).query == "Shall <PER> go to Turin?"


@pytest.mark.parametrize(
    ("recipe", "replies"), [({"detector": "rules"}, (NEEDED,)), ({"selector": "rules"}, (FOUND, NOTHING))]
)
def test_either_part_may_be_another_systems(recipe: dict[str, str], replies: tuple[str, ...]) -> None:
    chat = ScriptedChat(replies)
    masked = protect_sync(compose_llm(chat, Recipe("m", **recipe)), PROMPT)
    assert len(chat.asked) == len(replies)
    assert "34" not in masked.description


def test_it_refuses_what_it_cannot_read_but_a_measurement_goes_on() -> None:
    with pytest.raises(EndpointError):
        protect_sync(compose("no idea"), PROMPT)
    notes = {}
    masked = asyncio.run(protect(compose("no idea", NOTHING).follow(notes), PROMPT))
    assert masked.description == TEXT
    assert notes == {"model": "m1", "strategy": "naive_with_choice", "flagged": True}


def test_notes_of_a_selection_that_cannot_be_read() -> None:
    notes = {}
    masked = asyncio.run(protect(compose(FOUND, "no idea", NOTHING).follow(notes), PROMPT))
    assert masked.description == "<PER> is <Age> and lives in <LOC>."
    assert notes["flagged"] is True


@pytest.mark.parametrize("texts", [(TEXT, "Is it?"), ("Is it?", TEXT)])
def test_a_refused_prompt_is_flagged_where_the_model_answers_others(texts: tuple[str, str]) -> None:
    class Slow(ScriptedChat):
        async def complete(self, messages, **options):
            if TEXT in messages[0].text:
                raise refusal
            await asyncio.sleep(0.01)
            return await super().complete(messages, **options)

    async def go() -> None:
        prompts = (Prompt(description=text) for text in texts)
        await asyncio.gather(*map(protect, map(system.follow, notes), prompts))

    refusal = PromptRefusedError("too long")
    notes = {}, {}
    system = compose_llm(Slow(lambda _: NOTHING), Recipe("m1"))
    asyncio.run(go())
    assert [note.get("flagged", False) for note in notes] == [text == TEXT for text in texts]
    with pytest.raises(PromptRefusedError):
        protect_sync(system, PROMPT)


def test_a_model_that_refuses_all_ends_the_run() -> None:
    async def go(system) -> list[object]:
        work = (protect(system.follow({}), PROMPT) for _ in range(3))
        return await asyncio.gather(*work, return_exceptions=True)

    system = compose_llm(ScriptedChat([PromptRefusedError("too long")] * 3), Recipe("m1"))
    assert [type(failure) for failure in asyncio.run(go(system))] == [PromptRefusedError] * 3


def test_a_refusal_waits_for_nothing_that_another_event_loop_asks() -> None:
    class Waiting(ScriptedChat):
        async def complete(self, messages, **options):
            if messages[0].text == "refuse":
                raise refusal
            asked.set()
            await asyncio.to_thread(may_end.wait)
            return await super().complete(messages, **options)

    def ask(text: str) -> Reply:
        return asyncio.run(chat.complete([Message("user", text)]))

    refusal = PromptRefusedError("too long")
    asked, may_end = Event(), Event()
    chat = LenientChat(Waiting([NOTHING]))
    other = Thread(target=ask, args=["wait"])
    other.start()
    asked.wait()
    try:
        with pytest.raises(PromptRefusedError):
            ask("refuse")
    finally:
        may_end.set()
        other.join()


def test_notes_of_a_good_run_flag_nothing() -> None:
    notes = {}
    system = compose(FOUND, NOTHING, selector="rules")
    asyncio.run(protect(system.follow(notes), PROMPT))
    assert notes == {"model": "m1"}
    assert system.follow({}).fingerprint == system.fingerprint


def test_fingerprints_differ_where_answers_may() -> None:
    made = [
        compose(),
        compose(strategy="naive"),
        compose(detector="rules"),
        compose(selector="rules"),
        compose_llm(ScriptedChat([], "m2"), Recipe("m2")),
    ]
    assert len({one.fingerprint for one in made}) == len(made)
    assert made[0].fingerprint == compose(strategy="naive_with_choice").fingerprint
    assert all(len(bytes.fromhex(one.fingerprint)) == 4 for one in made)


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({}, EndpointSetupError, "needs a model; give --model"),
        ({"model": "m"}, EndpointSetupError, "no address of a model server; give --base-url"),
        ({"model": "m", "base_url": "localhost"}, EndpointSetupError, "is none of the web"),
        ({"model": "m", "base_url": URL, "at_once": 0}, InputError, "at_once: at least one request"),
        ({"model": "m", "base_url": URL, "strategy": "naiv"}, InputError, "naive"),
        ({"model": "m", "base_url": URL, "strategy": "auto_cot"}, InputError, "use self_cot, the same"),
        ({"model": "m", "base_url": URL, "detector": "rulez"}, UnknownSystemError, 'mean "rules"'),
        (
            {"model": "m", "base_url": URL, "detector": "rules", "selector": "rules"},
            InputError,
            "nothing to do",
        ),
        ({"model": "m", "base_url": URL, "strategy": "naive", "selector": "rules"}, InputError, "--strategy"),
    ],
)
def test_what_is_missing_or_wrong_is_named(monkeypatch, options, error, said: str) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(error) as caught:
        load_system("llm", **options)
    assert said in str(caught.value)


def test_over_the_wire_in_one_event_loop_after_the_other() -> None:
    with serve(lambda body: complete(answer(body))) as server:
        system = create_llm(model="m1", base_url=server.url)
        assert isinstance(system, Networked)
        assert system.name == "llm"
        for _ in range(2):
            assert protect_sync(system, PROMPT).description == "<PER> is <Age> and lives in Odense."
        assert [one.text for one in detect_sync(system, TEXT)] == ["Maren", "34", "Odense"]
        assert len(asyncio.run(system.detect(TEXT))) == 3  # left open
        assert len(asyncio.run(system.detect(TEXT))) == 3
        asyncio.run(system.close())
        assert len(server.requests) == 2 * 3 + 3
        assert {body["model"] for body in server.requests} == {"m1"}


def test_over_the_wire_in_several_threads_at_once() -> None:
    made: list[str] = []

    def work(system) -> None:
        made.extend(protect_sync(system, PROMPT).description for _ in range(3))

    def respond(body):
        response = complete(answer(body))
        response.delay_s = 0.01
        return response

    with serve(respond) as server:
        system = create_llm(model="m1", base_url=server.url)
        threads = [Thread(target=work, args=(system,), daemon=True) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert made == ["<PER> is <Age> and lives in Odense."] * 12


def test_kept_replies_are_not_asked_for_again(tmp_path) -> None:
    with serve(lambda body: complete(answer(body))) as server:
        for _ in range(2):
            system = create_llm(model="m1", base_url=server.url, replies=tmp_path / "replies")
            assert protect_sync(system, PROMPT).description == "<PER> is <Age> and lives in Odense."
        assert len(server.requests) == 3
