"""The sealed experiments: found, unchanged, and of one mind with the published tables."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.errors import ConfigError
from piibench.reports.experiments import find_experiment, list_experiments, parse_experiment, seal
from piibench.reports.published import load_published

ALL = list_experiments()
TABLES = {each.number: each for each in ALL if each.result.startswith("Table")}
SCORES = [each for each in ALL if each.kind == "scores"]
PLACE = "table-07-query-single.toml"
TEXT = (files("piibench.reports") / "experiments" / PLACE).read_text("utf-8")


def list_keys(number: int, axis: str) -> tuple[str, ...]:
    """A table's names on an axis, in order of appearance, without averages."""
    cells = load_published().find(number).cells
    found = dict.fromkeys(cell.keys[axis] for cell in cells if axis in cell.keys)
    return tuple(key for key in found if key != "average")


def test_every_published_result_but_those_of_people_has_one():
    assert sorted(TABLES) == sorted(set(load_published().tables) - {2, 21})
    assert [each.result for each in ALL if each.result.startswith("Figure")] == ["Figure 4", "Figure 5"]


def test_tables_come_first_by_number():
    assert [each.result for each in ALL] == [
        *(f"Table {number}" for number in sorted(TABLES)),
        "Figure 4",
        "Figure 5",
    ]


@pytest.mark.parametrize("experiment", ALL, ids=lambda each: each.name)
class TestEach:
    def test_is_named_as_its_result(self, experiment):
        kind, number = experiment.result.lower().split()
        assert experiment.name.startswith(f"{kind}-{int(number):02d}-")

    def test_runs_what_its_kind_needs(self, experiment):
        assert bool(experiment.tasks) == (experiment.kind != "statistics")
        assert ("tradeoff" in experiment.tasks) == bool(experiment.arms)

    def test_settings_fit_the_strategies(self, experiment):
        settings, strategies = experiment.settings, experiment.strategies
        assert (settings.candidates is not None) == ("naive_with_choice" in strategies)
        assert (settings.shots == 3) == ("auto_cot" in strategies)
        assert (settings.temperature, settings.top_k) == (0, 1)

    def test_models_are_those_of_the_tables(self, experiment):
        assert set(experiment.models) <= set(load_published().models)

    def test_cannot_be_changed(self, experiment):
        with pytest.raises(ValueError, match="frozen"):
            experiment.pooled = True
        with pytest.raises(ValueError, match="frozen"):
            experiment.settings.temperature = 1


@pytest.mark.parametrize("experiment", SCORES, ids=lambda each: each.name)
class TestAgainstPublished:
    def test_task(self, experiment):
        assert experiment.tasks == (load_published().find(experiment.number).task,)

    @pytest.mark.parametrize(
        ("axis", "field"),
        [("model", "models"), ("strategy", "strategies"), ("arm", "arms"), ("metric", "metrics")],
    )
    def test_rows_and_columns(self, experiment, axis, field):
        assert getattr(experiment, field) == list_keys(experiment.number, axis)

    def test_subsets(self, experiment):
        printed = list_keys(experiment.number, "subset")
        if experiment.arms:
            assert printed == ()
        else:
            assert experiment.pooled == ("+" in printed[0])
            assert experiment.subsets == (tuple(printed[0].split("+")) if experiment.pooled else printed)


@pytest.mark.parametrize("number", [14, 15, 16])
def test_consistency_compares_the_tables_subsets(number):
    assert "+".join(TABLES[number].subsets) == list_keys(number, "subset")[0]
    # Table 16 closes with a row of averages, which is no metric of its own.
    printed = set(list_keys(number, "metric")) - ({"pcs_average"} if number == 16 else set())
    assert set(TABLES[number].metrics) == printed


@pytest.mark.parametrize("number", [3, 9])
def test_statistics_print_the_tables_columns(number):
    assert TABLES[number].metrics == list_keys(number, "metric")
    assert TABLES[number].subsets == tuple(key for key in list_keys(number, "subset") if key != "all")


def test_the_tradeoff_names_its_roles():
    settings = find_experiment("table-08").settings
    assert (settings.responder, settings.judge, settings.embedder) == ("GPT4o", "Claude-3.7-Sonnet", "BGE-M3")
    assert (settings.alpha, find_experiment("table-08").limit) == (0.5, 200)


