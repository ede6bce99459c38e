from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.schema import Prompt
from piibench.errors import EndpointError
from piibench.llm.scripted import ScriptedChat
from piibench.strategies.base import Question
from piibench.strategies.registry import SAMPLING_TEMPERATURE, STRATEGIES
from piibench.strategies.vote import take_majority

VOTE = STRATEGIES["self_consistency_vote"]
QUESTION = Question(Prompt(description="Ada, 34, asthma.", query="Which sports are safe?"), seed=3)


def ask(*replies: str | EndpointError):
    chat = ScriptedChat(replies)
    return chat, asyncio.run(VOTE.choose(chat, QUESTION))


def test_worked_example():
    # Of five paths one is unreadable; of the other four, "asthma" has 4 votes, "34" 3, "Ada" 2: no majority.
    chat, choice = ask(
        '### Answer: ["34", "asthma"]',
        '### Answer: ["asthma", "34", "asthma"]',
        "no idea",
        '### Answer: ["Ada", "asthma"]',
        '### Answer: ["Ada", "asthma", "34"]',
    )
    assert choice.values == ("asthma", "34")
    assert choice.usage.calls == len(choice.replies) == 5
    assert chat.seeds == [3, 4, 5, 6, 7]
    assert len(set(chat.asked)) == 1
    assert "Reason step by step" in chat.asked[0][0].text


def test_paths_are_sampled():
    assert VOTE.temperature == SAMPLING_TEMPERATURE == 0.7


def test_nothing_readable_is_unreadable_and_nothing_agreed_is_empty():
    assert ask(*["?"] * 5)[1].values is None
    assert ask(*[f'["{number}"]' for number in range(5)])[1].values == ()


def test_a_failure_is_raised_as_it_is():
    with pytest.raises(EndpointError, match="dead"):
        ask('["34"]', EndpointError("dead"))


ANSWERS = st.lists(
    st.none() | st.lists(st.sampled_from("abcd"), max_size=4, unique=True).map(tuple), max_size=7
)


@given(ANSWERS, st.randoms())
def test_the_order_of_paths_does_not_matter(answers, rng):
    shuffled = rng.sample(answers, len(answers))
    first, second = take_majority(answers), take_majority(shuffled)
    assert first == second or set(first) == set(second)


@given(ANSWERS)
def test_agreement_stands(answers):
    readable = [answer for answer in answers if answer is not None]
    values = take_majority(answers)
    assert (values is None) == (not readable)
    if readable:
        assert set.intersection(*map(set, readable)) <= set(values) <= set.union(*map(set, readable))
