"""Records in the paper's wording."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from piibench.data.foreign import UNFIT, UNKNOWN
from piibench.data.lines import Line
from piibench.data.paper import ABSENT, DISAGREEING, UNLABELLED, UNMATCHED, convert_paper, is_paper
from piibench.errors import DataError

TEXT = "Ann, 34, and Ann's friend Bo, 34, meet at 3 PM."
QUERY = "When do they meet?"


def convert(**fields: Any):
    skipped: Counter[str] = Counter()
    return convert_paper(Line("x.jsonl", 3, {"description": TEXT, "query": QUERY} | fields), skipped), skipped


def labels_of(sample) -> list[tuple[str, str, str, list[int]]]:
    return [(e.subject, e.text, e.label, [start for start, _ in e.mentions]) for e in sample.entities]


def test_label_tag_entity_without_offsets_means_every_whole_occurrence() -> None:
    sample, skipped = convert(
        entities=[
            {"label": "PER", "tag": "Nickname", "entity": "Ann"},
            {"label": "DATETIME", "tag": "Specific Time", "entity": "3 PM"},
        ],
        query_related=["3 PM"],
    )
    assert labels_of(sample) == [("A", "Ann", "Nickname", [0, 13]), ("A", "3 PM", "Time", [42])]
    assert sample.relevant == ("e2",)
    assert sample.id == "paper-3"
    assert sample.query == QUERY
    assert not skipped


def test_offsets_and_subjects_are_taken_as_given() -> None:
    sample, _ = convert(
        entities=[
            {"type": "DEM", "tag": "Age", "text": "34", "start": 5, "end": 7, "subject": "A"},
            {"type": "DEM", "tag": "Age", "text": "34", "start": 30, "end": 32, "subject": "B"},
        ],
        query_related=["34"],
        query_related_subject={"34": "B"},
    )
    assert labels_of(sample) == [("A", "34", "Age", [5]), ("B", "34", "Age", [30])]
    assert sample.relevant == ("e2",)


@pytest.mark.parametrize("owners", [{"Bo": "B"}, {"Bo": 2}, {"Bo": "PER_2"}, ["B"]])
def test_owners_of_needed_values_have_the_forms_that_subjects_have(owners: Any) -> None:
    subjects = {"PER_1": [{"label": "PER", "entity": "Ann"}], "PER_2": [{"label": "PER", "entity": "Bo"}]}
    sample, skipped = convert(subjects=subjects, query_related=["Bo"], query_related_subject=owners)
    assert sample.relevant == ("e2",)
    assert not skipped


@pytest.mark.parametrize(
    "entities",
    [
        {"1": {"Ann": "PER"}, "2": {"Bo": "PER"}},
        {"A": [{"label": "PER", "entity": "Ann"}], "B": [{"label": "PER", "entity": "Bo"}]},
        {"PER_1": [{"label": "PER", "entity": "Ann"}], "PER_2": [{"label": "PER", "entity": "Bo"}]},
        [{"label": "PER", "entity": "Ann", "subject": 1}, {"label": "PER", "entity": "Bo", "subject": 2}],
    ],
)
def test_forms_of_subjects(entities: Any) -> None:
    sample, _ = convert(subjects=entities)
    assert labels_of(sample) == [("A", "Ann", "PER", [0, 13]), ("B", "Bo", "PER", [26])]
    assert sample.relevant is None


def test_subjects_by_name_get_letters_that_no_other_has() -> None:
    subjects = {"Bo": {"Bo": "PER"}, "Subject A": {"34": "DEM"}, "Ann": {"Ann": "PER"}}
    sample, skipped = convert(
        subjects=subjects, query_related=["Ann", "Bo"], query_related_subject={"Ann": "Ann", "Bo": "Uma"}
    )
    assert {(e.subject, e.text) for e in sample.entities} == {("A", "34"), ("B", "Bo"), ("C", "Ann")}
    assert [e.text for e in sample.relevant_entities] == ["Ann"]
    assert skipped == {UNMATCHED: 1}


def test_a_value_listed_once_for_each_place_is_looked_for_once() -> None:
    skipped: Counter[str] = Counter()
    entities = [{"label": "PER", "tag": "Name", "entity": "Anna"}] * 3_000
    sample = convert_paper(Line("p", 1, {"description": "Anna x " * 3_000, "entities": entities}), skipped)
    assert [len(entity.mentions) for entity in sample.entities] == [3_000]
    assert not skipped


@pytest.mark.parametrize(
    ("entity", "label", "reason"),
    [
        ({"label": "PER", "tag": "Code Name", "entity": "Bo"}, "PER", None),
        ({"label": "PER", "tag": "Age", "entity": "Bo"}, "PER", DISAGREEING),
        ({"label": "?", "tag": "Nickname", "entity": "Bo"}, "Nickname", None),
        ({"label": "?", "tag": "?", "entity": "Bo"}, None, UNKNOWN),
        ({"label": "PER", "entity": ["Bo"]}, None, UNKNOWN),
        ({"label": "PER", "entity": "Cy"}, None, ABSENT),
        ({"label": "PER", "entity": "Bo", "start": 25, "end": 27}, None, UNFIT),
        ({"label": "PER", "entity": "Bo", "start": "26", "end": 28}, None, UNFIT),
        ("Bo", None, UNKNOWN),
    ],
)
def test_what_does_not_fit_is_counted(entity: Any, label: str | None, reason: str | None) -> None:
    sample, skipped = convert(entities=[entity])
    assert [e.label for e in sample.entities] == ([label] if label else [])
    assert skipped == (Counter([reason]) if reason else Counter())


def test_needed_values_without_an_entity_are_counted() -> None:
    sample, skipped = convert(
        entities=[{"label": "PER", "entity": "Bo"}], query_related=["Bo", {"entity": "Cy"}]
    )
    assert sample.relevant == ("e1",)
    assert skipped == {UNMATCHED: 1}


def test_a_record_without_labels_is_of_no_use() -> None:
    assert convert(query_related=["Ann"]) == (None, {UNLABELLED: 1})


def test_a_record_without_a_description_is_refused() -> None:
    with pytest.raises(DataError, match=r"x\.jsonl, line 3, description: must be text"):
        convert(description=["Ann"])


def test_the_subset_and_the_scene_are_kept() -> None:
    sample, _ = convert(
        entities=[{"label": "PER", "entity": "Bo"}], source="Fig 8 (PII-multi style)", scene="a talk"
    )
    assert sample.subset == "multi"
    assert sample.meta["scenario"] == "a talk"
    assert sample.meta["labels_types"] == ["PER", "CODE", "LOC", "ORG", "DEM", "DATETIME", "QUANTITY"]


def test_canonical_records_are_not_taken_for_the_papers() -> None:
    entity = {"id": "e1", "subject": "A", "text": "Bo", "category": "Nickname", "mentions": [[26, 28]]}
    assert not is_paper({"description": TEXT, "entities": [entity]})
    assert not is_paper({"description": TEXT})
    assert is_paper({"description": TEXT, "entities": [{"label": "PER", "entity": "Bo"}]})


def test_subjects_numbered_from_0_are_told_apart() -> None:
    labelled = {"label": "PER"}
    sample, _ = convert(
        entities=[{**labelled, "entity": "Ann", "subject": 0}, {**labelled, "entity": "Bo", "subject": 1}],
        query_related=["Ann"],
        query_related_subject={"Ann": 0},
    )
    assert {(e.subject, e.text) for e in sample.entities} == {("A", "Ann"), ("B", "Bo")}
    assert [e.text for e in sample.relevant_entities] == ["Ann"]


@pytest.mark.parametrize(
    "needed",
    [{"A": ["Bo"]}, [{"type": "PER", "text": "Bo"}], {"A": "Bo"}, {"A": {"Bo": "PER"}}, {"Bo": "PER"}],
)
def test_forms_of_needed_values(needed: Any) -> None:
    sample, skipped = convert(entities=[{"label": "PER", "entity": "Bo"}], query_related=needed)
    assert [e.text for e in sample.relevant_entities] == ["Bo"]
    assert not skipped


@pytest.mark.parametrize("entities", [{"A": "Ann"}, {"A": None}, "zz"])
def test_labels_of_no_form_are_counted(entities: Any) -> None:
    sample, skipped = convert(entities=entities)
    assert not sample.entities
    assert skipped == {UNKNOWN: 1}
