"""What was evaluated, as Tables 3 and 9 and Figure 5."""

from __future__ import annotations

import pytest

from piibench.data.schema import Sample
from piibench.data.shipped import load_shipped
from piibench.data.taxonomy import PIIType
from piibench.reports.data_tables import draw_data, tabulate_data
from piibench.reports.published import load_published


def _ours(sheet):
    return [entry for line in sheet.lines for entry in line.entries if entry and entry.origin == "ours"]


def test_sizes_are_those_of_each_subset_and_of_all():
    samples = load_shipped()
    size, _ = tabulate_data(samples)
    found = {(entry.keys["subset"], entry.keys["metric"]): entry.value for entry in _ours(size)}
    assert [line.label for line in size.lines if line.origin == "ours"] == [
        "PII-single", "PII-multi", "PII-hard", "PII-distract", "All",
    ]  # fmt: skip
    for subset in ("single", "multi", "hard", "distract", "all"):
        chosen = [each for each in samples if subset in (each.subset, "all")]
        assert found[subset, "samples"] == len(chosen)
        assert found[subset, "characters"] == pytest.approx(
            sum(len(each.description) for each in chosen) / len(chosen)
        )
        assert found[subset, "relevant"] == pytest.approx(
            sum(len(each.relevant) for each in chosen) / len(chosen)
        )


def test_what_a_query_needs_is_the_mean_of_the_samples_that_say_it():
    known, unknown = (
        Sample(id=f"s{count}", subset="real", description="a", query="?", entities=(), relevant=relevant)
        for count, relevant in enumerate([(), None])
    )
    for samples, expected in (([known, unknown], (0.0, "0.00")), ([unknown], (None, "–"))):
        size, _ = tabulate_data(samples)
        entries = [entry for entry in _ours(size) if entry.keys["metric"] == "relevant"]
        assert {(entry.value, entry.text) for entry in entries} == {expected}


def test_types_are_counted_and_their_shares_are_of_the_subset():
    samples = [each for each in load_shipped() if each.subset == "multi"]
    _, types = tabulate_data(samples)
    entities = [entity for sample in samples for entity in sample.entities]
    for entry in _ours(types):
        name = entry.keys["type"]
        count = len(entities) if name == "all" else sum(entity.type == PIIType(name) for entity in entities)
        expected = count if entry.keys["metric"] == "entities" else count / len(entities)
        assert entry.value == pytest.approx(expected)


@pytest.mark.parametrize("number", [3, 9])
def test_every_printed_number_stands_beside_with_its_slips(number):
    sheet = next(each for each in tabulate_data(load_shipped()) if each.name == f"table-{number:02d}")
    table = load_published().tables[number]
    shown = [entry for line in sheet.lines for entry in line.entries if entry and entry.origin == "authors"]
    assert [entry.text for entry in shown] == [cell.printed for cell in table.cells]
    assert sum(bool(entry.mark) for entry in shown) == len(table.slips) > 0
    assert all(len(line.entries) == len(sheet.columns) for line in sheet.lines)


def test_a_subset_of_ones_own_and_no_entities_are_no_problem():
    plain = Sample(id="s", subset="mine", description="Nobody is named here.")
    size, types = tabulate_data([plain])
    assert size.lines[0].label == "mine"
    assert {entry.value for entry in _ours(types)} == {0.0}
    assert draw_data([plain]) is None
    assert tabulate_data([]) == ()
