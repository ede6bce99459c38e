"""Which strategies there are: the built-in table, and other packages' (entry point `piibench.strategies`).

An entry point names a factory: a callable without arguments that returns a `Strategy`.
"""

from __future__ import annotations

import difflib
from dataclasses import replace
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING

from piibench.errors import UnknownStrategyError
from piibench.strategies.single_prompt import SinglePrompt
from piibench.strategies.vote import Vote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from piibench.strategies.base import Strategy

ENTRY_POINT_GROUP = "piibench.strategies"
SAMPLING_TEMPERATURE = 0.7

_LIST, _THOUGHT, _VIEWPOINTS = 1024, 2048, 3072
"""Longest replies in tokens: the list alone, a chain before it, five of them."""

_SELF_COT = SinglePrompt("self_cot", "Self-CoT", _THOUGHT)

STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    {
        strategy.name: strategy
        for strategy in (
            SinglePrompt("naive", "Naive", _LIST),
            _SELF_COT,
            SinglePrompt("auto_cot", "Auto-CoT(3-shot)", _THOUGHT, needs_shots=True),
            SinglePrompt("self_consistency", "Self-Consistency", _VIEWPOINTS),
            SinglePrompt("plan_and_solve", "PS-CoT", _THOUGHT),
            SinglePrompt("naive_with_choice", "Naive w/ Choice", _LIST, needs_candidates=True),
            Vote(
                "self_consistency_vote",
                "Self-Consistency (vote)",
                replace(_SELF_COT, temperature=SAMPLING_TEMPERATURE),
            ),
        )
    }
)
"""The six strategies of section 4.1 in the row order of Table 4, then our variant."""


def list_strategies() -> tuple[str, ...]:
    """The names of the built-in strategies, then those of other packages, sorted."""
    others = {point.name for point in entry_points(group=ENTRY_POINT_GROUP)}
    return (*STRATEGIES, *sorted(others - set(STRATEGIES)))


def get_strategy(name: str) -> Strategy:
    """Return the strategy of that name.

    Raises:
        UnknownStrategyError: No strategy of that name is installed.
    """
    if name in STRATEGIES:
        return STRATEGIES[name]
    for point in entry_points(group=ENTRY_POINT_GROUP, name=name):
        return point.load()()
    known = list_strategies()
    near = difflib.get_close_matches(name, known, n=1)
    hint = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(known)}"
    msg = f"unknown strategy; {hint}"
    raise UnknownStrategyError(msg)
