"""The published numbers: read again from the paper, complete, and as consistent as the paper is."""

from __future__ import annotations

import re

import pytest
from scipy.stats import spearmanr

from piibench.analysis.statistics import PUBLISHED
from piibench.data.taxonomy import PIIType
from piibench.errors import DataError, InputError
from piibench.reports.published import load_published, parse_published

TABLES = load_published().tables
SUBSETS = ("single", "multi", "hard", "distract")
MODELS = ("GPT4o", "Llama3.1", "Qwen2.5", "Llama3.1-SLM", "Qwen2.5-SLM")
STRATEGIES = ("naive", "self_cot", "auto_cot", "self_consistency", "plan_and_solve", "naive_with_choice")
SAMPLES = {"single": 1214, "multi": 1228, "hard": 200, "distract": 200}
COUNTS = {"samples", "subjects", "characters", "entities", "query_characters", "relevant"}


def printed(table: int, **at: str) -> str:
    cell = TABLES[table].find_cell(at)
    assert cell is not None, f"table {table} has no cell {at}"
    return cell.printed


def value(table: int, **at: str) -> float:
    cell = TABLES[table].find_cell(at)
    assert cell is not None, f"table {table} has no cell {at}"
    assert cell.value is not None
    return cell.value


def decimals(text: str) -> int:
    return len(text.partition(".")[2])


def slips(table: int) -> set[tuple[str, ...]]:
    return {tuple(slip.at.values()) for slip in TABLES[table].slips}


# Number in the final version, in the review version, rows, columns, sum of all numbers. The sums of tables that both
# versions print were taken from the review version.
SHAPES = [
    (2, 2, 4, 2, 747.9),
    (3, 3, 5, 6, 15_361.65),
    (4, 4, 6, 10, 39.79),
    (5, 5, 6, 4, 12.84),
    (6, 6, 8, 12, 71.556),
    (7, 7, 6, 10, 35.08),
    (8, 8, 3, 3, 6.36),
    (9, 9, 8, 8, 75_768.0),
    (11, 12, 3, 12, 8.6047),
    (12, 10, 6, 6, 7.5938),
    (13, 11, 6, 6, 5.6513),
    (14, None, 3, 2, 2.9874),
    (15, None, 8, 4, 31.364),
    (16, None, 11, 7, 74.398),
    (17, None, 7, 3, 18.456),
    (18, None, 6, 10, 36.278),
    (19, None, 6, 10, 40.926),
    (20, 13, 6, 10, 33.172),
    (21, None, 2, 2, 188.385),
]


@pytest.mark.parametrize(("number", "review", "rows", "columns", "total"), SHAPES)
def test_each_table_has_its_shape_and_its_sum(number, review, rows, columns, total):
    table = load_published().find(number)
    assert (table.review, len(table.rows)) == (review, rows)
    assert {len(row.cells) for row in table.rows} == {columns}
    numbers = [
        float(cell.printed.lstrip("<").partition("±")[0].replace(",", ""))
        for cell in table.cells
        if cell.value is not None
    ]
    assert sum(numbers) == pytest.approx(total, abs=5e-5)


def test_there_are_no_other_tables():
    assert list(TABLES) == [number for number, *_ in SHAPES]


