"""Which systems there are: the built-in table, and other packages' by the entry point `piibench.systems`.

An entry point names a factory: a callable that takes keyword options and returns a `System`.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from piibench.errors import InputError, UnknownSystemError

if TYPE_CHECKING:
    from collections.abc import Callable

    from piibench.systems.base import System

ENTRY_POINT_GROUP = "piibench.systems"
DEFAULT_SYSTEM = "encoder"


@dataclass(frozen=True, slots=True)
class SystemInfo:
    """One row of `piibench systems`.

    Attributes:
        name: What `--system` takes.
        factory: "module:attribute" of the factory.
        package: The distribution that brings it.
        summary: One line for people.
        extra: The optional extra of piibench that it needs, if any.
    """

    name: str
    factory: str
    package: str
    summary: str
    extra: str | None = None


BUILT_IN: dict[str, SystemInfo] = {
    "encoder": SystemInfo(
        "encoder",
        "piibench.systems.encoder:create_encoder",
        "piibench",
        "a small network that reads text and question together, and the rules' check digits; no server",
    ),
    "rules": SystemInfo(
        "rules",
        "piibench.systems.rules:create_rules",
        "piibench",
        "formats, check digits, lexicons and cue words; no model, no network",
    ),
    "llm": SystemInfo(
        "llm",
        "piibench.systems.llm.system:create_llm",
        "piibench",
        "any model behind an OpenAI-compatible endpoint; --model, --base-url, --strategy",
    ),
    "presidio": SystemInfo(
        "presidio",
        "piibench.systems.presidio:create_presidio",
        "piibench",
        "Presidio's recognizers, with a spaCy model where there is one; hides whatever it finds",
        extra="presidio",
    ),
    "bilstm_crf": SystemInfo(
        "bilstm_crf",
        "piibench.systems.bilstm_crf:create_bilstm_crf",
        "piibench",
        "the paper's baseline, with --weights from `piibench train bilstm_crf`; none ship with it",
    ),
    "zero-shot": SystemInfo(
        "zero-shot",
        "piibench.systems.zero_shot:create_zero_shot",
        "piibench",
        "the rules find, likeness of meaning between the question and each category chooses; no training",
        extra="eval",
    ),
}
"""The systems that ship with piibench, in the order of the README's table."""


def list_systems() -> tuple[SystemInfo, ...]:
    """The built-in systems, then those of other packages by name."""
    return tuple(BUILT_IN.values()) + tuple(
        SystemInfo(point.name, point.value, point.dist.name if point.dist else "-", "from another package")
        for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name)
        if point.name not in BUILT_IN
    )


def load_system(name: str = DEFAULT_SYSTEM, **options: Any) -> System:
    """Make the system of that name.

    Args:
        name: A name that `list_systems` gives.
        options: Handed to the system's factory.

    Raises:
        UnknownSystemError: No system of that name is installed.
        InputError: It needs an optional extra that is not installed, or an option's value is wrong.
        TypeError: It has no such option.
    """
    known = {info.name: info for info in list_systems()}
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(known)}"
        msg = f"unknown system; {hint} (`piibench systems` lists them)"
        raise UnknownSystemError(msg)
    return _find_factory(known[name])(**options)


def _find_factory(info: SystemInfo) -> Callable[..., System]:
    module, _, attribute = info.factory.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        if info.extra is None:
            raise
        remedy = f"pip install 'piibench[{info.extra}]'"
        msg = f"the system {info.name} needs the package {error.name}; {remedy}"
        raise InputError(msg) from error
