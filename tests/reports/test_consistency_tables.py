"""Tables 14 to 16 of two evaluations."""

from __future__ import annotations

import pytest

from evaluations import write_evaluation
from piibench.data.shipped import load_shipped
from piibench.errors import InputError
from piibench.metrics.consistency import measure_consistency
from piibench.reports.consistency_tables import COMPARED, tabulate_agreement
from piibench.reports.document import read_folder
from piibench.reports.published import load_published


@pytest.fixture(scope="module")
def runs(evaluation):
    return read_folder(evaluation)


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    return read_folder(write_evaluation(tmp_path_factory.mktemp("real") / "results", load_shipped()[-3:]))


def _ours(sheet):
    return {
        (line.label, column.label): entry.value
        for line in sheet.lines
        for column, entry in zip(sheet.columns, line.entries, strict=True)
        if entry and entry.origin == "ours"
    }


@pytest.mark.parametrize("number", COMPARED)
def test_every_printed_number_stands_below_ours(runs, real, number):
    sheet = tabulate_agreement(number, runs, real)
    cells = load_published().tables[number].cells
    shown = [entry for line in sheet.lines for entry in line.entries if entry and entry.origin == "authors"]
    assert [entry.text for entry in shown] == [cell.printed for cell in cells if cell.value is not None]
    assert all(len(line.entries) == len(sheet.columns) for line in sheet.lines)


def test_pcs_is_that_of_the_means_on_single_and_on_all_real_samples(runs, real):
    found = _ours(tabulate_agreement(15, runs, real))
    first, second = (
        next(each for each in some if each.run.task == "pii_detection" and each.system == "rules")
        for some in (runs, real)
    )
    expected = [
        measure_consistency(first.average(metric, ("single",)).value, second.average(metric).value)
        for metric in ("strict_f1", "ent_f1", "rouge_f1")
    ]
    assert [found["rules", name] for name in ("Strict-F1", "Ent-F1", "RougeL-F")] == pytest.approx(expected)
    assert found["rules", "Average"] == pytest.approx(sum(expected) / 3)
    assert found["Overall Average", "Average"] == pytest.approx(
        (found["rules", "Average"] + found["openai/gpt-4o", "Average"]) / 2
    )


def test_a_system_without_a_strategy_has_a_column_of_its_own(runs, real):
    found = _ours(tabulate_agreement(16, runs, real))
    assert {column for label, column in found if label.startswith("rules")} == {
        "without a strategy",
        "Average",
    }
    assert {column for label, column in found if label.startswith("openai")} == {"Naive", "Average"}


def test_data_that_agrees_with_itself_is_wholly_consistent(real):
    assert set(_ours(tabulate_agreement(15, real, real)).values()) == {1.0}


def test_ranks_need_three_scores(runs, real):
    sheet = tabulate_agreement(14, runs, real)
    assert [line.label for line in sheet.lines if line.origin == "ours"] == ["PII Detection (6 pairs)"]
    assert any(note.startswith("query_related: has no order of ours") for note in sheet.notes)


def test_what_cannot_be_compared(runs, real):
    assert tabulate_agreement(15, runs, [each for each in real if each.run.task != "pii_detection"]) is None
    with pytest.raises(InputError, match="choose one of 14, 15, 16"):
        tabulate_agreement(7, runs, real)
    rules, model = ([each for each in real if each.run.system[:5] == name] for name in ("rules", "llm"))
    assert tabulate_agreement(15, rules, model) is None


def test_a_task_without_a_common_system_is_told_and_keeps_no_other_back(runs, real):
    others = [each for each in real if each.run.task == "pii_detection" or each.run.system == "llm"]
    rules = [each for each in runs if each.run.task == "pii_detection" or each.run.system != "llm"]
    sheet = tabulate_agreement(14, rules, others)
    assert any(line.origin == "ours" for line in sheet.lines)
    assert any("query_related: not compared" in note for note in sheet.notes)
