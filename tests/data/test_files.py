"""Canonical records on disk: round trips, and refusals that name the place and no value."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.files import PromptRecord, read_predictions, read_prompts, read_samples, write_records
from piibench.data.schema import Prediction, Sample
from piibench.errors import DataError

if TYPE_CHECKING:
    from pathlib import Path

NAME = "Quentin Harbottle"
TEXT = f"I am {NAME}, 34."


def record(**changes: Any) -> dict[str, Any]:
    name = {"id": "e1", "subject": "A", "text": NAME, "category": "Full Name", "mentions": [[5, 22]]}
    age = {"id": "e2", "subject": "A", "text": "34", "category": "Age", "mentions": [[24, 26]]}
    return {
        "id": "s1",
        "description": TEXT,
        "query": "How old?",
        "entities": [name, age],
        "relevant": ["e2"],
    } | changes


def with_entity(**changes: Any) -> dict[str, Any]:
    whole = record()
    whole["entities"][1] |= changes
    return whole


@pytest.fixture
def write(tmp_path: Path):
    def write(*records: Any) -> Path:
        path = tmp_path / "gold.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in records))
        return path

    return write


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz"])
def test_samples_and_predictions_survive_the_disk(tmp_path: Path, name: str) -> None:
    gold = [Sample.model_validate(record()), Sample.model_validate(record(id="s2", meta={"source": "ü"}))]
    assert write_records(tmp_path / name, gold) == 2
    assert list(read_samples(tmp_path / name)) == gold
    pred = [Prediction.model_validate(record(masked="I am <Full Name>, 34.", masked_query="How old?"))]
    write_records(tmp_path / name, pred)
    assert list(read_predictions(tmp_path / name)) == pred


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_comes_back_as_it_went(tmp_path_factory, text: str) -> None:
    path = tmp_path_factory.mktemp("any") / "x.jsonl"
    sample = Sample(id="x", description=text, query=text[::-1])
    write_records(path, [sample])
    assert list(read_samples(path)) == [sample]


@pytest.mark.parametrize(
    ("bad", "field", "problem"),
    [
        (record(schema=2), "schema", "must be 1, the only version"),
        (record(id=7), "id", "must be text"),
        (record(id=""), "id", "must not be empty"),
        (record(id="x" * 201), "id", "too long"),
        (record(description=None), "description", "must be text"),
        ({"id": "s1"}, "description", "is missing"),
        (record(entities={"a": 1}), "entities", "must be an array"),
        (record(entities=[NAME]), "entities[0]", "must be an object"),
        (record(relevant=["e9"]), "relevant[0]", "is the id of no entity"),
        (record(tags=[NAME]), "tags", "is no field of the canonical record"),
        (record(**{NAME: 1}), "?", "is no field of the canonical record"),
        (record(type="PER"), "type", "is no field of the canonical record"),
        (record(category="Full Name"), "category", "is no field of the canonical record"),
        (with_entity(category=NAME), "entities[1].category", "unknown category"),
        (with_entity(category="Ages"), "entities[1].category", 'must be written "Age"'),
        (with_entity(category="age"), "entities[1].category", 'must be written "Age"'),
        (with_entity(category="Specific Time"), "entities[1].category", 'must be written "Time"'),
        (with_entity(category=["Age"]), "entities[1].category", "must be the name of a category"),
        (with_entity(type=NAME), "entities[1].type", "must be one of PER, CODE, LOC"),
        (with_entity(type="PER"), "entities[1]", 'category "Age" belongs to type DEM, not PER'),
        (with_entity(category=None), "entities[1].type", "must be one of PER"),
        (with_entity(subject=NAME), "entities[1].subject", "must be one to three capital letters"),
        (with_entity(text=""), "entities[1].text", "must not be empty"),
        (
            with_entity(mentions=[[23, 25]]),
            "entities[1].mentions[0]",
            "[23, 25] does not hold the entity's text",
        ),
        (with_entity(mentions=[[24, 27]]), "entities[1].mentions[0]", "does not hold"),
        (
            with_entity(mentions=[[26, 28]]),
            "entities[1].mentions[0]",
            "behind the description's 27 code points",
        ),
        (with_entity(mentions=[[26, 24]]), "entities[1].mentions", "0 <= start < end"),
        (with_entity(mentions=[]), "entities[1].mentions", "is empty; a sample"),
        (with_entity(mentions=[24, 26]), "entities[1].mentions[0]", "pairs [start, end]"),
        (with_entity(mentions=[[24]]), "entities[1].mentions[0][1]", "pairs [start, end]"),
        (with_entity(mentions=[[24, 26, 28]]), "entities[1].mentions[0]", "pairs [start, end]"),
        (with_entity(mentions=[[24.5, 26]]), "entities[1].mentions[0][0]", "pairs [start, end]"),
        (with_entity(mentions=[[NAME, 26]]), "entities[1].mentions[0][0]", "pairs [start, end]"),
        (with_entity(id="e1"), "entities[1].id", "is used twice"),
        (with_entity(note=NAME), "entities[1].note", "is no field"),
    ],
)
def test_a_bad_record_is_named_by_line_and_field(write, bad: Any, field: str, problem: str) -> None:
    path = write(record(id="s0"), bad)
    with pytest.raises(DataError) as caught:
        list(read_samples(path))
    error = caught.value
    assert (error.place, error.line, error.field) == ("gold.jsonl", 2, field)
    assert problem in error.problem
    assert NAME not in str(error)
    assert "34" not in str(error).replace("[26, 34]", "")
    assert error.__cause__ is None
    assert error.__suppress_context__


def test_an_id_may_come_once(write) -> None:
    path = write(record(), record(id="s2"), record())
    for read in (read_samples, read_predictions, read_prompts):
        with pytest.raises(DataError, match=r"gold.jsonl, line 3, id: is the same as on line 1"):
            list(read(path))


def test_a_sample_may_not_be_masked_already(write) -> None:
    with pytest.raises(DataError, match="masked: is no field"):
        list(read_samples(write(record(masked="x"))))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"description": "x"}, PromptRecord("line-1", "real", "x", "", 1)),
        ({"description": "x", "query": None, "id": None}, PromptRecord("line-1", "real", "x", "", 1)),
        (
            {
                "id": "a",
                "subset": "hard",
                "description": "",
                "query": "q",
                "entities": "whatever",
                "colour": 3,
            },
            PromptRecord("a", "hard", "", "q", 1),
        ),
    ],
)
def test_a_description_is_enough_to_predict_on(write, fields, expected) -> None:
    assert list(read_prompts(write(fields))) == [expected]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"query": NAME}, 'description: is missing; each record needs its text under "description"'),
        ({"description": [NAME]}, "description: must be text"),
        ({"description": NAME, "query": 5}, "query: must be text"),
        ({"description": NAME, "id": 5}, "id: must be text"),
        ({"description": NAME, "id": ""}, "id: must have 1 to 200 characters"),
        ({"description": NAME, "schema": 2}, "schema: must be 1"),
        ({"description": NAME, "subset": "all"}, 'subset: "all" means every subset together'),
    ],
)
def test_what_cannot_be_predicted_on(write, fields, problem: str) -> None:
    with pytest.raises(DataError) as caught:
        list(read_prompts(write(fields)))
    assert problem in str(caught.value)
    assert NAME not in str(caught.value)


def test_a_prompt_record_shows_no_text() -> None:
    one = PromptRecord("a", "real", NAME, NAME)
    assert NAME not in repr(one)
    assert one.prompt.description == NAME


def test_reading_streams(write) -> None:
    path = write(record(), {"broken": 1})
    samples = read_samples(path)
    assert next(samples).id == "s1"
    with pytest.raises(DataError):
        next(samples)
