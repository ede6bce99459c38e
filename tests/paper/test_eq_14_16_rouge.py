"""Equations 14-16: soft agreement by Rouge-L, worked by hand."""

from __future__ import annotations

import pytest

from piibench.metrics.detection import compare_detection
from piibench.metrics.prf import PRF
from piibench.metrics.rouge import rouge_l, soft_prf


def test_rouge_l_of_two_values():
    # Longest common subsequence "george street" of 2 tokens: P = 2/2, R = 2/3, F = 2 * 2/3 / (5/3) = 4/5
    assert rouge_l("200 George Street", "George Street") == pytest.approx(4 / 5)
    # In order, not as a bag: of "b a" and "a b" only one token is common: F = 2 * 1 / (2 + 2) = 1/2
    assert rouge_l("a b", "b a") == pytest.approx(1 / 2)


def test_eq_14_15_16_soft_scores():
    # E_g = {200 George Street}, E_p = {George Street, nurse}
    # P = (4/5 + 0) / 2 = 2/5;  R = (4/5) / 1;  F1 = 2 * 2/5 * 4/5 / (6/5) = 8/15
    scores = soft_prf({"200 George Street"}, {"George Street", "nurse"})
    assert scores == PRF(pytest.approx(2 / 5), pytest.approx(4 / 5), pytest.approx(8 / 15))


def test_eq_14_takes_the_best_partner():
    # "head nurse" meets "nurse" (2/3) and "head of nurse training" (2 * 2 / (2 + 4) = 2/3) and "head nurses" (1/2)
    # P = 2/3;  R = (2/3 + 2/3 + 1/2) / 3 = 11/18;  F1 = 2 * (2/3 * 11/18) / (2/3 + 11/18) = (22/27) / (23/18) = 44/69
    scores = soft_prf({"nurse", "head of nurse training", "head nurses"}, {"head nurse"})
    assert scores == PRF(pytest.approx(2 / 3), pytest.approx(11 / 18), pytest.approx(44 / 69))


def test_detection_applies_them_within_subject_and_type(make_pair):
    gold, pred = make_pair(
        "Ann Lee is a head nurse at 200 George Street; Bo Ray",
        [
            ("A", "Ann Lee", "Full Name"),
            ("A", "head nurse", "Occupation"),
            ("A", "200 George Street", "Street Address"),
            ("B", "Bo Ray", "Full Name"),
        ],
        [
            ("A", "Ann Lee", "Full Name"),
            ("A", "nurse", "Occupation"),
            ("A", "George Street", "Company Name"),
            ("B", "Bo Ray", "Full Name"),
        ],
    )
    found = compare_detection(gold.entities, pred.entities)
    # Subject A: Ann Lee 1; nurse beside head nurse 2 * 1 / (1 + 2) = 2/3; George Street is no LOC, so 0.
    # P = R = F1 = (1 + 2/3 + 0) / 3 = 5/9. Subject B: 1. Averages over 2 and 2: (5/9 + 1) / 2 = 7/9
    assert found.rouge == PRF(pytest.approx(7 / 9), pytest.approx(7 / 9), pytest.approx(7 / 9))
    # Strictly: A 1/3, B 1: (1/3 + 1) / 2 = 2/3
    assert found.strict.f1 == pytest.approx(2 / 3)
