"""What a source says becomes places; what it does not say stays open."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.lines import Line
from piibench.data.mentions import Span, find_occurrences
from piibench.data.schema import Entity, Labelled, Sample, gather_entities
from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.errors import DataError
from piibench.training.examples import ALL_TYPES, Place, find_plain, read_fields, read_sample

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


def test_whom_words_mean_is_known_where_the_sample_says_so():
    assert read_sample(make(), "ours").references == ()
    example = read_sample(make(meta={"references": [[23, 27, "B"]]}), "ours")
    assert example.references == (Place(Span(23, 27), subject="B"),)


@pytest.mark.parametrize(
    "wrong",
    [5, [23, 27], [27, 23, "A"], [0, 99, "A"], [-1, 3, "A"], ["0", 3, "A"], [0, 3, None], [0, 0, "A"]],
)
def test_a_reference_that_is_none_is_refused(wrong):
    with pytest.raises(DataError, match=r"sample x: meta\.references must hold \[start, end, subject\]"):
        read_sample(make(meta={"references": [wrong]}), "ours")


def test_without_relevance_nothing_is_said_about_need():
    assert {place.needed for place in read_sample(make(), "ours").places} == {None}


def test_a_source_that_labels_some_types_says_nothing_of_the_others_or_of_owners():
    example = read_sample(make(meta={"labels_types": ["PER", "LOC"]}), "foreign", swappable=True)
    assert example.types == {PIIType.PER, PIIType.LOC}
    assert {place.subject for place in example.places} == {None}
    assert example.swappable


@pytest.mark.parametrize("wrong", [5, ["Uma Lee"], "PER"])
def test_types_that_are_none_are_refused_without_being_shown(wrong):
    with pytest.raises(DataError, match=r"sample x: meta\.labels_types must be a list of types") as caught:
        read_sample(make(meta={"labels_types": wrong}), "foreign")
    assert "Uma" not in str(caught.value)


def test_references_that_are_no_list_are_refused():
    with pytest.raises(DataError, match=r"sample x: meta\.references must hold"):
        read_sample(make(meta={"references": 5}), "ours")


def test_without_a_query_nothing_is_said_about_need():
    example = read_sample(make(relevant=("e2",)), "ours").without_query()
    assert example.query == ""
    assert {place.needed for place in example.places} == {None}
    assert [place.span for place in example.places] == [(0, 3), (5, 7), (12, 17), (19, 22)]


PEOPLE = "Ana Lee-May of Leeds, 34, at a@b.example; Bo."
KNOWN = (
    Entity(id="e1", subject="A", text="Ana Lee-May", type="PER", category="Full Name", mentions=((0, 11),)),
    Entity(id="e2", subject="A", text="Leeds", type="LOC", category="City/Region", mentions=((15, 20),)),
    Entity(id="e3", subject="A", text="34", type="DEM", category="Age", mentions=((22, 24),)),
    Entity(
        id="e4", subject="A", text="a@b.example", type="CODE", category="Email Address", mentions=((29, 40),)
    ),
    Entity(id="e5", subject="B", text="Bo", type="PER", category="Nickname", mentions=((42, 44),)),
)


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("where?", []),
        ("is Ana Lee-May from Leeds?", [("Ana Lee-May", PIIType.PER), ("Leeds", None)]),
        ("Where is ana lee-may", [("ana lee-may", PIIType.PER)]),  # in any letter case
        ("İs ana lee-may in", [("ana lee-may", PIIType.PER)]),  # beside a letter that grows in lower case
        ("may Ana and Lee-May go?", [("Ana", PIIType.PER), ("Lee-May", PIIType.PER)]),  # parts of a name
        ("Ana, may she?", [("Ana", None)]),  # a part at the head may be a common word
        ("may ana", [("ana", None)]),  # and so may one in lower case
        ("write a@b.example or uma@b.example", [("a@b.example", PIIType.CODE), ("uma@b.example", None)]),
        ("leeds? (Leeds)", [("leeds", None), ("Leeds", None)]),  # who names a town wants it considered
        ("banana, leedsham", []),  # neither is whole
        ("is he 34, is he?", [("34", None)]),
        ("does Bo row 12 laps in AB1?", [("Bo", None), ("12", None), ("AB1?", None)]),  # Bo is too short
        ("Does York know? Uma asks.", [("York", None), ("Uma", None)]),
        ("is a room at x12B @home, or is it x@?", [("x12B", None), ("@home,", None), ("x@?", None)]),
        ("请" * 50_000 + "12 请", [("请" * 50_000 + "12", None)]),  # in no more time than its length takes
    ],
)
def test_where_a_query_states_what_the_text_does(query, asked):
    example = read_sample(Sample(id="x", description=PEOPLE, query=query, entities=KNOWN), "ours")
    assert [(place.span.of(query), place.type) for place in example.asked] == asked
    assert all(place.category is None or TYPE_OF[place.category] is place.type for place in example.asked)
    assert {(place.subject, place.needed) for place in example.asked} <= {(None, None)}


@given(
    st.lists(st.sampled_from(["Ana", " ", "Lee-May", "Leeds", "York", "a@b.example", ", ", "is"])).map(
        "".join
    )
)
def test_places_of_a_query_are_in_order_and_beside_each_other(query):
    asked = read_sample(Sample(id="x", description=PEOPLE, query=query, entities=KNOWN), "ours").asked
    assert all(left.span.end <= right.span.start for left, right in pairwise(asked))


def test_without_a_query_it_states_nothing():
    example = read_sample(Sample(id="x", description=PEOPLE, query="Ana?", entities=KNOWN), "ours")
    assert len(example.asked) == 1
    assert example.without_query().asked == ()


def task(**changes):
    spans = [{"start": 12, "end": 17, "relevant": True}, {"start": 0, "end": 3, "relevant": False}]
    return Line("tasks.jsonl", 8, {"query": "Where?", "text": TEXT, "spans": spans} | changes)


def test_a_task_teaches_need_alone():
    (example,) = read_fields([task()], "tasks")
    assert example.types == frozenset()
    assert example.places == (Place(Span(0, 3), needed=False), Place(Span(12, 17), needed=True))


def test_of_nested_places_the_outer_comes_first_and_is_not_plain():
    text = "Ines Vogt Tiling bills Ines Vogt and Bo."
    marks = {
        "Ines Vogt": Category.FULL_NAME,
        "Ines Vogt Tiling": Category.COMPANY_NAME,
        "Bo": Category.NICKNAME,
    }
    labelled = [
        Labelled(span, TYPE_OF[category], category, subject)
        for value, category in marks.items()
        for span in find_occurrences(text, value)
        for subject in ("AB" if value == "Bo" else "A")
    ]
    sample = Sample(id="x", description=text, query="Who?", entities=gather_entities(text, labelled))
    places = read_sample(sample, "ours").places
    values = ["Ines Vogt Tiling", "Ines Vogt", "Ines Vogt", "Bo", "Bo"]
    assert [place.span.of(text) for place in places] == values
    assert list(find_plain(places)) == list(places[1:])  # what two persons have stands in nothing


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
