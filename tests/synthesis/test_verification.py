"""Each doubt is found where it is, and only there."""

from __future__ import annotations

import pytest

from piibench.data.schema import Sample
from piibench.synthesis.verification import KINDS, verify

DESCRIPTION = "Mr. Bo Lund lives in Oslo, the Oslo of 1990. Bo Lund is 34."


def make(
    entities: list[tuple[str, str, list[list[int]]]],
    *,
    query: str = "Where?",
    relevant: tuple[str, ...] = ("e1",),
) -> Sample:
    return Sample(
        id="s", description=DESCRIPTION, query=query, relevant=relevant, meta={"query": "template", "scenario": "monthly budget"},
        entities=[
            {"id": f"e{number}", "subject": "A", "text": text, "category": category, "mentions": mentions}
            for number, (text, category, mentions) in enumerate(entities, 1)
        ],
    )  # fmt: skip


NAME = ("Bo Lund", "Full Name", [[4, 11], [45, 52]])
CASES = {
    "loose span": make([("Mr. Bo Lund", "Full Name", [[0, 11]])], relevant=()),
    "unlabelled repeat": make([NAME, ("Oslo", "City/Region", [[21, 25]])], relevant=("e2",)),
    "ordinary word": make([NAME, ("the", "Landmark", [[27, 30]])], relevant=("e2",)),
    "shared place": make([NAME, ("34", "Age", [[56, 58]]), ("34", "Weight", [[56, 58]])], relevant=("e2",)),
    "value in query": make([NAME], query="Who is bo lund?", relevant=()),
    "name needed": make([NAME]),
    "nothing needed": make([NAME], relevant=()),
    "beyond scenario": make([NAME, ("34", "Age", [[56, 58]])], relevant=("e2",)),
    "no name": make([("34", "Age", [[56, 58]])], relevant=("e1",)),
}


@pytest.mark.parametrize("kind", CASES)
def test_each_kind_is_found(kind: str) -> None:
    assert kind in {finding.kind for finding in verify([CASES[kind]])}


def test_values_that_cross_claim_the_same_place() -> None:
    crossing = make([NAME, ("Lund lives", "Landmark", [[7, 17]])], relevant=("e2",))
    nested = make([NAME, ("Lund", "Company Name", [[7, 11], [48, 52]])], relevant=("e2",))
    told = [{finding.kind for finding in verify([sample])} for sample in (crossing, nested)]
    assert ["shared place" in kinds for kinds in told] == [True, False]


@pytest.mark.parametrize(("text", "kind"), [("She", "ordinary word"), ("Odense)", "loose span")])
def test_words_and_brackets_are_doubts(text: str, kind: str) -> None:
    description = f"Bo is there ({text}."
    entity = {
        "id": "e1",
        "subject": "A",
        "text": text,
        "category": "City/Region",
        "mentions": [[13, 13 + len(text)]],
    }
    sample = Sample(id="s", description=description, query="Where?", relevant=("e1",), entities=[entity])
    assert kind in {finding.kind for finding in verify([sample])}
    abbreviated = sample.model_validate_json(sample.to_json().replace(text, text.upper()))
    assert "ordinary word" not in {finding.kind for finding in verify([abbreviated])}


def test_a_sample_of_another_file_with_the_same_id_is_a_near_duplicate() -> None:
    sample = make([NAME])
    assert "near duplicate" not in {finding.kind for finding in verify([sample])}
    assert "near duplicate" in {finding.kind for finding in verify([sample, sample.model_copy()])}


def test_near_duplicates_are_found_and_named() -> None:
    sample = make([NAME])
    twin = sample.model_copy(update={"id": "t"})
    kinds = [(finding.kind, finding.where) for finding in verify([sample, twin]) if finding.sample_id == "t"]
    assert ("near duplicate", "sample s") in kinds
    assert set(KINDS) == {*CASES, "near duplicate"}
