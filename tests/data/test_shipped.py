"""The shipped records: well formed, exactly labelled, fictional."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from piibench.data.mentions import find_occurrences
from piibench.data.outcomes import Replacement
from piibench.data.shipped import fill_answer, load_demos, load_shipped
from piibench.data.taxonomy import Category, PIIType

ALL = [*load_shipped(), *load_demos()]
SLOT = re.compile(r"\{(\w+)\}")


def test_the_shipped_set_mixes_the_subsets():
    assert Counter(sample.subset for sample in load_shipped()) == {
        "single": 10,
        "multi": 9,
        "hard": 3,
        "distract": 2,
    }


def test_ids_are_numbered():
    assert [sample.id for sample in load_shipped()] == [f"shipped-{n:03d}" for n in range(1, 25)]


def test_all_55_categories_occur():
    assert {entity.category for sample in load_shipped() for entity in sample.entities} == set(Category)


def test_no_two_descriptions_begin_alike():
    assert len({sample.description[:12] for sample in ALL}) == len(ALL)


@pytest.mark.parametrize("sample", ALL, ids=lambda sample: sample.id)
class TestEachRecord:
    def test_every_occurrence_of_a_value_is_labelled(self, sample):
        covered = [span for entity in sample.entities for span in entity.mentions]
        for entity in sample.entities:
            for place in find_occurrences(sample.description, entity.text):
                assert any(span.contains(place) for span in covered), f"{entity.id} at {place.start}"

    def test_relevant_is_minimal_in_size_and_holds_no_name(self, sample):
        limits = {"single": (1, 3), "multi": (1, 4), "hard": (2, 4), "distract": (4, 8)}
        low, high = limits[sample.subset]
        assert low <= len(sample.relevant) <= high
        assert all(entity.type is not PIIType.PER for entity in sample.relevant_entities)

    def test_spans_are_minimal(self, sample):
        for entity in sample.entities:
            assert entity.text == entity.text.strip(" ,;:")
            assert not re.match(r"(?i)(dr|mrs?|ms|prof)\b\.? ", entity.text)
            if entity.category is Category.AGE:
                assert entity.text.isdecimal()

    def test_the_query_repeats_no_value_that_it_needs(self, sample):
        for entity in sample.relevant_entities:
            assert not list(find_occurrences(sample.query.casefold(), entity.text.casefold()))

    def test_addresses_on_the_network_are_reserved(self, sample):
        for entity in sample.entities:
            if entity.category is Category.EMAIL_ADDRESS:
                assert entity.text.endswith(("@example.com", "@example.org"))
            if entity.category is Category.IP_ADDRESS:
                assert entity.text.startswith(("192.0.2.", "198.51.100.", "2001:db8:"))
            if entity.category is Category.PHONE_NUMBER:
                assert re.search(r"555[- ]01\d\d$", entity.text)


@pytest.mark.parametrize("demo", load_demos(), ids=lambda demo: demo.id)
class TestDemos:
    def test_a_title_and_hidden_entities_in_the_answer(self, demo):
        hidden = {entity.id for entity in demo.unrelated_entities}
        slots = SLOT.findall(demo.meta["answer"])
        assert demo.meta["title"]
        assert len(slots) >= 3
        assert set(slots) <= hidden

    def test_the_answer_is_filled_with_placeholders(self, demo):
        replacements = [
            Replacement("description", span, f"<{entity.label} {entity.id}>", f"found-{entity.id}")
            for entity in demo.entities
            for span in entity.mentions
        ]
        filled = fill_answer(demo, replacements)
        by_id = {entity.id: entity for entity in demo.entities}
        for slot in SLOT.findall(demo.meta["answer"]):
            assert f"<{by_id[slot].label} {slot}>" in filled
        assert "{" not in filled

    def test_what_was_not_masked_stands_in_the_answer_itself(self, demo):
        filled = fill_answer(demo, [])
        first = SLOT.search(demo.meta["answer"])[1]
        assert next(entity.text for entity in demo.entities if entity.id == first) in filled


def test_at_least_one_demo_has_several_subjects():
    assert any(len(demo.subjects) > 1 for demo in load_demos())
    assert len(load_demos()) == 3
