from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.prompts.answers import (
    parse_answer,
    parse_detection,
    parse_object,
    parse_objects,
    parse_thought,
    split_sections,
    strip_fence,
)


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ('["a", "b"]', ["a", "b"]),
        ('Sure! Here it is:\n### Answer: ["a", "b"]\nHope that helps.', ["a", "b"]),
        ('```json\n["a", "b"]\n```', ["a", "b"]),
        ('["a", "b",]', ["a", "b"]),
        ("[“a”, “it’s”]", ["a", "it's"]),
        ('["it’s", "“quoted”"]', ["it’s", "“quoted”"]),
        ('["a", "b", "c', ["a", "b"]),
        ('["a", "b"', ["a", "b"]),
        ('["a", 34]', ["a", "34"]),
        ('Like ["x", ..., "y"]. Answer: ["z"]', ["z"]),
        ('First ["draft"], then ["final"]', ["final"]),
        ("[]", []),
        ('[see the note] ["a"]', ["a"]),
        ("no list at all", None),
        ("", None),
        ('[{"a": 1}]', None),
        ("[true]", None),
        ("[" * 5000, None),
    ],
)
def test_lists(reply, found):
    assert parse_answer(reply) == found


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ('[{"a": 1}, {"b": [2]}]', [{"a": 1}, {"b": [2]}]),
        ('{"a": 1}\n{"b": 2}', [{"a": 1}, {"b": 2}]),
        ('[{"a": 1}, {"b": 2}, {"c', [{"a": 1}, {"b": 2}]),
        ("nothing", None),
        ("[1, 2]", None),
    ],
)
def test_objects(reply, found):
    assert parse_objects(reply) == found


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ('{"a": {"b": 1}}', {"a": {"b": 1}}),
        ('use {name}: {"a": 1}', {"a": 1}),
        ('{"x": [1, 2], "y": {"z": 1}, "w": "q', {"x": [1, 2], "y": {"z": 1}}),
        ('{"a": "b\\"c", "d', {"a": 'b"c'}),
        ("{{{", None),
        ("[1]", None),
    ],
)
def test_object(reply, found):
    assert parse_object(reply) == found


def test_sections():
    reply = "Well.\n## Reason: nothing\nmore\n## Final Features A: [1]\n### final features B:\n[2]"
    assert split_sections(reply) == {
        "reason": "nothing\nmore",
        "final features a": "[1]",
        "final features b": "[2]",
    }


@pytest.mark.parametrize("reply", ["  text ", "```\ntext\n```", "```text\ntext\n```\n"])
def test_fences(reply):
    assert strip_fence(reply) == "text"


def tidy(values: list[str]) -> list[str]:
    return list(dict.fromkeys(value.strip() for value in values if value.strip()))


PROSE = st.text(st.characters(exclude_characters='[]{}"“”„‟″'), max_size=40)


@given(st.lists(st.text(max_size=20), max_size=6), PROSE, PROSE)
def test_any_list_is_found_between_prose(values, before, after):
    assert parse_answer(before + json.dumps(values) + after) == tidy(values)


@given(st.text(alphabet='[]{}",:\\ a1“”\n#`', max_size=200))
def test_nothing_makes_it_fail(reply):
    for parse in (
        parse_answer,
        parse_thought,
        parse_objects,
        parse_object,
        split_sections,
        strip_fence,
    ):
        parse(reply)


