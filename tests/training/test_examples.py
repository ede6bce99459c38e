"""What a source says becomes places; what it does not say stays open."""

from __future__ import annotations

import pytest

from piibench.data.lines import Line
from piibench.data.mentions import Span
from piibench.data.schema import Entity, Sample
from piibench.data.taxonomy import Category, PIIType
from piibench.errors import DataError
from piibench.training.examples import ALL_TYPES, Place, read_fields, read_sample

TEXT = "Ana, 34, of Leeds. Ana rows."
ENTITIES = (
    Entity(id="e1", subject="A", text="Ana", type="PER", category="Nickname", mentions=((0, 3), (19, 22))),
    Entity(id="e2", subject="A", text="Leeds", type="LOC", category="City/Region", mentions=((12, 17),)),
    Entity(id="e3", subject="A", text="34", type="DEM", category="Age", mentions=((5, 7),)),
)


def make(**fields):
    return Sample(id="x", description=TEXT, query="Where?", entities=ENTITIES, **fields)


def test_every_mention_is_a_place_in_order_of_its_start():
    example = read_sample(make(relevant=("e2",)), "ours")
    assert [(place.span.of(TEXT), place.needed) for place in example.places] == [
        ("Ana", False),
        ("34", False),
        ("Leeds", True),
        ("Ana", False),
    ]
    assert example.places[1] == Place(Span(5, 7), PIIType.DEM, Category.AGE, "A", needed=False)
    assert (example.types, example.swappable, example.source) == (ALL_TYPES, False, "ours")


def test_without_relevance_nothing_is_said_about_need():
    assert {place.needed for place in read_sample(make(), "ours").places} == {None}


def test_a_source_that_labels_some_types_says_nothing_of_the_others_or_of_owners():
    example = read_sample(make(meta={"labels_types": ["PER", "LOC"]}), "foreign", swappable=True)
    assert example.types == {PIIType.PER, PIIType.LOC}
    assert {place.subject for place in example.places} == {None}
    assert example.swappable


def test_without_a_query_nothing_is_said_about_need():
    example = read_sample(make(relevant=("e2",)), "ours").without_query()
    assert example.query == ""
    assert {place.needed for place in example.places} == {None}
    assert [place.span for place in example.places] == [(0, 3), (5, 7), (12, 17), (19, 22)]


def task(**changes):
    spans = [{"start": 12, "end": 17, "relevant": True}, {"start": 0, "end": 3, "relevant": False}]
    return Line("tasks.jsonl", 8, {"query": "Where?", "text": TEXT, "spans": spans} | changes)


def test_a_task_teaches_need_alone():
    (example,) = read_fields([task()], "tasks")
    assert example.types == frozenset()
    assert example.places == (Place(Span(12, 17), needed=True), Place(Span(0, 3), needed=False))


def test_a_task_without_fields_is_left_out():
    assert list(read_fields([task(spans=[])], "tasks")) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"spans": None},
        {"spans": ["Leeds"]},
        {"spans": [{"start": 0, "end": 3}]},
        {"spans": [{"start": 0, "end": 99, "relevant": True}]},
        {"spans": [{"start": 3, "end": 3, "relevant": True}]},
        {"spans": [{"start": "0", "end": 3, "relevant": True}]},
        {"text": None},
    ],
)
def test_what_is_no_task_is_refused_with_its_line_and_no_value(changes):
    with pytest.raises(DataError, match=r"^tasks\.jsonl, line 8") as caught:
        list(read_fields([task(**changes)], "tasks"))
    assert "Leeds" not in str(caught.value)
