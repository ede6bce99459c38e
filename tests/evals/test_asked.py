"""What a model is asked in tasks 1 to 3, and what becomes of its reply."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import find_values
from piibench.data.schema import Sample
from piibench.evals.asked import HIDDEN, Interview, find_by_model, hide
from piibench.evals.grid import GOLD, OWN
from piibench.evals.shots import no_shots
from piibench.llm.scripted import ScriptedChat
from piibench.strategies.registry import get_strategy
from piibench.systems.registry import load_system

SAMPLE = Sample.model_validate(
    {
        "id": "s1",
        "subset": "single",
        "description": "Maren Holt runs a bakery in Odense and earns $4,100 a month.",
        "query": "Can I rent the flat next door?",
        "entities": [
            {
                "id": "e1",
                "subject": "A",
                "text": "Maren Holt",
                "category": "Full Name",
                "mentions": [[0, 10]],
            },
            {"id": "e2", "subject": "A", "text": "Odense", "category": "City/Region", "mentions": [[28, 34]]},
            {
                "id": "e3",
                "subject": "A",
                "text": "$4,100",
                "category": "Monthly Income",
                "mentions": [[45, 51]],
            },
        ],
        "relevant": ["e3"],
    }
)


def interview(strategy: str, goal: str, candidates: str | None = GOLD, detector=None) -> Interview:
    return Interview(get_strategy(strategy), goal, candidates, detector, no_shots, 7)


def test_detection_places_what_the_model_names():
    reply = json.dumps({"A": {"Maren Holt": "PER", "Odense": "LOC", "Copenhagen": "LOC"}})
    pred = asyncio.run(find_by_model(SAMPLE, ScriptedChat([reply], "small")))
    assert [(each.text, len(each.mentions)) for each in pred.entities] == [
        ("Maren Holt", 1),
        ("Odense", 1),
        ("Copenhagen", 0),
    ]
    assert pred.meta == {"system": {"name": "llm"}, "model": "small"}


def test_an_unreadable_detection_is_empty_and_flagged():
    pred = asyncio.run(find_by_model(SAMPLE, ScriptedChat(["I cannot help with that."])))
    assert pred.entities == ()
    assert pred.meta["flagged"] is True


def test_what_is_needed_and_what_is_hidden():
    chat = ScriptedChat(['### Answer: ["$4,100", "$4,100"]', '### Answer: ["Maren Holt", "Odense"]'], "small")
    needed = asyncio.run(interview("naive", "needed").answer(SAMPLE, chat))
    hidden = asyncio.run(interview("naive", "hidden").answer(SAMPLE, chat))
    assert (needed.needed, needed.hidden, needed.masked) == (("$4,100",), None, None)
    assert hidden.hidden == ("Maren Holt", "Odense")
    assert hidden.masked == f"{HIDDEN} runs a bakery in {HIDDEN} and earns $4,100 a month."
    assert needed.meta["strategy"] == "naive"


def test_an_unreadable_choice_is_empty_and_flagged():
    pred = asyncio.run(interview("self_cot", "needed").answer(SAMPLE, ScriptedChat(["No idea."])))
    assert (pred.needed, pred.meta["flagged"]) == ((), True)


@pytest.mark.parametrize(
    ("goal", "offered"),
    [("needed", '"Odense", "$4,100"'), ("hidden", '"Maren Holt", "Odense", "$4,100"')],
)
def test_names_are_no_candidates_for_what_a_query_needs(goal, offered):
    chat = ScriptedChat(["### Answer: []"])
    asyncio.run(interview("naive_with_choice", goal).answer(SAMPLE, chat))
    prompt = chat.asked[0][-1].text
    options = prompt[prompt.index("<options") :]
    assert offered.replace(", ", "") in options.replace(", ", "").replace("\n", "").replace("- ", "")
    assert ("Maren Holt" in options) == (goal == "hidden")


def test_candidates_may_be_the_models_own_or_a_systems():
    detection = json.dumps({"A": {"Odense": "LOC"}})
    chat = ScriptedChat([detection, '### Answer: ["Odense"]', "### Answer: []"])
    asyncio.run(interview("naive_with_choice", "needed", OWN).answer(SAMPLE, chat))
    assert "$4,100" not in chat.asked[1][-1].text.partition("<options")[2]
    asyncio.run(interview("naive_with_choice", "needed", "rules", load_system("rules")).answer(SAMPLE, chat))
    assert "$4,100" in chat.asked[2][-1].text.partition("<options")[2]


def test_a_choice_from_an_unreadable_detection_of_its_own_is_flagged():
    chat = ScriptedChat(["I cannot help with that.", "### Answer: []"])
    pred = asyncio.run(interview("naive_with_choice", "needed", OWN).answer(SAMPLE, chat))
    assert (pred.needed, pred.meta["flagged"]) == ((), True)


@pytest.mark.parametrize(
    ("text", "values", "hidden"),
    [
        ("Ann and Annual Ann", ("Ann",), f"{HIDDEN} and Annual {HIDDEN}"),
        ("12 Elm Street, Elm", ("12 Elm Street", "Elm"), f"{HIDDEN}, {HIDDEN}"),
        ("a b c", ("a b", "b c"), HIDDEN),
        ("a b", ("a", "b"), f"{HIDDEN} {HIDDEN}"),
        ("nothing", (), "nothing"),
        ("nothing", ("", "absent"), "nothing"),
        ("a", ("a",), HIDDEN),
    ],
)
def test_hidden_values_are_gone_whole(text, values, hidden):
    assert hide(text, values) == hidden


@given(
    st.text(alphabet="ab 1.", max_size=30),
    st.lists(st.text(alphabet="ab 1.", min_size=1, max_size=4), max_size=4),
)
def test_no_hidden_value_is_left_whole(text, values):
    masked = hide(text, values)
    for piece in masked.split(HIDDEN):
        assert piece in text
    assert (masked == text) == (not find_values(text, values))
