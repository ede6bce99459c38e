"""A model as detector, by scripted replies."""

from __future__ import annotations

import asyncio
import json

import pytest

from piibench.errors import EndpointError
from piibench.llm.chat import Reply
from piibench.llm.scripted import ScriptedChat
from piibench.systems.llm.detector import LLMDetector

TEXT = "Maren is 34. Her son Ole is 7."
REPLY = json.dumps({"A": {"Maren": "PER", "34": "Age"}, "B": {"Ole": "PER", "7": "DEM", "Odense": "LOC"}})


class CutChat:
    """A model whose replies end at the limit."""

    model = "cut"

    def __init__(self) -> None:
        self.limits: list[int] = []

    async def complete(self, messages, *, temperature=0.0, max_tokens=1024, seed=None) -> Reply:
        self.limits.append(max_tokens)
        return Reply('{"A": {"Maren": "PER", "34": "Ag', is_cut=True)


def test_one_question_finds_all() -> None:
    chat = ScriptedChat([REPLY])
    found = asyncio.run(LLMDetector(chat).detect(TEXT))
    assert [(one.id, one.subject, one.text, one.label, len(one.mentions)) for one in found] == [
        ("e1", "A", "Maren", "PER", 1),
        ("e2", "A", "34", "Age", 1),
        ("e3", "B", "Ole", "PER", 1),
        ("e4", "B", "7", "DEM", 1),
        ("e5", "B", "Odense", "LOC", 0),
    ]
    [[message]] = chat.asked
    assert TEXT in message.text


@pytest.mark.parametrize("text", ["", " \n"])
def test_nothing_to_read_is_no_question(text: str) -> None:
    assert asyncio.run(LLMDetector(ScriptedChat([])).detect(text)) == ()


def test_what_cannot_be_understood_is_refused_without_a_word_of_it() -> None:
    chat = ScriptedChat(["Maren, I think, and perhaps 34."])
    with pytest.raises(EndpointError, match="cannot be understood") as caught:
        asyncio.run(LLMDetector(chat).detect(TEXT))
    assert "Maren" not in str(caught.value)


def test_what_was_cut_is_refused_or_flagged_and_used() -> None:
    chat = CutChat()
    with pytest.raises(EndpointError):
        asyncio.run(LLMDetector(chat).detect(TEXT))
    flags: list[bool] = []
    found = asyncio.run(LLMDetector(chat, on_unreadable=lambda: flags.append(True)).detect(TEXT))
    assert flags == [True]
    assert [one.text for one in found] == ["Maren"]


def test_a_long_text_may_have_a_long_reply() -> None:
    chat = CutChat()
    for text in (TEXT, TEXT * 1000):
        asyncio.run(LLMDetector(chat, on_unreadable=lambda: None).detect(text))
    assert chat.limits[0] >= 1024
    assert chat.limits[1] > len(TEXT) * 1000 / 3


def test_flagged_and_empty() -> None:
    flags: list[bool] = []
    detector = LLMDetector(ScriptedChat(["I cannot do that."]), on_unreadable=lambda: flags.append(True))
    assert asyncio.run(detector.detect(TEXT)) == ()
    assert flags == [True]


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        pytest.param(
            '{"A": {"Maren": "PER", "34": "Ag', ["Maren"], id="cut, though the server does not say so"
        ),
        pytest.param('{"A": {"Maren": "PER", …}}\n{"B": {"Ole": "PER"}}', ["Ole"], id="unreadable in part"),
        pytest.param('{"A": {"Mira": "PER"}, "B": {"Tom": "PER"}}', ["Mira", "Tom"], id="of another text"),
    ],
)
def test_what_may_be_missing_is_refused_or_flagged(reply: str, found: list[str]) -> None:
    with pytest.raises(EndpointError, match="cannot be understood"):
        asyncio.run(LLMDetector(ScriptedChat([reply])).detect(TEXT))
    flags: list[bool] = []
    detector = LLMDetector(ScriptedChat([reply]), on_unreadable=lambda: flags.append(True))
    assert [one.text for one in asyncio.run(detector.detect(TEXT))] == found
    assert flags == [True]


@pytest.mark.parametrize("reply", ["{}", "[]", '{"A": {}}', '{"Maren": {"Ole": "PER", "Mira": "PER"}}'])
def test_a_whole_reply_is_taken(reply: str) -> None:
    asyncio.run(LLMDetector(ScriptedChat([reply])).detect(TEXT))


def test_a_name_that_a_reply_only_gives_as_a_key_is_found() -> None:
    chat = ScriptedChat(['{"Maren Holt": {"34": "Age"}, "Tenant": {"7": "Age"}}'])
    found = asyncio.run(LLMDetector(chat).detect("Maren Holt is 34, the Tenant 7."))
    assert [(one.subject, one.text, one.label) for one in found if one.mentions] == [
        ("A", "Maren Holt", "PER"),
        ("A", "34", "Age"),
        ("B", "7", "Age"),
    ]
