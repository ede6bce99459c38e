"""A real HTTP server on loopback that speaks, or fails to speak, the OpenAI protocol."""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

Respond = "Callable[[dict[str, Any]], Response]"


@dataclass
class Response:
    """One HTTP response; `delay_s` is waited first, `drip_s` after each byte; `dies` closes instead."""

    body: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    drip_s: float = 0.0
    dies: bool = False


def complete(text: str, finish: str = "stop") -> Response:
    """A completion as servers send it."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    usage = {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14}
    return Response(json.dumps({"object": "chat.completion", "choices": [choice], "usage": usage}))


@dataclass
class Loopback:
    """A running server: its address, and what was asked of it."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    most_at_once: int = 0


@contextmanager
def serve(respond: Callable[[dict[str, Any]], Response]) -> Generator[Loopback]:
    """Run a server whose answers `respond` makes of each request's body; it is called under a lock."""
    lock = threading.Lock()
    at_once = 0

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            nonlocal at_once
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                at_once += 1
                state.most_at_once = max(state.most_at_once, at_once)
                state.requests.append(body)
                state.headers.append(dict(self.headers))
                state.paths.append(self.path)
                is_known = urlsplit(self.path).path == "/v1/chat/completions"
                response = respond(body) if is_known else Response("no such page", 404)
            time.sleep(response.delay_s)
            with lock:
                at_once -= 1
            self.send(response)

        def send(self, response: Response) -> None:
            if response.dies:
                self.close_connection = True
                return
            try:
                self.send_response(response.status)
                for name, value in response.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                content = response.body.encode()
                for at in range(len(content)) if response.drip_s else ():
                    self.wfile.write(content[at : at + 1])
                    time.sleep(response.drip_s)
                self.wfile.write(b"" if response.drip_s else content)
            except OSError:
                pass  # the client has given up waiting

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state = Loopback(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def find_dead_address() -> str:
    """An address at which nobody listens any more."""
    with serve(lambda _: Response()) as state:
        return state.url
