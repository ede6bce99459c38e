"""Pairs of answers before a judge: arranged, asked about, read."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.evals.judging import Judge, Opinion, arrange_pairs, is_turned, match_orders
from piibench.llm.scripted import ScriptedChat

ANSWERS = {"all": "Buy apples.", "gold": "Sell pears."}
BOTH = (("all", "gold"), ("gold", "all"))


def say(first: int, second: int, *verdicts: str) -> str:
    steps = zip("AB", verdicts, strict=False)
    return f"RATING A: {first}\nRATING B: {second}\n" + "\n".join(f"JUDGMENT {x}: {y}" for x, y in steps)


def rate(script, answers=ANSWERS, shown=BOTH):
    chat = ScriptedChat(script)
    judge = Judge(chat, "What now?", "the reference", 7)
    return asyncio.run(judge.rate(answers, shown)), chat


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("ab", [("a", "b"), ("b", "a")]),
        ("abc", [("a", "b"), ("b", "a"), ("b", "c"), ("c", "b"), ("c", "a"), ("a", "c")]),
    ],
)
def test_two_or_three_answers_are_seen_in_all_pairs_and_orders(names, expected):
    assert list(arrange_pairs(names, orders=2, turned=False)) == expected
    assert arrange_pairs(names, orders=2, turned=True) == arrange_pairs(names, orders=2, turned=False)


@given(st.integers(2, 8), st.booleans(), st.sampled_from([1, 2]))
def test_every_answer_is_seen_equally_often(n, turned, orders):
    pairs = arrange_pairs("abcdefgh"[:n], orders=orders, turned=turned)
    assert len(set(pairs)) == len(pairs)
    assert len(set(Counter(name for pair in pairs for name in pair).values())) == 1
    if orders == 2 or n > 2:
        first, second = (Counter(pair[place] for pair in pairs) for place in (0, 1))
        assert first == second


def test_one_order_is_turned_round_for_about_half_of_the_samples():
    turned = [is_turned(f"sample-{number}", 7) for number in range(400)]
    assert 160 < sum(turned) < 240
    assert turned == [is_turned(f"sample-{number}", 7) for number in range(400)]
    assert arrange_pairs("ab", orders=1, turned=True) == (("b", "a"),)


def test_opinions_go_to_the_answer_that_stood_in_the_place():
    script = [
        say(8, 3, "Reference and Response A are equally good", "Reference is much better than Response B"),
        say(4, 9),
    ]
    opinions, chat = rate(script)
    assert opinions["all"] == [Opinion("gold", 0, 8, 0), Opinion("gold", 1, 9, None)]
    assert opinions["gold"] == [Opinion("all", 1, 3, -2), Opinion("all", 0, 4, None)]
    first, second = (messages[0].text for messages in chat.asked)
    assert first.index("apples") < first.index("pears")
    assert second.index("pears") < second.index("apples")
    assert all("What now?" in text and "the reference" in text for text in (first, second))


def test_what_cannot_be_read_is_an_opinion_without_rating():
    opinions, _ = rate(["I cannot help with that.", say(2, 3)])
    assert [each.rating for each in opinions["all"]] == [None, 3]


def test_the_same_two_answers_are_asked_about_once():
    _, chat = rate([say(5, 5)], answers=dict.fromkeys(ANSWERS, "same"))
    assert len(chat.asked) == 1


def test_orders_match_beside_the_same_answer():
    shown = [Opinion("a", 0, 5, 0), Opinion("b", 1, 6, 1), Opinion("b", 0, 7, 2), Opinion("c", 1, 8, 0)]
    assert list(match_orders(shown)) == [(shown[2], shown[1])]