# Read again from the paper.
SPOTS = [
    (2, {"subset": "single", "metric": "strict_f1"}, "97.2±1.1"),
    (2, {"subset": "distract", "metric": "query_f1"}, "91.5±2.1"),
    (3, {"subset": "distract", "metric": "characters"}, "4,403.64"),
    (3, {"subset": "all", "metric": "relevant"}, "2.28"),
    (4, {"strategy": "self_consistency", "model": "GPT4o", "metric": "mask_f1"}, "0.77"),
    (4, {"strategy": "naive_with_choice", "model": "Qwen2.5-SLM", "metric": "mask_rouge_f1"}, "0.71"),
    (4, {"strategy": "auto_cot", "model": "Llama3.1-SLM", "metric": "mask_f1"}, "0.57"),
    (5, {"strategy": "auto_cot", "subset": "hard", "metric": "query_rouge_f1"}, "0.40"),
    (5, {"strategy": "plan_and_solve", "subset": "distract", "metric": "query_f1"}, "0.67"),
    (6, {"model": "BiLSTM-CRF", "subset": "hard", "metric": "ent_f1"}, "0.684"),
    (6, {"model": "BiLSTM-CRF", "subset": "hard", "metric": "strict_f1"}, "-"),
    (6, {"model": "DeepSeekV3", "subset": "distract", "metric": "strict_f1"}, "0.658"),
    (6, {"model": "DeepSeekV3", "subset": "distract", "metric": "ent_f1"}, "0.945"),
    (6, {"model": "Claude3.5", "subset": "multi", "metric": "strict_f1"}, "0.890"),
    (6, {"model": "Qwen2.5-SLM", "subset": "distract", "metric": "rouge_f1"}, "0.456"),
    (7, {"strategy": "naive", "model": "GPT4o", "metric": "query_f1"}, "0.63"),
    (7, {"strategy": "plan_and_solve", "model": "Llama3.1", "metric": "query_rouge_f1"}, "0.66"),
    (7, {"strategy": "naive_with_choice", "model": "Qwen2.5", "metric": "query_f1"}, "0.83"),
    (8, {"arm": "all", "metric": "utility"}, "0.52"),
    (8, {"arm": "gold", "metric": "privacy"}, "0.83"),
    (8, {"arm": "gold", "metric": "balanced"}, "0.86"),
    (9, {"type": "LOC", "subset": "distract", "metric": "share"}, "9.87"),
    (9, {"type": "QUANTITY", "subset": "multi", "metric": "entities"}, "2,174"),
    (9, {"type": "all", "subset": "multi", "metric": "entities"}, "16,136"),
    (11, {"model": "Qwen2.5-0.5B", "subset": "distract", "metric": "ent_f1"}, "0.0207"),
    (11, {"model": "Qwen2.5-3B", "subset": "multi", "metric": "rouge_f1"}, "0.6212"),
    (12, {"strategy": "naive_with_choice", "model": "Qwen2.5-1.5B", "metric": "query_f1"}, "0.4357"),
    (12, {"strategy": "auto_cot", "model": "Qwen2.5-3B", "metric": "query_f1"}, "0.381"),
    (13, {"strategy": "naive_with_choice", "model": "Qwen2.5-0.5B", "metric": "mask_f1"}, "0.0011"),
    (13, {"strategy": "auto_cot", "model": "Qwen2.5-3B", "metric": "mask_rouge_f1"}, "0.4327"),
    (14, {"task": "pii_detection", "metric": "spearman"}, "0.9880"),
    (14, {"task": "query_related", "metric": "p_value"}, "<0.001"),
    (15, {"model": "Claude3.5", "metric": "pcs_strict_f1"}, "0.967"),
    (15, {"model": "average", "metric": "pcs_ent_f1"}, "0.983"),
    (16, {"model": "GPT4o", "metric": "pcs_query_f1", "strategy": "plan_and_solve"}, "0.952"),
    (16, {"model": "Qwen2.5-SLM", "metric": "pcs_mask_f1", "strategy": "average"}, "0.965"),
    (16, {"model": "average", "strategy": "naive_with_choice"}, "0.972"),
    (17, {"model": "DeepSeekV3", "metric": "ent_f1"}, "0.941"),
    (17, {"model": "Qwen2.5-SLM", "metric": "rouge_f1"}, "0.803"),
    (18, {"strategy": "naive_with_choice", "model": "GPT4o", "metric": "query_rouge_f1"}, "0.861"),
    (18, {"strategy": "self_consistency", "model": "Qwen2.5-SLM", "metric": "query_f1"}, "0.338"),
    (19, {"strategy": "naive", "model": "GPT4o", "metric": "mask_f1"}, "0.743"),
    (19, {"strategy": "plan_and_solve", "model": "Qwen2.5-SLM", "metric": "mask_rouge_f1"}, "0.614"),
    (20, {"strategy": "naive", "model": "Llama3.1-SLM", "metric": "query_rouge_f1"}, "0.333"),
    (20, {"strategy": "self_cot", "model": "Llama3.1", "metric": "query_f1"}, "0.638"),
    (21, {"task": "query_related", "metric": "fleiss_kappa"}, "0.873"),
    (21, {"task": "pii_detection", "metric": "agreement"}, "95.1"),
]  # fmt: skip


