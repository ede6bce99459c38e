"""The encoder's values and what the rules are certain of."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.datasets import load
from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.encoder.fusion import fuse
from piibench.systems.encoder.spans import Found, may_nest
from piibench.systems.rules.candidates import CERTAIN
from piibench.systems.rules.codes.recognizer import find_codes
from piibench.systems.rules.custom import create_custom
from piibench.systems.rules.lexicon import fold, load_lexicons
from piibench.systems.rules.passage import Passage, read_passage


def guess(text, value, category, score=0.9):
    start = text.index(value)
    return Found(Span(start, start + len(value)), category, score)


def test_codes_are_found_without_any_lexicon():
    """So it is enough that `fuse` hands over a passage in which no entry was looked up."""
    text = "\n".join(sample.description for sample in list(load("pii-bench-v1"))[::9])
    bare = list(find_codes(Passage(text, fold(text), hits={})))
    assert len({candidate.category for candidate in bare}) > 9
    assert bare == list(find_codes(read_passage(text, load_lexicons())))


def fused(text, *found, **options):
    return [(value.span.of(text), value.category) for value in fuse(text, found, **options)]


@pytest.mark.parametrize(
    ("before", "value", "category"),
    [
        ("It is", "ann@example.org", Category.EMAIL_ADDRESS),
        ("It is", "2001:db8::ff00:42:8329", Category.IP_ADDRESS),
        ("the IP address is", "192.168.17.5", Category.IP_ADDRESS),
        ("the card is", "4111 1111 1111 1111", Category.CREDIT_CARD),  # its check digit is right
        ("It is", "DE89 3704 0044 0532 0130 00", Category.BANK_ACCOUNT),
    ],
)
def test_a_certain_format_stands_whatever_the_encoder_says(before, value, category):
    text = f"{before} {value}, I think."
    assert fused(text) == [(value, category)]
    assert fused(text, guess(text, value[:6], Category.NICKNAME, 1.0)) == [(value, category)]
    assert fused(text, guess(text, f"is {value}", Category.NICKNAME, 1.0)) == [(value, category)]


def test_guesses_of_two_types_may_nest():
    text = "Ines Vogt Tiling calls"
    outer = guess(text, "Ines Vogt Tiling", Category.COMPANY_NAME)
    inner = guess(text, "Ines Vogt", Category.FULL_NAME)
    assert fused(text, inner, outer) == [
        ("Ines Vogt", Category.FULL_NAME),
        ("Ines Vogt Tiling", Category.COMPANY_NAME),
    ]


def test_elsewhere_the_encoder_decides():
    """The rules propose "Ann Smith" and 34, too, but are not certain of either."""
    text = "I'm Ann Smith, 34. ann@example.org"
    assert fused(text) == [("ann@example.org", Category.EMAIL_ADDRESS)]
    assert fused(text, guess(text, "Ann", Category.NICKNAME, 0.1)) == [
        ("Ann", Category.NICKNAME),
        ("ann@example.org", Category.EMAIL_ADDRESS),
    ]


def test_a_users_own_rules_stand_and_what_they_allow_is_no_value(tmp_path):
    file = tmp_path / "own.toml"
    file.write_text(
        '[[pattern]]\nname = "badge"\ncategory = "Employee ID"\npattern = "ZZ-[0-9]+"\n'
        '[[pattern]]\nname = "desk"\naction = "allow"\nwords = ["help@example.org", "Ann Smith"]\n'
    )
    text = "Ann Smith, badge ZZ-17, wrote to help@example.org."
    found = [guess(text, "Ann", Category.NICKNAME), guess(text, "17", Category.AGE, 1.0)]
    assert fused(text, *found, custom=create_custom(file)) == [("ZZ-17", Category.EMPLOYEE_ID)]


texts = st.lists(
    st.sampled_from(["Ann ", "a@b.org ", "10.0.0.1 ", "\ud800", "😀", "\r\n", "王"]), max_size=9
).map("".join)


def guesses(*categories):
    return st.lists(
        st.builds(
            lambda start, size, category, score: Found(Span(start, start + size), category, score),
            st.integers(0, 40),
            st.integers(1, 9),
            st.sampled_from(categories),
            st.floats(0, 1),
        )
    )


@given(texts, guesses(Category.FULL_NAME))
def test_values_of_one_type_never_overlap_and_come_in_order(text, found):
    within = [value for value in found if value.span.end <= len(text)]
    joined = fuse(text, within)
    assert all(before.span.end <= after.span.start for before, after in pairwise(joined))


@given(texts, guesses(Category.FULL_NAME, Category.COMPANY_NAME, Category.LANDMARK))
def test_what_is_certain_stands_alone_and_other_values_only_nest(text, found):
    certain = {value.span for value in fuse(text, []) if value.score >= CERTAIN}
    joined = fuse(text, [value for value in found if value.span.end <= len(text)])
    assert certain <= {value.span for value in joined}
    for one, other in combinations(joined, 2):
        if one.span.overlaps(other.span):
            assert may_nest(one, other)
            assert certain.isdisjoint((one.span, other.span))


def test_what_the_encoder_does_not_see_a_likely_number_is_all_the_same():
    text = "手机13812345678"
    assert fused(text) == [("13812345678", Category.PHONE_NUMBER)]
    for code in ("@property\n", "https://github.com/maker/tool", "The score is +1000000 points"):
        assert fused(code) == []
    # Where it sees something, it decides.
    seen = guess(text, "13812345678", Category.BANK_ACCOUNT)
    assert fused(text, seen) == [("13812345678", Category.BANK_ACCOUNT)]