def test_small_models_mask_what_they_found_themselves():
    assert find_experiment("table-13").settings.candidates == "llm"
    assert find_experiment("table-04").settings.candidates == "gold"


@pytest.mark.parametrize(
    "name",
    ["table-07", "Table 7", "table 07", "TABLE_7", "table7", "table-07-query-single", f" {PLACE}"],
)
def test_a_result_is_found_by_many_names(name):
    assert find_experiment(name).name == "table-07-query-single"


def test_figures_are_found():
    assert find_experiment("figure-4").kind == "factors"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("tabel-07", "use table-07$"),
        ("table-04-maskin", "use table-04-masking$"),
        ("table-10", "use table-03, table-04, .*, figure-04, figure-05$"),
        ("table-2", "use table-03, "),
        ("", "use table-03, "),
    ],
)
def test_an_unknown_name_gets_a_near_one_or_all(name, hint):
    with pytest.raises(ConfigError, match=f"^no experiment '{name}'; {hint}"):
        find_experiment(name)


class TestSeal:
    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("temperature = 0", "temperature = 0.7"),
            ('"GPT4o", ', ""),
            ('subsets = ["single"]', 'subsets = ["multi"]'),
            ('candidates = "gold"', 'candidates = "llm"'),
            ("Task 2 on", "Task two on"),
        ],
    )
    def test_a_changed_experiment_is_refused(self, old, new):
        assert old in TEXT
        changed = TEXT.replace(old, new)
        with pytest.raises(
            ConfigError, match=rf"^{PLACE}, seal: .* changed .*; restore the file, or"
        ) as caught:
            parse_experiment(changed, PLACE)
        # The message names the new seal, for a change that is meant.
        assert str(caught.value).endswith(seal(tomllib.loads(changed)))

    def test_the_new_seal_is_accepted(self):
        changed = TEXT.replace("shots = 3", "shots = 4")
        resealed = changed.replace(seal(tomllib.loads(TEXT)), seal(tomllib.loads(changed)))
        assert parse_experiment(resealed, PLACE).settings.shots == 4

    def test_comments_and_layout_do_not_matter(self):
        relaid = "# a comment\n" + TEXT.replace('["single"]', '[\n  "single",\n]')
        assert parse_experiment(relaid, PLACE) == find_experiment("table-07")

    @given(st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.text())))
    def test_order_and_an_older_seal_do_not_matter(self, fields):
        backwards = dict(reversed(fields.items()))
        plain = {key: value for key, value in fields.items() if key != "seal"}
        assert seal({**backwards, "seal": "old"}) == seal(plain)

    @given(st.dictionaries(st.text(), st.integers(), min_size=1), st.data())
    def test_every_field_matters(self, fields, data):
        fields.pop("seal", None)
        if fields:
            field = data.draw(st.sampled_from(sorted(fields)))
            assert seal({**fields, field: fields[field] + 1}) != seal(fields)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("name = ", "name ", r"is no valid TOML \(.*\); correct its syntax there"),
        ('kind = "scores"', 'kind = "score"', r", kind: input should be 'scores', .*; see piibench\.reports"),
        ('kind = "scores"\n', "", ", kind: field required"),
        ('tasks = ["query_related"]', 'tasks = ["query"]', r", tasks\.0: input should be 'pii_detection'"),
        ("shots = 3", 'shots = "three"', r", settings\.shots: input should be a valid integer"),
        ("shots = 3", "shot = 3", r", settings\.shot: extra inputs are not permitted"),
        ("[settings]", "[setting]", r", setting: extra inputs are not permitted"),
        ('result = "Table 7"', 'result = "7"', r", result: string should match pattern"),
        ("sha256:", "sha1:", r", seal: string should match pattern"),
    ],
)  # fmt: skip
def test_a_malformed_experiment_is_refused_with_file_field_and_remedy(old, new, message):
    assert old in TEXT
    with pytest.raises(ConfigError, match=f"^{PLACE}(:|,).*{message.removeprefix(', ')}") as caught:
        parse_experiment(TEXT.replace(old, new), PLACE)
    assert "\n" not in str(caught.value)


def test_a_file_is_named_as_its_experiment():
    with pytest.raises(
        ConfigError, match=r"^table-09\.toml, name: is 'table-07-query-single'; name the file"
    ):
        parse_experiment(TEXT, "table-09.toml")
