from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.metrics.prf import PRF
from piibench.metrics.rouge import rouge_l, soft_prf, soft_prf_within, tokenise


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        (" \t", []),
        ("George Street, Sydney", ["george", "street", "sydney"]),
        ("€274,304.33", ["€274,304.33"]),
        ("+49-170 (555)", ["+49-170", "555"]),
        ("@jsmith", ["@jsmith"]),
        ("B+", ["b+"]),
        ("...", ["..."]),
        ("Oslo - Bergen ...", ["oslo", "-", "bergen"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("王小明", ["王", "小", "明"]),
        ("東京タワー 4F", ["東", "京", "タ", "ワ", "ー", "4f"]),
        ("Dr王, Oslo", ["dr", "王", "oslo"]),
        ("Анна Петрова", ["анна", "петрова"]),
        ("김민수", ["김민수"]),
        ("محمد علي", ["محمد", "علي"]),
    ],
)
def test_tokens(text, tokens):
    assert tokenise(text) == tokens


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        ("王小明", "王小明", 1.0),
        ("王小明", "小明", 2 * 2 / (3 + 2)),
        ("...", "...", 1.0),
        ("€50", "$50", 0.0),
        ("Head Nurse", "head nurse", 1.0),
        ("Oslo", "Oslo,", 1.0),
        ("a b c d", "a c d", 2 * 3 / (4 + 3)),
        ("a b", "c d", 0.0),
    ],
)
def test_rouge_l(gold, pred, expected):
    assert rouge_l(gold, pred) == pytest.approx(expected)


texts = st.text(alphabet="ab ,王€1", max_size=8)


@given(texts, texts)
def test_rouge_l_is_symmetric_and_bounded(one, other):
    assert rouge_l(one, one) == 1.0
    assert rouge_l(one, other) == rouge_l(other, one)
    assert 0.0 <= rouge_l(one, other) <= 1.0


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        (set(), set(), 1.0),
        ({"a"}, set(), 0.0),
        (set(), {"a"}, 0.0),
        ({"a"}, {"b"}, 0.0),
        ({"a", "b"}, {"b", "a"}, 1.0),
    ],
)
def test_empty_equal_and_disjoint_sets(gold, pred, expected):
    assert soft_prf(gold, pred) == PRF(expected, expected, expected)


def test_texts_meet_only_texts_of_their_label():
    gold, pred = {("Oslo", "LOC"), ("Ann Lee", "PER")}, {("Oslo", "ORG"), ("Ann", "PER")}
    # LOC and ORG: 0. Ann beside Ann Lee: 2 * 1 / (2 + 1) = 2/3. P = R = (0 + 2/3) / 2
    assert soft_prf_within(gold, pred) == PRF(
        pytest.approx(1 / 3), pytest.approx(1 / 3), pytest.approx(1 / 3)
    )


@given(st.sets(texts, max_size=4), st.sets(texts, max_size=4))
def test_soft_scores_are_never_below_exact_ones(gold, pred):
    scores = soft_prf(gold, pred)
    if pred:
        assert scores.precision >= len(gold & pred) / len(pred) - 1e-12
    assert all(0.0 <= value <= 1.0 for value in (scores.precision, scores.recall, scores.f1))
