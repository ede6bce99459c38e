from __future__ import annotations

import pytest

from piibench.metrics.signature import Signature, create_signature, digest, hash_digests


def test_line():
    signature = Signature("single", "3f2c", "encoder@9ab1", "-", 7, "0.1.0")
    expected = "strict_f1 0.893 | subset:single@3f2c | system:encoder@9ab1 | strategy:- | seed:7 | v0.1.0"
    assert signature.sign("strict_f1", 0.8931) == expected


def test_hash_knows_content_but_not_order_or_notes(make_sample):
    def hash_samples(*samples):
        return hash_digests(map(digest, samples))

    one, two = make_sample("s1"), make_sample("s2")
    known = hash_samples(one, two)
    assert len(known) == 8
    assert int(known, 16) >= 0
    assert hash_samples(two, one) == known
    assert hash_samples(make_sample("s1", meta={"seed": 3}, subset="mine"), two) == known
    assert hash_samples(make_sample("s1", query="Another?"), two) != known
    assert hash_samples(make_sample("s1", relevant=("e1",)), two) != known
    assert hash_samples(make_sample("s1", entities=(), relevant=()), two) != known
    assert hash_samples(make_sample("s3"), two) != known
    assert hash_samples(one) != known


def test_half_of_a_surrogate_pair_can_be_hashed(make_sample):
    assert digest(make_sample(query="\ud800")) != digest(make_sample(query="\ud801"))


RULES = {"name": "rules", "fingerprint": "9ab1"}


@pytest.mark.parametrize(
    ("metas", "system"),
    [
        ([], "-"),
        ([{}], "-"),
        ([{"system": 3}], "-"),
        ([{"system": {"fingerprint": "9ab1"}}], "-"),
        ([{"system": RULES}, {"system": RULES}], "rules@9ab1"),
        ([{"system": {"name": "rules"}}], "rules"),
        ([{"system": "rules"}], "rules"),
        ([{"system": RULES}, {"system": {**RULES, "fingerprint": "77aa"}}], "mixed"),
        ([{"system": RULES}, {}], "mixed"),
    ],
)
def test_system_comes_from_the_predictions(make_sample, answer, metas, system):
    sample = make_sample()
    predictions = [answer(sample, meta=meta) for meta in metas]
    assert create_signature("single", [digest(sample)], predictions, seed=7).system == system


@pytest.mark.parametrize(
    ("meta", "strategy"), [({}, "-"), ({"strategy": "self_cot"}, "self_cot"), ({"strategy": None}, "-")]
)
def test_strategy_comes_from_the_predictions(make_sample, answer, meta, strategy):
    sample = make_sample()
    assert (
        create_signature("single", [digest(sample)], [answer(sample, meta=meta)], seed=7).strategy == strategy
    )
