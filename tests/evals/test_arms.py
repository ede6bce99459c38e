"""Prompts masked in every way that a trade-off compares."""

from __future__ import annotations

import asyncio

import pytest

from piibench.data.schema import Sample
from piibench.errors import InputError, SystemFailureError, UnknownSystemError
from piibench.evals.arms import MASKER, choose_arms, create_masker
from piibench.evals.bench import Bench
from piibench.llm.scripted import ScriptedChat
from piibench.masking.restore import restore
from piibench.metrics.tradeoff import count_values
from piibench.systems.registry import load_system
from piibench.systems.rules import Rules

RULES = f"rules@{load_system('rules').fingerprint}"
DEFAULT = f"encoder@{load_system().fingerprint}"


def send(arm, gold):
    return asyncio.run(create_masker(arm, Bench())(gold, {}))


def shown(gold, sent, entities) -> set[str]:
    values = {entity.text for entity in entities}
    text = f"{sent.description}\n{sent.query}"
    for placeholder in sent.placeholders:
        text = text.replace(placeholder, "<>")
    return set(count_values(values, "", text)[1])


def test_no_mask_sends_the_prompt_as_it_is(samples):
    for gold in samples:
        assert send("none", gold).text == f"{gold.description}\n\n{gold.query}"


def test_all_and_gold_hide_by_the_labels(samples):
    for gold in samples:
        needed = {entity.text for entity in gold.relevant_entities}
        assert not shown(gold, send("all", gold), gold.entities)
        left = shown(gold, send("gold", gold), gold.entities)
        assert needed & left
        assert not left - needed - {each for each in left if any(each in value for value in needed)}


@pytest.mark.parametrize("arm", ["all", "gold", RULES, "rules"])
def test_what_was_hidden_comes_back(samples, arm):
    for gold in samples:
        sent = send(arm, gold)
        assert sent.description != gold.description
        assert restore(sent.text, sent.vault) == f"{gold.description}\n\n{gold.query}"


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ((), ("none", "all", "gold", DEFAULT)),
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
        (("llm",), InputError, "name the model that masks with --masker"),
    ],
)
def test_a_wrong_arm_is_refused(wanted, error, told):
    with pytest.raises(error, match=told):
        choose_arms(wanted)


def mask_by(script):
    gold = Sample(
        id="s",
        subset="single",
        description="Call Ada Lovelace, not <Age 7>, at 020 7946 0018.",
        query="Is it in London?",
    )
    chat = ScriptedChat(script)
    sent = asyncio.run(create_masker("llm@naive_with_choice", Bench())(gold, {MASKER: chat}))
    return sent, len(chat.asked)


FOUND = '{"A": {"Ada Lovelace": "Full Name", "020 7946 0018": "Phone Number"}}'
NOTHING = '{"A": {}}'


def test_a_model_masks_what_it_finds_and_does_not_select():
    sent, asked = mask_by([FOUND, '### Answer: ["020 7946 0018"]', NOTHING])
    assert asked == 3
    assert sent.text == ("Call <Full Name 1>, not <Age 7>, at 020 7946 0018.\n\nIs it in London?")
    assert sent.placeholders == ("<Full Name 1>",)
    assert not sent.flagged


@pytest.mark.parametrize("replies", [["I cannot.", NOTHING], [FOUND, "I cannot.", NOTHING]])
def test_a_masker_that_is_not_understood_is_flagged(replies):
    sent, _ = mask_by(replies)
    assert sent.flagged
    assert ("Ada" in sent.text) == (FOUND not in replies)


def test_the_model_arm_carries_its_strategy():
    assert choose_arms(("llm",), "self_cot") == ("none", "llm@self_cot")


def test_a_system_that_fails_is_told_without_the_text(samples, monkeypatch):
    async def detect(self, description):
        raise ValueError(description)

    monkeypatch.setattr(Rules, "detect", detect)
    with pytest.raises(SystemFailureError) as caught:
        send("rules", samples[0])
    assert str(caught.value) == f'system rules failed on sample "{samples[0].id}": ValueError'
