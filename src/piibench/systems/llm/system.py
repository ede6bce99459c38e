"""The system `llm`, put together: who finds, who selects, and over which connection."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from piibench.errors import EndpointSetupError, InputError
from piibench.llm.stored import StoredChat
from piibench.strategies.registry import get_strategy
from piibench.systems.llm.connection import Connection
from piibench.systems.llm.detector import LLMDetector
from piibench.systems.llm.refusals import LenientChat
from piibench.systems.llm.selector import LLMSelector
from piibench.systems.registry import load_system

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from piibench.data.outcomes import Selection
    from piibench.data.schema import Entity, Prompt
    from piibench.llm.chat import Chat
    from piibench.strategies.base import Shot
    from piibench.systems.base import Closable, Detector, Selector

MODEL = "llm"
"""Stands for the model where either part of the system may be another system's."""
DEFAULT_STRATEGY = "naive_with_choice"
AT_ONCE = 8
"""Requests, and so prompts, at the same time."""

_SOURCES = ("piibench.prompts", "piibench.strategies", "piibench.systems.llm")


@dataclass(frozen=True)
class LLMSystem:
    """A model that finds, that selects, or that does both.

    Attributes:
        detector: Who finds.
        selector: Who selects.
        lenient: The model as `follow` asks it.
        fingerprint: Hash of whatever may change its answers.
        origin: What a record says of its making: "model", and "strategy" where the model selects.
        connection: What `close` closes.
        at_once: Prompts worth working on at the same time.
    """

    detector: Detector
    selector: Selector
    lenient: LenientChat
    fingerprint: str
    origin: Mapping[str, str] = field(default_factory=dict[str, str])
    connection: Closable | None = None
    at_once: int = AT_ONCE
    name: ClassVar[str] = MODEL

    async def detect(self, description: str) -> tuple[Entity, ...]:
        """Find the entities of a description."""
        return await self.detector.detect(description)

    async def select(self, prompt: Prompt, found: tuple[Entity, ...]) -> Selection:
        """Decide which entities the query needs."""
        return await self.selector.select(prompt, found)

    def follow(self, notes: dict[str, Any]) -> LLMSystem:
        """Return the same system for one prompt; see `Networked.follow`."""
        notes |= self.origin
        flag = partial(notes.update, flagged=True)
        detector, selector = self.detector, self.selector
        if isinstance(detector, LLMDetector):
            detector = replace(detector, chat=self.lenient, on_unreadable=flag)
        if isinstance(selector, LLMSelector):
            selector = replace(selector, chat=self.lenient, on_unreadable=flag)
        return replace(self, detector=detector, selector=selector)

    async def close(self) -> None:
        """Close the connections; the next use opens them again."""
        if self.connection is not None:
            await self.connection.close()


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to make the system.

    Attributes:
        model: The name by which the endpoint knows it; "" where it was forgotten.
        base_url: Address up to and with "/v1"; OPENAI_BASE_URL where absent.
        strategy: How the model is asked what the query needs; `DEFAULT_STRATEGY` where absent.
        detector: Who finds: "llm", or the name of another system.
        selector: Who selects, likewise.
        at_once: Requests at the same time, at least 1.
        replies: File that keeps the replies, so that a stopped run asks nothing twice; none where absent.
        shots: Worked examples, for a strategy that shows some (see `piibench.strategies.shots`).
    """

    model: str = ""
    base_url: str | None = None
    strategy: str | None = None
    detector: str = MODEL
    selector: str = MODEL
    at_once: int = AT_ONCE
    replies: str | Path | None = None
    shots: tuple[Shot, ...] = ()


def create_llm(**options: Any) -> LLMSystem:
    """Make the system `llm`.

    Args:
        options: The fields of a `Recipe`.

    Raises:
        EndpointSetupError: No model or no address is given.
        InputError: The model has nothing to do; or the strategy has nothing to select, or no worked examples.
        UnknownStrategyError: There is no such strategy.
        UnknownSystemError: There is no such detector or selector.
    """
    recipe = Recipe(**options)
    _check(recipe)
    connection = Connection(recipe.model, base_url=recipe.base_url, at_once=recipe.at_once)
    chat = StoredChat(connection, Path(recipe.replies)) if recipe.replies else connection
    return compose_llm(chat, recipe, connection)


def compose_llm(chat: Chat, recipe: Recipe, connection: Closable | None = None) -> LLMSystem:
    """Make the system over any chat.

    Args:
        chat: The model.
        recipe: Its strategy, detector and selector count.
        connection: What the system's `close` is to close.
    """
    origin = {"model": chat.model}
    detector: Detector = LLMDetector(chat) if recipe.detector == MODEL else load_system(recipe.detector)
    if recipe.selector == MODEL:
        strategy = get_strategy(recipe.strategy or DEFAULT_STRATEGY)
        if strategy.needs_shots and not recipe.shots:
            msg = (
                f"--strategy: {strategy.name} shows worked examples, which are chosen from labelled data with"
                " many replies of the model, so only `piibench evaluate` asks so; use self_cot, the same"
                f" without examples, or {DEFAULT_STRATEGY}"
            )
            raise InputError(msg)
        origin["strategy"] = strategy.name
        selector: Selector = LLMSelector(chat, strategy, recipe.shots)
    else:
        selector = load_system(recipe.selector)
    fingerprint = _hash(origin, {"detector": detector, "selector": selector}, recipe.shots)
    return LLMSystem(detector, selector, LenientChat(chat), fingerprint, origin, connection, recipe.at_once)


def _hash(origin: Mapping[str, str], parts: Mapping[str, Detector | Selector], shots: Iterable[Shot]) -> str:
    """Hash of the model's name, the strategy, other systems' parts, the prompts, and what reads replies.

    A server that changes the model under the same name goes unnoticed.
    """
    others = {role: getattr(part, "fingerprint", MODEL) for role, part in parts.items()}
    made = [dict(origin), others, [asdict(shot) for shot in shots]]
    digest = hashlib.sha256(json.dumps(made, sort_keys=True).encode())
    for room in _SOURCES:
        for path in sorted(files(room).iterdir(), key=lambda path: path.name):
            if path.name.endswith((".py", ".jinja")):
                digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


def _check(recipe: Recipe) -> None:
    if not recipe.model:
        msg = "the system llm needs a model; give --model NAME, as its server knows it"
        raise EndpointSetupError(msg)
    if recipe.at_once < 1:
        msg = "at_once: at least one request must be under way at a time"
        raise InputError(msg)
    if MODEL not in (recipe.detector, recipe.selector):
        msg = f"the model has nothing to do; leave --detector or --selector at {MODEL}"
        raise InputError(msg)
    if recipe.strategy and recipe.selector != MODEL:
        msg = "--strategy: the model is not asked what the query needs; leave --selector out"
        raise InputError(msg)