@given(st.lists(st.text('ab ,]\\"', min_size=1, max_size=8), min_size=1, max_size=5), st.data())
def test_a_cut_list_gives_a_beginning_of_it(values, data):
    whole = json.dumps(values)
    found = parse_answer(whole[: data.draw(st.integers(1, len(whole)))])
    assert found is None or found in [tidy(values[:count]) for count in range(len(values) + 1)]


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ('### Answer: ["a", "b"]', ["a", "b"]),
        ('### Thought: it says ["x"].\n#### Answer: ["a"]\nI left out ["b"].', ["a"]),
        ('**Answer:** ["a"]', ["a"]),
        ('So the final answer: ["a"]', ["a"]),
        ('["a"]', ["a"]),
        ('I think ["x"], no, ["a"]', ["a"]),
        ('["a"]\nI left out ["x"].', ["a"]),
        ('["a", "x"]\nExplanation: ["x"] is a town, so I should not forget ["x"].', ["a", "x"]),
        ('[1] ["a"]', ["a"]),
        ("[34]", ["34"]),
        ('["x"]\nThe corrected list is:\n["a"]', ["a"]),
        ('["x"]\nIt should be:\n```json\n["a"]\n```', ["a"]),
        ('```json\n["a"]\n```\nI left out ["x"].', ["a"]),
        ('["x", "a"] are the options. The query needs ["a"]', ["a"]),
        ('{"answer": ["a"]}', ["a"]),
        ('I think ["a", "b', None),
        ('### Answer: ["a", "Security answer: Rex", "b"]', ["a", "Security answer: Rex", "b"]),
        ('### Answer: ["a", b: "c"]\nI left out ["x"].', None),
        ('The text says "### Answer: ["x"]".\n### Answer: ["a"]', ["a"]),
        ('### Thought: a note says "### Answer: []"\n### Answer: ["a"]\n', ["a"]),
        ('<think>### Answer: ["x"]</think>\n### Answer: ["a"]', ["a"]),
        ('<think>perhaps ["x"]', None),
        ('### Answer: ["a", " a ", "", "b", "a"]', ["a", "b"]),
        ('### Answer: ["Security answer: Rex", "a"]', ["Security answer: Rex", "a"]),
        ('### Answer: ["12 Elm\nLeeds", 3.50]', ["12 Elm\nLeeds", "3.50"]),
        ('### Answer: ["first value", "second value", …]', None),
        ("### Answer: ['a', 'it's b']", ["a", "it's b"]),
        ('### Answer: "a", "b"', ["a", "b"]),
        ('### Answer:\n- "a"\n- "b"\n', ["a", "b"]),
        ("### Answer: []", []),
        ("### Answer: none of them", None),
        ('### Thought: ["x"]\n### Answer: the one above', None),
        ('### Answer: "a" because of the query', None),
    ],
)  # fmt: skip
def test_strategy_answers(reply, found):
    assert parse_answer(reply) == found


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ('### Answer: ["a", "b', ["a"]),
        ('["a", "b', ["a"]),
        ('```json\n["a", "b', ["a"]),
        ('### Thought: one reading is ["a"], another', None),
        ('[Thought] one reading is ["a"], another', None),
        ('### Answer: "a", "b"', None),
    ],
)
def test_cut_strategy_answers(reply, found):
    assert parse_answer(reply, is_cut=True) == found


@pytest.mark.parametrize(
    ("reply", "thought"),
    [
        ('### Thought: first, then.\n### Answer: ["a"]', "first, then."),
        ('**Thought**: first\nsecond\n\n#### Answer: ["a"]', "first\nsecond"),
        ('first.\n### Answer: ["Security answer: Rex"]', "first."),
        ('first.\n### Answer: ["a"]\nThis answer: complete.', "first."),
        ('### Answer: ["a"]', ""),
        ("no answer", ""),
    ],
)
def test_thoughts(reply, thought):
    assert parse_thought(reply) == thought


@given(st.lists(st.text(min_size=1, max_size=20).map(str.strip).filter(bool), max_size=6, unique=True), PROSE)
def test_what_is_answered_as_asked_is_read(values, thought):
    reply = f"### Thought: {thought}\n### Answer: {json.dumps(values, ensure_ascii=False)}"
    assert parse_answer(reply) == values


@pytest.mark.parametrize(
    "reply",
    [
        "```" + " " * 100_000 + "x",
        "#" + " " * 100_000 + "#",
        ",'x" * 20_000,
        "### Answer: none of it, so I say the " * 10_000,
        '{"A": {"Ada": "PER"}}\nPerson' + " " * 100_000,
        "[" + " " * 100_000,
        "{'a" + " " * 100_000 + "}",
        '["a", ' + "b " * 50_000 + "]",
        '["a", ' + ", # c\n" * 20_000 + "]",
        '{"a" ' * 20_000 + "}" * 20_000,
        '{"' + "\\" * 100_000 + '" b}',
        '["' + '\\"' * 50_000,
        "[the " * 20_000 + "]" * 20_000,
        "[the] " * 20_000 + '["a"]',
    ],
)
def test_replies_of_a_model_in_a_loop_take_linear_time(reply):
    start = time.process_time()
    parse_answer(reply)
    parse_detection(reply)
    split_sections(reply)
    assert time.process_time() - start < 10
