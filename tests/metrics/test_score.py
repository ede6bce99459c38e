from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from piibench.data.taxonomy import Category, PIIType
from piibench.errors import DataError, InputError
from piibench.metrics.measures import METRICS, POOLED
from piibench.metrics.prf import Counts
from piibench.metrics.score import score

SYSTEM = {"system": {"name": "rules", "fingerprint": "9ab1"}}


@pytest.fixture
def three(make_sample, answer):
    """Two single samples (found all, found one of three) and one multi sample (found nothing)."""
    gold = [make_sample("s1"), make_sample("s2"), make_sample("m1", subset="multi")]
    pred = [
        answer(gold[0], masked="<Nickname>, 34, a nurse in <City/Region>.", meta=SYSTEM),
        answer(gold[1], entities=gold[1].entities[:1], relevant=(), masked=gold[1].description, meta=SYSTEM),
        answer(
            gold[2], entities=(), relevant=(), masked=gold[2].description, meta={**SYSTEM, "flagged": True}
        ),
    ]
    return gold, pred


def test_means_over_samples_and_pooled_counts(three):
    report = score(*three)
    # Strict F1: 1; 2 * 1 / (1 + 3) = 1/2; 0
    assert report.subsets["single"].means["strict_f1"].value == pytest.approx(3 / 4)
    assert report.subsets["multi"].means["strict_f1"].value == 0.0
    assert report.overall.means["strict_f1"].value == pytest.approx(1 / 2)
    # Pooled: 3 + 1 + 0 right, 3 + 1 + 0 predicted, 9 true: F1 = 8/13
    assert report.overall.pooled["strict"].counts == Counts(4, 4, 9)
    assert report.overall.pooled["strict"].counts.f1 == pytest.approx(8 / 13)
    # Privacy over the unrelated (Ann, Oslo): all, none, none
    assert report.overall.means["privacy_unrelated"].value == pytest.approx(1 / 3)
    assert report.overall.means["kept"].value == 1.0


def test_tables_are_in_the_order_of_the_paper(three):
    overall = score(*three).overall
    assert list(overall.by_type) == [PIIType.PER, PIIType.LOC, PIIType.DEM]
    assert list(overall.by_category) == [Category.NICKNAME, Category.CITY_REGION, Category.OCCUPATION]
    assert overall.by_type[PIIType.PER] == (Counts(2, 2, 3), Counts(2, 2, 3), Counts(2, 2, 3))


def test_interval_holds_the_mean(three):
    for mean in score(*three).overall.means.values():
        assert mean.low <= mean.value <= mean.high


def test_samples_of_one_cluster_are_drawn_together(make_sample, answer):
    """Two of a frame alike, two of another, two of none: four clusters in "single", one in "multi"."""
    frames = {"s1": "f", "s2": "g", "s3": "f", "s4": "g", "s5": None, "s6": None, "m1": "f", "m2": "f"}
    gold = [
        make_sample(name, subset="single" if name[0] == "s" else "multi", meta={"frame": frame})
        for name, frame in frames.items()
    ]
    gold.append(make_sample("h1", subset="hard", meta={}))
    right = {"s1", "s3", "m1"}
    pred = [
        answer(sample, **({} if sample.id in right else {"entities": (), "relevant": ()})) for sample in gold
    ]
    report = score(gold, pred, cluster="frame")
    alone = score(gold, pred)
    # Of four clusters drawn f comes at most three times but in one draw of 256: 6 of 7 samples, or none.
    for name, bounds in {"single": (0.0, 6 / 7), "multi": (0.5, 0.5)}.items():
        mean = report.subsets[name].means["strict_f1"]
        assert (mean.low, mean.high) == pytest.approx(bounds)
        assert mean.value == alone.subsets[name].means["strict_f1"].value
        assert report.subsets[name].pooled["strict"].counts == alone.subsets[name].pooled["strict"].counts
    assert alone.subsets["multi"].means["strict_f1"].low == 0.0
    clusters = {
        "hard": "",
        "multi": " | cluster:frame/1",
        "single": " | cluster:frame/4",
        "all": " | cluster:frame/5",
    }
    signed = {line.split("subset:")[1].split("@")[0]: line for line in report.signatures}
    assert signed.keys() == clusters.keys()
    assert all(f" | seed:7{cluster} | v" in signed[name] for name, cluster in clusters.items())
    assert not any("cluster" in line for line in alone.signatures)


def test_samples_of_one_description_can_be_drawn_together(make_sample, answer):
    """The descriptions are equal: there is one cluster, and nothing to draw."""
    gold = [make_sample("s1"), make_sample("s2")]
    pred = [answer(gold[0]), answer(gold[1], entities=(), relevant=())]
    mean = score(gold, pred, cluster="description").overall.means["strict_f1"]
    assert (mean.low, mean.value, mean.high) == (0.5, 0.5, 0.5)


