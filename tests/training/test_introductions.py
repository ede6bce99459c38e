"""Every direct identifier has forms in which people state it."""

from __future__ import annotations

import pytest

from piibench.data.taxonomy import TAXONOMY
from piibench.training.introductions import INTRODUCTIONS


def test_whoever_asks_may_state_each_direct_identifier_and_nothing_else():
    assert set(INTRODUCTIONS) == {row.category for row in TAXONOMY if row.identifier == "direct"}


@pytest.mark.parametrize("category", INTRODUCTIONS)
def test_no_form_continues_its_value_and_each_is_another(category):
    forms = INTRODUCTIONS[category]
    assert len(set(forms)) == len(forms) > 0
    for before, after, _ in forms:
        assert not before[-1:].isalnum()
        assert not after[:1].isalnum()


def test_some_open_the_query_and_some_end_it():
    assert {first for forms in INTRODUCTIONS.values() for *_, first in forms} == {True, False}