@pytest.mark.parametrize(("number", "at", "expected"), SPOTS)
def test_spot_values(number, at, expected):
    assert printed(number, **at) == expected


def test_every_table_has_a_spot_value():
    assert {number for number, *_ in SPOTS} == set(TABLES)


@pytest.mark.parametrize("number", TABLES)
def test_scores_lie_between_0_and_1(number):
    for cell in TABLES[number].cells:
        if cell.value is not None and cell.keys["metric"] not in COUNTS:
            assert 0 <= cell.value <= 1, cell


@pytest.mark.parametrize("number", TABLES)
def test_every_cell_is_found_by_its_names(number):
    table = TABLES[number]
    assert all(table.find_cell(cell.keys) is cell for cell in table.cells)


@pytest.mark.parametrize("number", [4, 5, 7, 12, 13, 16, 18, 19, 20])
def test_strategies_stand_in_the_papers_order(number):
    found = dict.fromkeys(cell.keys["strategy"] for cell in TABLES[number].cells)
    assert tuple(name for name in found if name != "average") == STRATEGIES


class TestReading:
    def test_a_percentage_is_a_share_and_keeps_its_spread(self):
        cell = TABLES[2].find_cell({"subset": "hard", "metric": "query_f1"})
        assert (cell.value, cell.spread) == (pytest.approx(0.903), pytest.approx(0.012))

    def test_a_bound_is_marked(self):
        bounds = [cell for table in TABLES.values() for cell in table.cells if cell.is_bound]
        assert {(cell.printed, cell.value) for cell in bounds} == {("<0.001", 0.001)}
        assert len(bounds) == 3

    def test_what_was_not_measured_has_no_value(self):
        missing = [cell for table in TABLES.values() for cell in table.cells if cell.value is None]
        assert {cell.keys["model"] for cell in missing} == {"BiLSTM-CRF"}
        assert len(missing) == 8

    def test_counts_have_no_commas_left(self):
        assert value(3, subset="all", metric="samples") == 2842

    def test_find_numbers_both_versions(self):
        published = load_published()
        assert published.find(10, version="review") is published.find(12)
        assert published.find(13, version="review").number == 20

    @pytest.mark.parametrize(
        ("number", "version"), [(1, "final"), (10, "final"), (17, "review"), (99, "final")]
    )
    def test_find_says_which_tables_there_are(self, number, version):
        with pytest.raises(
            InputError, match=rf"Table {number} of the {version} version .* choose one of 2, 3"
        ):
            load_published().find(number, version=version)

    def test_find_cell_needs_one(self):
        assert TABLES[7].find_cell({"strategy": "naive"}) is None
        assert TABLES[7].find_cell({"strategy": "average"}) is None

    def test_list_cells_reads_from_left_to_right(self):
        row = TABLES[7].list_cells({"strategy": "naive", "metric": "query_f1"})
        assert [(cell.keys["model"], cell.value) for cell in row] == list(
            zip(MODELS, (0.63, 0.63, 0.62, 0.33, 0.41), strict=True)
        )

    def test_labels_are_the_tables_own_where_it_has_one(self):
        assert TABLES[7].label("strategy", "auto_cot") == "Auto-CoT(3-shot)"
        assert TABLES[18].label("strategy", "auto_cot") == "Auto-CoT"
        assert TABLES[5].label("subset", "hard") == "Test-Hard"
        assert TABLES[6].label("model", "GPT4o") == "GPT4o"

    def test_headings_stand_above_their_rows(self):
        headed = {row.keys["model"]: row.heading for row in TABLES[6].rows if row.heading}
        assert list(headed) == ["BiLSTM-CRF", "GPT4o", "Llama3.1", "Llama3.1-SLM"]
        assert headed["Llama3.1"] == "Open-source Large Language Model"

    def test_models_have_full_names(self):
        assert load_published().models["Llama3.1"] == "Llama-3.1-70B-Instruct"
        assert load_published().models["GPT4o"] == "GPT-4o-2024-0806"

    def test_it_is_read_once(self):
        assert load_published() is load_published()


