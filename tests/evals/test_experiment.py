"""Whole evaluations, in this process, with a real server on loopback."""

from __future__ import annotations

import itertools

import pytest

from loopback_model import Response, complete, find_dead_address, serve
from piibench.batch.predict import Settings, predict
from piibench.data.files import read_predictions, read_prompts, write_records
from piibench.data.runs import read_data, read_runs
from piibench.errors import DataError, EndpointError, EndpointSetupError, InputError
from piibench.evals.experiment import LOGS, evaluate
from piibench.evals.grid import Grid, hash_samples
from piibench.evals.models import Access
from piibench.evals.request import Request, create_grid
from piibench.metrics.score import score
from piibench.systems.rules import Rules

TASKS = ("pii_detection", "query_related", "query_unrelated_masking")


def ask(samples, **fields) -> Grid:
    """A grid for a model on a server."""
    defaults = {"tasks": TASKS, "models": ("small",), "strategies": ("naive",)}
    return Grid(**(defaults | fields), data=hash_samples(samples), n=len(samples))


def means(folder) -> dict[str, float]:
    scores = list(folder.scores())
    return {
        name: sum(each.scores[name] for each in scores) / len(scores)
        for name in scores[0].scores
        if all(each.scores[name] is not None for each in scores)
    }


def test_right_answers_score_1_in_every_task(tmp_path, samples, oracle, reach):
    out = tmp_path / "out"
    with serve(oracle) as server:
        results = evaluate(ask(samples), samples, out, access=reach(server.url))
    assert results.error is None
    assert [folder.run.task for folder in results.runs] == list(TASKS)
    assert [folder.path for folder in read_runs(out)] == [folder.path for folder in results.runs]
    for folder, name in zip(results.runs, ("strict_f1", "query_f1", "mask_f1"), strict=True):
        assert means(folder)[name] == 1.0, name
        assert (folder.run.n, folder.run.unreadable, folder.run.failed) == (len(samples), 0, 0)
        assert folder.run.prompt_tokens == 10 * len(samples)
        assert folder.run.reply_tokens == 4 * len(samples)
    assert set(oracle.asked.values()) == {1}
    assert {sample.id for sample in read_data(out)} == {sample.id for sample in samples}


def test_what_is_masked_is_measured_on_the_text_that_would_be_sent(tmp_path, samples, oracle, reach):
    grid = ask(samples, tasks=("query_unrelated_masking",))
    with serve(oracle) as server:
        results = evaluate(grid, samples, tmp_path / "out", access=reach(server.url))
    (folder,) = results.runs
    assert means(folder)["privacy_unrelated"] == 1.0
    for pred in folder.predictions():
        assert pred.masked is not None
        assert pred.meta["strategy"] == "naive"
        assert pred.meta["model"] == "small"


def test_a_local_system_scores_as_predict_and_score_say(tmp_path, samples, monkeypatch):
    monkeypatch.setenv("INSPECT_EVAL_MODEL", "nope/x")  # of Inspect's own command; it says nothing here
    data, out, predictions = tmp_path / "data.jsonl", tmp_path / "out", tmp_path / "pred.jsonl"
    write_records(data, samples)
    grid, read = create_grid(Request(data=str(data)))
    results = evaluate(grid, read, out, access=Access())
    predict(read_prompts(data), predictions, Settings())
    report = score(samples, read_predictions(predictions))
    assert results.error is None
    assert len(results.runs) == len(TASKS)
    for folder in results.runs:
        for name, value in means(folder).items():
            assert value == pytest.approx(report.overall.means[name].value, abs=1e-12), name
        for name, pooled in report.overall.pooled.items():
            counts = [each.counts[name] for each in folder.scores() if name in each.counts]
            if counts:
                total = tuple(map(sum, zip(*counts, strict=True)))
                assert total == (pooled.counts.tp, pooled.counts.pred, pooled.counts.gold), name


def test_wrong_and_unreadable_answers_are_counted_not_raised(tmp_path, samples, reach):
    replies = itertools.cycle(('### Answer: ["never said"]', "I would rather not.", "", "{[<<"))
    grid = ask(samples, tasks=("query_related",))
    with serve(lambda _: complete(next(replies))) as server:
        results = evaluate(grid, samples, tmp_path / "out", access=reach(server.url))
    (folder,) = results.runs
    assert results.error is None
    assert folder.run.unreadable == 3 * len(samples) // 4
    assert means(folder)["query_f1"] == 0.0
    flagged = [pred for pred in folder.predictions() if pred.meta.get("flagged")]
    assert len(flagged) == folder.run.unreadable
    assert all(pred.needed == () for pred in flagged)


