"""Words that mean a person, and which of them are read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import Span
from piibench.systems.encoder.references import find_near, find_references, load_words
from piibench.systems.encoder.windows import WIDEST


def find(text, *taken):
    spans = [Span(text.index(value), text.index(value) + len(value)) for value in taken]
    return [span.of(text) for span in find_references(text, spans)]


def test_pronouns_kin_and_roles_are_found_in_any_letter_case():
    text = "HER brother, the co-tenant, said I'd told Someone's sister-in-law: it's theirs."
    assert find(text) == ["HER", "brother", "tenant", "I", "Someone", "sister", "theirs"]
    assert find("i.e. I, e.g. me.Or him") == ["I", "him"]
    assert find("clients.csv, theme.js: them") == ["them"]  # no word ends before its dot


def test_a_word_within_a_value_is_not_one():
    text = "The Widow Adams, a widow, works as a head teacher. She"
    assert find(text, "Widow Adams", "head teacher") == ["widow", "She"]
    assert find(text, text) == []
    # The longer of two that nest decides, and a place that ends within a word.
    assert find("her aunt's son, he", "her aunt's son", "aunt's") == ["he"]
    assert find("girlfriend boy", "girl") == ["boy"]


@pytest.mark.parametrize("text", ["", "1234", "Leeds, York", "sheer heroism", "\ud800 \u0130"])
def test_texts_without_any(text):
    assert find_references(text, []) == []


def test_the_words_are_single_and_in_lower_case():
    words = load_words()
    assert all(word.isalpha() and word == word.lower() for word in words)
    assert {"she", "my", "landlord", "applicant"} <= words
    assert not {"it", "we", "the", "who"} & words


def near(references, values, most=100):
    return find_near(np.array(references, np.int64), np.array(values, np.int64), most=most).tolist()


def test_the_nearest_are_read_in_order():
    # Values at 100 and 200; away: 90, 1, 50 (from either), 2, 100.
    assert near([10, 99, 150, 202, 300], [100, 200]) == [0, 1, 2, 3, 4]
    assert near([10, 99, 150, 202, 300], [100, 200], most=3) == [1, 2, 3]


def test_what_stands_a_window_away_is_not_read():
    value = 2 * WIDEST
    references = [value - WIDEST, value - WIDEST + 1, value + WIDEST - 1, value + WIDEST]
    assert near(references, [value]) == [1, 2]
    # Far from both, though between them.
    assert near([value + 2 * WIDEST], [value, value + 4 * WIDEST]) == []


@given(
    st.lists(st.integers(0, 3000), max_size=40).map(sorted),
    st.lists(st.integers(0, 3000), min_size=1, max_size=20).map(sorted),
    st.integers(0, 10),
)
def test_none_left_out_is_nearer_than_one_that_is_read(references, values, most):
    away = [min(abs(value - one) for value in values) for one in references]
    read = near(references, values, most)
    assert read == sorted(set(read))
    assert len(read) == min(most, sum(each < WIDEST for each in away))
    left = [each for number, each in enumerate(away) if number not in read]
    assert all(away[number] <= min(left, default=WIDEST) for number in read)
