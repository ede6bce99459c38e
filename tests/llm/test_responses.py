from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from piibench.errors import EndpointError, EndpointSetupError, PromptRefusedError
from piibench.llm.chat import Reply, Usage
from piibench.llm.responses import Failure, explain_status, read_completion, read_wait


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        ("3", 3.0),
        ("0.5", 0.5),
        ("-4", 0.0),
        ("", None),
        ("soon", None),
        ("Wed", None),
        ("Mon, 01 Jan 2024 00:00:00 +99999999999999", None),
    ],
)
def test_retry_after_in_seconds(asked, seconds):
    assert read_wait({"retry-after": asked}) == seconds


def test_retry_after_as_a_date():
    moment = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert 27 < (read_wait({"retry-after": moment}) or 0) <= 30


@pytest.mark.parametrize(
    "document",
    [
        [],
        {},
        {"choices": None},
        {"choices": [{"text": "old protocol"}]},
        {"choices": [{"message": {"role": "assistant", "content": 5}}]},
    ],
)
def test_other_json_is_no_completion(document):
    found = read_completion(json.dumps(document).encode())
    assert isinstance(found, Failure)
    assert found.may_pass


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[" * 100_000])
def test_no_json_is_no_completion(content):
    assert isinstance(read_completion(content), Failure)


@pytest.mark.parametrize("message", [{"content": None}, {"role": "assistant", "reasoning": "hm"}])
@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_a_model_that_spent_all_tokens_on_thought_or_was_stopped_was_cut(message, reason):
    document = {"choices": [{"message": message, "finish_reason": reason}]}
    assert read_completion(json.dumps(document).encode()) == Reply("", Usage(1), is_cut=True)


@pytest.mark.parametrize(
    "told",
    [
        "Unsupported parameter: 'max_tokens' is not supported with this model.",
        "Unknown parameter: 'seed'.",
        "Unsupported value: 'temperature' does not support 0.0 with this model.",
    ],
)
def test_a_setting_that_a_model_does_not_take_is_told(told):
    failure = explain_status(400, json.dumps({"error": {"message": told}}), option="--model")
    assert failure.is_setup
    assert failure.problem == "does not take a setting that is sent (HTTP 400); check --model"


def test_a_reply_without_text_or_usage_is_empty():
    document = {"choices": [{"message": {"content": None}}], "usage": {"prompt_tokens": "many"}}
    assert read_completion(json.dumps(document).encode()) == Reply("", Usage(1))


@pytest.mark.parametrize(
    ("status", "kind", "may_pass"),
    [
        (401, EndpointSetupError, False),
        (429, EndpointError, True),
        (500, EndpointError, True),
        (418, EndpointError, False),
    ],
)
def test_each_status_has_its_meaning(status, kind, may_pass):
    failure = explain_status(status, "")
    assert failure.may_pass is may_pass
    assert isinstance(failure.to_error(1), kind)


@pytest.mark.parametrize(("option", "hint"), [("--writer", "check --writer"), (None, "check it")])
def test_an_unknown_model_is_told_under_the_option_that_named_it(option, hint):
    failure = explain_status(404, '{"error": "model not found"}', option=option)
    assert failure.is_setup
    assert failure.problem.endswith(hint)


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_prompt_that_is_refused_is_told_from_other_failures(status):
    assert isinstance(explain_status(status, "").to_error(1), PromptRefusedError)


def test_what_an_error_repeats_of_the_request_blames_nothing():
    body = json.dumps({"detail": [{"msg": "too long", "input": "the unknown parameter of a model"}]})
    assert explain_status(422, body).is_refusal
