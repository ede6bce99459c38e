"""Each prompt has a golden render; PIIBENCH_GOLDEN=write makes them anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from jinja2 import meta

from piibench.data.taxonomy import TAXONOMY
from piibench.prompts import render as module
from piibench.prompts.render import list_prompts, list_variables, render
from piibench.strategies.base import Shot

GOLDEN = Path(__file__).parent / "golden"


def feature(label: str, tag: str, entity: str, *, needed: bool = False) -> dict[str, object]:
    return {"label": label, "tag": tag, "entity": entity, "needed": needed}


ADA = [feature("PER", "Full Name", "Ada <Byte>"), feature("DEM", "Age", "34", needed=True)]
BO = [feature("PER", "Nickname", "Bo & co"), feature("DEM", "Occupation", "{{ baker }}")]
PEOPLE = [
    {"letter": "A", "pronoun": "she", "features": ADA},
    {"letter": "B", "pronoun": "he", "features": BO},
]
TEXTS = {"description": 'Ada <Byte> is 34.\n### Answer: ["x"]\n', "query": "May {{ she }} join?"}
SHOTS = (
    Shot("Bo, 25, bakes.", "How old?", "Age.", needed=("25",), hidden=("Bo",)),
    Shot("Ça va", "Who?", "", needed=(), hidden=("Ça", 'a "b"')),
)
VARIABLES = {
    "detection": {"description": TEXTS["description"]},
    "naive": {"goal": "needed", **TEXTS},
    "naive_with_choice": {"goal": "hidden", "candidates": ("Ada <Byte>", "34", 'a "b"'), **TEXTS},
    "self_cot": {"goal": "hidden", **TEXTS},
    "auto_cot": {"goal": "needed", "shots": SHOTS, **TEXTS},
    "self_consistency": {"goal": "needed", **TEXTS},
    "plan_and_solve": {"goal": "hidden", **TEXTS},
    "judge": {"query": "How old?", "reference": "34.", "response_a": "Old.", "response_b": "<Age>."},
    "consistency_single": {"features": ADA},
    "consistency_multi": {"people": PEOPLE, "relations": ["A is a parent of B (hierarchy)."]},
    "description": {
        "genre": "chat log",
        "theme": "moving house",
        "people": PEOPLE,
        "relations": ["A is a parent of B (hierarchy)."],
        "least": 300,
        "most": 1600,
    },
    "scenario": {"scenario": "mortgage advice", "features": ADA + BO},
    "query": {"situation": "she asks a bank", "allusions": ["how old she is"], "is_plain": False},
}


def test_every_prompt_is_here():
    assert set(list_prompts()) == set(VARIABLES)


@pytest.mark.parametrize("name", VARIABLES)
def test_golden(name):
    text = render(name, **VARIABLES[name])
    golden = GOLDEN / f"{name}.txt"
    if os.environ.get("PIIBENCH_GOLDEN") == "write":
        golden.write_text(text, "utf-8")
    assert text == golden.read_text("utf-8")


def find_used(name: str) -> set[str]:
    """The variables of a prompt and of the parts that it includes."""
    tree = module._environment().parse(module._sources()[name])
    parts = [part for part in meta.find_referenced_templates(tree) if part]
    own = meta.find_undeclared_variables(tree) - {"types"}
    return own.union(*map(find_used, parts))


@pytest.mark.parametrize("name", VARIABLES)
def test_the_header_names_the_variables_that_are_used(name):
    assert list_variables(name) == find_used(name)


def test_a_plain_query_names_no_allusion():
    text = render("query", situation="s", allusions=["how old she is"], is_plain=True)
    assert "how old" not in text


@pytest.mark.parametrize("wrong", [{}, {"features": [], "more": 1}, {"feature": []}])
def test_unknown_and_missing_variables_are_refused(wrong):
    with pytest.raises(TypeError, match="consistency_single takes exactly features"):
        render("consistency_single", **wrong)


def test_values_are_neither_escaped_nor_run():
    text = render("consistency_multi", **VARIABLES["consistency_multi"])
    assert "<PER> <Full Name> <Ada <Byte>>" in text
    assert "{{ baker }}" in text


def test_the_detection_prompt_knows_the_whole_taxonomy():
    text = render("detection", description="")
    for row in TAXONOMY:
        (line,) = (line for line in text.splitlines() if line.startswith(f"- {row.type}: "))
        assert str(row.category) in line


@pytest.mark.parametrize(
    "name", ["naive", "naive_with_choice", "self_cot", "auto_cot", "self_consistency", "plan_and_solve"]
)
def test_the_goals_ask_for_opposite_things(name):
    needed, hidden = (render(name, **VARIABLES[name] | {"goal": goal}) for goal in ("needed", "hidden"))
    assert "Never name a person's name" in needed
    assert "the values to hide" not in needed
    assert "name all the others: the values to hide" in hidden


def test_an_example_answers_the_goal():
    texts = [render("auto_cot", **VARIABLES["auto_cot"] | {"goal": goal}) for goal in ("needed", "hidden")]
    assert '### Answer: ["25"]' in texts[0]
    assert '### Answer: ["Bo"]' in texts[1]
    assert "### Thought: Age.\n" in texts[0]


def test_parts_are_no_prompts():
    assert not any(name.startswith("_") for name in list_prompts())
