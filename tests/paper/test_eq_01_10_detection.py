"""Equations 1-10: detection of entities, worked by hand."""

from __future__ import annotations

import pytest

from piibench.data.taxonomy import PIIType
from piibench.metrics.detection import average_over_subjects, compare_detection
from piibench.metrics.measures import measure
from piibench.metrics.prf import PRF, Counts
from piibench.metrics.subjects import SubjectValues, match_subjects

PER, LOC, ORG, DEM = PIIType.PER, PIIType.LOC, PIIType.ORG, PIIType.DEM

# One subject: of four entities three are found, one of them with the wrong type.
GOLD = {("Ann Lee", PER), ("Oslo", LOC), ("34", DEM), ("nurse", DEM)}
PRED = {("Ann Lee", PER), ("Oslo", ORG), ("34", DEM)}


def test_eq_01_strict_precision_of_a_subject_pair():
    # |E_p n E_g| / |E_p| = |{Ann Lee, 34}| / 3 = 2/3
    assert Counts.of(GOLD, PRED).precision == pytest.approx(2 / 3)


def test_eq_02_strict_recall_of_a_subject_pair():
    # |E_p n E_g| / |E_g| = 2/4
    assert Counts.of(GOLD, PRED).recall == pytest.approx(1 / 2)


def test_eq_03_strict_f1_of_a_subject_pair():
    # 2 * 2/3 * 1/2 / (2/3 + 1/2) = (2/3) / (7/6) = 4/7
    assert Counts.of(GOLD, PRED).f1 == pytest.approx(4 / 7)
    assert PRF.of(2 / 3, 1 / 2).f1 == pytest.approx(4 / 7)


def test_eq_04_05_06_entity_only_scores_of_a_subject_pair():
    # Without types: P = 3/3, R = 3/4, F1 = 2 * 1 * 3/4 / (7/4) = 6/7
    counts = Counts.of({text for text, _ in GOLD}, {text for text, _ in PRED})
    assert counts.prf == PRF(1.0, 0.75, pytest.approx(6 / 7))


def subject(letters: str) -> SubjectValues:
    return SubjectValues(
        typed=frozenset((letter, DEM) for letter in letters),
        categorised=frozenset(),
        texts=frozenset(letters),
    )


def test_eq_07_mapping_maximises_the_sum_not_the_best_pair():
    gold, pred = [subject("abc"), subject("ab")], [subject("abcd"), subject("c")]
    # Strict F1 = 2 |n| / (|p| + |g|):     abcd          c
    #                            abc     6/7 = 0.857   2/4 = 0.5
    #                            ab      4/6 = 0.667   0
    # The best pair first: 0.857 + 0; crossed: 0.5 + 0.667 = 1.167, which is M*.
    assert match_subjects(gold, pred) == ((0, 1), (1, 0))


def test_eq_08_09_10_average_over_subjects():
    # Two pairs in M*, |P| = 2, |G| = 3:
    # P = (1 + 1/2) / 2 = 3/4;  R = (1/2 + 1/2) / 3 = 1/3;  F1 = (2/3 + 1/2) / max(2, 3) = 7/18
    pairs = [PRF.of(1.0, 0.5), PRF.of(0.5, 0.5)]
    assert average_over_subjects(pairs, gold=3, pred=2) == PRF(
        pytest.approx(3 / 4), pytest.approx(1 / 3), pytest.approx(7 / 18)
    )


def test_eq_08_09_10_more_predicted_than_true_subjects():
    # The mirror image, |P| = 3, |G| = 2: P = 3/2 / 3 = 1/2;  R = 1 / 2;  F1 = 7/6 / 3 = 7/18
    pairs = [PRF.of(1.0, 0.5), PRF.of(0.5, 0.5)]
    assert average_over_subjects(pairs, gold=2, pred=3) == PRF(
        pytest.approx(1 / 2), pytest.approx(1 / 2), pytest.approx(7 / 18)
    )


def test_eq_01_to_10_together_on_a_description(make_pair):
    description = "Ann, 34, a nurse in Oslo; Bo, 40, a baker; Cy."
    gold, pred = make_pair(
        description,
        [
            ("A", "Ann", "Nickname"),
            ("A", "34", "Age"),
            ("A", "nurse", "Occupation"),
            ("A", "Oslo", "City/Region"),
            ("B", "Bo", "Nickname"),
            ("B", "40", "Age"),
            ("C", "Cy", "Nickname"),
        ],
        # Letters differ; Oslo has the wrong type; the baker is no entity of gold; Cy is given to Bo.
        [
            ("B", "Ann", "Nickname"),
            ("B", "34", "Age"),
            ("B", "nurse", "Occupation"),
            ("B", "Oslo", "Company Name"),
            ("A", "Bo", "Nickname"),
            ("A", "baker", "Occupation"),
            ("A", "Cy", "Nickname"),
        ],
    )
    found = compare_detection(gold.entities, pred.entities)
    # M*: gold A with pred B, strict 3 of 4 and 4: P = R = F1 = 3/4
    #     gold B {Bo, 40} with pred A {Bo, baker, Cy}: P = 1/3, R = 1/2, F1 = 2/5
    #     (gold C {Cy} with pred A would give 1/3, 1, 1/2: the sum 3/4 + 1/2 is larger, so C is matched)
    # P = (3/4 + 1/3) / 2 = 13/24;  R = (3/4 + 1) / 3 = 7/12;  F1 = (3/4 + 1/2) / 3 = 5/12
    assert found.strict == PRF(pytest.approx(13 / 24), pytest.approx(7 / 12), pytest.approx(5 / 12))
    # Over the same mapping, texts alone: A 4 of 4 and 4 = 1; C 1/3, 1, 1/2
    # P = (1 + 1/3) / 2 = 2/3;  R = (1 + 1) / 3 = 2/3;  F1 = (1 + 1/2) / 3 = 1/2
    assert found.matched == PRF(pytest.approx(2 / 3), pytest.approx(2 / 3), pytest.approx(1 / 2))
    # Pooled over subjects: gold 7 texts, pred 7 texts, 6 in both
    assert found.pooled == Counts(6, 7, 7)
    # Strict pairs counted over M*: 3 + 1 right of 7 predicted and 7 true
    assert found.micro == Counts(4, 7, 7)


def test_both_readings_of_ent_f1_have_a_name(make_pair):
    # Everything is found, but given to one person: the pooled reading does not see that, the matched one does.
    gold, pred = make_pair(
        "Ann, 34; Bo, 40",
        [("A", "Ann", "Nickname"), ("A", "34", "Age"), ("B", "Bo", "Nickname"), ("B", "40", "Age")],
        [("A", "Ann", "Nickname"), ("A", "34", "Age"), ("A", "Bo", "Nickname"), ("A", "40", "Age")],
    )
    found = measure(gold, pred).detection
    assert found.pooled.f1 == 1.0
    # One pair: P = 2/4, R = 2/2, F1 = 2/3; |P| = 1, |G| = 2: F1 = (2/3) / 2 = 1/3
    assert found.matched == PRF(pytest.approx(1 / 2), pytest.approx(1 / 2), pytest.approx(1 / 3))
