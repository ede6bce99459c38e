"""Models of Inspect's as chats, when they answer and when they do not."""

from __future__ import annotations

import asyncio

import pytest
from inspect_ai.model import ModelOutput, ModelUsage

from piibench.errors import EndpointError, EndpointSetupError, PromptRefusedError
from piibench.evals.bridge import (
    MOST_FAILURES,
    CountingChat,
    ExcusedChat,
    GoneError,
    InspectChat,
    WatchedChat,
)
from piibench.llm.chat import Message, Usage
from piibench.llm.scripted import ScriptedChat

ASK = [Message("system", "Be brief."), Message("user", "A secret: 4711.")]


class Model:
    """Stands for a model of Inspect's."""

    def __init__(self, outcome) -> None:
        self.outcome = outcome
        self.asked = []

    def __str__(self) -> str:
        return "maker/large"

    async def generate(self, talk, *, config):
        self.asked.append((talk, config))
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


def caused(error: Exception, status: int | None) -> Exception:
    """An error that wraps another, as Inspect's retries do."""
    cause = RuntimeError("Request: A secret: 4711.")
    if status is not None:
        cause.status_code = status
    error.__cause__ = cause
    return error


def test_a_reply_brings_its_text_and_cost():
    output = ModelOutput.from_content("large", "Fine.", stop_reason="max_tokens")
    output.usage = ModelUsage(input_tokens=7, output_tokens=2, total_tokens=9)
    model = Model(output)
    reply = asyncio.run(InspectChat(model).complete(ASK, temperature=0.7, max_tokens=64, seed=3))
    assert (reply.text, reply.usage, reply.is_cut) == ("Fine.", Usage(1, 7, 2), True)
    ((talk, config),) = model.asked
    assert [(each.role, each.text) for each in talk] == [(each.role, each.text) for each in ASK]
    assert (config.temperature, config.max_tokens, config.seed) == (0.7, 64, 3)


@pytest.mark.parametrize(
    ("status", "kind", "told"),
    [
        (401, EndpointSetupError, "refuses the key (HTTP 401)"),
        (403, EndpointSetupError, "refuses the key (HTTP 403)"),
        (404, EndpointSetupError, "knows no such model (HTTP 404)"),
        (400, PromptRefusedError, "refuses the request (HTTP 400)"),
        (429, EndpointError, "is too busy (HTTP 429)"),
        (503, EndpointError, "fails itself (HTTP 503)"),
        (None, EndpointError, "gave no usable reply (RuntimeError)"),
    ],
)
def test_an_error_says_what_to_do_and_nothing_of_the_request(status, kind, told):
    chat = InspectChat(Model(caused(ValueError("A secret: 4711."), status)))
    with pytest.raises(kind) as caught:
        asyncio.run(chat.complete(ASK))
    assert str(caught.value).startswith("maker/large: the provider ")
    assert told in str(caught.value)
    assert "4711" not in str(caught.value)


async def exhaust(chat, times: int) -> list[type[BaseException] | None]:
    outcomes = []
    for _ in range(times):
        try:
            await chat.complete(ASK)
        except BaseException as error:  # noqa: BLE001 - what it is is the point
            outcomes.append(type(error))
        else:
            outcomes.append(None)
    return outcomes


def test_a_model_is_gone_after_many_failures_in_a_row():
    failing = EndpointError("no")
    script = ScriptedChat([failing] * (MOST_FAILURES - 1) + ["fine"] + [failing] * MOST_FAILURES)
    watched = WatchedChat(script)
    outcomes = asyncio.run(exhaust(watched, 2 * MOST_FAILURES + 3))
    assert outcomes == [
        *[EndpointError] * (MOST_FAILURES - 1),
        None,
        *[EndpointError] * (MOST_FAILURES - 1),
        *[GoneError] * 4,
    ]
    assert watched.error is failing
    assert len(script.asked) == 2 * MOST_FAILURES


def test_prompts_that_are_refused_are_no_failures_of_a_model_that_has_replied():
    refused = [PromptRefusedError("too long")] * MOST_FAILURES
    unheard, heard = WatchedChat(ScriptedChat(refused)), WatchedChat(ScriptedChat(["fine", *refused, "fine"]))
    assert asyncio.run(exhaust(unheard, MOST_FAILURES))[-1] is GoneError
    outcomes = asyncio.run(exhaust(heard, MOST_FAILURES + 2))
    assert outcomes == [None, *[PromptRefusedError] * MOST_FAILURES, None]
    assert heard.error is None


def test_a_wrong_key_ends_it_at_once():
    wrong = EndpointSetupError("no such key")
    watched = WatchedChat(ScriptedChat([wrong, "fine"]))
    assert asyncio.run(exhaust(watched, 2)) == [GoneError, GoneError]
    assert watched.error is wrong


def test_costs_add_up():
    chat = CountingChat(ScriptedChat(["one two", "three"]))
    asyncio.run(exhaust(chat, 2))
    assert chat.usage == Usage(2, 2 * 5, 3)


@pytest.mark.parametrize("status", [401, 404])
def test_a_wrong_name_or_key_is_told_under_its_option(status):
    chat = InspectChat(Model(caused(ValueError("no"), status)), "large", "--judge")
    with pytest.raises(EndpointSetupError, match=rf"^--judge large: the provider .*HTTP {status}"):
        asyncio.run(chat.complete(ASK))


def test_a_refused_prompt_is_an_empty_reply_and_no_other_failure_is():
    chat = ExcusedChat(ScriptedChat([PromptRefusedError("too long"), EndpointError("down"), "fine"]))
    assert asyncio.run(chat.complete(ASK)).text == ""
    assert asyncio.run(exhaust(chat, 2)) == [EndpointError, None]


def test_what_a_provider_has_cached_was_read_all_the_same():
    output = ModelOutput.from_content("large", "No.", stop_reason="content_filter")
    output.usage = ModelUsage(
        input_tokens=12, output_tokens=2, input_tokens_cache_read=2048, input_tokens_cache_write=5
    )
    reply = asyncio.run(InspectChat(Model(output)).complete(ASK))
    assert (reply.usage, reply.is_cut) == (Usage(1, 2065, 2), True)


def test_a_reply_that_is_too_late_is_told_as_such():
    late = type("AttemptTimeoutError", (RuntimeError,), {})("120")
    with pytest.raises(EndpointError, match="no answer in time; raise --timeout"):
        asyncio.run(InspectChat(Model(late)).complete(ASK))
