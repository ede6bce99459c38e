"""The properties that every score owes, and the registry's order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from piibench.data.schema import Prediction, Sample, subject_letter
from piibench.metrics.measures import METRICS, POOLED, measure
from piibench.metrics.prf import Counts

EXPOSURE = {"privacy", "privacy_unrelated", "kept"}


def read(pair):
    measures = measure(*pair)
    return {name: metric.of(measures) for name, metric in METRICS.items()}


def shuffle_record(record, rng):
    """Give the subjects other letters, the entities other ids and another order."""
    letters = sorted({entity.subject for entity in record.entities})
    renamed = dict(
        zip(letters, rng.sample([subject_letter(i) for i in range(30)], len(letters)), strict=True)
    )
    ids = {
        entity.id: f"x{number}"
        for number, entity in enumerate(rng.sample(record.entities, len(record.entities)))
    }
    entities = [
        e.model_copy(update={"id": ids[e.id], "subject": renamed[e.subject]}) for e in record.entities
    ]
    rng.shuffle(entities)
    relevant = (
        None
        if record.relevant is None
        else tuple(rng.sample([ids[i] for i in record.relevant], len(record.relevant)))
    )
    return record.model_copy(update={"entities": tuple(entities), "relevant": relevant})


def test_registry_in_the_order_of_the_paper():
    assert list(METRICS) == [
        "strict_p",
        "strict_r",
        "strict_f1",
        "ent_p",
        "ent_r",
        "ent_f1",
        "ent_p_matched",
        "ent_r_matched",
        "ent_f1_matched",
        "rouge_f1",
        "query_p",
        "query_r",
        "query_f1",
        "query_rouge_f1",
        "mask_p",
        "mask_r",
        "mask_f1",
        "mask_rouge_f1",
        "privacy",
        "privacy_unrelated",
        "kept",
        "span_exact_f1",
        "span_overlap_f1",
    ]
    assert list(POOLED) == [
        "strict",
        "ent",
        "query",
        "mask",
        "privacy",
        "privacy_unrelated",
        "kept",
        "span_exact",
        "span_overlap",
    ]


@given(data=st.data())
def test_scores_lie_between_0_and_1(any_pair, data):
    assert all(value is None or 0.0 <= value <= 1.0 for value in read(data.draw(any_pair)).values())


@settings(max_examples=200)
@given(data=st.data(), rng=st.randoms(use_true_random=False))
def test_neither_letters_nor_order_nor_ids_change_a_measure(any_pair, data, rng):
    gold, pred = data.draw(any_pair)
    assert measure(shuffle_record(gold, rng), shuffle_record(pred, rng)) == measure(gold, pred)


@given(data=st.data())
def test_a_perfect_prediction_scores_1(any_pair, data):
    gold, pred = data.draw(any_pair)
    perfect = pred.model_copy(update={"entities": gold.entities, "relevant": gold.relevant})
    assert {name: value for name, value in read((gold, perfect)).items() if name not in EXPOSURE} == {
        name: pytest.approx(1.0) for name in METRICS if name not in EXPOSURE
    }


@given(data=st.data())
def test_tables_by_label_add_up_to_the_whole(any_pair, data):
    measures = measure(*data.draw(any_pair))
    assert sum(measures.detection.by_type.values(), Counts()) == measures.detection.micro
    assert sum((row.exact for row in measures.offsets_by_type.values()), Counts()) == measures.offsets.exact
    assert (
        sum((row.overlap for row in measures.offsets_by_type.values()), Counts()) == measures.offsets.overlap
    )
    assert measures.detection.by_type.keys() == measures.offsets_by_type.keys()
    assert measures.detection.by_category.keys() == measures.offsets_by_category.keys()


def has_text_of_two_types(record):
    typed = {(entity.subject, entity.text, entity.type) for entity in record.entities}
    return len({(subject, text) for subject, text, _ in typed}) < len(typed)


@given(data=st.data())
def test_looser_scores_are_no_lower(any_pair, data):
    gold, pred = data.draw(any_pair)
    scores = read((gold, pred))
    assert scores["rouge_f1"] >= scores["strict_f1"] - 1e-12
    assert scores["query_rouge_f1"] >= scores["query_f1"] - 1e-12
    # A text that one subject has under two types is two pairs and one text: then nothing follows.
    if not has_text_of_two_types(gold) and not has_text_of_two_types(pred):
        assert scores["ent_f1_matched"] >= scores["strict_f1"] - 1e-12
    assert scores["span_overlap_f1"] >= scores["span_exact_f1"]


def test_a_record_without_mask_or_relevance_has_no_such_scores():
    nobody = {"id": "s1", "description": "Nobody here."}
    scores = read((Sample(**nobody), Prediction(**nobody)))
    absent = {name for name, value in scores.items() if value is None}
    assert absent == EXPOSURE | {name for name in METRICS if name.startswith(("query_", "mask_"))}


def test_measures_hold_no_text(make_sample, answer):
    sample = make_sample()
    shown = repr(measure(sample, answer(sample, masked=sample.description)))
    assert not any(entity.text in shown for entity in sample.entities)
