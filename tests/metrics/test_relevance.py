from __future__ import annotations

import pytest

from piibench.metrics.prf import Counts
from piibench.metrics.relevance import compare_masked, compare_query, compare_texts


@pytest.mark.parametrize(
    ("gold", "pred", "f1", "rouge"),
    [
        (set(), set(), 1.0, 1.0),
        ({"a"}, set(), 0.0, 0.0),
        (set(), {"a"}, 0.0, 0.0),
        ({"head nurse"}, {"nurse"}, 0.0, 2 / 3),
    ],
)
def test_compare_texts(gold, pred, f1, rouge):
    compared = compare_texts(gold, pred)
    assert compared.counts.f1 == f1
    assert compared.rouge.f1 == pytest.approx(rouge)


def test_query_and_masked_sets_are_complements(make_sample, answer):
    sample = make_sample()
    kept_all = answer(sample, relevant=("e1", "e2", "e3"))
    assert compare_query(sample, kept_all).counts == Counts(1, 3, 1)
    assert compare_masked(sample, kept_all).counts == Counts(0, 0, 2)


def test_nothing_needed_and_nothing_kept_is_right(make_sample, answer):
    sample = make_sample(relevant=())
    assert compare_query(sample, answer(sample)).counts.f1 == 1.0


@pytest.mark.parametrize(("needed", "kept"), [(None, ("e1",)), (("e1",), None), (None, None)])
def test_no_score_where_relevance_is_unknown(make_sample, answer, needed, kept):
    sample = make_sample(relevant=needed)
    assert compare_query(sample, answer(sample, relevant=kept)) is None
    assert compare_masked(sample, answer(sample, relevant=kept)) is None


def test_named_texts_stand_in_for_entities(make_sample, answer):
    gold = make_sample()  # needs "nurse"; "Ann" and "Oslo" are to be hidden
    pred = answer(gold, entities=(), relevant=None, needed=("nurse", "Oslo"), hidden=("Ann",))
    query, masked = compare_query(gold, pred), compare_masked(gold, pred)
    assert query.counts == Counts(1, 2, 1)
    assert masked.counts == Counts(1, 1, 2)