def test_what_passes_by_itself_is_asked_again(tmp_path, samples, oracle, reach):
    troubles = iter(
        [Response("slow down", 429, {"Retry-After": "0"}), Response("oops", 500), Response(dies=True)]
    )
    grid = ask(samples, tasks=("query_related",))
    with serve(lambda body: next(troubles, None) or oracle(body)) as server:
        results = evaluate(grid, samples, tmp_path / "out", access=reach(server.url, tries=5))
    assert results.error is None
    assert set(oracle.asked.values()) == {1}
    assert len(server.requests) == len(samples) + 3


def test_a_slow_reply_is_waited_for_no_longer_than_said(tmp_path, samples, oracle, reach):
    slow = iter([5.0])

    def respond(body):
        response = oracle(body)
        response.delay_s = next(slow, 0.0)
        return response

    grid = ask(samples, tasks=("query_related",))
    with serve(respond) as server:
        results = evaluate(grid, samples, tmp_path / "out", access=reach(server.url, timeout_s=0.5))
    assert results.error is None
    assert means(results.runs[0])["query_f1"] == 1.0


def test_samples_without_reply_are_told_and_asked_again_by_the_same_grid(tmp_path, samples, oracle, reach):
    out, grid = tmp_path / "out", ask(samples, tasks=("query_related",))
    refused = {samples[1].id, samples[4].id}

    def respond(body):
        sample, _ = oracle.recognise(body["messages"][-1]["content"])
        return Response("too long", 400) if sample.id in refused else oracle(body)

    with serve(respond) as server:
        results = evaluate(grid, samples, out, access=reach(server.url))
        assert isinstance(results.error, EndpointError)
        assert results.meter.failed == len(refused)
        (folder,) = results.runs
        assert (folder.run.n, folder.run.failed) == (len(samples) - 2, 2)
        assert {each.id for each in folder.scores()}.isdisjoint(refused)
        before = len(server.requests)
        refused.clear()
        results = evaluate(grid, samples, out, access=reach(server.url))
    assert results.error is None
    assert len(server.requests) == before + 2
    (folder,) = results.runs
    assert (folder.run.n, folder.run.failed, means(folder)["query_f1"]) == (len(samples), 0, 1.0)
    assert set(oracle.asked.values()) == {1}


def test_a_server_that_dies_halfway_loses_nothing(tmp_path, samples, oracle, reach):
    many = [
        sample.model_copy(update={"id": f"{sample.id}-{copy}"}) for copy in range(6) for sample in samples
    ]
    many = [each.model_copy(update={"query": f"{each.query} ({number})"}) for number, each in enumerate(many)]
    out, grid = tmp_path / "out", ask(many, tasks=("query_related",))
    answered = itertools.count(1)

    def respond(body):
        return oracle(body) if next(answered) <= 20 else Response(dies=True)

    with serve(respond) as server:
        results = evaluate(grid, many, out, access=reach(server.url, tries=2))
    assert isinstance(results.error, EndpointError)
    assert results.runs == ()
    with serve(oracle) as server:
        results = evaluate(grid, many, out, access=reach(server.url))
        assert results.error is None
        assert len(server.requests) == len(many) - 20
    (folder,) = results.runs
    assert (folder.run.n, means(folder)["query_f1"]) == (len(many), 1.0)


def test_nobody_there_ends_soon_with_one_error(tmp_path, samples, reach):
    results = evaluate(ask(samples), samples, tmp_path / "out", access=reach(find_dead_address()))
    assert isinstance(results.error, EndpointError)
    assert "nobody answers at that address" in str(results.error)
    assert results.runs == ()


@pytest.mark.parametrize(("status", "told"), [(401, "OPENAI_API_KEY"), (404, "--base-url")])
def test_a_wrong_key_or_address_stops_at_the_first_reply(tmp_path, samples, reach, status, told):
    with serve(lambda _: Response("", status)) as server:
        results = evaluate(ask(samples), samples, tmp_path / "out", access=reach(server.url))
        assert len(server.requests) <= 4
    assert isinstance(results.error, EndpointSetupError)
    assert told in str(results.error)


