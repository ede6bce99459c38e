from __future__ import annotations

import asyncio
import time
from random import Random

import pytest

from loopback_model import Response, complete, find_dead_address, serve
from piibench.errors import EndpointError, EndpointSetupError
from piibench.llm.chat import Message, Reply, Usage
from piibench.llm.openai_chat import Limits, OpenAIChat

QUICK = Limits(timeout_s=5, tries=3, first_wait_s=0.01, longest_wait_s=0.5, concurrency=2)
SECRET = "Zora Quillfeather"


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def ask(url: str | None, limits: Limits = QUICK, times: int = 1, **options) -> list[Reply]:
    async def go() -> list[Reply]:
        async with OpenAIChat("small", base_url=url, limits=limits, rng=Random(1)) as chat:
            calls = [chat.complete([Message("user", SECRET)], **options) for _ in range(times)]
            replies = list(await asyncio.gather(*calls))
            assert chat.usage == sum((reply.usage for reply in replies), Usage())
            return replies

    return asyncio.run(go())


def test_asks_as_the_protocol_wants_and_reads_the_reply(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with serve(lambda _: complete("hello")) as server:
        (reply,) = ask(server.url + "/", temperature=0.5, max_tokens=7, seed=3)
    assert (reply.text, reply.usage, reply.is_cut) == ("hello", Usage(1, 10, 4), False)
    assert server.requests == [
        {
            "model": "small",
            "messages": [{"role": "user", "content": SECRET}],
            "temperature": 0.5,
            "max_tokens": 7,
            "seed": 3,
        }
    ]
    assert server.headers[0]["Authorization"] == "Bearer sk-test"


def test_without_a_key_none_is_sent_and_the_address_may_come_from_the_environment(monkeypatch):
    with serve(lambda _: complete("hello", "length")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        (reply,) = ask(None)
    assert reply.is_cut
    assert "Authorization" not in server.headers[0]
    assert "seed" not in server.requests[0]


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_what_may_pass_is_tried_again(status):
    script = iter([Response("busy", status), Response("busy", status), complete("at last")])
    with serve(lambda _: next(script)) as server:
        assert ask(server.url)[0].text == "at last"
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("response", "told"),
    [
        (Response("oops", 500), "failed itself (HTTP 500); look into its own log (3 tries)"),
        (Response("slow down", 429), "is too busy (HTTP 429)"),
        (Response("<html>hello</html>"), "something else than a completion in JSON"),
        (Response('{"choices": []}'), "something else than a completion in JSON"),
        (Response(dies=True), "broke the connection"),
    ],
)
def test_what_does_not_pass_ends_in_one_clear_line(response, told):
    with serve(lambda _: response) as server, pytest.raises(EndpointError) as caught:
        ask(server.url)
    assert told in str(caught.value)
    assert len(server.requests) == QUICK.tries
    assert SECRET not in str(caught.value)
    assert "127.0.0.1" not in str(caught.value)


@pytest.mark.parametrize(
    ("response", "told"),
    [
        (Response('{"error": {"message": "bad key"}}', 401), "set OPENAI_API_KEY"),
        (Response('{"error": {"code": "model_not_found", "message": "x"}}', 404), "no model of that name"),
        (
            Response('{"error": "model \\"small\\" not found, try pulling it first"}', 404),
            "no model of that name",
        ),
        (Response("not here", 404), "check --base-url"),
        (Response("", 302, {"Location": "http://elsewhere.example"}), "check --base-url"),
    ],
)
def test_wrong_setup_is_told_at_once(response, told):
    with (
        serve(lambda _: response) as server,
        pytest.raises(EndpointSetupError, match="model server") as caught,
    ):
        ask(server.url)
    assert told in str(caught.value)
    assert len(server.requests) == 1


def test_a_refused_request_is_not_repeated():
    refused = Response('{"error": {"message": "context length"}}', 400)
    with serve(lambda _: refused) as server, pytest.raises(EndpointError, match="too long for the model"):
        ask(server.url)
    assert len(server.requests) == 1


def test_retry_after_is_honoured():
    script = iter([Response("busy", 429, {"Retry-After": "0.3"}), complete("now")])
    begin = time.monotonic()
    with serve(lambda _: next(script)) as server:
        ask(server.url)
    assert time.monotonic() - begin >= 0.3


def test_no_wait_is_longer_than_the_limit():
    script = iter([Response("busy", 503, {"Retry-After": "86400"}), complete("now")])
    with serve(lambda _: next(script)) as server:
        assert ask(server.url)[0].text == "now"


def test_a_slow_server_is_given_up():
    limits = Limits(timeout_s=0.2, tries=2, first_wait_s=0.01)
    told = r"gave no answer within 0\.2 s"
    with serve(lambda _: Response(delay_s=1.0)) as server, pytest.raises(EndpointError, match=told):
        ask(server.url, limits)
    assert len(server.requests) == 2


def test_a_reply_that_never_ends_is_given_up():
    limits = Limits(timeout_s=0.5, tries=1)
    told = r"gave no answer within 0\.5 s"
    with serve(lambda _: Response("x" * 30, drip_s=0.1)) as server, pytest.raises(EndpointError, match=told):
        ask(server.url, limits)


def test_a_dead_server_is_named_with_the_remedy():
    with pytest.raises(EndpointError, match="nobody answers at that address; start the server"):
        ask(find_dead_address())


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8080/v1",
        "ftp://localhost/v1",
        "http://",
        "http://[::1",
        "http://xn--/v1",
        "http://h:70000/v1",
    ],
)
def test_what_is_no_address_is_refused(url):
    with pytest.raises(EndpointSetupError, match="address"):
        ask(url)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("ALL_PROXY", "socks://localhost:1", "ALL_PROXY"),
        ("HTTPS_PROXY", "ftp://localhost", "HTTPS_PROXY"),
        ("HTTP_PROXY", "http://[::1", "HTTP_PROXY"),
        ("ALL_PROXY", "socks5://localhost:1", "ALL_PROXY"),
        ("SSL_CERT_FILE", "/nowhere/certificates", "SSL_CERT_FILE"),
        ("SSL_CERT_FILE", __file__, "SSL_CERT_FILE"),
    ],
)
def test_a_wrong_variable_of_the_environment_is_named(monkeypatch, name, value, told):
    monkeypatch.setenv(name, value)
    with pytest.raises(EndpointSetupError, match=told) as caught:
        ask("http://localhost/v1")
    assert value not in str(caught.value)


