"""A model as detector (task 1): one question, every value with its type and whose it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from piibench.errors import EndpointError
from piibench.llm.chat import Message
from piibench.prompts.answers import parse_detection
from piibench.prompts.render import render
from piibench.systems.llm.placement import place_entities

if TYPE_CHECKING:
    from collections.abc import Callable

    from piibench.data.schema import Entity
    from piibench.llm.chat import Chat

_LEAST_TOKENS = 1024
_CHARACTERS_A_TOKEN = 2


def refuse() -> None:
    """Let nothing leave that no usable reply stands for.

    Raises:
        EndpointError: Always.
    """
    msg = (
        "the model's reply cannot be understood, so it is unknown what to hide; try again, or another --model"
    )
    raise EndpointError(msg)


def limit_tokens(text: str) -> int:
    """Longest reply about a text, in tokens: room for every value of a dense one, and for some thought."""
    return _LEAST_TOKENS + len(text) // _CHARACTERS_A_TOKEN


@dataclass(frozen=True, slots=True)
class LLMDetector:
    """Asks a model for every value.

    Attributes:
        chat: The model.
        on_unreadable: Is called where a reply, or a part of it, cannot be understood or was cut off, and
            where nothing that it names stands in the text. Where it returns, what could be read counts.
    """

    chat: Chat
    on_unreadable: Callable[[], None] = refuse

    async def detect(self, description: str) -> tuple[Entity, ...]:
        """Find the entities of a description; those that the model made up come last and have no mentions.

        Raises:
            EndpointError: No usable reply came.
            EndpointSetupError: The address, the key or the model's name is wrong.
        """
        if not description.strip():
            return ()
        reply = await self.chat.complete(
            [Message("user", render("detection", description=description))],
            max_tokens=limit_tokens(description),
        )
        detection = parse_detection(reply.text)
        found = place_entities(description, detection.values if detection else ())
        is_whole = detection is not None and detection.is_whole and not reply.is_cut
        if not is_whole or (found and not any(entity.mentions for entity in found)):
            self.on_unreadable()
        return found