def test_a_finished_grid_is_asked_nothing_again(tmp_path, samples, oracle, reach):
    out, grid = tmp_path / "out", ask(samples)
    with serve(oracle) as server:
        first = evaluate(grid, samples, out, access=reach(server.url))
        asked = len(server.requests)
        told = []
        again = evaluate(grid, samples, out, access=reach(server.url), on_change=told.append)
        assert len(server.requests) == asked
    assert [each.run for each in again.runs] == [each.run for each in first.runs]
    assert again.meter.done == again.meter.total == len(TASKS) * len(samples)


def test_the_folder_of_another_grid_is_refused(tmp_path, samples, oracle, reach):
    out = tmp_path / "out"
    with serve(oracle) as server:
        evaluate(ask(samples, tasks=("query_related",)), samples, out, access=reach(server.url))
        with pytest.raises(InputError, match=r"holds another evaluation \(it differs in tasks, seed\)"):
            evaluate(ask(samples, seed=8), samples, out, access=reach(server.url))


def test_half_a_log_is_named(tmp_path, samples, oracle, reach):
    out, grid = tmp_path / "out", ask(samples, tasks=("query_related",))
    with serve(oracle) as server:
        evaluate(grid, samples, out, access=reach(server.url))
        (log,) = (out / LOGS).glob("*.eval")
        log.write_bytes(log.read_bytes()[: log.stat().st_size // 2])
        with pytest.raises(DataError, match="damaged or cut short; delete it"):
            evaluate(grid, samples, out, access=reach(server.url))
        log.unlink()
        results = evaluate(grid, samples, out, access=reach(server.url))
        assert len(server.requests) == len(samples)
    assert results.error is None


def test_progress_counts_every_sample_once(tmp_path, samples, oracle, reach):
    told = []
    with serve(oracle) as server:
        evaluate(
            ask(samples, tasks=("query_related",)),
            samples,
            tmp_path / "out",
            access=reach(server.url),
            on_change=lambda meter: told.append((meter.done, meter.total, meter.usage.reply_tokens)),
        )
    n = len(samples)
    assert told == [(done, n, 4 * done) for done in range(1, n + 1)]


def test_systems_and_models_stand_in_one_grid(tmp_path, samples, oracle, reach):
    with serve(oracle) as server:
        grid = ask(samples, systems=("rules@0",), models=("small",), tasks=("pii_detection",))
        results = evaluate(grid, samples, tmp_path / "out", access=reach(server.url))
    assert [folder.run.label for folder in results.runs] == ["rules", "small"]


def test_a_system_that_fails_on_a_sample_is_told_without_its_text(tmp_path, samples, monkeypatch):
    async def detect(self, description):
        if description == samples[3].description:
            raise ValueError(description)
        return ()

    monkeypatch.setattr(Rules, "detect", detect)
    grid = ask(samples, systems=("rules@0",), models=(), tasks=("pii_detection",))
    results = evaluate(grid, samples, tmp_path / "out", access=Access())
    assert str(results.error) == f'system rules failed on sample "{samples[3].id}": ValueError'
    assert (results.runs[0].run.n, results.runs[0].run.failed) == (len(samples) - 1, 1)


def test_two_evaluations_do_not_write_one_folder(tmp_path, samples, oracle, reach):
    out, grid, second = tmp_path / "out", ask(samples, tasks=("query_related",)), []

    def intrude(_):
        if not second:
            with pytest.raises(InputError) as caught:
                evaluate(grid, samples, out, access=reach(find_dead_address()))
            second.append(str(caught.value))

    with serve(oracle) as server:
        evaluate(grid, samples, out, access=reach(server.url), on_change=intrude)
    assert second == ["out: another evaluate is at work in this folder; wait for it, or choose another --out"]


@pytest.mark.parametrize("name", ["C#", "a?b", "x%20y"])
def test_a_folder_whose_logs_could_not_be_read_is_refused(tmp_path, samples, name):
    grid = Grid(tasks=("pii_detection",), systems=("rules@x",), data="x", n=1)
    with pytest.raises(InputError, match="choose another folder"):
        evaluate(grid, samples[:1], tmp_path / name / "out", access=Access())
    assert not (tmp_path / name).exists()