class TestStatistics:
    """The same numbers stand in `analysis.statistics`, for `piibench statistics`."""

    @pytest.mark.parametrize("subset", SUBSETS)
    def test_table_3_agrees(self, subset):
        ours = PUBLISHED[subset]
        for metric in COUNTS:
            assert getattr(ours, metric) == value(3, subset=subset, metric=metric)

    @pytest.mark.parametrize("subset", SUBSETS)
    @pytest.mark.parametrize("pii_type", PIIType)
    def test_table_9_agrees(self, subset, pii_type):
        total = value(9, type="all", subset=subset, metric="entities")
        count = value(9, type=pii_type, subset=subset, metric="entities")
        assert PUBLISHED[subset].shares[pii_type] == pytest.approx(count / total, abs=1e-12)

    def test_they_list_the_same_subsets(self):
        assert tuple(PUBLISHED) == SUBSETS


class TestConsistency:
    """Numbers that must agree do, but for the cells that `published.toml` lists as slips."""

    @pytest.mark.parametrize("subset", SUBSETS)
    def test_table_9_adds_up(self, subset):
        types = [each.value for each in PIIType]
        counts = [value(9, type=name, subset=subset, metric="entities") for name in types]
        shares = [value(9, type=name, subset=subset, metric="share") for name in types]
        assert sum(counts) == value(9, type="all", subset=subset, metric="entities")
        assert sum(shares) == pytest.approx(value(9, type="all", subset=subset, metric="share"))

    def test_shares_of_table_9_follow_from_its_counts(self):
        wrong: set[tuple[str, ...]] = set()
        for cell in TABLES[9].list_cells({"metric": "share"}):
            at = {"type": cell.keys["type"], "subset": cell.keys["subset"]}
            total = value(9, type="all", subset=at["subset"], metric="entities")
            count = value(9, **at, metric="entities")
            if abs(cell.value - count / total) > 0.5e-4 + 1e-9:
                wrong.add((*at.values(), "share"))
        assert wrong == slips(9)

    @pytest.mark.parametrize("slip", TABLES[9].slips, ids=lambda slip: "-".join(slip.at.values()))
    def test_what_table_9_should_say(self, slip):
        at = {**slip.at, "metric": "entities"}
        share = value(9, **at) / value(9, **{**at, "type": "all"})
        assert slip.reads == f"{100 * share:.2f}"

    def test_entities_of_table_3_follow_from_table_9(self):
        wrong = {
            (subset, "entities"): f"{mean + 1e-9:.2f}"
            for subset, samples in SAMPLES.items()
            if abs(
                (mean := value(9, type="all", subset=subset, metric="entities") / samples)
                - value(3, subset=subset, metric="entities")
            )
            > 0.0051
        }
        recorded = {tuple(slip.at.values()): slip.reads for slip in TABLES[3].slips}
        assert wrong == {at: reads for at, reads in recorded.items() if at[0] != "all"}

    def test_the_last_row_of_table_3_is_the_weighted_mean(self):
        wrong: set[tuple[str, ...]] = set()
        for metric in COUNTS - {"samples"}:
            total = sum(count * value(3, subset=subset, metric=metric) for subset, count in SAMPLES.items())
            if f"{total / 2842:,.2f}" != printed(3, subset="all", metric=metric):
                wrong.add(("all", metric))
        assert wrong == {at for at in slips(3) if at[0] == "all"}
        assert value(3, subset="all", metric="samples") == sum(SAMPLES.values())

    def test_no_soft_score_lies_below_the_exact_one(self):
        wrong = {
            (number, tuple(cell.keys.items()))
            for number, table in TABLES.items()
            for cell in table.cells
            if cell.keys["metric"] in {"rouge_f1", "query_rouge_f1", "mask_rouge_f1"}
            and cell.value is not None
            and cell.value < value(number, **{**cell.keys, "metric": _exact(cell.keys["metric"])})
        }
        assert [(number, dict(keys)["strategy"], dict(keys)["subset"]) for number, keys in wrong] == [
            (5, "auto_cot", "hard")
        ]
        assert slips(5) == {("auto_cot", "hard", "query_rouge_f1")}

    def test_one_gap_of_table_20_stands_out(self):
        gaps = {
            (strategy, model): value(20, strategy=strategy, model=model, metric="query_rouge_f1")
            - value(20, strategy=strategy, model=model, metric="query_f1")
            for strategy in STRATEGIES
            for model in MODELS
        }
        assert {(*at, "query_f1") for at, gap in gaps.items() if gap > 0.015} == slips(20)

    @pytest.mark.parametrize("number", [6, 11, 17])
    def test_subject_and_type_only_make_it_harder(self, number):
        for cell in TABLES[number].list_cells({"metric": "strict_f1"}):
            if cell.value is not None:
                assert cell.value <= value(number, **{**cell.keys, "metric": "ent_f1"})

    def test_balance_of_table_8_weighs_both_alike(self):
        for arm in ("none", "all", "gold"):
            privacy, utility = (value(8, arm=arm, metric=name) for name in ("privacy", "utility"))
            assert f"{(privacy + utility) / 2:.2f}" == printed(8, arm=arm, metric="balanced")

    def test_quotes_agree_with_their_cells(self):
        quotes = [(table, quote) for table in TABLES.values() for quote in table.quotes]
        assert len(quotes) == 7
        for table, quote in quotes:
            cell = table.find_cell(quote.at)
            digits = decimals(cell.printed.partition("±")[0]) + (2 if "±" in cell.printed else 0)
            assert decimals(quote.printed) >= digits
            assert float(quote.printed) == pytest.approx(cell.value, abs=0.5 * 10**-digits + 1e-9)


