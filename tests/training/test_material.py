"""Which texts a pass has, and which no pass ever has."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.files import write_records
from piibench.data.mentions import Span
from piibench.data.schema import Entity, Sample
from piibench.data.taxonomy import PIIType
from piibench.errors import DataError
from piibench.training import material
from piibench.training.examples import Example, Place
from piibench.training.material import (
    HELD_OUT_USERS,
    PASSES_FOR_ALL,
    PUBLIC,
    QUERIES_A_PASS,
    SYNTHETIC,
    Material,
    Own,
    gather,
    is_trained_on,
    read_held_out,
)


def texts(*names: str) -> list[Example]:
    return [Example(name[0], "", name, ()) for name in names]


def names(examples: list[Example]) -> list[str]:
    return [example.text for example in examples]


def test_every_pass_takes_the_next_new_texts_and_begins_again_behind_the_last():
    made = Material([], {"a": (texts("a0", "a1", "a2", "a3", "a4"), 2), "b": (texts("b0"), 3)})
    # Pass n begins with text 2n of the five: 0 1, 2 3, 4 0; of the single text of b no pass has more than one.
    assert names(made.for_pass(0)) == ["a0", "a1", "b0"]
    assert names(made.for_pass(1)) == ["a2", "a3", "b0"]
    assert names(made.for_pass(2)) == ["a4", "a0", "b0"]


def test_every_pass_takes_the_next_two_queries_of_each_text():
    five, single, six = (
        texts("q0", "q1", "q2", "q3", "q4"),
        texts("r0"),
        texts("s0", "s1", "s2", "s3", "s4", "s5"),
    )
    made = Material([five, single, six], {})
    # Pass n begins with query 2n of the five, and of the six; of the single one no pass has more than one.
    assert QUERIES_A_PASS == 2
    assert names(made.for_pass(0)) == ["q0", "q1", "r0", "s0", "s1"]
    assert names(made.for_pass(1)) == ["q2", "q3", "r0", "s2", "s3"]
    assert names(made.for_pass(2)) == ["q4", "q0", "r0", "s4", "s5"]
    assert names(made.for_pass(3)) == ["q1", "q2", "r0", "s0", "s1"]


def test_a_text_with_many_queries_comes_with_a_third_of_them():
    ten = texts(*(f"q{number}" for number in range(10)))
    made = Material([ten, texts(*(f"r{number}" for number in range(7)))], {})
    assert names(made.for_pass(0)) == ["q0", "q1", "q2", "q3", "r0", "r1", "r2"]
    assert names(made.for_pass(2)) == ["q8", "q9", "q0", "q1", "r6", "r0", "r1"]


@given(st.integers(1, 20), st.integers(0, 50))
def test_within_a_round_every_query_comes(count, start):
    made = Material([texts(*(f"q{number}" for number in range(count)))], {})
    passes = range(start, start + min(PASSES_FOR_ALL, -(-count // QUERIES_A_PASS)))
    seen = [name for number in passes for name in names(made.for_pass(number))]
    assert set(seen) == {f"q{number}" for number in range(count)}
    assert all(seen.count(name) <= 2 for name in seen)


def test_of_rehearsed_texts_every_pass_takes_the_next_ones_and_of_each_its_next_queries():
    rehearsed = [texts("q0", "q1", "q2"), texts("r0"), texts("s0", "s1", "s2", "s3")]
    made = Material([texts("own")], {}, rehearsed, 2)
    # Pass n begins with text 2n of the three; what comes for the second time comes with its next queries.
    assert names(made.for_pass(0)) == ["own", "q0", "q1", "r0"]
    assert names(made.for_pass(1)) == ["own", "s0", "s1", "q2", "q0"]
    assert names(made.for_pass(2)) == ["own", "r0", "s2", "s3"]
    assert names(Material([texts("own")], {}, rehearsed).for_pass(0)) == ["own"]


def test_the_counts_are_those_of_all_texts():
    made = Material([texts("q0", "q1"), texts("q2")], {"a": (texts("a0", "a1", "a2"), 2)})
    assert made.counts == {"q": 3, "a": 3}
    assert names(made.examples) == ["q0", "q1", "q2", "a0", "a1", "a2"]
    assert names(Material([texts("q0")], {}, [texts("r0", "r1")], 1).examples) == ["q0", "r0", "r1"]


def test_the_fingerprint_tells_texts_order_and_numbers():
    rehearsed = [texts("r0"), texts("r1")]
    made = Material([texts("q0"), texts("q1")], {"a": (texts("a0", "a1"), 1)}, rehearsed, 1)
    others = (
        replace(made, asked=[texts("q0"), texts("q2")]),
        replace(made, asked=[texts("q1"), texts("q0")]),
        replace(made, fresh={"a": (texts("a0", "a1"), 2)}),
        replace(made, rehearsed=[]),
        replace(made, rehearsal=2),
    )
    labels = [
        Place(Span(0, 1)),
        Place(Span(0, 2)),
        Place(Span(0, 1), PIIType.PER),
        Place(Span(0, 1), subject="A"),
        Place(Span(0, 1), needed=True),
    ]
    (plain,) = texts("q1")
    others += tuple(replace(made, asked=[texts("q0"), [replace(plain, places=(label,))]]) for label in labels)
    assert made.fingerprint == replace(made).fingerprint
    assert len({made.fingerprint, *(other.fingerprint for other in others)}) == 1 + len(others)


def test_a_lone_surrogate_has_a_fingerprint():
    assert Material([texts("\ud800")], {}).fingerprint != Material([texts("\udfff")], {}).fingerprint


def make_sample(subset: str, number: int) -> Sample:
    entity = Entity(
        id="e1", subject="A", text="Leeds", type="LOC", category="City/Region", mentions=((0, 5),)
    )
    return Sample(
        id=f"{subset}-{number}",
        subset=subset,
        description="Leeds",
        query="?",
        entities=(entity,),
        relevant=("e1",),
    )


@pytest.fixture
def synthetic(tmp_path: Path) -> Path:
    for subset in SYNTHETIC:
        write_records(tmp_path / f"{subset}.jsonl.gz", [make_sample(subset, number) for number in range(3)])
    return tmp_path


def write_lines(path: Path, records: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{json.dumps(record)}\n" for record in records).encode()
    path.write_bytes(gzip.compress(lines) if path.suffix == ".gz" else lines)


def span(text: str, value: str, kind: str, **known: Any) -> dict[str, Any]:
    start = text.index(value)
    return {"start": start, "end": start + len(value), "text": value, "type": kind, "label": kind, **known}


@pytest.fixture
def public(tmp_path: Path) -> Path:
    folder = tmp_path / "public"
    life, city = "Uma went to Leeds.", "Uma, of Leeds"
    users = [*HELD_OUT_USERS, "somebody", "another"]
    write_lines(
        folder / material.LIFEBENCH,
        [{"query": "?", "text": life, "user": user, "spans": [span(life, "Uma", "PER")]} for user in users],
    )
    write_lines(
        folder / material.PRESIDIO,
        [
            {"text": city, "template_id": number, "spans": [span(city, "Uma", "PERSON")]}
            for number in range(5)
        ],
    )
    task = {"query": "?", "text": city, "spans": [span(city, "Leeds", "city", relevant=True)]}
    write_lines(folder / material.CI_RL, [task, task | {"spans": []}])
    return folder


@pytest.fixture
def no_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two texts with two queries each."""

    def read_corpus(part: str) -> list[Sample]:
        return [
            make_sample(part, number).model_copy(
                update={"description": f"Leeds {number // 2}", "query": f"{number}?"}
            )
            for number in range(4)
        ]

    monkeypatch.setattr(material, "read_corpus", read_corpus)


