"""Samples by a model, with a scripted one and through a real server on loopback."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import replace

import pytest

from loopback_model import Response, complete, find_dead_address, serve
from obliging_model import FILLER, answer
from piibench.data.files import read_samples
from piibench.data.taxonomy import Category
from piibench.errors import EndpointError, EndpointSetupError, PromptRefusedError
from piibench.generators.base import Name
from piibench.llm.openai_chat import Limits
from piibench.llm.scripted import ScriptedChat
from piibench.synthesis.entities import FactKey
from piibench.synthesis.llm_asking import Asker, Refusal
from piibench.synthesis.llm_consistency import is_plausible, read_people
from piibench.synthesis.llm_descriptions import read_description
from piibench.synthesis.llm_features import Feature, Person, drop_repeats
from piibench.synthesis.llm_queries import read_query, read_situation
from piibench.synthesis.llm_running import open_author
from piibench.synthesis.llm_writers import PATIENCE, LLMWriter
from piibench.synthesis.pipeline import MANIFEST, Recipe, synthesize
from piibench.synthesis.samples import Order, make_sample
from piibench.synthesis.threads import make_thread

QUICK = Limits(timeout_s=5, tries=2, first_wait_s=0.01, longest_wait_s=0.05, concurrency=4)


def feature(category: Category, entity: str, *, needed: bool = False, subject: str = "A") -> Feature:
    return Feature(FactKey(subject, category, 1, None), entity, needed)


NAME = feature(Category.FULL_NAME, "Ada Byte")
AGE = feature(Category.AGE, "34", needed=True)
JOB = feature(Category.OCCUPATION, "stage manager")
CITY = feature(Category.CITY_REGION, "Leipzig")
ADA = Person("A", "she", (NAME, AGE, JOB, CITY), Name("Ada", "Byte"))
LENGTHS = (20, 2000)


def facts(*features: Feature) -> str:
    return json.dumps([{"label": f.label, "tag": f.tag, "entity": f.entity} for f in features])


# --- consistency ---


def test_a_changed_value_is_taken_over():
    older = replace(AGE, entity="41")
    (person,) = read_people(f"## Reason: x\n## Final Features: {facts(NAME, older, JOB, CITY)}", [ADA])
    assert person.features == (NAME, older, JOB, CITY)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("I would rather not.", "unreadable"),
        (facts(NAME, AGE, JOB, JOB), "another category"),
        (facts(NAME, AGE, feature(Category.NGO, "Oxen Trust")), "another category"),
        ('[{"label": "LOC", "tag": "Age", "entity": "41"}]', "another category"),
        (facts(NAME, replace(AGE, entity="forty"), JOB, CITY), "implausible value"),
        (facts(replace(NAME, entity="Bo Byte"), AGE, JOB, CITY), "implausible value"),
        (facts(NAME, AGE, replace(JOB, entity=None), CITY), "implausible value"),
        (facts(NAME, JOB, CITY), "needed value dropped"),
        (facts(AGE, JOB, CITY), "needed value dropped"),
        (facts(NAME, AGE), "too few kept"),
    ],
)
def test_a_consistency_reply_is_refused(reply, reason):
    outcome = read_people(reply, [ADA])
    assert isinstance(outcome, Refusal)
    assert outcome.reason == reason


def test_values_of_one_category_are_told_apart_by_what_they_were():
    """By their order alone a value would take the label of one that the model left out or moved."""
    lund = replace(CITY, key=FactKey("A", Category.CITY_REGION, 2, None), entity="Lund")
    needed = replace(CITY, needed=True)
    ada = replace(ADA, features=(NAME, AGE, JOB, needed, lund))
    (same,) = read_people(facts(NAME, AGE, JOB, lund, needed), [ada])
    assert same.features == ada.features
    assert read_people(facts(NAME, AGE, JOB, lund), [ada]).reason == "needed value dropped"
    oslo = replace(lund, entity="Oslo")
    assert read_people(facts(NAME, AGE, JOB, oslo), [ada]).reason == "value dropped"
    (moved,) = read_people(facts(NAME, AGE, JOB, oslo, needed), [ada])
    assert moved.features == (NAME, AGE, JOB, needed, oslo)


def test_people_are_read_under_their_own_headings():
    bo = Person("B", "he", (feature(Category.AGE, "7", subject="B"),))
    ada = Person("A", "she", (AGE,))
    reply = f"## Final Features B: {facts(*bo.features)}\n## Final Features A: {facts(AGE)}"
    assert read_people(reply, [ada, bo]) == (ada, bo)
    assert isinstance(read_people(facts(AGE), [ada, bo]), Refusal)


@pytest.mark.parametrize(
    ("category", "old", "new", "plausible"),
    [
        (Category.AGE, "34", "300", False),
        (Category.AGE, "thirty-four", "fifty", True),
        (Category.CREDIT_SCORE, "712", "640", True),
        (Category.CREDIT_SCORE, "712", "900", False),
        (Category.DATE, "2024-03-07", "2021-02-28", True),
        (Category.DATE, "2024-03-07", "2021-02-30", False),
        (Category.DATE, "7 March 2024", "a spring day", False),
        (Category.MONTHLY_INCOME, "$4,200", "$2,100", True),
        (Category.MONTHLY_INCOME, "$4,200", "little", False),
        (Category.DEBT_RATIO, "12.50%", "40", False),
        (Category.OCCUPATION, "baker", "nurse", True),
        (Category.OCCUPATION, "baker", "", False),
        (Category.OCCUPATION, "baker", "<value>", False),
        (Category.OCCUPATION, "baker", "b" * 91, False),
        (Category.PHONE_NUMBER, "+1-2025550123", "+1-2025550124", False),
    ],
)
def test_plausible_values(category, old, new, plausible):
    assert is_plausible(feature(category, old), new) is plausible


def test_of_a_shared_value_the_needed_one_stays():
    first = Person("A", "she", (feature(Category.COMPANY_NAME, "Oxen Ltd"), NAME))
    second = Person("B", "he", (feature(Category.COMPANY_NAME, "OXEN Ltd", needed=True, subject="B"),))
    assert drop_repeats([first, second]) == (replace(first, features=(NAME,)), second)


# --- descriptions ---


def test_a_description_is_labelled_exactly():
    text = "Ada Byte, 34, is a stage manager. In Leipzig they call her Ada, at work Ms. Byte: room 340b."
    written = read_description(f"```\n{text}\n```", [ADA], LENGTHS)
    assert not isinstance(written, Refusal)
    labels = [(e.text, e.category, [text[s.start - 2 : s.start] for s in e.mentions]) for e in written[1]]
    assert labels == [
        ("Ada Byte", Category.FULL_NAME, [""]),
        ("34", Category.AGE, [", "]),
        ("stage manager", Category.OCCUPATION, ["a "]),
        ("Leipzig", Category.CITY_REGION, ["n "]),
        ("Ada", Category.NICKNAME, ["r "]),
        ("Byte", Category.FULL_NAME, [". "]),
    ]


@pytest.mark.parametrize(
    ("text", "reason", "told"),
    [
        ("Ada Byte", "too short", "between 20 and 2000"),
        (FILLER * 9, "too long", "shorter"),
        ("Ada Byte, 34, stage manager, moved to [City] from Leipzig.", "placeholder", "brackets"),
        ("Person A is Ada Byte, 34, a stage manager of Leipzig.", "placeholder", "letters"),
        (
            "Ada Byte, a Stage Manager of Leipzig, is in her thirties.",
            "value missing",
            "Age: 34; Occupation: stage",
        ),
        ("Ada Byte, 34, stage manager in Leipzig, bo@example.com.", "other personal value", "bo@example.com"),
        ("Ada Byte-Holm, 34, is a stage manager in Leipzig.", "other personal value", "Byte-Holm"),
        ("Ada Byte, 34, stage manager in Leipzig, takes bus 34.", "ambiguous value", "34"),
    ],
)
def test_a_description_is_refused(text, reason, told):
    outcome = read_description(text, [ADA], LENGTHS)
    assert isinstance(outcome, Refusal)
    assert outcome.reason == reason
    assert told in outcome.remedy
    assert "Ada" not in repr(outcome)


def test_a_name_that_is_a_word_is_none_by_itself():
    my = Person("A", "she", (feature(Category.FULL_NAME, "My Tran"), AGE), Name("My", "Tran"))
    text = "I am My Tran, 34, and this is My flat. My landlord calls me Tran."
    written = read_description(text, [my], LENGTHS)
    assert not isinstance(written, Refusal), written
    assert {entity.text for entity in written[1]} == {"My Tran", "Tran", "34"}


# --- queries ---

ENTITIES = read_description("Ada Byte, 34, is a stage manager in Leipzig.", [ADA], LENGTHS)[1]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("none", "unreadable"),
        ('{"situation": "she asks a bank", "needed": [1, 2], "allusions": {"2": "x"}}', "other facts needed"),
        ('{"situation": "she asks a bank", "needed": 2, "allusions": {"2": "x"}}', "other facts needed"),
        ('{"situation": "she asks a bank", "needed": [2], "allusions": ["x"]}', "allusion missing"),
        ('{"situation": "", "needed": [2], "allusions": {"2": "x"}}', "no situation"),
        ('{"situation": "she asks in leipzig", "needed": [2], "allusions": {"2": "x"}}', "value given away"),
    ],
)
def test_a_situation_is_refused(reply, reason):
    outcome = read_situation(reply, ADA.features, ENTITIES)
    assert isinstance(outcome, Refusal)
    assert outcome.reason == reason


def test_a_query_is_taken_out_of_its_quotes_and_gives_nothing_away():
    assert read_query('Question: "Am I too old for that?"', ENTITIES) == "Am I too old for that?"
    assert read_query("May a STAGE manager do so?", ENTITIES).reason == "value given away"
    assert read_query("Well?", ENTITIES).reason == "too short"
    assert read_query("May Byte do so at her age?", ENTITIES).reason == "name given away"
    assert read_query("May she do so with Peter Novak?", ENTITIES).reason == "name given away"


def test_what_a_model_says_to_itself_is_no_part_of_a_reply():
    chat = ScriptedChat(lambda _: "<think>\nShort and formal.\n</think>\n\nAm I too old for that?")
    asked = Asker(chat).ask("query", "Ask.", lambda reply: read_query(reply, ENTITIES))
    assert asyncio.run(asked) == "Am I too old for that?"


def test_a_refused_prompt_is_one_sample_that_the_frames_write():
    def refuse_later(messages):
        if writer.tally.written:
            told = "the provider refuses the request"
            raise PromptRefusedError(told)
        return oblige(messages)

    writer = LLMWriter(ScriptedChat(refuse_later))
    samples = write(writer, *(Order("single", index) for index in range(PATIENCE + 4)))
    fallbacks = [sample.meta.get("fallback") for sample in samples]
    written = fallbacks.index(None) + 1
    assert set(fallbacks[written:]) == {"prompt refused"}
    assert len(fallbacks[written:]) > PATIENCE


# --- asking ---


def test_a_refused_reply_is_shown_to_the_model_with_the_remedy():
    chat = ScriptedChat(["bad", "good"])
    asker = Asker(chat, seed=10)

    def read(reply: str) -> str | Refusal:
        return reply if reply == "good" else Refusal("bad word", "Say something good.")

    assert asyncio.run(asker.ask("talk", "Say it.", read)) == "good"
    assert [each.text for each in chat.asked[1]] == ["Say it.", "bad", "Say something good."]
    assert (asker.rejected, asker.replies, chat.seeds) == (Counter({"talk: bad word": 1}), 2, [10, 11])


# --- whole samples ---


def oblige(messages) -> str:
    return answer(messages[0].text)


def write(writer: LLMWriter, *orders: Order, make=make_sample):
    async def go():
        return [await writer.write(order, make) for order in orders]

    return asyncio.run(go())


@pytest.mark.parametrize("subset", ["single", "multi"])
def test_a_model_that_obliges_writes_samples(subset):
    writer = LLMWriter(ScriptedChat(oblige))
    orders = [Order(subset, index) for index in range(12)]
    samples = write(writer, *orders)
    assert [sample.id for sample in samples] == [make_sample(order).id for order in orders]
    assert writer.tally.written >= 9
    for sample in samples:
        if "fallback" in sample.meta:
            assert sample.meta["source"] == "frames"
            continue
        assert (sample.meta["source"], sample.meta["consistency"]) == ("scripted", "model")
        assert 1 <= len(sample.relevant) <= 4
        assert FILLER in sample.description


def test_where_the_model_cannot_mend_the_rules_do():
    def grumble(messages) -> str:
        prompt = messages[0].text
        return "no" if "## Final Features" in prompt else answer(prompt)

    writer = LLMWriter(ScriptedChat(grumble), attempts=2)
    samples = [s for s in write(writer, *(Order("single", i) for i in range(6))) if "fallback" not in s.meta]
    assert samples
    assert {s.meta["consistency_note"] for s in samples} == {"the model's replies: unreadable"}
    assert writer.tally.consistency["rules"] == 6
    assert writer.tally.rejected["consistency: unreadable"] == 12


def test_the_frames_stand_in_for_a_model_that_cannot_write():
    writer = LLMWriter(ScriptedChat(lambda _: "Certainly!"), attempts=2)
    (sample,) = write(writer, Order("single", 3))
    expected = make_sample(Order("single", 3))
    reason = "description: too short"
    assert sample == expected.model_copy(update={"meta": {**expected.meta, "fallback": reason}})
    assert writer.tally.to_json() == {
        "written": 0,
        "stood_in": {reason: 1},
        "rejected": {"consistency: unreadable": 2, reason: 2},
        "consistency": {"rules": 1},
    }


def test_threads_are_left_to_the_frames():
    writer = LLMWriter(ScriptedChat([]))
    (sample,) = write(writer, Order("distract", 0), make=make_thread)
    assert sample.meta["fallback"] == "woven from frames"


def test_a_model_that_never_answered_is_an_error():
    with pytest.raises(EndpointError):
        write(LLMWriter(ScriptedChat([])), Order("single", 0))


def test_silence_is_borne_for_a_while():
    writer = LLMWriter(ScriptedChat(["Certainly!"]))
    silent = [Order("single", index) for index in range(PATIENCE - 1)]
    assert {s.meta["fallback"] for s in write(writer, *silent)} == {"no reply"}
    with pytest.raises(EndpointError):
        write(writer, Order("single", PATIENCE))


# --- through a real server ---


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def run(url: str, folder, n: int = 8, subset: str = "single", limits: Limits = QUICK):
    recipe = Recipe({subset: n}, writer="small")
    with open_author("small", base_url=url, at_once=3, folder=folder, limits=limits) as author:
        synthesize(recipe, folder, workers=1, advance=lambda _: None, author=author)
    noted = json.loads((folder / MANIFEST).read_text("utf-8"))["writing"][f"{subset}.jsonl.gz"]
    samples = list(read_samples(folder / f"{subset}.jsonl.gz"))
    assert author.total.to_json() == noted
    assert [sample.id for sample in samples] == [f"{subset}-{number + 1:05d}" for number in range(n)]
    assert noted["written"] == sum(sample.meta["source"] == "small" for sample in samples)
    assert noted["stood_in"] == Counter(s.meta["fallback"] for s in samples if s.meta["source"] == "frames")
    return samples, noted


def oblige_over_http(body) -> Response:
    return complete(answer(body["messages"][0]["content"]))


def test_nothing_is_lost_whatever_the_server_does(tmp_path):
    troubles = [
        Response("busy", 429, {"Retry-After": "0.02"}),
        Response("oops", 500),
        Response("<html>"),
        Response(dies=True),
        complete("```\nlorem ipsum"),
        Response("", delay_s=0.6),
        complete("", "length"),
    ]
    calls = iter(range(10**6))

    def respond(body) -> Response:
        call = next(calls)
        return troubles[call // 4 % len(troubles)] if call % 4 == 3 else oblige_over_http(body)

    with serve(respond) as server:
        samples, noted = run(server.url, tmp_path, 12, limits=replace(QUICK, timeout_s=0.5, tries=3))
    assert noted["written"] >= 6
    assert sum(noted["rejected"].values()) >= 1
    assert len(samples) == 12


def test_a_server_that_talks_rubbish_gives_the_frames_samples(tmp_path):
    with serve(lambda _: complete("I am a teapot. " * 40)) as server:
        samples, noted = run(server.url, tmp_path, 4)
        asked = len(server.requests)
    assert noted["written"] == 0
    assert noted["stood_in"] == {"description: value missing": 4}
    assert noted["rejected"] == {"consistency: unreadable": 12, "description: value missing": 12}
    assert asked == 24
    plain = [make_sample(Order("single", index)) for index in range(4)]
    assert [sample.description for sample in samples] == [sample.description for sample in plain]


def test_a_server_that_dies_for_good_stops_the_run_and_nothing_is_asked_twice(tmp_path):
    alive = 14

    def respond(body) -> Response:
        return oblige_over_http(body) if len(server.requests) <= alive else Response(dies=True)

    with serve(respond) as server, pytest.raises(EndpointError, match="broke the connection"):
        run(server.url, tmp_path, 20)
    assert not (tmp_path / "single.jsonl.gz").exists()
    with serve(oblige_over_http) as server:
        run(server.url, tmp_path, 20)
        resumed = len(server.requests)
    with serve(oblige_over_http) as server:
        samples, _ = run(server.url, tmp_path / "anew", 20)
        assert resumed == len(server.requests) - alive
    again = list(read_samples(tmp_path / "single.jsonl.gz"))
    assert again == samples


def test_a_dead_or_wrong_server_stops_the_run_at_once(tmp_path):
    with pytest.raises(EndpointError, match="start the server"):
        run(find_dead_address(), tmp_path)
    with (
        serve(lambda _: Response("", 401)) as server,
        pytest.raises(EndpointSetupError, match="OPENAI_API_KEY"),
    ):
        run(server.url, tmp_path)
    assert not (tmp_path / MANIFEST).exists()
