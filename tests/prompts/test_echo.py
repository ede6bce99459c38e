"""A model that only repeats what it was told gives no answer."""

from __future__ import annotations

import re

import pytest

from piibench.prompts.answers import parse_answer
from piibench.prompts.judgements import parse_judgement
from piibench.prompts.render import render
from piibench.strategies.registry import STRATEGIES
from piibench.strategies.single_prompt import SinglePrompt

TEXTS = {"description": "Ada is 34.", "query": "Old?"}
MORE = {"naive_with_choice": {"candidates": ()}, "auto_cot": {"shots": ()}}
ONCE = [name for name, strategy in STRATEGIES.items() if isinstance(strategy, SinglePrompt)]


@pytest.mark.parametrize("name", ONCE)
@pytest.mark.parametrize("goal", ["needed", "hidden"])
def test_the_prompt_of_a_strategy(name, goal):
    prompt = render(name, goal=goal, **TEXTS, **MORE.get(name, {}))
    prompt = re.sub("<options .*</options [0-9a-f]+>", "", prompt, flags=re.DOTALL)
    assert parse_answer(prompt) is None
    assert parse_answer(prompt[prompt.index("### ") :]) is None


def test_the_prompt_of_the_judge():
    prompt = render("judge", query="Old?", reference="34", response_a="x", response_b="y")
    assert parse_judgement(prompt[prompt.index("RATING A") :]) is None
