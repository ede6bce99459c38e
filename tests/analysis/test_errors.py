"""The kinds of errors: worked examples, and totals that agree with the scores."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from piibench.analysis.errors import (
    count_errors,
    find_detection_errors,
    find_errors,
    find_masking_errors,
    find_query_errors,
)
from piibench.analysis.tally import NO_LABEL, ErrorKind
from piibench.data.schema import Prediction, Sample
from piibench.errors import DataError
from piibench.metrics.detection import compare_detection
from piibench.metrics.relevance import compare_masked, compare_query

MISSED, SPAN, TYPE, SUBJECT = (
    ErrorKind.MISSED,
    ErrorKind.WRONG_SPAN,
    ErrorKind.WRONG_TYPE,
    ErrorKind.WRONG_SUBJECT,
)
SPURIOUS, KEPT, MASKED = ErrorKind.SPURIOUS, ErrorKind.OVER_KEPT, ErrorKind.OVER_MASKED

TEXT = "Ann Lee, 34, is a head nurse in Oslo. Bob Ray is a cook."
ANN = [
    ("A", "Ann Lee", "Full Name"),
    ("A", "34", "Age"),
    ("A", "head nurse", "Occupation"),
    ("A", "Oslo", "City/Region"),
]
BOB_AS_ANN = ("A", "Bob Ray", "Full Name")
BOB = [("B", "Bob Ray", "Full Name"), ("B", "cook", "Occupation")]


class TestDetection:
    @pytest.mark.parametrize(
        ("found", "expected"),
        [
            ([*ANN, *BOB], {}),
            (ANN[1:] + BOB, {(MISSED, "Full Name"): 1}),
            ([*ANN, *BOB, ("A", "is", "NGO")], {(SPURIOUS, "NGO"): 1}),
            ([*ANN[:2], ("A", "nurse", "Occupation"), ANN[3], *BOB], {(SPAN, "Occupation"): 1}),
            ([*ANN[:3], ("A", "Oslo", "Company Name"), *BOB], {(TYPE, "City/Region"): 1}),
            ([*ANN[:3], ("B", "Oslo", "City/Region"), *BOB], {(SUBJECT, "City/Region"): 1}),
            # Both the type and the subject are wrong: counted as the subject.
            ([*ANN[:3], ("B", "Oslo", "Company Name"), *BOB], {(SUBJECT, "City/Region"): 1}),
            # A third person does not exist; the value is somebody's.
            ([*ANN, BOB[0], ("C", "cook", "Occupation")], {(SUBJECT, "Occupation"): 1}),
            # One wrong answer stands for one value only.
            ([*ANN[:2], ("A", "head nurse in Oslo", "Occupation"), *BOB],
             {(SPAN, "Occupation"): 1, (MISSED, "City/Region"): 1}),
            ([*ANN, *BOB, ("B", "Oslo", "City/Region")], {(SPURIOUS, "City/Region"): 1}),
            ([], Counter({(MISSED, category): n for category, n in
                          {"Full Name": 2, "Age": 1, "Occupation": 2, "City/Region": 1}.items()})),
        ],
    )  # fmt: skip
    def test_worked_examples(self, make_entities, found, expected) -> None:
        gold, pred = make_entities(TEXT, ANN + BOB), make_entities(TEXT, found)
        errors = find_detection_errors(gold, pred)
        assert dict(errors.counts) == expected
        assert (sum(errors.there.values()), errors.found) == (6, len(found))

    def test_letters_are_nothing_but_names(self, make_entities) -> None:
        swapped = [("B" if subject == "A" else "A", *rest) for subject, *rest in ANN + BOB]
        errors = find_detection_errors(make_entities(TEXT, ANN + BOB), make_entities(TEXT, swapped))
        assert (errors.right, dict(errors.counts)) == (6, {})

    def test_a_value_named_without_its_place_is_judged_by_its_text(self, make_entities) -> None:
        gold = make_entities(TEXT, ANN[:1])
        named = make_entities("", [("A", "Dr. Ann Lee", "Full Name")])
        assert dict(find_detection_errors(gold, named).counts) == {(SPAN, "Full Name"): 1}


class TestChoices:
    """Gold: of Ann's values the query needs "head nurse" and "Oslo"."""

    @pytest.fixture
    def gold(self, make_entities) -> Sample:
        return Sample(id="s", description=TEXT, entities=make_entities(TEXT, ANN), relevant=("e3", "e4"))

    @pytest.fixture
    def answer(self, make_entities):
        def make(rows, *kept: str, **lists) -> Prediction:
            found = make_entities(TEXT, rows)
            ids = tuple(entity.id for entity in found if entity.text in kept)
            return Prediction(id="s", description=TEXT, entities=found, relevant=ids, **lists)

        return make

    @pytest.mark.parametrize(
        ("rows", "kept", "expected"),
        [
            (ANN, ("head nurse", "Oslo"), ({}, {})),
            (ANN, ("head nurse", "34"), ({(MASKED, "City/Region"): 1, (KEPT, "Age"): 1},) * 2),
            # "Oslo" was never found, so it is not masked; "Ann Lee" neither, so it is not hidden.
            (ANN[1:3], ("head nurse",), ({(MISSED, "City/Region"): 1}, {(MISSED, "Full Name"): 1})),
            # A part of the needed value is kept, a part of the other hidden.
            ([("A", "Ann", "Nickname"), ANN[1], ("A", "nurse", "Occupation"), ANN[3]], ("nurse", "Oslo"),
             ({(SPAN, "Occupation"): 1}, {(SPAN, "Full Name"): 1})),
            ([*ANN, BOB_AS_ANN], ("head nurse", "Oslo", "Bob Ray"), ({(SPURIOUS, "Full Name"): 1}, {})),
            ([*ANN, BOB_AS_ANN], ("head nurse", "Oslo"), ({}, {(SPURIOUS, "Full Name"): 1})),
        ],
    )  # fmt: skip
    def test_of_systems_that_find_and_select(self, gold, answer, rows, kept, expected) -> None:
        pred = answer(rows, *kept)
        assert (
            tuple(dict(find(gold, pred).counts) for find in (find_query_errors, find_masking_errors))
            == expected
        )

    @pytest.mark.parametrize(
        ("names", "expected"),
        [
            (("head nurse", "Oslo"), {}),
            # What a model does not name it does not keep: nothing is missed.
            ((), {(MASKED, "Occupation"): 1, (MASKED, "City/Region"): 1}),
            (
                ("nurse", "Oslo", "34", "Bob"),
                {(SPAN, "Occupation"): 1, (KEPT, "Age"): 1, (SPURIOUS, NO_LABEL): 1},
            ),
        ],
    )
    def test_of_models_that_list_what_is_needed(self, gold, answer, names, expected) -> None:
        assert dict(find_query_errors(gold, answer([], needed=names)).counts) == expected

    def test_of_models_that_list_what_to_hide(self, gold, answer) -> None:
        errors = find_masking_errors(gold, answer([], hidden=("Ann Lee", "Oslo")))
        assert dict(errors.counts) == {(KEPT, "Age"): 1, (MASKED, "City/Region"): 1}
        assert errors.right == 1

    def test_who_decides_nothing_makes_no_error(self, gold) -> None:
        silent = Prediction(id="s", description=TEXT)
        assert find_query_errors(gold, silent) is None
        assert find_masking_errors(gold, silent) is None
        unknown = gold.model_copy(update={"relevant": None})
        assert find_query_errors(unknown, Prediction(id="s", description=TEXT, needed=())) is None
        assert find_masking_errors(unknown, Prediction(id="s", description=TEXT, hidden=())) is None
        assert find_errors("tradeoff", gold, silent) is None


