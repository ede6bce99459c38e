"""The system `encoder` as the registry hands it out, with a tiny model of random weights."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from piibench.data.schema import Prompt
from piibench.errors import InputError
from piibench.systems import encoder as room
from piibench.systems.base import OnePass
from piibench.systems.compose import protect_sync
from piibench.systems.encoder import Encoder, create_encoder
from piibench.systems.encoder.windows import LONGEST_QUERY
from piibench.systems.rules.detector import detect as detect_by_rules
from piibench.training.export import write_settings

TEXT = (
    "Ann Smith lives in Leeds and earns 3,150 a month. Bob, 34, writes from ann@example.org.\r\n\r\n"
    "Ann Smith asks: 😀 who is 王小明?"
)
QUERY = "Where does Ann live?"
PROMPT = Prompt(description=TEXT, query=QUERY)
REASON = re.compile(r"(kept|hidden): \d{1,3}% likely to be needed; [A-Z].*")


def select(system, prompt, found):
    return asyncio.run(system.select(prompt, found))


def do_both(system, prompt):
    return asyncio.run(system.detect_and_select(prompt))


@pytest.fixture(scope="module")
def encoder(weights):
    return Encoder(weights, threads=1)


class Overheard:
    """A network that counts how often it is run."""

    def __init__(self, network):
        self.network, self.runs = network, 0

    def __call__(self, windows):
        self.runs += 1
        return self.network(windows)


@pytest.fixture
def overheard(model, monkeypatch):
    """An encoder, and its first network."""
    network = Overheard(model.network)
    monkeypatch.setattr(room, "load_model", lambda folder, threads: replace(model, network=network))
    return Encoder(), network


def test_it_is_a_system_that_reads_once(encoder):
    assert isinstance(encoder, OnePass)
    assert encoder.name == "encoder"
    assert re.fullmatch("[0-9a-f]{8}", encoder.fingerprint)


def test_the_registrys_factory_takes_the_same_options(weights, encoder):
    assert (
        create_encoder(weights=str(weights), keep_threshold=0.5, threads=1).fingerprint == encoder.fingerprint
    )


@pytest.mark.parametrize("threshold", [-0.01, 1.01, float("nan"), float("inf")])
def test_a_threshold_that_is_no_probability_is_refused(weights, threshold):
    with pytest.raises(InputError, match="--keep-threshold must be between 0 and 1"):
        Encoder(weights, keep_threshold=threshold)


def test_a_negative_number_of_threads_is_refused(weights):
    with pytest.raises(InputError, match="threads must be 0"):
        Encoder(weights, threads=-1)


def test_the_threshold_is_the_models_where_none_is_given(weights, encoder):
    assert encoder.keep_threshold == 0.5
    assert Encoder(weights, keep_threshold=0, threads=1).keep_threshold == 0


def test_whatever_changes_answers_changes_the_fingerprint(weights, encoder, tmp_path):
    file = tmp_path / "own.toml"
    file.write_text('[[pattern]]\nname = "badge"\ncategory = "Employee ID"\npattern = "ZZ-[0-9]+"\n')
    others = Encoder(weights, 0.25, 1), Encoder(weights, 0.2500001, 1), Encoder(weights, None, 1, file)
    assert len({encoder.fingerprint, *(other.fingerprint for other in others)}) == 4


def test_entities_are_numbered_and_fit_their_text(encoder):
    entities = asyncio.run(encoder.detect(TEXT))
    assert [entity.id for entity in entities] == [f"e{number}" for number in range(1, len(entities) + 1)]
    assert "ann@example.org" in {entity.text for entity in entities}
    assert all(span.of(TEXT) == entity.text for entity in entities for span in entity.mentions)


def test_decisions_follow_the_entities_and_name_no_value(encoder):
    found, _, selection = do_both(encoder, PROMPT)
    assert [decision.entity_id for decision in selection.decisions] == [entity.id for entity in found]
    for entity, decision in zip(found, selection.decisions, strict=True):
        assert REASON.fullmatch(decision.reason)
        assert decision.reason.endswith(f"; {entity.label}")
        assert decision.reason.startswith("kept" if decision.keep else "hidden")
        assert decision.keep == (decision.score >= 0.5)
        assert entity.text.isascii() is False or len(entity.text) < 4 or entity.text not in decision.reason


@pytest.mark.parametrize("query", [QUERY, "", " \r\n", "\ud800?", "王小明?", "long " * 300])
def test_both_at_once_agrees_with_selection_alone(encoder, query):
    prompt = Prompt(description=TEXT, query=query)
    found, _, selection = do_both(encoder, prompt)
    assert found
    assert select(encoder, prompt, found) == selection


@pytest.mark.parametrize("query", [QUERY, "Write to ann@example.org!", "", " \n"])
def test_an_ordinary_prompt_takes_one_pass(overheard, query):
    system, network = overheard
    protect_sync(system, Prompt(description="Ann Smith lives in Leeds.", query=query))
    assert network.runs == 1


@pytest.mark.parametrize(("pieces", "runs"), [(LONGEST_QUERY - 1, 1), (LONGEST_QUERY, 2)])
def test_a_query_that_may_not_stand_whole_takes_a_second_pass(overheard, pieces, runs):
    system, network = overheard
    do_both(system, Prompt(description=TEXT, query="ann " * pieces))
    assert network.runs == runs


@pytest.mark.parametrize(
    ("description", "query"),
    [
        ("", "May ann@example.org know that Bob lives in Leeds?"),
        (" \r\n", "May ann@example.org know that Bob lives in Leeds?"),
        (TEXT, "Bob lives in Leeds. " * 50 + "Write to ann@example.org. " + "Bob lives in Leeds. " * 50),
    ],
)
def test_a_long_query_or_one_alone_is_detected_as_any_text(encoder, description, query):
    asked = do_both(encoder, Prompt(description=description, query=query)).asked
    assert "ann@example.org" in {entity.text for entity in asked}
    assert asked == asyncio.run(encoder.detect(query))


@pytest.mark.parametrize(
    "query", ["Bob? 😀 ann@example.org, ann@example.org!", "\ud83d e\u0301 ann@example.org"]
)
def test_what_the_query_states_points_into_it(encoder, query):
    asked = do_both(encoder, Prompt(description=TEXT, query=query)).asked
    assert "ann@example.org" in {entity.text for entity in asked}
    assert all(span.of(query) == entity.text for entity in asked for span in entity.mentions)
    assert [entity.id for entity in asked] == [f"e{number}" for number in range(1, len(asked) + 1)]


@pytest.mark.parametrize("query", ["", "\n \t"])
def test_an_empty_query_states_nothing(encoder, query):
    assert do_both(encoder, Prompt(description=TEXT, query=query)).asked == ()


def test_it_decides_on_entities_that_others_found(encoder):
    found = detect_by_rules(TEXT)
    selection = select(encoder, PROMPT, found)
    assert [decision.entity_id for decision in selection.decisions] == [entity.id for entity in found]


@pytest.mark.parametrize("query", ["", "\n \t"])
def test_without_a_query_nothing_is_kept(weights, query):
    system = Encoder(weights, keep_threshold=0, threads=1)
    found, _, selection = do_both(system, Prompt(description=TEXT, query=query))
    assert len(selection.decisions) == len(found) > 0
    assert selection.relevant == frozenset()
    assert {decision.reason for decision in selection.decisions} == {"hidden: there is no query"}


@settings(max_examples=25)
@given(low=st.floats(0, 1), high=st.floats(0, 1))
def test_a_higher_threshold_keeps_a_part_of_what_a_lower_one_keeps(weights, low, high):
    low, high = sorted((low, high))
    found = detect_by_rules(TEXT)
    lenient, strict = (select(Encoder(weights, threshold, 1), PROMPT, found) for threshold in (low, high))
    assert strict.relevant <= lenient.relevant


def test_the_ends_of_the_scale(weights):
    """Every chance is at least 0, and none of a finite logit is 1."""
    found = detect_by_rules(TEXT)
    assert select(Encoder(weights, 0, 1), PROMPT, found).relevant == {entity.id for entity in found}
    assert select(Encoder(weights, 1, 1), PROMPT, found).relevant == frozenset()


@pytest.mark.parametrize("description", ["", " \r\n\t", "\ud800", "😀", "\u0301", "\0"])
def test_a_query_alone(encoder, description):
    found, _, selection = do_both(encoder, Prompt(description=description, query="Where does Ann live?"))
    assert len(found) == len(selection.decisions)
    assert asyncio.run(encoder.detect("")) == ()
    assert select(encoder, PROMPT, ()).decisions == ()


def test_half_a_surrogate_pair_anywhere(encoder):
    text = "\ud83d".join(TEXT)
    found, _, selection = do_both(encoder, Prompt(description=text, query="\udfff who?"))
    assert len(found) == len(selection.decisions) > 0
    assert all(span.of(text) == entity.text for entity in found for span in entity.mentions)


def test_200_kilobytes(copy, model):
    """With a bias of -2 the random weights find next to nothing, the rules every address."""
    write_settings(copy, replace(model.settings, detect_bias=-2.0))
    text = TEXT * 1600
    assert len(text.encode()) > 200_000
    found, _, selection = do_both(Encoder(copy, threads=1), Prompt(description=text, query=QUERY))
    assert len(found) == len(selection.decisions) > 0
    addresses = [entity for entity in found if entity.text == "ann@example.org"]
    assert sum(len(entity.mentions) for entity in addresses) == 1600
