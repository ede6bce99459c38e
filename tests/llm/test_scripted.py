from __future__ import annotations

import asyncio

import pytest

from piibench.errors import EndpointError
from piibench.llm.chat import Message, Usage
from piibench.llm.scripted import ScriptedChat


def ask(chat: ScriptedChat, text: str = "one two"):
    return asyncio.run(chat.complete([Message("user", text)], seed=4))


def test_replies_come_in_turn_and_errors_are_raised():
    chat = ScriptedChat(["a b c", EndpointError("dead")])
    assert ask(chat).usage == Usage(1, 2, 3)
    with pytest.raises(EndpointError, match="dead"):
        ask(chat)
    with pytest.raises(EndpointError, match="no reply for call 3"):
        ask(chat)
    assert chat.seeds == [4, 4, 4]


def test_a_function_may_answer():
    assert ask(ScriptedChat(lambda messages: messages[-1].text.upper()), "loud").text == "LOUD"


def test_no_text_shows_in_a_repr():
    assert "secret" not in repr(Message("user", "secret"))