GOLD_SIDE = {
    "pii_detection": (MISSED, SPAN, TYPE, SUBJECT),
    "query_related": (MISSED, SPAN, MASKED),
    "query_unrelated_masking": (MISSED, SPAN, KEPT),
}
PRED_SIDE = {
    "pii_detection": (SPURIOUS, SPAN, TYPE, SUBJECT),
    "query_related": (SPURIOUS, SPAN, KEPT),
    "query_unrelated_masking": (SPURIOUS, SPAN, MASKED),
}


@settings(max_examples=150)
@given(data=st.data())
@pytest.mark.parametrize("task", GOLD_SIDE)
def test_each_value_has_one_kind_and_totals_are_those_of_the_scores(any_pair, data, task) -> None:
    gold, pred = data.draw(any_pair)
    counts = {
        "pii_detection": lambda: compare_detection(gold.entities, pred.entities).micro,
        "query_related": lambda: compare_query(gold, pred).counts,
        "query_unrelated_masking": lambda: compare_masked(gold, pred).counts,
    }[task]()
    errors = find_errors(task, gold, pred)
    assert errors.right == counts.tp
    assert sum(errors.there.values()) == counts.gold
    assert errors.found == counts.pred
    assert sum(errors.by_kind.get(kind, 0) for kind in GOLD_SIDE[task]) == counts.gold - counts.tp
    assert sum(errors.by_kind.get(kind, 0) for kind in PRED_SIDE[task]) == counts.pred - counts.tp
    assert set(errors.by_kind) <= {*GOLD_SIDE[task], *PRED_SIDE[task]}


