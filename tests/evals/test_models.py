"""From a name on the command line to a model, or one clear line."""

from __future__ import annotations

import asyncio

import pytest
from inspect_ai.model import GenerateConfig

from loopback_model import complete, serve
from piibench.errors import EndpointSetupError
from piibench.evals.models import Access, create_model
from piibench.llm.openai_chat import Limits

URL = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("name", "access", "full"),
    [
        ("mockllm/model", Access(), "mockllm/model"),
        ("mockllm/model", Access(URL), "mockllm/model"),
        ("small", Access(URL), "endpoint/small"),
        ("Maker/Small-0.5B", Access(URL), "endpoint/Maker/Small-0.5B"),
        ("openai/gpt-oss-20b", Access(URL), "endpoint/openai/gpt-oss-20b"),
        ("openai-api/here/small", Access(URL), "endpoint/small"),
        ("openai-api/here/maker/small", Access(URL), "endpoint/maker/small"),
    ],
)
def test_where_an_address_is_given_the_name_is_that_servers(name, access, full):
    assert str(create_model(name, access)) == full


def test_an_address_in_the_environment_serves_bare_names(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", URL)
    assert str(create_model("small", Access())) == "endpoint/small"


def test_providers_of_inspects_are_reached_with_bounded_patience(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    model = create_model("openai/gpt-4o", Access(limits=Limits(timeout_s=9, tries=3, concurrency=2)))
    assert (model.config.attempt_timeout, model.config.max_retries, model.config.max_connections) == (9, 2, 2)
    assert model.model_args == {"max_retries": 0}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("small", "--model small: whose? write provider/model, such as openai/small"),
        ("nope/x", '--model nope/x: no provider is called "nope"'),
        ("openai/gpt-4o", "--model openai/gpt-4o: Unable to initialise OpenAI client No OPENAI_API_KEY"),
        ("openai-api/here/small", "No HERE_API_KEY defined in the environment"),
        ("anthropic/claude-x", "--model anthropic/claude-x: Anthropic API requires optional dependencies"),
    ],
)
def test_what_cannot_be_reached_is_told_in_one_line(name, told):
    with pytest.raises(EndpointSetupError) as caught:
        create_model(name, Access())
    assert str(caught.value).startswith("--model ")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "[" not in str(caught.value)


def test_the_mock_needs_no_network():
    output = asyncio.run(create_model("mockllm/model", Access()).generate("one two three"))
    assert output.completion == "Default output from mockllm/model"
    assert (output.usage.input_tokens, output.usage.output_tokens) == (3, 4)


@pytest.mark.parametrize(("finish", "reason"), [("stop", "stop"), ("length", "max_tokens")])
def test_a_server_may_leave_out_what_it_likes(finish, reason):
    """The reply of `loopback_model` names no model, which Inspect's own client refuses."""

    async def ask(url: str):
        model = create_model("small", Access(url))
        try:
            return await model.generate("hi", config=GenerateConfig(temperature=0.7, max_tokens=5, seed=3))
        finally:
            await model.api.aclose()

    with serve(lambda _: complete("well", finish)) as server:
        output = asyncio.run(ask(server.url))
    assert (output.completion, output.stop_reason, output.usage.input_tokens) == ("well", reason, 10)
    (body,) = server.requests
    assert (body["temperature"], body["max_tokens"], body["seed"], body["model"]) == (0.7, 5, 3, "small")


@pytest.mark.parametrize(("given", "whole"), [(0.5, 1), (1.9, 2), (60.0, 60), (float("inf"), None)])
def test_patience_is_in_whole_seconds(given, whole):
    model = create_model("mockllm/model", Access(limits=Limits(timeout_s=given)))
    assert model.config.attempt_timeout == whole
