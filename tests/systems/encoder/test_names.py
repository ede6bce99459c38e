"""Which names are one person's."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.systems.encoder.names import compare_forms, settle_names

WORDS = st.sampled_from(["ann", "alf", "a.", "lee", "l", "lou", "may", "..."])
NAMES = st.lists(st.lists(WORDS, min_size=1, max_size=4).map(" ".join))


@pytest.mark.parametrize(
    ("name", "other", "forms"),
    [
        ("ann", "ann lee", True),
        ("lee, ann", "ann lee", True),
        ("a. lee", "ann lee", True),
        ("a lee", "ann b. lee", True),
        ("a. b. lee", "ann lee", True),
        ("b. lee", "ann lee", False),
        ("ann", "a. lee", True),
        ("ann lee", "ann may", False),
        ("an", "ann", False),
        ("lee lee", "ann lee", False),  # one "lee" for one only
        ("ann l.", "ann lee may", True),
        ("s. smith", "smith, sam", True),  # "s." is not "smith", who stands there whole
        ("j.k. rowling", "joanne k. rowling", True),
        ("e\u0301. dupont", "\u00e9mile dupont", True),
        ("...", "ann", False),
        (" ", "ann", False),
    ],
)
def test_forms_of_a_name(name, other, forms):
    assert compare_forms([name, other]).tolist() == [[True, forms], [forms, True]]


@pytest.mark.parametrize(
    ("names", "changed"),
    [
        (["ann", "ann lee"], {"ann": "ann lee"}),
        (["ann", "ann lee", "ann may"], {}),  # who is meant?
        (["ann", "ann lee", "ann b. lee"], {"ann": "ann b. lee", "ann lee": "ann b. lee"}),
        (["a. lee", "ann lee", "lee"], {"a. lee": "ann lee", "lee": "ann lee"}),
        (["a. lee", "ann lee", "alf lee"], {}),
        (["a. lee", "ann b. lee", "ann lee"], {"a. lee": "ann b. lee", "ann lee": "ann b. lee"}),
        (["john smith", "jane smith", "j. r. smith"], {}),  # "j." is short for a name, not a name for "j."
        (["s. smith", "smith, sam"], {"s. smith": "smith, sam"}),
        (["lee", *(f"{initial}. lee" for initial in "abcdefgh")], {}),
        (
            ["ann lee", *(f"{initial}ob lee" for initial in "bcdefgh"), "ann lee may"],
            {"ann lee": "ann lee may"},
        ),
        (["ann lee", *(f"{initial}ob lee may" for initial in "bcdefghi"), "ann lee may"], {}),  # too many
        ([".", "..."], {}),
        (["ann", "a. lee"], {}),  # no whole word in common
        (["ann", "bob"], {}),
        ([], {}),
    ],
)
def test_a_name_is_settled_where_one_fuller_name_can_be_meant(names, changed):
    assert settle_names(names) == {name: name for name in names} | changed


@given(NAMES)
def test_a_settled_name_is_the_fullest_and_the_order_does_not_matter(names):
    settled = settle_names(names)
    assert settled.keys() == set(names)
    for name, full in settled.items():
        assert settled[full] == full
        assert compare_forms(sorted({name, full})).all()
    assert settle_names(reversed(names)) == settled


def test_time_is_linear_where_many_share_a_word():
    """100,000 names of the house of Lee: nobody can tell which of them "lee" is."""
    names = ["lee", *(f"n{number} lee" for number in range(100_000))]
    started = time.process_time()
    settled = settle_names(names)
    assert time.process_time() - started < 30
    assert settled["lee"] == "lee"
