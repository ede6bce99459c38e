"""Where the values that a model names stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.schema import Prediction
from piibench.data.taxonomy import Category, PIIType
from piibench.systems.llm.placement import place_entities

TEXT = "Maren Holt, 34, bakes in Odense. Maren's son Ole, 7, goes to Odense Friskole."


def show(text: str, *named: tuple[str, str, str]) -> list[tuple[str, str, str, list[int]]]:
    return [
        (one.subject, one.text, one.label, [span.start for span in one.mentions])
        for one in place_entities(text, named)
    ]


def test_every_place_of_every_value_in_order() -> None:
    found = place_entities(
        TEXT,
        [
            ("1", "Maren Holt", "PER"),
            ("1", "34", "Age"),
            ("1", "Odense", "LOC"),
            ("2", "Ole", "PER"),
            ("2", "Odense Friskole", "Educational Institution"),
        ],
    )
    assert [one.id for one in found] == ["e1", "e2", "e3", "e4", "e5"]
    assert [(one.subject, one.text) for one in found] == [
        ("A", "Maren Holt"),
        ("A", "34"),
        ("A", "Odense"),
        ("B", "Ole"),
        ("B", "Odense Friskole"),
    ]
    assert found[1].category is Category.AGE
    assert found[3].type is PIIType.PER
    assert found[3].category is None


@pytest.mark.parametrize(
    ("text", "named", "expected"),
    [
        pytest.param("Ole and Ole.", [("A", "Ole", "PER")], [("A", "Ole", "PER", [0, 8])], id="all mentions"),
        pytest.param("Ann, Annual", [("A", "Ann", "PER")], [("A", "Ann", "PER", [0])], id="whole words"),
        pytest.param(
            "Ann Lee and Ann",
            [("A", "Ann", "PER"), ("A", "Ann Lee", "PER")],
            [("A", "Ann Lee", "PER", [0]), ("A", "Ann", "PER", [12])],
            id="the longer value has the place",
        ),
        pytest.param(
            "12 Mill Lane, Odense",
            [("A", "12 Mill Lane, Odense", "LOC"), ("A", "Odense", "LOC")],
            [("A", "12 Mill Lane, Odense", "LOC", [0]), ("A", "Odense", "LOC", [14])],
            id="unless there is no other",
        ),
        pytest.param("a 34yo", [("A", "34", "DEM")], [("A", "34", "DEM", [2])], id="beside letters"),
        pytest.param("no. 1234", [("A", "34", "DEM")], [("A", "34", "DEM", [])], id="not within a number"),
        pytest.param("a manor", [("A", "man", "DEM")], [("A", "man", "DEM", [])], id="not within a word"),
        pytest.param(
            "in New\nYork", [("A", "new york", "LOC")], [("A", "New\nYork", "LOC", [3])], id="case and space"
        ),
        pytest.param(
            "Google employs both",
            [("A", "Google", "ORG"), ("B", "Google", "ORG")],
            [("A", "Google", "ORG", [0]), ("B", "Google", "ORG", [0])],
            id="two subjects share it",
        ),
        pytest.param(
            "Ole", [("A", "Ole", "PER"), ("a ", "Ole", "LOC")], [("A", "Ole", "PER", [0])], id="twice"
        ),
        pytest.param(
            "Ole", [("A", "ole", "PER"), ("A", "Ole", "LOC")], [("A", "Ole", "PER", [0])], id="twice, by case"
        ),
        pytest.param(
            "Ole", [("x", "", "PER"), ("x", " ", "PER"), ("y", "Ole", "PER")], [("B", "Ole", "PER", [0])],
            id="empty values",
        ),
        pytest.param("", [("A", "Ole", "PER")], [("A", "Ole", "PER", [])], id="no text"),
        pytest.param("Tell us.", [("A", "US", "LOC")], [("A", "US", "LOC", [])], id="case counts in short values"),
        pytest.param("I am FAY, 3M.", [("A", "Fay", "PER"), ("A", "3m", "DEM")],
            [("A", "FAY", "PER", [5]), ("A", "3M", "DEM", [10])], id="but in no longer ones"),
        pytest.param(
            "i am jo in flat 5b, up at 10:30 am",
            [("A", "Jo", "PER"), ("A", "5B", "LOC"), ("A", "10:30 AM", "DATETIME"), ("A", "I", "PER")],
            [("A", "jo", "PER", [5]), ("A", "5b", "LOC", [16]), ("A", "10:30 am", "DATETIME", [26]), ("A", "I", "PER", [])],
            id="nor in names, nor beside digits",
        ),
        pytest.param(
            "Faith Holt, of type A, is 34.",
            [("A", "PER", "Faith Holt"), ("A", "age", "34"), ("A", "pii", "type a")],
            [("A", "Faith Holt", "PER", [0]), ("A", "type A", "DEM", [15]), ("A", "34", "Age", [26])],
            id="label and value the wrong way round",
        ),
        pytest.param("I name Faith.", [("A", "Full Name", "Faith")], [("A", "Faith", "Full Name", [7])], id="two labels"),
        pytest.param("My name.", [("A", "Faith", "Name")], [("A", "Faith", "Full Name", [])], id="a label that is one"),
        pytest.param("Date: 1 Feb 1985.", [("A", "1985-02-01", "Date")], [("A", "1985-02-01", "Date", [])],
            id="a label that stands in the text"),
        pytest.param("", [("A", "Faith", "")], [("A", "Faith", "DEM", [])], id="no label"),
        pytest.param(
            "Maren and the tenant", [("Maren", "Maren", "PER"), ("Tenant", "Tenant", "PER"), ("Ole", "Ole", "PER")],
            [("A", "Maren", "PER", [0])], id="names of subjects count where they stand",
        ),
        pytest.param("他在北京工作", [("A", "北京", "LOC")], [("A", "北京", "LOC", [2])], id="no spaces"),
        pytest.param("", [], [], id="nothing"),
    ],
)  # fmt: skip
def test_places(text: str, named: list[tuple[str, str, str]], expected: list[object]) -> None:
    assert show(text, *named) == expected


def test_what_stands_nowhere_comes_last_and_counts() -> None:
    found = place_entities(TEXT, [("A", "Berlin", "LOC"), ("A", "Ole", "PER")])
    assert [(one.id, one.text, one.mentions != ()) for one in found] == [
        ("e1", "Ole", True),
        ("e2", "Berlin", False),
    ]


words = st.sampled_from(
    ["Ole", "ole", "Ole Lund", "34", "4", "Odense", " Odense ", "Lund 34", "é", "İ", "x" * 9]
)
named = st.lists(
    st.tuples(st.sampled_from(["A", "B", "1", "Subject 2"]), words, st.sampled_from(["PER", "Age", "?"]))
)


@given(st.lists(words, max_size=8).map(" ".join), named)
def test_whatever_is_named_makes_a_valid_prediction(text: str, named: list[tuple[str, str, str]]) -> None:
    found = place_entities(text, named)
    Prediction(id="p", description=text, entities=found)
    assert {value.strip() for _, value, _ in named} >= {one.text for one in found if not one.mentions}


@pytest.mark.parametrize(
    ("text", "value", "stands"),
    [
        ("I am Sean O’Brien.", "Sean O'Brien", "Sean O’Brien"),
        ("I am Sean O'Brien.", "Sean O’Brien", "Sean O'Brien"),
        ("I am Jose\u0301 Ruiz.", "José Ruiz", "Jose\u0301 Ruiz"),
        ("I am José Ruiz.", "Jose\u0301 Ruiz", "José Ruiz"),
        ("I am Ann‑Marie.", "Ann-Marie", "Ann‑Marie"),
    ],
)
def test_other_quotes_hyphens_and_forms_of_letters_are_found(text: str, value: str, stands: str) -> None:
    assert show(text, ("A", value, "PER")) == [("A", stands, "PER", [5])]


def test_half_a_character_in_a_value_or_a_text_is_no_trouble() -> None:
    assert show("I am x.", ("A", "\ud83d", "PER")) == [("A", "\ufffd", "PER", [])]
    assert show("I am Ana\ud800Lopez.", ("A", "Ana\ud800Lopez", "PER")) == [
        ("A", "Ana", "PER", [5]),
        ("A", "Lopez", "PER", [9]),
    ]