@settings(max_examples=100)
@given(data=st.data())
def test_neither_letters_nor_the_order_of_entities_change_an_error(any_pair, data) -> None:
    gold, pred = data.draw(any_pair)
    letters = dict(zip("ABCD", data.draw(st.permutations("ABCD")), strict=True))
    renamed = [
        e.model_copy(update={"subject": letters[e.subject]})
        for e in data.draw(st.permutations(pred.entities))
    ]
    assert find_detection_errors(gold.entities, renamed) == find_detection_errors(
        gold.entities, pred.entities
    )


class TestRuns:
    def test_errors_of_a_run_add_up_over_the_samples_that_have_a_prediction(self, make_entities) -> None:
        gold = [Sample(id=f"s{n}", description=TEXT, entities=make_entities(TEXT, ANN)) for n in range(3)]
        preds = [
            Prediction(id=f"s{n}", description=TEXT, entities=make_entities(TEXT, ANN[n:])) for n in range(2)
        ]
        errors = count_errors("pii_detection", gold, preds)
        assert (errors.right, dict(errors.counts)) == (7, {(MISSED, "Full Name"): 1})
        assert count_errors("query_related", gold, preds) is None

    @pytest.mark.parametrize("changes", [{"id": "s9"}, {"description": "Ann"}])
    def test_a_prediction_about_something_else_is_refused_without_its_text(self, changes) -> None:
        pred = Prediction(**{"id": "s1", "description": TEXT} | changes)
        with pytest.raises(DataError, match=re.escape(f'"{pred.id}" is about no sample')) as caught:
            count_errors("pii_detection", [Sample(id="s1", description=TEXT)], [pred])
        assert "Ann" not in str(caught.value)


@pytest.mark.parametrize(("types", "spurious"), [(None, 1), (["PER", "LOC"], 0), (["PER", "LOC", "DEM"], 1)])
def test_types_that_the_source_does_not_label_are_no_errors(make_entities, types, spurious):
    meta = {"labels_types": types} if types else {}
    gold = Sample(id="s", description=TEXT, entities=make_entities(TEXT, ANN[:1]), meta=meta)
    pred = Prediction(id="s", description=TEXT, entities=make_entities(TEXT, [ANN[0], ANN[2]]))
    errors = find_errors("pii_detection", gold, pred)
    assert dict(errors.counts) == ({(SPURIOUS, "Occupation"): 1} if spurious else {})
    assert (errors.right, errors.found) == (1, 1 + spurious)