@pytest.mark.usefixtures("no_corpus")
class TestGather:
    def test_everything_is_read_and_what_is_held_out_is_not(self, synthetic, public):
        made = gather(synthetic, public, seed=7)
        assert made.counts == {
            "corpus": 4,
            **{f"synthetic-{subset}": 3 for subset in SYNTHETIC},
            "lifebench-pii": 2,  # two of the four users are held out
            "presidio-research": 3,  # templates 0, 2, 4
            "ci-rl": 1,  # the other marks nothing
        }

    def test_the_queries_of_a_text_stand_together(self, synthetic):
        asked = gather(synthetic, None, seed=7).asked
        assert [sorted((example.text, example.query) for example in same) for same in asked] == [
            [("Leeds 0", "0?"), ("Leeds 0", "1?")],
            [("Leeds 1", "2?"), ("Leeds 1", "3?")],
        ]

    def test_a_seed_begins_with_other_queries_and_other_public_texts(self, synthetic, public):
        """A short run takes the first two queries of a text, and the first of the public texts."""
        three = [f"Uma of house {number}" for number in range(3)]
        write_lines(
            public / material.PRESIDIO,
            [{"text": text, "template_id": 0, "spans": [span(text, "Uma", "PERSON")]} for text in three],
        )
        runs = [gather(synthetic, public, seed=seed) for seed in range(20)]
        assert {made.asked[0][0].query for made in runs} == {"0?", "1?"}
        assert {made.fresh["presidio-research"][0][0].text for made in runs} == set(three)
        assert runs[3] == gather(synthetic, public, seed=3)

    def test_each_source_says_what_it_labels(self, synthetic, public):
        types = {example.source: example.types for example in gather(synthetic, public, seed=7).examples}
        assert types["corpus"] == types["synthetic-hard"] == set(PIIType)
        assert types["lifebench-pii"] == {PIIType.PER, PIIType.CODE, PIIType.ORG}
        assert types["presidio-research"] == set(PIIType) - {PIIType.DEM, PIIType.QUANTITY}
        assert types["ci-rl"] == set()

    def test_only_the_corpus_exchanges_values(self, synthetic, public):
        assert {
            example.source for example in gather(synthetic, public, seed=7).examples if example.swappable
        } == {"corpus"}

    def test_without_the_public_data(self, synthetic):
        assert set(gather(synthetic, None, seed=7).counts) == {
            "corpus",
            *(f"synthetic-{subset}" for subset in SYNTHETIC),
        }

    def test_a_share_takes_less_and_always_the_same(self, synthetic, public):
        half = gather(synthetic, public, seed=7, share=0.5)
        # There are 2 texts of the corpus; of each other source it is half of the number for one pass.
        assert len(half.asked) == 1
        assert {name: count for name, (_, count) in half.fresh.items()} == {
            **{f"synthetic-{subset}": count / 2 for subset, count in SYNTHETIC.items()},
            **{name: count / 2 for name, count in PUBLIC.items()},
        }
        assert half == gather(synthetic, public, seed=7, share=0.5)
        assert half.asked == gather(synthetic, None, seed=7, share=0.5).asked

    def test_own_texts_are_all_taken_and_of_the_others_a_share(self, synthetic):
        """Of the two of the corpus one is among them, with another query; half of what is left rounds to 0."""
        own = [
            make_sample("own", 0),
            make_sample("own", 2).model_copy(update={"description": "Leeds 1"}),
            make_sample("own", 1).model_copy(update={"query": "else?"}),  # of the first text
        ]
        whole, half = (gather(synthetic, None, Own(own, share), seed=7) for share in (1, 0.5))
        for made in (whole, half):
            assert [sorted(example.query for example in same) for same in made.asked] == [
                ["?", "else?"],
                ["?"],
            ]
            assert [same[0].text for same in made.rehearsed] == ["Leeds 0"]
        assert (whole.rehearsal, half.rehearsal) == (1, 0)
        assert not gather(synthetic, None, seed=7).rehearsed

    def test_an_absent_file_is_named(self, synthetic, public):
        (synthetic / "hard.jsonl.gz").unlink()
        with pytest.raises(DataError, match=r"hard\.jsonl\.gz: no such file"):
            gather(synthetic, public, seed=7)

    def test_an_absent_public_file_is_named(self, synthetic, public):
        (public / material.CI_RL).unlink()
        with pytest.raises(DataError, match=r"train\.jsonl: no such file"):
            gather(synthetic, public, seed=7)

    def test_a_malformed_task_is_named_by_its_line(self, synthetic, public):
        write_lines(
            public / material.CI_RL, [{"query": "?", "text": "Uma of Leeds", "spans": [{"start": 0}]}]
        )
        with pytest.raises(DataError, match=r"train\.jsonl, line 1: needs text, query"):
            gather(synthetic, public, seed=7)


