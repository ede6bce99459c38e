"""Self-BLEU, worked by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.synthesis.bleu import list_grams, self_bleu

CASES = {
    # 4 of 5 words, 3 of 4 pairs, 2 of 3 threes and 1 of 2 fours stand in the other text: 4/5 * 3/4 * 2/3 * 1/2.
    "one word differs": (["a b c d e", "a b c d f"], 0.2**0.25),
    # Everything of the first stands in the second, which is a word longer: exp(1 - 5/4). The other way as above.
    "the shorter is penalised": (["a b c d", "a b c d e"], (math.exp(-0.25) + 0.2**0.25) / 2),
    # "a" stands three times in the first and twice in the second: 2/3 of its words count; it has no four.
    "counts are clipped": (["a a a", "a a"], 0.0),
    # 6 words: 5/6, 4/5, 3/4, 2/3, product 1/3; its seven repeats of "a" count six times: 6/7, 5/6, 4/5, 3/4, product 3/7.
    "repeats are clipped": (["a a a a a a", "a a a a a a a"], (math.exp(1 - 7 / 6) + (3 / 7) ** 0.25) / 2),
    "the same": (["a b c d e"] * 3, 1.0),
    "nothing in common": (["a b c d", "e f g h"], 0.0),
    "no four words in common": (["a b c x", "a b c y"], 0.0),
    "the closest length counts": (["a b c d", "a b c d", "a b c d e f g h i"], (1 + 1 + 0.0) / 3 + 0.0),
    "alone": (["a b c d"], 0.0),
    "empty": (["", ""], 0.0),
}


@pytest.mark.parametrize("name", CASES)
def test_worked_by_hand(name: str) -> None:
    texts, expected = CASES[name]
    if name == "the closest length counts":
        # The long text: 4 of 9 words, 3 of 8 pairs, 2 of 7 threes, 1 of 6 fours; both references are shorter.
        expected += (4 / 9 * 3 / 8 * 2 / 7 * 1 / 6) ** 0.25 / 3
    assert self_bleu([text.split() for text in texts]) == pytest.approx(expected)


def test_grams() -> None:
    assert list(list_grams(["a", "b", "c"], 2)) == [("a", "b"), ("b", "c")]
    assert list(list_grams(["a"], 2)) == []


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=12), max_size=6), st.randoms())
def test_it_is_a_share_and_order_does_not_matter(texts: list[list[str]], rng) -> None:
    score = self_bleu(texts)
    assert 0 <= score <= 1 + 1e-12
    shuffled = texts[:]
    rng.shuffle(shuffled)
    assert self_bleu(shuffled) == pytest.approx(score)
