"""Who answers in an evaluation: systems, models and examples, each made once."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from piibench.evals.bridge import InspectChat, WatchedChat
from piibench.evals.grid import GOLD, OWN
from piibench.evals.local import LocalSystem
from piibench.evals.models import Access, create_model
from piibench.evals.shots import ShotFinder
from piibench.llm.embed import create_embedder
from piibench.llm.stored import StoredChat
from piibench.systems.registry import load_system

if TYPE_CHECKING:
    from pathlib import Path

    from inspect_ai.model import Model

    from piibench.errors import PiibenchError
    from piibench.llm.chat import Chat
    from piibench.systems.base import Detector, System


class Bench:
    """Systems and models by name.

    Args:
        access: How models are reached.
        replies: Folder where their replies are kept; None keeps none.
        seed: Of all choices.

    Attributes:
        seed: As given.
    """

    def __init__(self, access: Access | None = None, replies: Path | None = None, *, seed: int = 7) -> None:
        self.seed = seed
        self._access = access or Access()
        self._replies = replies
        self._models: dict[str, Model] = {}
        self._chats: dict[str, Chat] = {}
        self._watched: dict[str, WatchedChat] = {}
        self._systems: dict[str, System] = {}
        self._locals: dict[tuple[str, str | None], LocalSystem] = {}

    @cached_property
    def shots(self) -> ShotFinder:
        """Finds worked examples.

        Raises:
            InputError: What tells like queries from unlike ones is not installed.
        """
        return ShotFinder(self.seed, create_embedder())

    def model(self, name: str, option: str = "--model") -> Model:
        """The model that the command line names, by an option.

        Raises:
            EndpointSetupError: There is none, or its key or address is wrong.
        """
        if name not in self._models:
            self._models[name] = create_model(name, self._access, option)
        return self._models[name]

    def chat(self, name: str, model: Model | None = None, *, option: str = "--model") -> Chat:
        """A model to talk to.

        Args:
            name: Its name.
            model: Inspect's model, where that is known already.
            option: What names it on the command line.

        Raises:
            EndpointSetupError: There is none, or its key or address is wrong.
        """
        if name not in self._chats:
            asked = InspectChat(model or self.model(name, option), name, None if model else option)
            self._watched[name] = WatchedChat(asked)
            self._chats[name] = self._watched[name]
            if self._replies:
                # Known replies come first: they are there even where the model is gone.
                file = f"{re.sub(r'[^A-Za-z0-9.@_-]+', '_', name)}.jsonl"
                self._chats[name] = StoredChat(self._watched[name], self._replies / file)
        return self._chats[name]

    @property
    def models_in_use(self) -> int:
        """How many models there are."""
        return len(self._watched)

    def find_gone(self) -> PiibenchError | None:
        """Why a model is gone; None where all are there."""
        return next((chat.error for chat in self._watched.values() if chat.error), None)

    def system(self, name: str) -> System:
        """A system of the registry.

        Raises:
            UnknownSystemError: There is none of that name.
        """
        if name not in self._systems:
            self._systems[name] = load_system(name)
        return self._systems[name]

    def local(self, system: str, candidates: str | None) -> LocalSystem:
        """A system put to the tasks.

        Args:
            system: Its name, with or without fingerprint.
            candidates: What it selects from: None or "own", "gold", or another system's name.
        """
        candidates = candidates or OWN
        key = (system, candidates)
        if key not in self._locals:
            mine = self.system(system.partition("@")[0])
            self._locals[key] = LocalSystem(mine, mine if candidates == OWN else self.detector(candidates))
        return self._locals[key]

    def detector(self, candidates: str | None) -> Detector | None:
        """Who else detects the candidates; None for the labels, and for whoever selects from them itself."""
        return None if candidates in (None, OWN, GOLD) else self.system(candidates)
