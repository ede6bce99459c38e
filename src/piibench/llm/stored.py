"""Replies kept on disk: a stopped run goes on without asking, or paying, twice."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from piibench.data.output import explain_write_errors
from piibench.llm.chat import Reply

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from piibench.llm.chat import Chat, Message


class StoredChat:
    """A chat that remembers its replies in a file of JSON Lines.

    A reply is given again for the same model, messages, temperature, limit and seed. A line that a stopped
    run left unfinished is passed over.

    Args:
        chat: Who answers what is not known yet.
        path: The file; made with the first reply.
    """

    def __init__(self, chat: Chat, path: Path) -> None:
        self._chat = chat
        self._path = path
        self._known = dict(_read(path))

    @property
    def model(self) -> str:
        """The model's name."""
        return self._chat.model

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        temperature: float = 0.0,
        max_tokens: int = 1024,
        seed: int | None = None,
    ) -> Reply:
        """Give a known reply, which costs nothing, or ask."""
        talk = [[message.role, message.text] for message in messages]
        asked = json.dumps([self.model, talk, temperature, max_tokens, seed])
        key = hashlib.sha256(asked.encode()).hexdigest()
        if key in self._known:
            return self._known[key]
        reply = await self._chat.complete(messages, temperature=temperature, max_tokens=max_tokens, seed=seed)
        self._known[key] = Reply(reply.text, is_cut=reply.is_cut)
        self._append({"key": key, "text": reply.text, "is_cut": reply.is_cut})
        return reply

    def _append(self, entry: dict[str, Any]) -> None:
        # The leading line end parts it from a line that was left unfinished.
        with explain_write_errors(self._path.name), self._path.open("a", encoding="utf-8") as file:
            file.write("\n" + json.dumps(entry))


def _read(path: Path) -> list[tuple[str, Reply]]:
    if not path.exists():
        return []
    found: list[tuple[str, Reply]] = []
    for line in path.read_text("utf-8", errors="replace").splitlines():
        try:
            entry = json.loads(line)
            found.append((entry["key"], Reply(entry["text"], is_cut=entry["is_cut"])))
        except (ValueError, KeyError, TypeError):
            continue
    return found
