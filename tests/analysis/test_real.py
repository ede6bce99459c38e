"""Two data sets compared by the same systems' scores."""

from __future__ import annotations

import pytest

from piibench.analysis.real import SystemScores, average_scores, compare_data_sets
from piibench.data.runs import SampleScores
from piibench.errors import InputError
from piibench.reports.published import load_published

TABLES = load_published().tables


def read_table(number: int, **at: str) -> tuple[SystemScores, ...]:
    """The F1 scores of a printed table, by model and strategy."""
    found: dict[str, dict[str, float]] = {}
    for cell in TABLES[number].list_cells(at):
        label = " ".join(filter(None, (cell.keys["model"], cell.keys.get("strategy"))))
        if cell.keys["metric"] in {"strict_f1", "ent_f1", "rouge_f1", "query_f1", "mask_f1"}:
            found.setdefault(label, {})[cell.keys["metric"]] = cell.value
    return tuple(SystemScores(label, means) for label, means in found.items())


@pytest.mark.parametrize(
    ("task", "synthetic", "real", "table", "average"),
    [
        ("pii_detection", (6, {"subset": "single"}), 17, 15, {"metric": "pcs_average"}),
        ("query_related", (7, {}), 18, None, {}),
        ("query_unrelated_masking", (4, {}), 19, None, {}),
    ],
)
def test_the_printed_data_sets_agree_as_printed(task, synthetic, real, table, average) -> None:
    number, at = synthetic
    agreement = compare_data_sets(read_table(number, **at), read_table(real))
    assert f"{agreement.ranks.rho:.4f}" == TABLES[14].find_cell({"task": task, "metric": "spearman"}).printed
    assert agreement.ranks.p_value < 0.001
    assert agreement.difference > 0  # the printed scores on real data are the higher ones
    if table:
        printed = TABLES[table]
        for model, consistency in agreement.by_system.items():
            assert consistency == pytest.approx(
                printed.find_cell({"model": model, **average}).value, abs=0.0006
            )
        for metric, consistency in agreement.by_metric.items():
            cell = printed.find_cell({"model": "average", "metric": f"pcs_{metric}"})
            assert consistency == pytest.approx(cell.value, abs=0.0006)
        assert agreement.consistency == pytest.approx(
            printed.find_cell({"model": "average", **average}).value, abs=0.0006
        )


def test_table_16s_overall_average_is_that_of_both_tasks() -> None:
    agreements = [
        compare_data_sets(read_table(7), read_table(18)),
        compare_data_sets(read_table(4), read_table(19)),
    ]
    overall = sum(agreement.consistency for agreement in agreements) / 2
    printed = TABLES[16].find_cell({"model": "average", "metric": "pcs_average", "strategy": "average"})
    assert overall == pytest.approx(printed.value, abs=0.0006)


def test_by_hand() -> None:
    first = (
        SystemScores("a", {"f1": 0.8, "p": 0.5}),
        SystemScores("b", {"f1": 0.4}),
        SystemScores("c", {"f1": 0.1}),
    )
    second = (
        SystemScores("b", {"f1": 0.5}),
        SystemScores("a", {"f1": 0.6, "r": 1.0}),
        SystemScores("d", {"f1": 1.0}),
    )
    agreement = compare_data_sets(first, second)
    # PCS: 1 - 0.2 / 0.8 = 0.75 and 1 - 0.1 / 0.5 = 0.8; differences -0.2 and +0.1
    assert [(each.label, each.metric) for each in agreement.pairings] == [("a", "f1"), ("b", "f1")]
    assert [each.consistency for each in agreement.pairings] == pytest.approx([0.75, 0.8])
    assert agreement.consistency == pytest.approx(0.775)
    assert agreement.difference == pytest.approx(-0.05)
    assert agreement.by_metric == {"f1": pytest.approx(0.775)}
    assert agreement.ranks is None  # two pairs have no order to test
    assert agreement.unmatched == ("c", "d")


def test_scores_are_averaged_over_the_samples_that_have_them() -> None:
    scores = [
        SampleScores(id="s1", subset="real", scores={"f1": 1.0, "kept": None}),
        SampleScores(id="s2", subset="real", scores={"f1": 0.5, "kept": None}),
        SampleScores(id="s3", subset="real", scores={"f1": None}),
    ]
    assert average_scores("a", scores, ("f1", "kept", "p")) == SystemScores("a", {"f1": 0.75})


def test_nothing_in_common_gives_no_pairings() -> None:
    agreement = compare_data_sets([SystemScores("a", {"f1": 1.0})], [SystemScores("a", {"p": 1.0})])
    assert (agreement.pairings, agreement.ranks, agreement.unmatched) == ((), None, ("a",))


def test_two_systems_of_one_name_are_refused() -> None:
    twice = [SystemScores("a", {"f1": 1.0})] * 2
    with pytest.raises(InputError, match="a stands twice"):
        compare_data_sets(twice, twice[:1])
