"""Each prompt has a golden render; PIIBENCH_GOLDEN=write makes them anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from jinja2 import Environment, meta

from piibench.prompts import render as module
from piibench.prompts.render import list_prompts, list_variables, render

GOLDEN = Path(__file__).parent / "golden"


def feature(label: str, tag: str, entity: str, *, needed: bool = False) -> dict[str, object]:
    return {"label": label, "tag": tag, "entity": entity, "needed": needed}


ADA = [feature("PER", "Full Name", "Ada <Byte>"), feature("DEM", "Age", "34", needed=True)]
BO = [feature("PER", "Nickname", "Bo & co"), feature("DEM", "Occupation", "{{ baker }}")]
PEOPLE = [
    {"letter": "A", "pronoun": "she", "features": ADA},
    {"letter": "B", "pronoun": "he", "features": BO},
]
VARIABLES = {
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


@pytest.mark.parametrize("name", VARIABLES)
def test_the_header_names_the_variables_that_are_used(name):
    used = meta.find_undeclared_variables(Environment(autoescape=True).parse(module._sources()[name]))
    assert list_variables(name) == used


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
