"""Replies kept on disk as they come: whatever stops a run, no reply is asked, or paid, for twice."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from piibench.data.output import explain_write_errors
from piibench.llm.chat import Reply, Usage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from piibench.llm.chat import Chat, Message


class StoredChat:
    """A chat that gives a reply again, with what it once cost, for the same model, messages and settings.

    Args:
        chat: Who answers what is not known yet.
        path: A file of JSON Lines; made with the first reply. A line that a stopped run left unfinished is
            passed over. It is read when the first question comes.
    """

    def __init__(self, chat: Chat, path: Path) -> None:
        self._chat = chat
        self._path = path
        # A lock is of one event loop, the chat of any.
        self._asking: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, asyncio.Lock]] = (
            WeakKeyDictionary()
        )

    @property
    def model(self) -> str:
        """The model's name."""
        return self._chat.model

    @cached_property
    def _known(self) -> dict[str, Reply]:
        return dict(_read(self._path))

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        temperature: float = 0.0,
        max_tokens: int = 1024,
        seed: int | None = None,
    ) -> Reply:
        """Give a known reply, or ask; who asks the same meanwhile waits for that reply."""
        talk = [[message.role, message.text] for message in messages]
        asked = json.dumps([self.model, talk, temperature, max_tokens, seed])
        key = hashlib.sha256(asked.encode()).hexdigest()
        if key in self._known:
            return self._known[key]
        asking = self._asking.setdefault(asyncio.get_running_loop(), {})
        async with asking.setdefault(key, asyncio.Lock()):
            if key not in self._known:
                reply = await self._chat.complete(
                    messages, temperature=temperature, max_tokens=max_tokens, seed=seed
                )
                self._keep(key, reply)
                self._known[key] = reply
                del asking[key]
        return self._known[key]

    def _keep(self, key: str, reply: Reply) -> None:
        usage = [reply.usage.calls, reply.usage.prompt_tokens, reply.usage.reply_tokens]
        line = json.dumps({"key": key, "text": reply.text, "is_cut": reply.is_cut, "usage": usage})
        with explain_write_errors(self._path.name):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
            try:
                # The leading line end parts it from a line that was left unfinished.
                os.write(descriptor, f"\n{line}".encode())
            finally:
                os.close(descriptor)


def _read(path: Path) -> Iterator[tuple[str, Reply]]:
    if not path.exists():
        return
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            try:
                entry = json.loads(line)
                key, text, is_cut = entry["key"], entry["text"], entry["is_cut"]
                usage = Usage(*entry["usage"])
            except (ValueError, KeyError, TypeError, RecursionError):
                continue
            if isinstance(key, str) and isinstance(text, str):
                yield key, Reply(text, usage, is_cut=bool(is_cut))
