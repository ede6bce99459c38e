"""The canonical record checks itself and keeps quiet about values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from piibench.data.mentions import Span
from piibench.data.schema import Entity, Labelled, Prediction, Prompt, Sample, gather_entities, subject_letter
from piibench.data.taxonomy import Category, PIIType

TEXT = "Ann Lee met Ann Lee at 34."


def entity(**changes: Any) -> dict[str, Any]:
    return {
        "id": "e1",
        "subject": "A",
        "text": "Ann Lee",
        "category": "Full Name",
        "mentions": [[0, 7], [12, 19]],
    } | changes


def sample(*entities: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"id": "s1", "description": TEXT, "entities": list(entities)} | changes


def problem_of(record: dict[str, Any]) -> str:
    with pytest.raises(ValidationError) as caught:
        Sample.model_validate(record)
    assert "Ann Lee" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("index", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (702, "AAA")]
)
def test_subjects_are_lettered_like_columns(index: int, letters: str) -> None:
    assert subject_letter(index) == letters


def test_a_category_fixes_the_type() -> None:
    assert Entity.model_validate(entity()).type is PIIType.PER


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (sample(entity(mentions=[[0, 8]])), r"entities\[0\]\.mentions\[0\] \[0, 8\] does not hold"),
        (sample(entity(mentions=[[0, 7], [13, 20]])), r"entities[0].mentions[1]"),
        (sample(entity(mentions=[[20, 27]])), "behind the description's 26 code points"),
        (sample(entity(mentions=[[7, 0]])), "0 <= start < end"),
        (sample(entity(mentions=[[0, 7], [0, 7]])), "listed twice"),
        (sample(entity(mentions=[])), "mentions"),
        (sample(entity(), entity(text="34", category="Age", mentions=[[23, 25]])), "used twice"),
        (sample(entity(), entity(id="e2", mentions=[[12, 19]])), "repeats an entity"),
        (sample(entity(type="DEM")), "belongs to type PER"),
        (sample(entity(category="Name")), "category"),
        (sample(entity(category=None)), "type"),
        (sample(entity(), relevant=["e9"]), r"relevant[0] is the id of no entity"),
        (sample(entity(), relevant=["e1", "e1"]), r"relevant[1] is listed twice"),
        (sample(entity(), schema=2), "schema"),
        (sample(entity(), colour="red"), "colour"),
        (sample(entity(subject="a")), "subject"),
        (sample(entity(), id=""), "id"),
    ],
)
def test_what_is_wrong_is_refused_by_name_and_without_a_value(record, problem: str) -> None:
    assert problem.replace("\\", "") in problem_of(record)


def test_nested_and_overlapping_mentions_are_allowed() -> None:
    inner = entity(id="e2", text="Lee", category="Nickname", mentions=[[4, 7]])
    crossing = entity(id="e3", text="Lee met", category=None, type="ORG", mentions=[[4, 11]])
    assert len(Sample.model_validate(sample(entity(), inner, crossing)).entities) == 3


def test_the_same_value_may_belong_to_two_subjects() -> None:
    shared = entity(id="e2", subject="B")
    assert [one.id for one in Sample.model_validate(sample(entity(), shared)).subjects] == ["A", "B"]


def test_reprs_show_no_text() -> None:
    record = Sample.model_validate(sample(entity(), query="Who is Ann Lee?", meta={"note": "Ann Lee"}))
    for shown in (record, record.entities[0], record.prompt, Prompt(description=TEXT)):
        assert "Ann" not in repr(shown)


def test_relevant_and_unrelated_entities_part_the_whole() -> None:
    age = entity(id="e2", text="34", category="Age", mentions=[[23, 25]])
    record = Sample.model_validate(sample(entity(), age, relevant=["e2"]))
    assert [one.id for one in record.relevant_entities] == ["e2"]
    assert [one.id for one in record.unrelated_entities] == ["e1"]


def test_a_record_survives_its_own_json() -> None:
    record = Prediction.model_validate(
        sample(entity(), relevant=["e1"], masked="<Full Name> met", masked_query="")
    )
    assert Prediction.model_validate_json(record.to_json()) == record
    assert "\n" not in record.to_json()
    assert record.to_json().startswith('{"schema":1,"id":"s1"')


@given(st.text(alphabet="ab é😀\r\n\0", min_size=1, max_size=20), st.data())
def test_gathered_entities_always_make_a_valid_sample(text: str, data: st.DataObject) -> None:
    starts = data.draw(st.lists(st.integers(0, len(text) - 1), max_size=6))
    places = [
        Labelled(
            Span(start, data.draw(st.integers(start + 1, len(text)))),
            PIIType.PER,
            data.draw(st.sampled_from([None, Category.NICKNAME])),
            data.draw(st.sampled_from("AB")),
        )
        for start in starts
    ]
    entities = gather_entities(text, [*places, *places])
    record = Sample(id="x", description=text, entities=entities)
    assert {(one.subject, span) for one in record.entities for span in one.mentions} == {
        (place.subject, place.span) for place in places
    }
    assert [one.id for one in record.entities] == [f"e{number}" for number in range(1, len(entities) + 1)]
    first = [one.mentions[0] for one in record.entities]
    assert first == sorted(first)
