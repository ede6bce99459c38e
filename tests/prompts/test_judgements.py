from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.prompts.judgements import Judgement, Verdict, parse_judgement

AS_ASKED = """RATING A: 7
RATING B: 9
JUDGMENT A: Reference is slightly better than Response A
JUDGMENT B: Response B is much better than Reference"""
BOTH = (Verdict.SLIGHTLY_WORSE, Verdict.MUCH_BETTER)


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        pytest.param(AS_ASKED, Judgement((7, 9), BOTH), id="as asked"),
        pytest.param(f"I think:\n\n{AS_ASKED}\n\nBye.".replace("JUDGMENT", "Judgement"), Judgement((7, 9), BOTH), id="prose"),
        pytest.param("**RATING A:** 7/10\n**RATING B**: **9**", Judgement((7, 9)), id="stars and tenths"),
        pytest.param("1. Response A rating (1-10): 7\n2. Response B rating (1-10): 8.5", Judgement((7, 8.5)), id="Figure 20"),
        pytest.param("Rating for Response A: 3\nScore of B = 4", Judgement((3, 4)), id="other words"),
        pytest.param("RATING A: 2\nRATING B: 2\nOn reflection:\nRATING A: 10\nRATING B: 1", Judgement((10, 1)), id="second thoughts"),
        pytest.param(f"<think>RATING A: 1\nRATING B: 1\nJUDGMENT A: equal</think>{AS_ASKED}", Judgement((7, 9), BOTH), id="thoughts"),
        pytest.param("<think>Perhaps rating A: 3, rating B: 9. But", None, id="nothing but thoughts"),
        pytest.param("RATING A: <1-10>\nRATING B: <1-10>", None, id="the form again"),
        pytest.param("RATING A: 7", None, id="one is missing"),
        pytest.param("RATING A: 11\nRATING B: 5", None, id="too high"),
        pytest.param("RATING A: 0\nRATING B: 5", None, id="too low"),
        pytest.param("RATING A: -3\nRATING B: 5", None, id="below nothing"),
        pytest.param("I cannot judge that.", None, id="refusal"),
        pytest.param("", None, id="nothing"),
    ],
)  # fmt: skip
def test_replies(reply, found):
    assert parse_judgement(reply) == found


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("Reference is much better than Response A", Verdict.MUCH_WORSE),
        ("reference is slightly better than Response A.", Verdict.SLIGHTLY_WORSE),
        ("Reference and Response A are equally good", Verdict.EQUAL),
        ("The reference answer is much better than Response A", Verdict.MUCH_WORSE),
        ("Response A is slightly better than the reference answer", Verdict.SLIGHTLY_BETTER),
        ("Response A is slightly better than Reference", Verdict.SLIGHTLY_BETTER),
        ("**Response A is much better than reference**", Verdict.MUCH_BETTER),
        ("Response X is much better than Reference", Verdict.MUCH_BETTER),
        ("Response B is much better than Reference", None),
        ("<one of the five>", None),
        ("Reference is much better than Response A; Response A is much better than Reference", None),
        ("Response A is better", None),
    ],
)
def test_verdicts(words, verdict):
    reply = f"RATING A: 5\nRATING B: 5\nJUDGMENT A: {words}"
    assert parse_judgement(reply) == Judgement((5, 5), (verdict, None))


@given(
    st.integers(1, 10),
    st.integers(1, 10),
    st.text(max_size=30).filter(lambda text: "ating" not in text.lower()),
)
def test_every_rating_is_read(first, second, prose):
    assert parse_judgement(f"{prose}\nRATING A: {first}\nRATING B: {second}\n") == Judgement((first, second))


@given(st.text(alphabet="RATINGJUDMEab: -1507().\n", max_size=200))
def test_nothing_makes_it_fail(reply):
    parse_judgement(reply)
