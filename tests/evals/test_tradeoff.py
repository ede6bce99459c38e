"""Whole trade-offs with a responder and a judge behind a real server on loopback."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from inspect_ai import eval as inspect_eval

from loopback_model import Response, complete, serve
from oracle import Oracle
from piibench.data.files import write_records
from piibench.data.runs import read_runs
from piibench.data.schema import Sample
from piibench.errors import EndpointError, InputError, MissingExtraError
from piibench.evals import _registry, tradeoff
from piibench.evals.experiment import evaluate
from piibench.evals.kinds import Answer
from piibench.evals.models import Access, create_model
from piibench.evals.request import Request, create_grid
from piibench.evals.tradeoff_scores import measure_tradeoff
from piibench.llm.embed import ModelEmbedder
from piibench.masking.placeholders import find_forms

QUIET = {"display": "none", "log_level": "critical", "log_realtime": False, "ctl_server": False}
RESPONSE = re.compile(r"<response-(a|b) \w+>\n(.*?)\n</response-\1 ", re.DOTALL)
VERDICTS = {1: "Reference is much better than Response X", 10: "Reference and Response X are equally good"}


@pytest.fixture(autouse=True)
def _embedder(monkeypatch):
    """Embeds a text by its letters, so that equal texts are alike and others are less so."""

    def encode(texts):
        return [[text.count(letter) + 0.1 for letter in "aeinost<>"] for text in texts]

    monkeypatch.setattr(tradeoff, "create_embedder", lambda name: ModelEmbedder(name, 9, encode))


def judge(prompt: str) -> str:
    """An honest judge: 10 for an answer without placeholders, 1 for one with some."""
    rated = {
        letter.upper(): 1 if any(True for _ in find_forms(text)) else 10
        for letter, text in RESPONSE.findall(prompt)
    }
    lines = [f"RATING {letter}: {rating}" for letter, rating in rated.items()]
    return "\n".join([*lines, *(f"JUDGMENT {x}: {VERDICTS[rating]}" for x, rating in rated.items())])


def respond(body, judging=judge) -> Response:
    """The responder repeats what it was told."""
    prompt = body["messages"][-1]["content"]
    return complete(prompt if body["model"] == "writer" else judging(prompt))


def respond_with_masker(samples):
    """The model "hider" masks as the labels say; it finds nothing in a query."""
    oracle = Oracle(samples)

    def answer(body) -> Response:
        if body["model"] != "hider":
            return respond(body)
        prompt = body["messages"][-1]["content"]
        is_known = any(sample.description.strip() in prompt for sample in samples)
        return oracle(body) if is_known else complete('{"A": {}}')

    return answer


def make_grid(tmp_path, samples, **fields):
    path = tmp_path / "data.jsonl"
    write_records(path, samples)
    asked = {"tasks": ("tradeoff",), "responder": "writer", "judge": "critic"} | fields
    return create_grid(Request(data=str(path), **asked))


def run(tmp_path, samples, access, answer=respond, **fields):
    grid, read = make_grid(tmp_path, samples, **fields)
    with serve(answer) as server:
        results = evaluate(grid, read, tmp_path / "out", access=access(server.url))
    return results, server


def by_arm(folder) -> dict:
    grouped = {}
    for each in folder.scores():
        grouped.setdefault(each.arm, []).append(each)
    return grouped


def mean(scores, name) -> float:
    return float(np.mean([each.scores[name] for each in scores]))


def test_masked_answers_cost_utility_and_restored_ones_do_not(tmp_path, samples, reach):
    results, server = run(tmp_path, samples, reach, orders=2)
    assert results.error is None
    (folder,) = read_runs(tmp_path / "out")
    assert (folder.run.label, folder.run.roles, folder.run.unreadable) == ("writer", {"judge": "critic"}, 0)
    arms = by_arm(folder)
    assert list(arms) == ["none", "all", "gold", "encoder"]
    assert all(len(scores) == len(samples) for scores in arms.values())
    for name, expected in {"privacy": 0.0, "utility": 1.0, "balanced": 0.5, "kept": 1.0}.items():
        assert mean(arms["none"], name) == expected, name
    for arm in ("all", "gold", "encoder"):
        assert mean(arms[arm], "rating") == 0.0
        assert mean(arms[arm], "similarity") < 1.0
        assert mean(arms[arm], "utility_restored") == pytest.approx(1.0)
        assert mean(arms[arm], "agreement") == 1.0
        assert mean(arms[arm], "rating_gap") == 0.0
        for each in arms[arm]:
            for form in ("", "_restored"):
                utility = (each.scores[f"similarity{form}"] + each.scores[f"rating{form}"]) / 2
                assert each.scores[f"utility{form}"] == pytest.approx(utility)
                balanced = (each.scores["privacy"] + utility) / 2
                assert each.scores[f"balanced{form}"] == pytest.approx(balanced)
    assert mean(arms["all"], "privacy") > mean(arms["gold"], "privacy") > 0.5
    assert mean(arms["gold"], "privacy_unrelated") > 0.95
    assert mean(arms["gold"], "kept") > mean(arms["all"], "kept")
    # 3 pairs in 2 orders of the answers as they came; restored they are all the same, so one question. Where the
    # system chose as the labels do, two of the four answers are one: 1 pair in 2 orders, and 1 of equals, 3 fewer.
    asked = Counter(body["model"] for body in server.requests)
    assert asked["critic"] == 7 * len(samples) - 3 * (4 * len(samples) - asked["writer"])


def test_a_sample_is_embedded_once_and_each_of_its_texts_once(tmp_path, samples, reach, monkeypatch):
    batches = []

    def encode(texts):
        batches.append(tuple(texts))
        return [[1.0] for _ in texts]

    monkeypatch.setattr(tradeoff, "create_embedder", lambda name: ModelEmbedder(name, 1, encode))
    run(tmp_path, samples[:3], reach, arms=("all", "gold"))
    assert len(batches) == 3
    # The reference, two masked answers; restored, both are the reference again.
    assert [len(texts) for texts in batches] == [len(set(texts)) for texts in batches] == [3, 3, 3]


def test_the_judge_sees_the_answer_to_the_original_prompt(tmp_path, samples, reach):
    _, server = run(tmp_path, samples[:1], reach)
    for body in server.requests:
        if body["model"] == "critic":
            prompt = body["messages"][-1]["content"]
            assert f"{samples[0].description}\n\n{samples[0].query}" in prompt


def test_a_judge_that_favours_the_first_is_found_out_and_evened_out(tmp_path, samples, reach):
    def biased(_):
        return (
            "RATING A: 9\nRATING B: 5\nJUDGMENT A: Reference and Response A are equally good\n"
            "JUDGMENT B: Reference is slightly better than Response B"
        )

    results, _ = run(
        tmp_path, samples, reach, lambda body: respond(body, biased), arms=("all", "gold"), orders=2
    )
    arms = by_arm(results.runs[0])
    for arm in ("all", "gold"):
        # (9 + 5) / 2 = 7, scaled (7 - 1) / 9
        assert mean(arms[arm], "rating") == pytest.approx(6 / 9)
        assert mean(arms[arm], "agreement") == 0.0
        assert mean(arms[arm], "rating_gap") == 4.0


@pytest.mark.parametrize("reply", ["I'm sorry, but I can't rate these.", "", "RATING A: 11\nRATING B: ["])
def test_a_judge_that_refuses_leaves_answers_unscored_and_counted(tmp_path, samples, reach, reply):
    results, _ = run(
        tmp_path, samples, reach, lambda body: respond(body, lambda _: reply), arms=("all", "gold")
    )
    (folder,) = results.runs
    assert results.error is None
    assert (folder.run.n, folder.run.unreadable) == (len(samples), len(samples))
    for arm in ("all", "gold"):
        for each in by_arm(folder)[arm]:
            assert each.scores["rating"] is each.scores["utility"] is each.scores["balanced"] is None
            assert each.scores["agreement"] is None
            assert each.scores["similarity"] is not None
            assert each.scores["privacy"] is not None
            assert each.counts["judgements"] == (0, 4, 4)


def test_what_one_order_tells_is_scored(tmp_path, samples, reach):
    replies = iter(["no comment"])
    answer = lambda body: respond(body, lambda prompt: next(replies, None) or judge(prompt))  # noqa: E731
    results, _ = run(tmp_path, samples[:1], reach, answer, arms=("all", "gold"))
    (first,) = by_arm(results.runs[0])["all"]
    assert first.scores["rating"] == 0.0
    assert first.counts["judgements"][0] == 3


def test_one_order_asks_half_as_often(tmp_path, samples, reach):
    results, server = run(tmp_path, samples, reach, arms=("all", "gold"), orders=1)
    # One question on the answers as they came, one on the restored ones.
    assert sum(body["model"] == "critic" for body in server.requests) == 2 * len(samples)
    assert all(each.scores["agreement"] is None for each in results.runs[0].scores())


def test_a_single_arm_is_judged_beside_the_reference(tmp_path, samples, reach):
    results, _ = run(tmp_path, samples, reach, arms=("all",))
    arms = by_arm(results.runs[0])
    assert list(arms) == ["none", "all"]
    assert (mean(arms["all"], "rating"), mean(arms["all"], "rating_restored")) == (0.0, 1.0)


def test_an_empty_answer_is_like_nothing_and_an_empty_reference_judges_nobody(tmp_path, samples, reach):
    def silent(body):
        prompt = body["messages"][-1]["content"]
        masked = any(True for _ in find_forms(prompt))
        if body["model"] == "writer" and (masked or samples[1].description in prompt):
            return complete("")
        return respond(body, lambda _: "RATING A: 1\nRATING B: 1")

    results, _ = run(tmp_path, samples[:2], reach, silent, arms=("all", "gold"))
    (folder,) = results.runs
    first, second = by_arm(folder)["all"]
    assert (first.scores["similarity"], first.scores["rating"]) == (0.0, 0.0)
    assert second.scores["similarity"] is second.scores["rating"] is None
    assert by_arm(folder)["none"][1].scores["utility"] is None
    assert folder.run.unreadable == 1


def test_half_an_emoji_in_an_answer_is_compared(tmp_path, samples, reach):
    """A server that cuts a reply may cut one; it would fail the sample each time."""

    def cut(body):
        if body["model"] == "writer":
            return complete("Open a bakery \ud83d in Odense")
        return respond(body, lambda _: "RATING A: 1\nRATING B: 1")

    results, _ = run(tmp_path, samples[:1], reach, cut, arms=("all",))
    assert results.error is None
    (folder,) = results.runs
    assert by_arm(folder)["all"][0].scores["similarity"] == pytest.approx(1.0)


def test_a_model_masks_in_an_arm_of_its_own(tmp_path, samples, reach):
    fields = {"masker": "hider", "arms": ("gold",), "strategies": ("naive_with_choice",)}
    results, _ = run(tmp_path, samples, reach, respond_with_masker(samples), **fields)
    (folder,) = results.runs
    assert results.error is None
    assert folder.run.roles == {"judge": "critic", "masker": "hider"}
    assert folder.run.arms == ("none", "gold", "llm@naive_with_choice")
    arms = by_arm(folder)
    assert list(arms) == ["none", "gold", "llm"]
    assert mean(arms["llm"], "privacy_unrelated") > 0.9
    assert mean(arms["llm"], "kept") > 0.9


@pytest.mark.parametrize(("refusing", "unscored"), [("critic", "rating"), ("writer", "similarity")])
def test_a_prompt_that_is_refused_counts_as_a_refusal_in_words(tmp_path, samples, reach, refusing, unscored):
    def answer(body):
        prompt = body["messages"][-1]["content"]
        if body["model"] == refusing and samples[1].query in prompt:
            return Response("against the rules", 400)
        return respond(body)

    results, _ = run(tmp_path, samples[:3], reach, answer, arms=("all",))
    (folder,) = results.runs
    assert results.error is None
    assert (folder.run.n, folder.run.failed, folder.run.unreadable) == (3, 0, 1)
    assert [each.scores[unscored] is None for each in by_arm(folder)["all"]] == [False, True, False]


def test_the_number_of_a_placeholder_is_no_value_that_shows():
    age = {"id": "e", "subject": "A", "text": "2", "category": "Age", "mentions": [(7, 8)]}
    gold = Sample.model_validate(
        {"id": "s", "subset": "single", "description": "Kim is 2, not <Age 5> or 3.", "entities": [age]}
    )
    masked = {"query": "", "forms": {}}
    for text, written, shown in (
        ("Kim is 2, not <Age 5> or 3.", [], 1),
        ("Kim is <Age 2>, not <Age 5> or 3.", ["<Age 2>"], 0),
    ):
        details = {"all": masked | {"description": text, "placeholders": written}}
        (score,) = measure_tradeoff(gold, Answer(details=details))
        gone, _, total = score.counts["privacy"]
        assert total - gone == shown


@pytest.mark.parametrize("role", ["responder", "judge", "masker"])
def test_a_bad_name_is_told_under_its_own_option(tmp_path, samples, role):
    names = dict.fromkeys(("responder", "judge", "masker"), "mockllm/model")
    grid, read = make_grid(tmp_path, samples, **names | {role: "nope/x"})
    with pytest.raises(InputError, match=f'^--{role} nope/x: no provider is called "nope"'):
        evaluate(grid, read, tmp_path / "out", access=Access())


def test_a_resumed_trade_off_asks_nothing_twice(tmp_path, samples, reach):
    down, asked = [True], []

    def answer(body):
        prompt = body["messages"][-1]["content"]
        if down[0] and body["model"] == "critic" and samples[2].query in prompt:
            return Response("busy", 503)
        asked.append((body["model"], prompt))
        return respond(body)

    grid, read = make_grid(tmp_path, samples)
    with serve(answer) as server:
        results = evaluate(grid, read, tmp_path / "out", access=reach(server.url))
        assert isinstance(results.error, EndpointError)
        assert results.runs[0].run.failed >= 1
        down[0] = False
        results = evaluate(grid, read, tmp_path / "out", access=reach(server.url))
        assert results.error is None
        assert (results.runs[0].run.n, results.runs[0].run.failed) == (len(samples), 0)
        before = len(asked)
        evaluate(grid, read, tmp_path / "out", access=reach(server.url))
    assert len(asked) == before == len(set(asked))


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"judge": None}, "with --responder, and who rates it with --judge"),
        ({"responder": None}, "with --responder, and who rates it with --judge"),
        ({"arms": ("llm",)}, "name the model that masks with --masker"),
        ({"masker": "m", "strategies": ("naive", "self_cot")}, "name one with --strategy"),
        ({"tasks": ("query",), "responder": None, "judge": None, "masker": "m"}, "are for --task tradeoff"),
        ({"tasks": ("query",)}, "are for --task tradeoff"),
        ({"systems": ("rules",)}, "name systems that mask with --arms"),
        ({"arms": ("none",)}, "name a way to mask"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, samples, fields, told):
    with pytest.raises(InputError, match=told):
        make_grid(tmp_path, samples, **fields)


def test_all_tasks_hold_the_trade_off_where_somebody_responds(tmp_path, samples):
    grid, _ = make_grid(tmp_path, samples, tasks=("all",))
    assert grid.tasks[-1] == "tradeoff"
    assert [name.partition("@")[0] for name in grid.systems] == ["encoder"]
    grid, _ = make_grid(tmp_path, samples, tasks=("all",), responder=None, judge=None)
    assert "tradeoff" not in grid.tasks


def test_an_embedder_that_is_missing_is_told_before_anybody_is_asked(tmp_path, samples, reach, monkeypatch):
    def create(name):
        what = f'the embedder "{name}"'
        raise MissingExtraError(what, "sentence-transformers", extra=None)

    monkeypatch.setattr(tradeoff, "create_embedder", create)
    grid, read = make_grid(tmp_path, samples, embedder="BAAI/bge-m3")
    with serve(respond) as server:
        with pytest.raises(MissingExtraError, match="BAAI/bge-m3"):
            evaluate(grid, read, tmp_path / "out", access=reach(server.url))
        assert not server.requests


def test_inspect_runs_it_by_its_roles(tmp_path, samples):
    write_records(tmp_path / "data.jsonl", samples[:2])
    with serve(respond) as server:
        models = {
            role: create_model(name, Access(server.url))
            for role, name in (("responder", "writer"), ("judge", "critic"))
        }
        task = _registry.tradeoff(data=str(tmp_path / "data.jsonl"), arms="all,gold")
        (log,) = inspect_eval(
            task,
            model=models["responder"],
            model_roles={"judge": models["judge"], "responder": models["responder"]},
            log_dir=str(tmp_path / "logs"),
            **QUIET,
        )
    assert log.status == "success"
    means = {each.name: each.metrics["mean"].value for each in log.results.scores if each.metrics}
    assert means["none_utility"] == 1.0
    assert means["all_utility_restored"] == pytest.approx(1.0)


def test_inspect_has_a_role_for_the_masker(tmp_path, samples):
    write_records(tmp_path / "data.jsonl", samples[:1])
    with serve(respond_with_masker(samples)) as server:
        roles = {"responder": "writer", "judge": "critic", "masker": "hider"}
        models = {role: create_model(name, Access(server.url)) for role, name in roles.items()}
        task = _registry.tradeoff(data=str(tmp_path / "data.jsonl"), arms="llm", strategy="naive_with_choice")
        (log,) = inspect_eval(
            task, model=models["responder"], model_roles=models, log_dir=str(tmp_path / "logs"), **QUIET
        )
    assert log.status == "success"
    means = {each.name: each.metrics["mean"].value for each in log.results.scores if each.metrics}
    assert means["llm_privacy"] > means["none_privacy"] == 0.0
    assert {body["model"] for body in server.requests} == {"writer", "critic", "hider"}


def test_inspect_without_a_judge_says_so(tmp_path, samples):
    write_records(tmp_path / "data.jsonl", samples[:1])
    task = _registry.tradeoff(data=str(tmp_path / "data.jsonl"))
    with serve(respond) as server:
        model = create_model("writer", Access(server.url))
        (log,) = inspect_eval(task, model=model, log_dir=str(tmp_path / "logs"), **QUIET)
    assert log.status == "error"
    assert "judge" in log.error.message