def test_a_field_that_no_sample_has_is_no_cluster(make_sample, answer):
    gold = [make_sample("s1", meta={"frame": "f", "genre": "g"})]
    with pytest.raises(InputError, match=r"no sample has the field by which to cluster"):
        score(gold, [answer(gold[0])], cluster="fraem")


def test_flagged_answers_are_counted(three):
    report = score(*three)
    assert (report.overall.flagged, report.subsets["single"].flagged, report.subsets["multi"].flagged) == (
        1,
        0,
        1,
    )


def test_signatures(three):
    lines = score(*three, seed=11).signatures
    assert [line.split(" | ")[0] for line in lines] == [
        "strict_f1 0.000",
        "strict_f1 0.750",
        "strict_f1 0.500",
    ]
    assert all(" | system:rules@9ab1 | strategy:- | seed:11 | v" in line for line in lines)
    assert lines[1].split(" | ")[1].startswith("subset:single@")


def test_a_score_that_no_sample_has_cannot_be_signed(make_sample, answer):
    sample = make_sample(relevant=None)
    assert score([sample], [answer(sample)]).overall.sign("query_f1") is None


def test_order_of_the_files_changes_nothing(make_sample, answer):
    gold = [make_sample(f"s{number:02}") for number in range(20)]
    pred = [answer(s, entities=s.entities[: n % 4], relevant=()) for n, s in enumerate(gold)]
    report = score(gold, pred, resamples=50)
    assert score(gold[::-1], pred[5:] + pred[:5], resamples=50) == report


def test_report_is_plain_json_without_text(three):
    gold, pred = three
    plain = json.loads(json.dumps(score(gold, pred).to_dict(), allow_nan=False))
    assert list(plain["overall"]["means"]) == list(METRICS)
    assert list(plain["overall"]["pooled"]) == list(POOLED)
    assert plain["subsets"]["single"]["by_type"]["PER"]["strict"] == {
        "precision": 1.0,
        "recall": 1.0,
        "f1": 1.0,
        "tp": 2,
        "pred": 2,
        "gold": 2,
    }
    assert "Ann" not in json.dumps(plain)


def test_a_report_without_relevance_is_json_too(make_sample, answer):
    sample = make_sample(relevant=None)
    plain = score([sample], [answer(sample)]).to_dict()
    assert plain["overall"]["means"]["query_f1"] is None
    assert plain["overall"]["pooled"]["kept"] is None
    json.dumps(plain, allow_nan=False)


def test_no_table_by_category_where_gold_has_only_types(make_sample, answer):
    sample = make_sample()
    bare = make_sample(entities=tuple(e.model_copy(update={"category": None}) for e in sample.entities))
    empty = make_sample("s2", entities=(), relevant=())
    overall = score([bare, empty], [answer(sample), answer(sample, id="s2")]).overall
    assert overall.by_category == {}
    assert overall.means["strict_f1"].value == pytest.approx(1 / 2)


