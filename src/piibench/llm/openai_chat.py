"""Any OpenAI-compatible endpoint: hosted, or a server on this machine (llama.cpp, vLLM, Ollama …).

The key comes from the environment alone (OPENAI_API_KEY), the address from an argument or OPENAI_BASE_URL:
nothing is ever sent to an address that nobody named. Errors name neither the host nor anything that was sent
or received.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Self

import httpx

from piibench.data.mentions import replace_surrogates
from piibench.errors import EndpointSetupError
from piibench.llm.chat import Usage
from piibench.llm.responses import Failure, explain_status, read_completion, read_wait

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from piibench.llm.chat import Message, Reply

ADDRESS, KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"
_CONNECT_S = 10.0
_OK = 200
_HIGHEST_PORT = 65535
_NO_KEY = f"{KEY}: holds characters that no key has; copy it anew"
_NO_PROXY = (
    "the environment's proxy is none; HTTP_PROXY, HTTPS_PROXY and ALL_PROXY should look like http://proxy:3128,"
    " and NO_PROXY should list names of hosts; mend or unset them"
)
_NO_CERTIFICATES = (
    "the environment's certificates cannot be read; SSL_CERT_FILE should name a file of certificates,"
    " SSLKEYLOGFILE one that may be written; mend or unset them"
)


@dataclass(frozen=True, slots=True)
class Limits:
    """How patient a client is.

    Attributes:
        timeout_s: Longest wait for a reply, in seconds.
        tries: Requests for one reply, at least 1.
        first_wait_s: Wait before the second try; it doubles with each further one.
        longest_wait_s: No wait is longer, whatever the endpoint asks for.
        concurrency: Requests at once, at least 1.
    """

    timeout_s: float = 120.0
    tries: int = 5
    first_wait_s: float = 0.5
    longest_wait_s: float = 60.0
    concurrency: int = 8


class OpenAIChat:
    """A model behind an OpenAI-compatible endpoint. Use it in `async with`, in one event loop.

    Args:
        model: The name by which the endpoint knows it.
        base_url: Address up to and with "/v1"; OPENAI_BASE_URL where absent.
        limits: How patient it is.
        rng: Spreads the waits of clients that failed together.
        option: What names the model on the command line, for errors; None where others say it.

    Attributes:
        model: The model's name.
        usage: What all replies cost so far.

    Raises:
        EndpointSetupError: No address is given, or it is none.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        limits: Limits = Limits(),
        rng: Random | None = None,
        option: str | None = None,
    ) -> None:
        self.model = model
        self.usage = Usage()
        self._option = option
        self._limits = limits
        self._rng = rng or Random()  # noqa: S311 - spreads waits, protects nothing
        self._gate = asyncio.Semaphore(limits.concurrency)
        key = os.environ.get(KEY, "").strip()
        self._url = _check_address(base_url or os.environ.get(ADDRESS, ""))
        try:
            self._client = httpx.AsyncClient(
                headers={"Authorization": f"Bearer {key}"} if key else {},
                timeout=httpx.Timeout(limits.timeout_s, connect=min(_CONNECT_S, limits.timeout_s)),
            )
        except UnicodeEncodeError:
            raise EndpointSetupError(_NO_KEY) from None
        except ImportError:
            msg = "the environment's proxy needs another package; install httpx[socks], or unset ALL_PROXY"
            raise EndpointSetupError(msg) from None
        except (ValueError, httpx.InvalidURL):
            raise EndpointSetupError(_NO_PROXY) from None
        except OSError:
            raise EndpointSetupError(_NO_CERTIFICATES) from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        temperature: float = 0.0,
        max_tokens: int = 1024,
        seed: int | None = None,
    ) -> Reply:
        """Answer the last message; see `Chat.complete`."""
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": message.role, "content": replace_surrogates(message.text)} for message in messages
            ],
            "temperature": temperature,
            "max_tokens": max_tokens,
        }
        if seed is not None:
            body["seed"] = seed
        for attempt in range(self._limits.tries):
            async with self._gate:
                outcome = await self._post(body)
            if not isinstance(outcome, Failure):
                self.usage += outcome.usage
                return outcome
            if not outcome.may_pass or attempt + 1 == self._limits.tries:
                raise outcome.to_error(attempt + 1)
            await asyncio.sleep(self._choose_wait(attempt, outcome.wait_s))
        msg = "Limits.tries must be at least 1"
        raise EndpointSetupError(msg)

    async def _post(self, body: dict[str, Any]) -> Reply | Failure:
        try:
            # The client's own limit is on each part of a reply.
            async with asyncio.timeout(self._limits.timeout_s):
                response = await self._client.post(self._url, json=body)
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            return self._explain(error)
        if response.status_code != _OK:
            wait_s = read_wait(response.headers)
            told = response.content.decode(errors="replace")
            return explain_status(response.status_code, told, wait_s, option=self._option)
        return read_completion(response.content)

    def _explain(self, error: Exception) -> Failure:
        """Why no answer came."""
        match error:
            case httpx.TimeoutException() | TimeoutError():
                problem = f"gave no answer within {self._limits.timeout_s:g} s; is it overloaded?"
            case httpx.UnsupportedProtocol() | httpx.InvalidURL():
                problem = "is no address of the web; it should look like http://localhost:8080/v1"
                return Failure(problem, is_setup=True)
            case httpx.LocalProtocolError():
                return Failure(_NO_KEY, is_setup=True)
            case httpx.ConnectError():
                problem = "nobody answers at that address; start the server, or check --base-url"
            case _:
                problem = "broke the connection; look into the server's own log"
        return Failure(problem, may_pass=True)

    def _choose_wait(self, attempt: int, asked_s: float | None) -> float:
        """Seconds until the next try: what the endpoint asks for, or twice the last wait, a little spread."""
        wait = self._limits.first_wait_s * 2**attempt if asked_s is None else asked_s
        return min(wait * self._rng.uniform(1.0, 1.25), self._limits.longest_wait_s)


def _check_address(base_url: str) -> str:
    """The address of the one route that is used."""
    if not base_url:
        msg = f"no address of a model server; give --base-url, or set {ADDRESS} (such as http://localhost:8080/v1)"
        raise EndpointSetupError(msg)
    try:
        url = httpx.URL(base_url)
        if url.scheme in ("http", "https") and url.host and (url.port or 0) <= _HIGHEST_PORT:
            return str(url.copy_with(path=url.path.rstrip("/") + "/chat/completions", fragment=None))
    except (httpx.InvalidURL, UnicodeError):
        pass  # "xn--" with nothing behind it is the latter
    msg = "the model server's address is none of the web; it should look like http://localhost:8080/v1"
    raise EndpointSetupError(msg)
