"""presidio-research and lifebench-pii, in public and normalised form."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.foreign import (
    CROSSING,
    NO_PII,
    UNFIT,
    UNKNOWN,
    convert_lifebench,
    convert_presidio,
    fit_places,
    is_lifebench,
    is_presidio,
)
from piibench.data.lines import Line
from piibench.data.mentions import Span
from piibench.data.schema import Labelled
from piibench.data.taxonomy import PIIType
from piibench.errors import DataError

TEXT = "Mr. Bo Lee, 34, of Rome"
SPANS = [(0, 3, "TITLE"), (4, 10, "PERSON"), (12, 14, "AGE"), (19, 23, "GPE")]


def public_presidio(spans=SPANS) -> dict[str, Any]:
    parts = [
        {"entity_type": label, "entity_value": TEXT[start:end], "start_position": start, "end_position": end}
        for start, end, label in spans
    ]
    return {
        "full_text": TEXT,
        "masked": "…",
        "spans": parts,
        "template_id": 7,
        "metadata": {"Gender": "male"},
    }


def normalised(spans=SPANS, **fields: Any) -> dict[str, Any]:
    parts = [
        {"start": start, "end": end, "text": TEXT[start:end], "label": label} for start, end, label in spans
    ]
    return {"text": TEXT, "spans": parts} | fields


def convert(converter, fields: dict[str, Any]):
    skipped: Counter[str] = Counter()
    return converter(Line("x.jsonl", 2, fields), skipped), skipped


@pytest.mark.parametrize(
    ("fields", "identifier"),
    [(public_presidio(), "presidio-2"), (normalised(template_id=7, id="synth-1"), "synth-1")],
    ids=["public", "normalised"],
)
def test_presidio(fields: dict[str, Any], identifier: str) -> None:
    assert is_presidio(fields)
    assert not is_lifebench(fields)
    sample, skipped = convert(convert_presidio, fields)
    assert [(e.subject, e.text, e.label) for e in sample.entities] == [
        ("A", "Bo Lee", "PER"),
        ("A", "34", "Age"),
        ("A", "Rome", "City/Region"),
    ]
    assert sample.id == identifier
    assert sample.relevant is None
    assert sample.meta["template_id"] == 7
    assert "QUANTITY" not in sample.meta["labels_types"]
    assert skipped == {NO_PII: 1}


NOTES = "Yu Qing met Yuqing's boss Lao Ma at ACME. ACME, Peng Yuqing said."
PEOPLE = [(0, 7, "PERSON", "Peng Yuqing"), (12, 18, "PERSON", "Peng Yuqing"), (26, 32, "PERSON", "Lao Ma"),
          (36, 40, "ORG", "ACME"), (42, 46, "ORG", "ACME"), (48, 59, "PERSON", "Peng Yuqing")]  # fmt: skip


def lifebench(label: str, **fields: Any) -> dict[str, Any]:
    parts = [
        {"start": start, "end": end, "text": NOTES[start:end], label: name, "entity": entity}
        for start, end, name, entity in PEOPLE
    ]
    return {
        "id": "u_1",
        "user": "u",
        "question_type": "x",
        "spans" if label == "label" else "pii_spans": parts,
    } | fields


@pytest.mark.parametrize(
    "fields",
    [
        lifebench("type", data_to_answer=NOTES, question="Who?", answer="Lao Ma"),
        lifebench("label", text=NOTES, query="Who?", answer="Lao Ma"),
    ],
    ids=["public", "normalised"],
)
def test_lifebench_gives_each_person_a_subject_and_the_rest_to_the_first(fields: dict[str, Any]) -> None:
    assert is_lifebench(fields)
    assert not is_presidio(fields)
    sample, skipped = convert(convert_lifebench, fields)
    assert [(e.subject, e.text, e.label, len(e.mentions)) for e in sample.entities] == [
        ("A", "Yu Qing", "PER", 1),
        ("A", "Yuqing", "PER", 1),
        ("B", "Lao Ma", "PER", 1),
        ("A", "ACME", "ORG", 2),
        ("A", "Peng Yuqing", "PER", 1),
    ]
    assert (sample.id, sample.query, sample.relevant) == ("u_1", "Who?", None)
    assert sample.meta["user"] == "u"
    assert sample.meta["labels_types"] == ["PER", "CODE", "LOC", "ORG"]
    assert not skipped


@pytest.mark.parametrize(
    ("span", "reason"),
    [
        ({"start": 4, "end": 10, "text": "Bo Le", "label": "PERSON"}, UNFIT),
        ({"start": 5, "end": 11, "text": "Bo Lee", "label": "PERSON"}, UNFIT),
        ({"start": 19, "end": 24, "text": "Rome", "label": "GPE"}, UNFIT),
        ({"start": 4, "end": 4, "text": "", "label": "PERSON"}, UNFIT),
        ({"start": -4, "end": 23, "text": "Rome", "label": "GPE"}, UNFIT),
        ({"start": True, "end": 2, "text": "r", "label": "PERSON"}, UNFIT),
        ({"start": None, "label": "PERSON"}, UNFIT),
        ({"start": 4, "end": 10, "text": "Bo Lee", "label": "SHOE_SIZE"}, UNKNOWN),
        ({"start": 4, "end": 10, "text": "Bo Lee"}, UNKNOWN),
        ("Bo Lee", UNKNOWN),
    ],
)
def test_a_span_that_cannot_be_used_is_counted(span: Any, reason: str) -> None:
    sample, skipped = convert(convert_presidio, {"text": TEXT, "spans": [span], "template_id": 1})
    assert sample.entities == ()
    assert skipped == {reason: 1}


def test_nested_spans_stay_and_crossing_ones_go() -> None:
    spans = [(4, 10, "PERSON"), (7, 10, "PERSON"), (7, 14, "LOCATION")]
    sample, skipped = convert(convert_presidio, normalised(spans, template_id=1))
    assert [e.text for e in sample.entities] == ["Bo Lee", "Lee"]
    assert skipped == {CROSSING: 1}


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 6))))
def test_fitted_places_never_cross(ranges: list[tuple[int, int]]) -> None:
    places = [Labelled(Span(start, start + length), PIIType.PER) for start, length in ranges]
    skipped: Counter[str] = Counter()
    fitted = [place.span for place in fit_places(places, skipped)]
    assert len(fitted) + skipped[CROSSING] == len(places)
    for one in fitted:
        for other in fitted:
            assert not one.overlaps(other) or one.contains(other) or other.contains(one)


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"full_text": 5, "spans": []}, "full_text: must be text"),
        ({"full_text": TEXT, "spans": "Bo Lee"}, "spans: must be an array"),
        ({"full_text": TEXT, "spans": [], "id": "Bo Lee" * 99}, "id: its id or query cannot be used"),
        ({"full_text": TEXT, "spans": [], "id": ""}, "id: its id or query cannot be used"),
    ],
)
def test_a_record_that_cannot_be_read(fields: dict[str, Any], problem: str) -> None:
    with pytest.raises(DataError) as caught:
        convert(convert_presidio, fields)
    assert problem in str(caught.value)
    assert "Bo Lee" not in str(caught.value)
