"""From a name on the command line to a model of Inspect's, or one clear line."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any, cast

from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage, get_model

from piibench.errors import EndpointSetupError
from piibench.evals.endpoint import PROVIDER, Endpoint
from piibench.llm.openai_chat import ADDRESS, Limits

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Model

NO_MODEL = "none/none"
_OWN_RETRIES = ("openai", "openai-api", "anthropic")
"""Providers whose client tries again by itself, and can be told not to."""
_COMPATIBLE = "openai-api"
_MOCK = "mockllm"
_MARKUP = re.compile(r"\[/?[\w ]+\]")


@dataclass(frozen=True, slots=True)
class Access:
    """How models are reached.

    Attributes:
        base_url: Address of an OpenAI-compatible server; each model is one of its.
        limits: Patience, and requests at once, with one model.
    """

    base_url: str | None = None
    limits: Limits = field(default_factory=lambda: Limits(concurrency=10))


def create_model(name: str, access: Access, option: str = "--model") -> Model:
    """Make a model.

    Args:
        name: "provider/model" as Inspect names them. Where an address is given, the name by which the server
            there knows it, whatever it begins with; "openai-api/provider/" may stand before it.
        access: How it is reached.
        option: What names it on the command line.

    Raises:
        EndpointSetupError: The provider is unknown, its package or key is missing, or the address is none.
    """
    provider, full = _name_fully(name, access)
    try:
        model = get_model(full, **_describe_access(provider, access))
    except EndpointSetupError:
        raise
    except Exception as error:
        raise EndpointSetupError(_explain(f"{option} {name}", name, error)) from error
    if isinstance(model.api, Endpoint):
        model.api.limit(access.limits)
    elif provider == _MOCK:
        cast("Any", model.api).outputs = _answer_without_network
    return model


def _name_fully(name: str, access: Access) -> tuple[str, str]:
    """The provider, and the model's whole name with it."""
    provider, slash, rest = name.partition("/")
    if provider == _MOCK or not (access.base_url or (not slash and os.environ.get(ADDRESS))):
        return provider, name
    known = rest.partition("/")[2] if provider == _COMPATIBLE else name
    return PROVIDER, f"{PROVIDER}/{known or name}"


def _describe_access(provider: str, access: Access) -> dict[str, Any]:
    limits = access.limits
    config = GenerateConfig(
        max_connections=limits.concurrency,
        max_retries=0 if provider == PROVIDER else limits.tries - 1,
        attempt_timeout=None if provider == PROVIDER else _round_up(limits.timeout_s),
    )
    options: dict[str, Any] = {"config": config, "memoize": False, "base_url": access.base_url}
    return options | ({"max_retries": 0} if provider in _OWN_RETRIES else {})


def _round_up(seconds: float) -> int | None:
    """Whole seconds, as Inspect wants them; None for no end."""
    return ceil(seconds) if isfinite(seconds) else None


def _explain(place: str, name: str, error: Exception) -> str:
    """Say in one line why there is no such model; Inspect's own words are for its own command."""
    told = " ".join(_MARKUP.sub("", str(error)).split())
    if "should be in the format" in told:
        return (
            f"{place}: whose? write provider/model, such as openai/{name}, or give the address of a"
            " server with --base-url"
        )
    if "not recognized" in told:
        provider = name.partition("/")[0]
        return (
            f'{place}: no provider is called "{provider}"; name one of Inspect AI\'s, such as openai,'
            " anthropic, google or ollama, or give the address of a server with --base-url"
        )
    told = told.removeprefix("ERROR").lstrip(": ")
    return f"{place}: {told or type(error).__name__}"


def _answer_without_network(
    messages: list[ChatMessage], tools: object, tool_choice: object, config: object
) -> ModelOutput:
    """What Inspect's mock answers by default; it would fetch a tokenizer to count the tokens."""
    del tools, tool_choice, config
    output = ModelOutput.from_content("mockllm", "Default output from mockllm/model")
    read, written = sum(len(message.text.split()) for message in messages), len(output.completion.split())
    output.usage = ModelUsage(input_tokens=read, output_tokens=written, total_tokens=read + written)
    return output
