"""The TOML tables of the selection: complete, checked, free of contradictions."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib.resources import files

import pytest
from pydantic import ValidationError

from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.systems.rules.selection.tables import ScenarioTable, SelectionTable, load_scenarios, load_table

NAMES = {category for category in Category if TYPE_OF[category] is PIIType.PER}


def read_toml(name):
    return tomllib.loads((files("piibench.systems.rules.selection") / name).read_text("utf-8"))


def test_every_category_but_names_has_cues():
    assert set(load_table().categories) == set(Category) - NAMES
    assert all(row.cues for row in load_table().categories.values())


def test_no_theme_or_scenario_calls_for_a_name():
    assert not NAMES & {category for theme in load_table().themes for category in theme.means}
    assert not NAMES & {category for scenario in load_scenarios() for category in scenario.needs}


def test_there_are_many_scenarios_and_each_name_is_used_once():
    names = Counter(scenario.name for scenario in load_scenarios())
    assert len(names) >= 70
    assert names.most_common(1)[0][1] == 1


def test_every_category_is_needed_by_some_scenario_or_theme_or_named():
    reachable = {category for scenario in load_scenarios() for category in scenario.needs}
    assert set(Category) - NAMES <= reachable


@pytest.mark.parametrize("row", [*load_table().categories.items()], ids=str)
def test_no_phrase_is_a_cue_and_a_hint_of_one_category(row):
    _, cues = row
    assert not set(cues.cues) & set(cues.hints)
    assert max(Counter([*cues.cues, *cues.hints]).values()) == 1


@pytest.mark.parametrize("scenario", load_scenarios(), ids=lambda scenario: scenario.name)
def test_scenarios_repeat_nothing(scenario):
    assert max(Counter([*scenario.cues, *scenario.hints]).values()) == 1
    assert max(Counter(scenario.needs).values()) == 1
    assert scenario.take <= len(scenario.needs)


def test_a_strong_cue_belongs_to_one_category_only():
    owners = Counter(cue for row in load_table().categories.values() for cue in row.cues)
    assert [cue for cue, count in owners.items() if count > 1] == []


def test_an_unknown_category_is_refused():
    table = read_toml("selection.toml")
    table["categories"]["Shoe Size"] = {"cues": ["shoe size"]}
    with pytest.raises(ValidationError, match="categories"):
        SelectionTable.model_validate(table)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"needs": ["Shoe Size"]}, "needs"),
        ({"needs": []}, "needs"),
        ({"take": 0}, "take"),
        ({"cues": ["Upper Case"]}, "cues"),
        ({"cues": ["in*side"]}, "cues"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wrong_scenario_is_refused(change, field):
    row = {"name": "a test", "cues": ["test*"], "needs": ["Age"]}
    with pytest.raises(ValidationError, match=field):
        ScenarioTable.model_validate({"scenarios": [row | change]})