def test_templates_are_split_in_halves():
    sample = make_sample("presidio", 1)
    halves = [
        is_trained_on(sample.model_copy(update={"meta": {"template_id": number}})) for number in range(4)
    ]
    assert halves == [True, False, True, False]


def test_a_sample_without_a_template_is_refused():
    with pytest.raises(DataError, match="template_id must be a whole number"):
        is_trained_on(make_sample("presidio", 1))


def test_the_public_data_as_they_lie(shared_data: Path, synthetic: Path):
    made = gather(synthetic, shared_data, seed=7)
    assert made.counts["ci-rl"] == 497  # three of the 500 mark nothing
    assert made.counts["lifebench-pii"] > 1000
    assert made.counts["presidio-research"] > 500
    assert made.counts["corpus"] > 3000
    assert len({same[0].text for same in made.asked}) == len(made.asked)
    assert all(len({example.text for example in same}) == 1 for same in made.asked)


@pytest.mark.parametrize(("share", "from_texts", "each"), [(1.0, 1315, 312), (0.03, 40, 9)])
def test_what_is_chosen_on_has_texts_of_all_kinds_and_all_subsets(monkeypatch, share, from_texts, each):
    """Of 312 texts with 1,315 queries, and of subsets that have more samples than that."""
    monkeypatch.setattr(material, "read_samples", lambda path: repeat(path.name))
    held_out = list(read_held_out(Path("dev"), share))
    kinds = {sample.id.partition("-")[0] for sample in held_out[:from_texts]}
    assert kinds == {"lexicon", "prompts", "reports", "snippets", "unseen"}
    assert Counter(held_out[from_texts:]) == {
        f"{subset}.jsonl.gz": each for subset in ("single", "multi", "hard", "distract")
    }
