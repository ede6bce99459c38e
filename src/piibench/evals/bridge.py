"""Inspect's models as the package's chats: a reply, or an error that says what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
)

from piibench.errors import EndpointError, EndpointSetupError, PiibenchError, PromptRefusedError
from piibench.llm.chat import Reply, Usage, WrappedChat

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from inspect_ai.model import ChatMessage, Model, ModelUsage

    from piibench.llm.chat import Chat, Message, Role

MOST_FAILURES = 10
"""Calls in a row without a reply, after which a model counts as gone."""

_MESSAGES: dict[Role, type[ChatMessageSystem | ChatMessageUser | ChatMessageAssistant]] = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}
_CUT = ("max_tokens", "model_length", "content_filter")
_TIMED_OUT = "AttemptTimeoutError"
"""Inspect's name for it, which it does not export."""
_UNAUTHORISED = (401, 403)
_UNKNOWN = 404
_BUSY = 429
_SERVER_ERROR = 500
_REFUSED = (400, 422)


class GoneError(BaseException):
    """No more of a model's samples are worth trying.

    It is no `Exception`, so that Inspect ends the whole task instead of going on with the next sample.
    """


class InspectChat:
    """A model of Inspect's that answers.

    Args:
        model: Who answers.
        name: The name it goes by; Inspect's where absent.
        option: What names it on the command line; None where nothing does.
    """

    def __init__(self, model: Model, name: str | None = None, option: str | None = None) -> None:
        self.model = name or str(model)
        self._option = option
        self._model = model

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        temperature: float = 0.0,
        max_tokens: int = 1024,
        seed: int | None = None,
    ) -> Reply:
        """Answer the last message; see `Chat.complete`."""
        talk: list[ChatMessage] = [_MESSAGES[message.role](content=message.text) for message in messages]
        config = GenerateConfig(temperature=temperature, max_tokens=max_tokens, seed=seed)
        try:
            output = await self._model.generate(talk, config=config)
        except EndpointSetupError as error:
            raise self._name_option(error) from error
        except PiibenchError:
            raise
        except Exception as error:
            explained = _explain(self.model, error)
            if isinstance(explained, EndpointSetupError):
                explained = self._name_option(explained)
            raise explained from error
        cost = output.usage
        usage = Usage(1, _count_read(cost), cost.output_tokens) if cost else Usage(1)
        return Reply(output.completion, usage, is_cut=output.stop_reason in _CUT)

    def _name_option(self, error: EndpointSetupError) -> EndpointSetupError:
        told = str(error).removeprefix(f"{self.model}: ")
        return EndpointSetupError(f"{self._option} {self.model}: {told}") if self._option else error


def _count_read(cost: ModelUsage) -> int:
    """All tokens that a model read; Inspect counts those of its provider's cache apart."""
    return cost.input_tokens + (cost.input_tokens_cache_read or 0) + (cost.input_tokens_cache_write or 0)


class WatchedChat(WrappedChat):
    """A chat that gives up for good once its model is gone.

    A wrong key or name ends it at once; anything else, after `MOST_FAILURES` calls in a row without a reply.
    That one prompt is refused is no sign of it from a model that has replied before. Once it is gone every
    call raises `GoneError`.

    Args:
        chat: Who answers.

    Attributes:
        error: What ended it; None as long as it is there.
    """

    def __init__(self, chat: Chat) -> None:
        super().__init__(chat)
        self.error: PiibenchError | None = None
        self._failures = 0
        self._has_replied = False

    async def _receive(self, reply: Coroutine[Any, Any, Reply]) -> Reply:
        if self.error:
            reply.close()
            raise GoneError
        try:
            received = await reply
        except EndpointError as error:
            if self._has_replied and isinstance(error, PromptRefusedError):
                self._failures = 0
                raise
            self._failures += 1
            if self._failures >= MOST_FAILURES:
                self.error = error
                raise GoneError from error
            raise
        except EndpointSetupError as error:
            self.error = error
            raise GoneError from error
        self._failures, self._has_replied = 0, True
        return received


class ExcusedChat(WrappedChat):
    """A chat whose refusal of one prompt is an empty reply, which says as little as a refusal in words."""

    async def _receive(self, reply: Coroutine[Any, Any, Reply]) -> Reply:
        try:
            return await reply
        except PromptRefusedError:
            return Reply("", Usage(1))


class CountingChat(WrappedChat):
    """A chat that adds up what its replies cost.

    Args:
        chat: Who answers.

    Attributes:
        usage: What all replies cost so far.
    """

    def __init__(self, chat: Chat) -> None:
        super().__init__(chat)
        self.usage = Usage()

    async def _receive(self, reply: Coroutine[Any, Any, Reply]) -> Reply:
        received = await reply
        self.usage += received.usage
        return received


def _explain(model: str, error: Exception) -> EndpointError | EndpointSetupError:
    """Say what went wrong without the request, which Inspect repeats in its errors."""
    cause: BaseException = error
    while cause.__cause__ is not None and not hasattr(cause, "status_code"):
        cause = cause.__cause__
    status = getattr(cause, "status_code", None)
    if status in _UNAUTHORISED:
        return EndpointSetupError(f"{model}: the provider refuses the key (HTTP {status}); set a valid one")
    if status == _UNKNOWN:
        return EndpointSetupError(f"{model}: the provider knows no such model (HTTP 404); check its name")
    if status == _BUSY:
        problem = "is too busy (HTTP 429); lower --max-connections"
    elif isinstance(status, int) and status >= _SERVER_ERROR:
        problem = f"fails itself (HTTP {status}); try again later"
    elif isinstance(status, int):
        kind = PromptRefusedError if status in _REFUSED else EndpointError
        problem = f"refuses the request (HTTP {status}); the prompt may be too long for the model"
        return kind(f"{model}: the provider {problem}")
    elif type(cause).__name__ == _TIMED_OUT:
        problem = "gave no answer in time; raise --timeout"
    else:
        problem = f"gave no usable reply ({type(cause).__name__}); is the network up?"
    return EndpointError(f"{model}: the provider {problem}")
