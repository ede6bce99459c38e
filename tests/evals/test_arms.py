"""Prompts masked in every way that a trade-off compares."""

from __future__ import annotations

import asyncio

import pytest

from piibench.errors import InputError, SystemFailureError, UnknownSystemError
from piibench.evals.arms import choose_arms, create_masker
from piibench.masking.restore import restore
from piibench.metrics.tradeoff import count_values
from piibench.systems.registry import load_system
from piibench.systems.rules import Rules

RULES = f"rules@{load_system('rules').fingerprint}"


def send(arm, gold):
    return asyncio.run(create_masker(arm, load_system)(gold))


def shown(gold, sent, entities) -> set[str]:
    values = {entity.text for entity in entities}
    return set(count_values(values, "", f"{sent.description}\n{sent.query}")[1])


def test_no_mask_sends_the_prompt_as_it_is(samples):
    for gold in samples:
        assert send("none", gold).text == f"{gold.description}\n\n{gold.query}"


def test_all_and_gold_hide_by_the_labels(samples):
    for gold in samples:
        needed = {entity.text for entity in gold.relevant_entities}
        assert not {each for each in shown(gold, send("all", gold), gold.entities) if not each.isdigit()}
        left = shown(gold, send("gold", gold), gold.entities)
        assert needed & left
        assert not {each for each in left - needed if not each.isdigit()} - {
            each for each in left if any(each in value for value in needed)
        }


@pytest.mark.parametrize("arm", ["all", "gold", RULES, "rules"])
def test_what_was_hidden_comes_back(samples, arm):
    for gold in samples:
        sent = send(arm, gold)
        assert sent.description != gold.description
        assert restore(sent.text, sent.vault) == f"{gold.description}\n\n{gold.query}"


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ((), ("none", "all", "gold", RULES)),
        (("gold", "none", "gold"), ("none", "gold")),
        (("rules",), ("none", RULES)),
    ],
)
def test_arms_stand_once_and_the_reference_first(wanted, expected):
    assert choose_arms(wanted) == expected


@pytest.mark.parametrize(
    ("wanted", "error", "told"),
    [
        (("none",), InputError, "name a way to mask"),
        (("all", "ruled"), UnknownSystemError, 'did you mean "rules"'),
        (("llm",), InputError, "no model can be named"),
    ],
)
def test_a_wrong_arm_is_refused(wanted, error, told):
    with pytest.raises(error, match=told):
        choose_arms(wanted)


def test_a_system_that_fails_is_told_without_the_text(samples, monkeypatch):
    async def detect(self, description):
        raise ValueError(description)

    monkeypatch.setattr(Rules, "detect", detect)
    with pytest.raises(SystemFailureError) as caught:
        send("rules", samples[0])
    assert str(caught.value) == f'system rules failed on sample "{samples[0].id}": ValueError'
