"""What an OpenAI-compatible endpoint sends back: a completion, or a failure and whether it may pass."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, cast

from piibench.errors import EndpointError, EndpointSetupError, PromptRefusedError
from piibench.llm.chat import Reply, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

PLACE = "model server, /chat/completions"
_UNAUTHORISED = (401, 403)
_MISSING = (404, 405)
_PASSING = (408, 425, 429)
_SERVER_ERROR = 500
_REDIRECT = range(300, 400)
_REFUSED = (400, 413, 422)
_CUT = ("length", "content_filter")
"""Reasons of an end that is none of the model's own."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a request gave no reply.

    Attributes:
        problem: What is wrong and what to do; nothing of what was sent or received.
        may_pass: Whether the same request may succeed later.
        is_setup: Whether no request can succeed.
        wait_s: Seconds that the endpoint asks to wait.
        is_refusal: Whether it is this prompt that the endpoint does not take.
    """

    problem: str
    may_pass: bool = False
    is_setup: bool = False
    wait_s: float | None = None
    is_refusal: bool = False

    def to_error(self, tries: int) -> EndpointError | EndpointSetupError:
        """The error to raise after so many tries."""
        if self.is_setup:
            return EndpointSetupError(f"{PLACE}: {self.problem}")
        kind = PromptRefusedError if self.is_refusal else EndpointError
        return kind(f"{PLACE}: {self.problem}" + (f" ({tries} tries)" if tries > 1 else ""))


def explain_status(
    status: int, body: str, wait_s: float | None = None, *, option: str | None = None
) -> Failure:
    """Say what a status other than 200 means.

    Args:
        status: The status.
        body: What came with it.
        wait_s: Seconds that the endpoint asks to wait.
        option: What names the model on the command line; None where whoever raises the error says it.
    """
    if status in _UNAUTHORISED:
        return Failure(f"refuses the key (HTTP {status}); set OPENAI_API_KEY to a valid one", is_setup=True)
    if status in (*_MISSING, *_REFUSED) and (blamed := _read_blame(body)):
        return Failure(f"{blamed} (HTTP {status}); check {option or 'it'}", is_setup=True)
    if status in _MISSING or status in _REDIRECT:
        hint = "check --base-url, which usually ends in /v1"
        return Failure(f"is not there (HTTP {status}); {hint}", is_setup=True)
    if status in _PASSING:
        return Failure(f"is too busy (HTTP {status}); ask for less at once", may_pass=True, wait_s=wait_s)
    if status >= _SERVER_ERROR:
        problem = f"failed itself (HTTP {status}); look into its own log"
        return Failure(problem, may_pass=True, wait_s=wait_s)
    problem = f"refuses the request (HTTP {status}); the prompt may be too long for the model"
    return Failure(problem, is_refusal=status in _REFUSED)


def _read_blame(body: str) -> str | None:
    """What of model and settings an error in JSON calls unknown; servers word it differently."""
    document = _load(body)
    told = _tell(document.get("error", document.get("message", document.get("detail", "")))).casefold()
    if any(phrase in told for phrase in ("unsupported value", "unsupported_value")) or (
        "parameter" in told and any(phrase in told for phrase in ("unsupported", "unknown", "not supported"))
    ):
        return "does not take a setting that is sent"
    unknown = ("not found", "not_found", "does not exist", "unknown", "invalid model", "not available")
    if "model" in told and any(phrase in told for phrase in unknown):
        return "knows no model of that name"
    return None


def _tell(error: Any) -> str:
    """The words of an error, without what it repeats of the request."""
    if isinstance(error, list):
        return " ".join(map(_tell, cast("list[Any]", error)))
    if isinstance(error, dict):
        parts = cast("dict[str, Any]", error)
        return " ".join(
            str(parts[name]) for name in ("message", "msg", "code", "type", "detail") if name in parts
        )
    return str(error)


def read_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that a Retry-After header asks for, as a number or as a date; None where it does not."""
    asked = headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(asked))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(asked)
    except (ValueError, OverflowError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def read_completion(content: bytes) -> Reply | Failure:
    """Take the reply out of a completion."""
    document = _load(content)
    match document.get("choices"):
        case [{"message": dict()} as first, *_]:
            choice = cast("dict[str, Any]", first)
            text = choice["message"].get("content")
            if text is None or isinstance(text, str):  # a model that only thought has written none
                return Reply(text or "", _read_usage(document), choice.get("finish_reason") in _CUT)
        case _:
            pass
    hint = "is this an OpenAI-compatible server, and does --base-url end in /v1?"
    return Failure(f"answered with something else than a completion in JSON; {hint}", may_pass=True)


def _load(content: bytes | str) -> dict[str, Any]:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", document) if isinstance(document, dict) else {}


def _read_usage(document: Mapping[str, Any]) -> Usage:
    usage = document.get("usage")
    counts = cast("dict[str, Any]", usage) if isinstance(usage, dict) else {}
    prompt, reply = (counts.get(name) for name in ("prompt_tokens", "completion_tokens"))
    return Usage(1, prompt if isinstance(prompt, int) else 0, reply if isinstance(reply, int) else 0)