def test_what_an_address_asks_for_stays_behind_the_route():
    with serve(lambda _: complete("hello")) as server:
        ask(server.url + "/?api-version=2#top")
    assert server.paths == ["/v1/chat/completions?api-version=2"]


def test_no_more_requests_at_once_than_allowed():
    def respond(body):
        response = complete("x")
        response.delay_s = 0.05
        return response

    with serve(respond) as server:
        assert len(ask(server.url, times=7)) == 7
    assert server.most_at_once == 2


def test_a_line_end_behind_the_key_is_not_sent_and_one_within_is_told(monkeypatch):
    with serve(lambda _: complete("hello")) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test\r\n")
        ask(server.url)
        assert server.headers[0]["Authorization"] == "Bearer sk-test"
        monkeypatch.setenv("OPENAI_API_KEY", "sk-\rtest")
        with pytest.raises(EndpointSetupError, match="holds characters that no key has"):
            ask(server.url)
    assert len(server.requests) == 1


def test_half_a_character_is_sent_as_a_replacement():
    async def go(url: str) -> None:
        async with OpenAIChat("small", base_url=url, limits=QUICK) as chat:
            await chat.complete([Message("user", "cut \ud83d here")])

    with serve(lambda _: complete("hello")) as server:
        asyncio.run(go(server.url))
    assert server.requests[0]["messages"][0]["content"] == "cut \ufffd here"