class TestRealData:
    """Tables 14 to 16 follow from the scores of the tables before and after them."""

    @pytest.mark.parametrize("metric", ["strict_f1", "ent_f1", "rouge_f1"])
    @pytest.mark.parametrize("model", [row.keys["model"] for row in TABLES[17].rows])
    def test_table_15_is_one_less_the_difference_over_the_larger(self, model, metric):
        synthetic = value(6, model=model, subset="single", metric=metric)
        real = value(17, model=model, metric=metric)
        score = 1 - abs(synthetic - real) / max(synthetic, real)
        assert f"{score:.3f}" == printed(15, model=model, metric=f"pcs_{metric}")

    @pytest.mark.parametrize("strategy", STRATEGIES)
    @pytest.mark.parametrize("model", MODELS)
    @pytest.mark.parametrize(("metric", "synthetic", "real"), [("query_f1", 7, 18), ("mask_f1", 4, 19)])
    def test_table_16_likewise(self, strategy, model, metric, synthetic, real):
        at = {"strategy": strategy, "model": model}
        ours, theirs = (value(number, **at, metric=metric) for number in (synthetic, real))
        score = 1 - abs(ours - theirs) / max(ours, theirs)
        assert value(16, **at, metric=f"pcs_{metric}") == pytest.approx(score, abs=0.0006)

    def test_averages_of_table_15(self):
        for metric in ("pcs_strict_f1", "pcs_ent_f1", "pcs_rouge_f1", "pcs_average"):
            cells = [
                cell for cell in TABLES[15].list_cells({"metric": metric}) if cell.keys["model"] != "average"
            ]
            assert value(15, model="average", metric=metric) == pytest.approx(
                sum(cell.value for cell in cells) / len(cells), abs=0.001
            )

    def test_averages_of_table_16(self):
        for row in TABLES[16].rows:
            *cells, average = [cell.value for cell in row.cells]
            assert average == pytest.approx(sum(cells) / len(cells), abs=0.001)
        *rows, last = TABLES[16].rows
        for position, cell in enumerate(last.cells):
            assert cell.value == pytest.approx(sum(row.cells[position].value for row in rows) / 10, abs=0.001)

    def test_table_14_takes_models_and_metrics_as_points(self):
        points = [
            (value(6, model=cell.keys["model"], subset="single", metric=cell.keys["metric"]), cell.value)
            for cell in TABLES[17].cells
        ]
        assert f"{spearmanr(*zip(*points, strict=True)).statistic:.4f}" == printed(
            14, task="pii_detection", metric="spearman"
        )

    @pytest.mark.parametrize(
        ("task", "metric", "synthetic", "real"),
        [("query_related", "query_f1", 7, 18), ("query_unrelated_masking", "mask_f1", 4, 19)],
    )
    def test_table_14_takes_models_and_strategies_as_points(self, task, metric, synthetic, real):
        points = [
            (value(synthetic, strategy=strategy, model=model, metric=metric),
             value(real, strategy=strategy, model=model, metric=metric))
            for strategy in STRATEGIES
            for model in MODELS
        ]  # fmt: skip
        rho = spearmanr(*zip(*points, strict=True)).statistic
        assert f"{rho:.4f}" == printed(14, task=task, metric="spearman")


