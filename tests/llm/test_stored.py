from __future__ import annotations

import asyncio

import pytest

from piibench.errors import EndpointError
from piibench.llm.chat import Message, Reply
from piibench.llm.scripted import ScriptedChat
from piibench.llm.stored import StoredChat

TALK = [Message("user", "Grüße")]


def ask(chat: StoredChat, **options) -> Reply:
    return asyncio.run(chat.complete(TALK, **options))


def test_a_known_reply_is_given_again_with_what_it_once_cost(tmp_path):
    model = ScriptedChat(["first\nreply", "second"])
    chat = StoredChat(model, tmp_path / "replies.jsonl")
    first = ask(chat, seed=1)
    assert first.usage.calls == 1
    assert ask(chat, seed=1) == first
    assert ask(StoredChat(ScriptedChat([]), tmp_path / "replies.jsonl"), seed=1) == first
    assert len(model.asked) == 1


def test_who_asks_the_same_meanwhile_waits_for_the_one_reply(tmp_path):
    class Slow(ScriptedChat):
        async def complete(self, messages, **options):
            await asyncio.sleep(0.01)
            return await super().complete(messages, **options)

    async def ask_thrice(chat: StoredChat) -> list[Reply | BaseException]:
        return await asyncio.gather(*(chat.complete(TALK) for _ in range(3)), return_exceptions=True)

    model = Slow([EndpointError("no"), "fine"])
    failed, *given = asyncio.run(ask_thrice(StoredChat(model, tmp_path / "replies.jsonl")))
    assert isinstance(failed, EndpointError)
    assert [reply.text for reply in given] == ["fine", "fine"]
    assert len(model.asked) == 2
    assert len((tmp_path / "replies.jsonl").read_text("utf-8").strip().splitlines()) == 1


def test_whatever_changes_the_question_asks_anew(tmp_path):
    chat = StoredChat(ScriptedChat(["a", "b", "c"]), tmp_path / "replies.jsonl")
    assert [ask(chat, **each).text for each in ({}, {"seed": 2}, {"temperature": 1.0})] == ["a", "b", "c"]


def test_an_unfinished_line_is_passed_over(tmp_path):
    path = tmp_path / "replies.jsonl"
    ask(StoredChat(ScriptedChat(["kept"]), path))
    whole = path.read_text("utf-8")
    path.write_text(whole + '\n{"key": "abc", "te', "utf-8")
    chat = StoredChat(ScriptedChat(["next"]), path)
    assert (ask(chat).text, ask(chat, seed=5).text) == ("kept", "next")
    assert ask(StoredChat(ScriptedChat([]), path), seed=5).text == "next"


def test_another_model_is_asked_anew(tmp_path):
    path = tmp_path / "replies.jsonl"
    ask(StoredChat(ScriptedChat(["one"], model="small"), path))
    assert ask(StoredChat(ScriptedChat(["two"], model="large"), path)).text == "two"


def test_a_failure_is_not_kept(tmp_path):
    chat = StoredChat(ScriptedChat([EndpointError("no"), "fine"]), tmp_path / "replies.jsonl")
    with pytest.raises(EndpointError):
        ask(chat)
    assert ask(chat).text == "fine"


def test_after_a_failure_another_event_loop_may_ask(tmp_path):
    async def ask_twice(chat: StoredChat) -> list[Reply]:
        return await asyncio.gather(chat.complete(TALK), chat.complete(TALK))

    class Slow(ScriptedChat):
        async def complete(self, messages, **options):
            await asyncio.sleep(0.01)
            return await super().complete(messages, **options)

    chat = StoredChat(Slow([EndpointError("no"), "fine"]), tmp_path / "replies.jsonl")
    with pytest.raises(EndpointError):
        asyncio.run(ask_twice(chat))
    assert [reply.text for reply in asyncio.run(ask_twice(chat))] == ["fine", "fine"]


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        '{"key": [], "text": "a", "is_cut": false, "usage": [1, 1, 1]}',
        '{"key": "a", "text": null, "is_cut": false, "usage": [1, 1, 1]}',
    ],
)
def test_a_line_of_something_else_is_passed_over(tmp_path, line: str):
    path = tmp_path / "replies.jsonl"
    path.write_text(line + "\n")
    chat = StoredChat(ScriptedChat(["asked"]), path)
    assert not chat._known
    assert ask(chat).text == "asked"
