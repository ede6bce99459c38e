"""Equation 21 and the rank correlation beside it, worked by hand and against Tables 14 to 16."""

from __future__ import annotations

import pytest

from piibench.metrics.consistency import correlate_ranks, measure_consistency
from piibench.reports.published import load_published

TABLES = load_published().tables
STRATEGIES = ("naive", "self_cot", "auto_cot", "self_consistency", "plan_and_solve", "naive_with_choice")
MODELS = ("GPT4o", "Llama3.1", "Qwen2.5", "Llama3.1-SLM", "Qwen2.5-SLM")


@pytest.mark.parametrize(
    ("synthetic", "real", "expected"),
    [
        (0.8, 0.6, 0.75),  # 1 - 0.2 / 0.8
        (0.6, 0.8, 0.75),  # whichever is the larger
        (0.5, 0.5, 1.0),  # 1 - 0 / 0.5
        (0.5, 0.0, 0.0),  # 1 - 0.5 / 0.5
        (0.0, 0.0, 1.0),  # they agree
    ],
)
def test_eq_21_by_hand(synthetic, real, expected) -> None:
    assert measure_consistency(synthetic, real) == pytest.approx(expected)


def value(table: int, **at: str) -> float:
    return TABLES[table].find_cell(at).value


@pytest.mark.parametrize("metric", ["strict_f1", "ent_f1", "rouge_f1"])
@pytest.mark.parametrize("model", [row.keys["model"] for row in TABLES[17].rows])
def test_eq_21_gives_every_cell_of_table_15(model, metric) -> None:
    consistency = measure_consistency(
        value(6, model=model, subset="single", metric=metric), value(17, model=model, metric=metric)
    )
    assert f"{consistency:.3f}" == TABLES[15].find_cell({"model": model, "metric": f"pcs_{metric}"}).printed


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("metric", "synthetic", "real"), [("query_f1", 7, 18), ("mask_f1", 4, 19)])
def test_eq_21_gives_every_cell_of_table_16_to_its_last_digit(
    metric, synthetic, real, model, strategy
) -> None:
    at = {"model": model, "strategy": strategy}
    consistency = measure_consistency(value(synthetic, metric=metric, **at), value(real, metric=metric, **at))
    assert consistency == pytest.approx(value(16, metric=f"pcs_{metric}", **at), abs=0.0006)


def test_spearman_by_hand() -> None:
    # Ranks 1 2 3 4 against 2 1 3 4: d = -1 1 0 0; rho = 1 - 6 * 2 / (4 * 15) = 0.8. Of the 24 orders one has
    # rho 1, three 0.8, and as many -1 and -0.8: p = 8 / 24
    found = correlate_ranks((0.1, 0.2, 0.3, 0.4), (0.5, 0.3, 0.6, 0.9))
    assert found.rho == pytest.approx(0.8)
    assert found.p_value == pytest.approx(1 / 3)
