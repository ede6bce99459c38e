from __future__ import annotations

from dataclasses import dataclass

import pytest

from piibench.errors import InputError, UnknownStrategyError
from piibench.prompts.render import list_prompts
from piibench.strategies import registry
from piibench.strategies.base import Strategy
from piibench.strategies.registry import STRATEGIES, get_strategy, list_strategies
from piibench.strategies.single_prompt import SinglePrompt

ROWS = [
    ("naive", "Naive", 0.0),
    ("self_cot", "Self-CoT", 0.0),
    ("auto_cot", "Auto-CoT(3-shot)", 0.0),
    ("self_consistency", "Self-Consistency", 0.0),
    ("plan_and_solve", "PS-CoT", 0.0),
    ("naive_with_choice", "Naive w/ Choice", 0.0),
    ("self_consistency_vote", "Self-Consistency (vote)", 0.7),
]


def test_the_table_is_the_papers():
    assert [(name, each.title, each.temperature) for name, each in STRATEGIES.items()] == ROWS


@pytest.mark.parametrize("name", STRATEGIES)
def test_each_is_a_strategy_under_its_own_name(name):
    strategy = get_strategy(name)
    assert isinstance(strategy, Strategy)
    assert strategy.name == name
    assert strategy.max_tokens >= 512
    assert name in list_prompts() or not isinstance(strategy, SinglePrompt)


@dataclass
class Point:
    name: str

    def load(self):
        return lambda: SinglePrompt(self.name, "Mine", 512)


def test_another_package_brings_a_strategy(monkeypatch):
    points = [Point("mine"), Point("another"), Point("naive")]

    def entry_points(*, group, name=None):
        assert group == "piibench.strategies"
        return [point for point in points if name in (None, point.name)]

    monkeypatch.setattr(registry, "entry_points", entry_points)
    assert list_strategies() == (*STRATEGIES, "another", "mine")
    assert get_strategy("mine").title == "Mine"
    assert get_strategy("naive") is STRATEGIES["naive"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [("self-cot", 'did you mean "self_cot"?'), ("zzz", "known: naive, self_cot"), ("", "known:")],
)
def test_an_unknown_name_says_what_there_is(name, hint):
    with pytest.raises(UnknownStrategyError, match="unknown strategy") as caught:
        get_strategy(name)
    assert hint in str(caught.value)
    assert isinstance(caught.value, InputError)