def _exact(metric: str) -> str:
    return "strict_f1" if metric == "rouge_f1" else metric.replace("_rouge", "")


SMALL = """
[models]
GPT4o = "GPT-4o"

[labels.metric]
query_f1 = "F1"

[labels.subset]
single = "PII-Single"
multi = "PII-Multi"

[[table]]
number = 7
section = "4.4"
title = "Small"
rows = ["model"]
columns = [{ axis = "subset", keys = ["single", "multi"] }, { axis = "metric", keys = ["query_f1"] }]
headings = { GPT4o = "Large" }
slips = [{ at = { subset = "multi" }, why = "because" }]

[table.cells]
GPT4o = "0.63 0.60"
"""


def test_a_small_file_reads():
    table = parse_published(SMALL).find(7)
    assert [(cell.keys["subset"], cell.value) for cell in table.cells] == [("single", 0.63), ("multi", 0.6)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[models]", "[models", r"^x\.toml: is no valid TOML \(.*line 2.*\); correct"),
        ('title = "Small"\n', "", r"^x\.toml, table\.0\.title: field required"),
        ("number = 7", 'number = "seven"', r"^x\.toml, table\.0\.number: input should be a valid integer"),
        ('title = "Small"', 'title = "Small"\ncolour = 1', r"^x\.toml, table\.0\.colour: extra inputs"),
        ('rows = ["model"]', 'rows = ["colour"]', r"^x\.toml, table\.0\.rows\.0: input should be 'subset'"),
        ("0.63 0.60", "0.63", r"^x\.toml, table 7, cells\.GPT4o: has 1 numbers for 2 columns; write '-'"),
        ("0.63 0.60", "0.63 0.60 0.5", r"cells\.GPT4o: has 3 numbers for 2 columns"),
        ("0.63 0.60", "0.63 .60", r"cells\.GPT4o: '\.60' is no number; write it as in 0\.72"),
        ("0.63 0.60", "0.63 0.60±", r"'0\.60±' is no number"),
        ('GPT4o = "0.63', '"GPT4o, single" = "0.63', r"names 2 axes, rows lists 1; split names by ', '"),
        ('GPT4o = "0.63', 'Bard = "0.63', r"cells\.Bard: 'Bard' is no model of \[models\]; correct it"),
        ('keys = ["single", "multi"]', 'keys = ["single", "mulit"]', r"'mulit' is no subset of \[labels\.subset\]"),
        ('at = { subset = "multi" }', 'at = { metric = "query_f1" }', r"slips\[0\]: names no cell, or several"),
        ("headings = { GPT4o", "headings = { Bard", r"table 7, headings\.Bard: is no row; correct the name"),
    ],
)  # fmt: skip
def test_a_malformed_file_is_refused_with_place_field_and_remedy(old, new, message):
    assert old in SMALL
    with pytest.raises(DataError, match=message):
        parse_published(SMALL.replace(old, new), "x.toml")


def test_a_table_that_stands_twice_is_refused():
    table = SMALL[SMALL.index("[[table]]") :]
    with pytest.raises(DataError, match=r"table 7: stands twice"):
        parse_published(SMALL + table)


def test_every_error_is_one_line():
    with pytest.raises(DataError) as caught:
        parse_published("[models]\n")
    assert not re.search(r"\n", str(caught.value))
