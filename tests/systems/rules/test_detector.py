"""The whole detector: one text in, entities with subjects out."""

from __future__ import annotations

import itertools
import json
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.schema import Sample
from piibench.systems.rules import create_rules
from piibench.systems.rules.detector import detect

if TYPE_CHECKING:
    from pathlib import Path


def found_in(text: str) -> set[tuple[str, str, str]]:
    return {(entity.subject, entity.text, entity.label) for entity in detect(text)}


def test_long_rows_of_numbers_are_read() -> None:
    detect("ids: " + ",".join(str(100 + number % 900) for number in range(2000)))


def test_half_a_character_parts_a_value() -> None:
    assert [text for _, text, _ in sorted(found_in("Employer: Acme \ud800 Works Ltd"))] == [
        "Acme",
        "Works Ltd",
    ]


def test_a_person_with_facts() -> None:
    text = (
        "Hi, I'm Amara Okafor, 34, a pastry chef from Leeds. I take home $3,150 a month and my rent is $1,200. "
        "Call me on (555) 010-7788 or write to amara@example.org."
    )
    assert found_in(text) == {
        ("A", "Amara Okafor", "Full Name"),
        ("A", "34", "Age"),
        ("A", "pastry chef", "Occupation"),
        ("A", "Leeds", "City/Region"),
        ("A", "$3,150", "Monthly Income"),
        ("A", "$1,200", "Monthly Expenses"),
        ("A", "(555) 010-7788", "Phone Number"),
        ("A", "amara@example.org", "Email Address"),
    }


def test_two_people_keep_their_own_facts() -> None:
    text = "My name is Tom Brandt and I work as a welder. My daughter, Lena, is 12 and goes to Hillcrest Middle School."
    found = found_in(text)
    assert ("A", "welder", "Occupation") in found
    assert {
        ("B", "Lena", "Nickname"),
        ("B", "12", "Age"),
        ("B", "Hillcrest Middle School", "Educational Institution"),
    } <= found


def test_a_text_without_anybody_has_nothing() -> None:
    text = "The kettle holds 1.7 litres and the manual has 34 pages. Order no. 5550123 ships in three boxes. See section 4.2."
    assert detect(text) == ()


@given(st.text())
def test_entities_always_fit_their_text(text: str) -> None:
    entities = detect(text)
    Sample(id="any", description=text, entities=entities)
    spans = sorted(span for entity in entities for span in entity.mentions)
    assert all(before.end <= after.start for before, after in itertools.pairwise(spans))


def test_every_repeat_of_a_value_is_a_mention() -> None:
    text = "Ivo Marek runs the shop. Later Ivo Marek sold it."
    (person,) = [entity for entity in detect(text) if entity.label == "Full Name"]
    assert len(person.mentions) == 2


@pytest.mark.parametrize(
    "unit", ["John Smith, 34, of Leeds. ", "555-0100 ", "a@b.c ", "$1,2 ", "Aa", "((((", "é\u0301 "]
)
def test_a_megabyte_takes_seconds(unit: str) -> None:
    text = unit * (10**6 // len(unit))
    start = time.process_time()
    detect(text)
    assert time.process_time() - start < 60


def test_the_papers_own_examples(shared_data: Path) -> None:
    """Recall of the values that the paper prints, over its four labelled examples: a floor, not a target."""
    lines = (shared_data / "paper-examples" / "examples.jsonl").read_text("utf-8").splitlines()
    wanted = found = 0
    for record in map(json.loads, lines):
        values = {entity["text"] for entity in record.get("entities", ())}
        wanted += len(values)
        found += len(values & {entity.text for entity in detect(record["description"])})
    assert found / wanted > 0.7


def test_users_patterns_join_in(tmp_path: Path) -> None:
    config = tmp_path / "patterns.toml"
    config.write_text(
        '[[pattern]]\nname = "badge"\ncategory = "Employee ID"\npattern = "ZZ-\\\\d{3}-[a-f]"\n'
    )
    plain, own = create_rules(), create_rules(patterns=str(config))
    assert plain.fingerprint != own.fingerprint
