"""Our scores in the paper's layout."""

from __future__ import annotations

import pytest

from piibench.errors import InputError
from piibench.reports.published import load_published
from piibench.reports.sheets import AUTHORS
from piibench.reports.tables import create_table

FILLED_HERE = (4, 5, 6, 7, 8, 11, 12, 13, 20)


def _entries(sheet, origin):
    return [entry for line in sheet.lines for entry in line.entries if entry and entry.origin == origin]


@pytest.mark.parametrize("number", FILLED_HERE)
def test_every_printed_number_is_shown_once_and_marked(document, number) -> None:
    sheet = create_table(number, document.runs)
    assert sheet is not None
    printed = [cell.printed for cell in load_published().tables[number].cells if cell.value is not None]
    assert [entry.text for entry in _entries(sheet, "authors")] == printed
    assert any(AUTHORS in note.lower() for note in sheet.notes)
    for line in sheet.lines:
        assert len(line.entries) == len(sheet.columns)
        for column, entry in zip(sheet.columns, line.entries, strict=True):
            assert entry is None or entry.origin in (column.origin, line.origin)


@pytest.mark.parametrize("number", FILLED_HERE)
def test_ours_is_the_mean_of_the_run_that_the_cell_names(document, number) -> None:
    table, sheet = load_published().tables[number], create_table(number, document.runs)
    found = _entries(sheet, "ours")
    assert found
    for entry in found:
        keys = entry.keys
        run = next(
            each
            for each in document.runs
            if each.run.task == table.task
            and each.run.label == keys["model"]
            and (number in (6, 8, 11) or each.run.strategy == keys.get("strategy"))
        )
        subsets = keys["subset"].split("+") if keys.get("subset", "all") != "all" else ()
        mean = run.average(keys["metric"], subsets, keys.get("arm", ""))
        assert (entry.value, entry.low, entry.high, entry.n) == (mean.value, mean.low, mean.high, mean.n)


def test_a_system_without_a_strategy_has_a_row_of_its_own(document) -> None:
    sheet = create_table(7, document.runs)
    shown = {
        (line.label, column.group)
        for line in sheet.lines
        for column, entry in zip(sheet.columns, line.entries, strict=True)
        if entry and entry.origin == "ours"
    }
    assert shown == {("without a strategy", "rules"), ("Naive", "openai/gpt-4o")}


def test_slips_are_marked_and_explained(document) -> None:
    sheet = create_table(5, document.runs)
    marked = [entry for entry in _entries(sheet, "authors") if entry.mark]
    assert [(entry.text, entry.mark) for entry in marked] == [("0.40", "a")]
    assert any(note.startswith("(a) ") for note in sheet.notes)


def test_no_table_without_a_score(document) -> None:
    assert create_table(17, document.runs) is None
    assert create_table(7, [each for each in document.runs if each.run.task == "pii_detection"]) is None


def test_a_table_of_no_runs_is_refused(document) -> None:
    with pytest.raises(InputError, match="Table 14 is not made of the scores of one evaluation"):
        create_table(14, document.runs)


def test_a_strategy_that_the_paper_lacks_comes_last_and_says_so(document) -> None:
    run = next(each for each in document.runs if each.run.task == "query_related" and each.run.strategy)
    own = type(run)(
        run.run.model_copy(update={"strategy": "my_own"}),
        run.ids,
        run.subsets,
        run.arms,
        run.metrics,
        run.values,
    )
    sheet = create_table(7, [*document.runs, own])
    assert (sheet.lines[-1].label, sheet.lines[-1].heading) == ("my_own", "not in the paper")
    assert [line.heading for line in sheet.lines if line.heading == "not in the paper"] == [
        "not in the paper"
    ]
