"""A whole evaluation, analysed."""

from __future__ import annotations

import json

import pytest

from evaluations import write_evaluation
from piibench.analysis.errors import count_errors
from piibench.analysis.summary import Evaluation, compare_evaluations
from piibench.analysis.tally import ErrorKind
from piibench.data.runs import Run, SampleScores, read_data, read_runs, write_data, write_run
from piibench.data.schema import Sample


@pytest.fixture(scope="module")
def read(evaluation):
    def make(*subsets: str) -> Evaluation:
        return Evaluation(tuple(read_data(evaluation)), read_runs(evaluation), subsets)

    return make


def test_each_run_has_its_headline_and_its_errors(read) -> None:
    whole = read()
    found = tuple(whole.analyze(resamples=20))
    assert [(each.run.task, each.name) for each in found] == [
        (task, name)
        for task in ("pii_detection", "query_related", "query_unrelated_masking")
        for name in ("openai/gpt-4o naive", "rules")
    ]
    assert [profile.metric for each in found for profile in each.profiles] == [
        "strict_f1", "strict_f1", "query_f1", "query_f1", "mask_f1", "mask_f1",
    ]  # fmt: skip
    for analysis in found:
        [profile] = analysis.profiles
        assert {name: sum(each.n for each in bins) for name, bins in profile.bins.items()} == dict.fromkeys(
            ("subjects", "entities", "characters", "relevant"), len(whole.samples)
        )
    silent, listing = found[0].errors, found[2].errors
    assert set(silent.by_kind) == {ErrorKind.MISSED}
    assert set(listing.by_kind) == {ErrorKind.OVER_MASKED}
    json.dumps([each.to_dict() for each in found], allow_nan=False)


def test_errors_agree_with_the_counts_that_are_written_beside_them(read) -> None:
    whole = read()
    counted = {"pii_detection": "strict", "query_related": "query", "query_unrelated_masking": "mask"}
    for folder, analysis in zip(whole.runs, whole.analyze(resamples=1), strict=True):
        right, found, there = map(
            sum, zip(*(each.counts[counted[folder.run.task]] for each in folder.scores()), strict=True)
        )
        errors = analysis.errors
        assert (errors.right, errors.found, sum(errors.there.values())) == (right, found, there)


def test_metrics_can_be_chosen_and_are_those_that_a_run_has(read) -> None:
    found = tuple(read().analyze(metrics=("ent_f1", "kept"), resamples=1))
    assert [[profile.metric for profile in each.profiles] for each in found] == [
        ["ent_f1"], ["ent_f1"], [], [], [], ["kept"],
    ]  # fmt: skip


def test_only_the_chosen_subsets_count(read) -> None:
    part, whole = read("single"), read()
    chosen = [sample for sample in whole.samples if sample.subset == "single"]
    assert 0 < len(chosen) < len(whole.samples)
    for folder, analysis in zip(part.runs, part.analyze(resamples=1), strict=True):
        assert analysis.profiles[0].effects.n == len(chosen)
        ids = {sample.id for sample in chosen}
        preds = [pred for pred in folder.predictions() if pred.id in ids]
        assert analysis.errors == count_errors(folder.run.task, chosen, preds)


def test_an_evaluation_agrees_with_itself(read) -> None:
    agreements = compare_evaluations(read(), read())
    assert list(agreements) == ["pii_detection", "query_related", "query_unrelated_masking"]
    for agreement in agreements.values():
        assert agreement.consistency == 1
        assert agreement.difference == 0
        assert agreement.unmatched == ()
    assert agreements["pii_detection"].ranks.rho == pytest.approx(1)
    assert len(agreements["pii_detection"].pairings) == 6


def test_a_score_of_one_task_compares_that_task_alone(read) -> None:
    assert list(compare_evaluations(read(), read(), metrics=("ent_f1",))) == ["pii_detection"]
    assert compare_evaluations(read(), read(), metrics=("nonesuch",)) == {}


def test_a_subset_is_compared_with_other_data(read, tmp_path) -> None:
    part = read("single")
    real = write_evaluation(tmp_path, part.samples[:3])
    agreement = compare_evaluations(part, Evaluation(part.samples[:3], read_runs(real)))["query_related"]
    first = dict(zip(("openai/gpt-4o naive", "rules"), part.average("query_related"), strict=True))
    for pairing in agreement.pairings:
        assert pairing.first == first[pairing.label].means["query_f1"]


def test_other_systems_cannot_be_compared(read, tmp_path) -> None:
    write_data(tmp_path, [])
    run = Run(task="query_related", system="stub", n=1, data="x", version="0")
    write_run(tmp_path, run, [], [SampleScores(id="s", subset="real", scores={"query_f1": 1.0})])
    compared = compare_evaluations(read(), Evaluation((), read_runs(tmp_path)))
    assert not any(agreement.pairings for agreement in compared.values())
    assert "stub" in compared["query_related"].unmatched


def test_the_arms_of_a_tradeoff_are_looked_at_one_by_one(tmp_path) -> None:
    samples = [Sample(id=f"s{n}", subset="single", description="Ann" + "." * n) for n in range(4)]
    run = Run(task="tradeoff", system="gold", roles={"judge": "openai/gpt-4o"}, n=4, data="x", version="0")
    scores = [
        SampleScores(id=sample.id, subset="single", arm=arm, scores={"balanced": value})
        for sample in samples
        for arm, value in (("none", 0.5), ("all", 0.75))
    ]
    write_run(tmp_path, run, [], scores)
    whole = Evaluation(samples, read_runs(tmp_path))
    [analysis] = whole.analyze(resamples=1)
    assert [(each.arm, each.bins["subjects"][0].mean) for each in analysis.profiles] == [
        ("none", 0.5),
        ("all", 0.75),
    ]
    assert analysis.errors is None
    assert [each.label for each in whole.average("tradeoff")] == [
        "gold none",
        "gold all",
    ]


def test_a_runs_name_does_not_depend_on_the_data_or_the_version() -> None:
    run = Run(task="query_related", system="rules@9ab1", candidates="gold", n=1, data="x", version="0")
    assert run.describe() == "rules from gold"
    assert run.describe(", ") == "rules, from gold"
    assert run.model_copy(update={"system": "rules@77", "data": "y"}).describe() == run.describe()


def test_roles_are_named_where_they_tell_runs_apart() -> None:
    run = Run(task="tradeoff", system="llm", model="m", roles={"judge": "a"}, n=1, data="x", version="0")
    other = run.model_copy(update={"roles": {"judge": "b"}})
    assert run.describe(among=[run]) == "m"
    assert [each.describe(among=[run, other]) for each in (run, other)] == ["m a", "m b"]
