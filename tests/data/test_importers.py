"""Foreign files as a whole: the format is told from the first record, and real ones are read."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from piibench.data.files import read_samples, write_records
from piibench.data.importers import IMPORTERS, read_foreign
from piibench.data.paper import UNLABELLED
from piibench.errors import DataError, InputError

if TYPE_CHECKING:
    from pathlib import Path

PAPER = {"description": "Bo is 34.", "entities": [{"label": "DEM", "tag": "Age", "entity": "34"}]}
PRESIDIO = {
    "full_text": "34",
    "spans": [{"entity_type": "AGE", "entity_value": "34", "start_position": 0, "end_position": 2}],
}
LIFEBENCH = {
    "data_to_answer": "Bo",
    "pii_spans": [{"start": 0, "end": 2, "type": "PERSON", "text": "Bo", "entity": "Bo"}],
}


@pytest.mark.parametrize(
    ("name", "record"), [("paper", PAPER), ("presidio", PRESIDIO), ("lifebench", LIFEBENCH)]
)
@pytest.mark.parametrize("form", ["lines", "array", "packed"])
def test_the_format_is_told_from_the_first_record(tmp_path: Path, name: str, record, form: str) -> None:
    data = json.dumps([record, record] if form == "array" else record).encode()
    path = tmp_path / ("x.json.gz" if form == "packed" else "x.json")
    path.write_bytes(gzip.compress(data) if form == "packed" else data)
    samples = list(read_foreign(path, "auto", Counter()))
    assert samples == list(read_foreign(path, name, Counter()))
    assert [sample.id for sample in samples] == [f"{name}-1", f"{name}-2"][: len(samples)]
    assert all(len(sample.entities) == 1 for sample in samples)


def test_each_format_knows_itself_alone() -> None:
    for name, record in {"paper": PAPER, "presidio": PRESIDIO, "lifebench": LIFEBENCH}.items():
        assert [key for key, importer in IMPORTERS.items() if importer.recognises(record)] == [name]


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"words": []}')
    with pytest.raises(InputError, match="unknown format; use auto, paper"):
        list(read_foreign(tmp_path / "x.jsonl", "conll", Counter()))
    with pytest.raises(DataError, match="line 1: its format is none that is known"):
        list(read_foreign(tmp_path / "x.jsonl", "auto", Counter()))


def test_an_id_may_come_once(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps([PAPER | {"id": 1}, PAPER | {"id": "1"}]))
    with pytest.raises(DataError, match=r"\[1\].id: is the same as that of record 1"):
        list(read_foreign(tmp_path / "x.json", "auto", Counter()))


@pytest.mark.parametrize(
    ("pattern", "count", "left_out"),
    [
        ("paper-examples/*.jsonl", 4, {UNLABELLED}),
        ("presidio-research/*.jsonl", 3609, {"span that is no PII of the 55 categories"}),
        ("lifebench-pii/*.jsonl.gz", 1952, set()),
    ],
)
def test_real_files_are_read_whole(
    shared_data: Path, tmp_path: Path, pattern: str, count: int, left_out: set[str]
) -> None:
    skipped: Counter[str] = Counter()
    total = 0
    for path in sorted(shared_data.glob(pattern)):
        total += write_records(tmp_path / "gold.jsonl", read_foreign(path, "auto", skipped))
        assert all(sample.entities or sample.description for sample in read_samples(tmp_path / "gold.jsonl"))
    assert total == count
    assert set(skipped) == left_out


def test_the_papers_first_example_is_complete(shared_data: Path) -> None:
    [first, second, *_] = read_foreign(shared_data / "paper-examples" / "examples.jsonl", "paper", Counter())
    assert {entity.category for entity in first.entities} == {
        "Nickname", "NGO", "Street Address", "Medical Condition", "Time", "Phone Number",
    }  # fmt: skip
    assert {entity.label for entity in first.relevant_entities} == {
        "NGO",
        "Street Address",
        "Medical Condition",
        "Time",
    }
    assert (first.subset, second.subset) == ("single", "multi")
    assert [subject.id for subject in second.subjects] == ["A", "B"]
    assert len(second.relevant or ()) == 5