class TestPairing:
    def test_missing_predictions_are_an_error_that_counts_and_names(self, make_sample, answer):
        gold = [make_sample(f"s{number}") for number in range(6)]
        with pytest.raises(DataError, match=r'5 of 6 samples have no prediction \("s1", "s2", "s3" …\)'):
            score(gold, [answer(gold[0])])

    def test_missing_predictions_can_score_as_nothing_found(self, make_sample, answer):
        gold = [make_sample("s1"), make_sample("s2")]
        report = score(gold, [answer(gold[0], masked="")], allow_missing=True)
        assert report.overall.missing == 1
        assert report.overall.means["strict_f1"].value == pytest.approx(1 / 2)
        assert (report.overall.means["query_f1"].value, report.overall.means["query_f1"].n) == (0.5, 2)
        assert report.overall.means["privacy"].n == 1

    @pytest.mark.parametrize(("field", "metric"), [("needed", "query_f1"), ("hidden", "mask_f1")])
    def test_missing_answers_of_a_model_score_as_nothing_named(self, make_sample, answer, field, metric):
        gold = [make_sample("s1"), make_sample("s2")]
        wanted = [
            entity.text
            for entity in gold[0].entities
            if (entity.id in gold[0].relevant) == (field == "needed")
        ]
        named = answer(gold[0], entities=(), relevant=None).model_copy(update={field: tuple(wanted)})
        found = score(gold, [named], allow_missing=True).overall.means[metric]
        assert (found.value, found.n) == (0.5, 2)

    def test_missing_predictions_of_a_system_that_does_not_select_have_no_query_score(
        self, make_sample, answer
    ):
        gold = [make_sample("s1"), make_sample("s2")]
        report = score(gold, [answer(gold[0], relevant=None)], allow_missing=True)
        assert report.overall.means["query_f1"] is None

    def test_nothing_to_score(self):
        with pytest.raises(DataError, match="no gold sample"):
            score([], [])

    @pytest.mark.parametrize("kind", ["sample", "prediction"])
    def test_duplicates(self, make_sample, answer, kind):
        sample = make_sample("s1")
        gold, pred = [sample], [answer(sample)]
        with pytest.raises(DataError, match=f'{kind} "s1" occurs twice'):
            score(gold * (1 + (kind == "sample")), pred * (1 + (kind == "prediction")))

    def test_unknown_prediction(self, make_sample, answer):
        sample = make_sample("s1")
        with pytest.raises(DataError, match=r'1 of 2 predictions belong to no gold sample \("s9"\)'):
            score([sample], [answer(sample), answer(sample, id="s9")])

    @pytest.mark.parametrize("seed", range(9))
    def test_where_no_draw_holds_the_one_sample_with_a_score_its_interval_is_its_value(
        self, make_sample, answer, seed
    ):
        samples = [make_sample(f"s{number}").model_copy(update={"relevant": None}) for number in range(9)]
        samples[0] = make_sample("s0")
        report = score(samples, [answer(one) for one in samples], resamples=1, seed=seed)
        for mean in report.overall.means.values():
            assert mean is None or mean.low == mean.low
        for pooled in report.overall.pooled.values():
            assert pooled is None or pooled.low == pooled.low

    def test_another_query_is_named_by_id_and_never_shown(self, make_sample, answer):
        sample = make_sample("s1")
        with pytest.raises(DataError, match='"s1" is for another query') as caught:
            score([sample], [answer(sample, query="Which nickname suits Zora?")])
        assert "Zora" not in str(caught.value)

    def test_types_that_are_none_are_refused_by_the_samples_id(self, make_sample, answer):
        sample = make_sample("s1").model_copy(update={"meta": {"labels_types": ["Email"]}})
        with pytest.raises(DataError, match=r"sample s1: meta\.labels_types must be a list of types"):
            score([sample], [answer(sample)])

    def test_another_description_is_named_by_id_and_never_shown(self, make_sample, answer):
        sample = make_sample("s1")
        with pytest.raises(DataError, match='"s1" has another description') as caught:
            score([sample], [answer(sample, description=sample.description + " Bob.")])
        assert "Ann" not in str(caught.value)
        assert "Bob" not in str(caught.value)


@settings(max_examples=30)
@given(data=st.data())
def test_counts_of_subsets_add_up_to_the_whole(any_pair, data):
    drawn = data.draw(st.lists(any_pair, min_size=1, max_size=5, unique_by=lambda pair: pair[0].id))
    report = score([gold for gold, _ in drawn], [pred for _, pred in drawn], resamples=10)
    groups = report.subsets.values()
    assert sum(group.n for group in groups) == report.overall.n == len(drawn)
    for name, whole in report.overall.pooled.items():
        parts = [group.pooled[name].counts for group in groups if group.pooled[name] is not None]
        assert sum(parts, Counts()) == (whole.counts if whole else Counts())
    for name, whole in report.overall.means.items():
        parts = [group.means[name] for group in groups if group.means[name] is not None]
        if whole:
            total = sum(part.value * part.n for part in parts)
            assert total / sum(part.n for part in parts) == pytest.approx(whole.value)
    for label, row in report.overall.by_type.items():
        assert row.strict == sum((g.by_type[label].strict for g in groups if label in g.by_type), Counts())


def test_the_size_of_the_benchmark_takes_seconds(make_sample, answer):
    gold = [make_sample(f"s{number:04}") for number in range(2842)]
    pred = [answer(sample, entities=sample.entities[:2], masked="Ann") for sample in gold]
    start = time.process_time()
    score(gold, pred)
    assert time.process_time() - start < 5


def test_types_that_a_source_does_not_label_count_neither_way(make_sample, answer):
    sample = make_sample()
    assert len({entity.type for entity in sample.entities}) > 1
    labelled = sample.entities[0].type
    partial = sample.model_copy(
        update={
            "entities": tuple(entity for entity in sample.entities if entity.type is labelled),
            "relevant": None,
            "meta": {"labels_types": [str(labelled)]},
        }
    )
    full = answer(sample)
    assert score([partial], [full], resamples=10).overall.means["ent_f1"].value == 1
    open_ended = partial.model_copy(update={"meta": {}})
    assert score([open_ended], [full], resamples=10).overall.means["ent_f1"].value < 1
