"""From marked texts to tags, chunks and batches."""

from __future__ import annotations

import random
from collections import Counter

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

import numpy as np

from piibench.data.mentions import Span
from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.errors import InputError
from piibench.systems.bilstm_crf.viterbi import CATEGORIES, read_places
from piibench.systems.bilstm_crf.words import UNKNOWN, Vocabulary
from piibench.training.bilstm_crf.lessons import (
    LENGTH,
    choose,
    count_words,
    create_vocabulary,
    cut_lesson,
    plan_pass,
    stack,
    teach,
)
from piibench.training.examples import Example, Place

TEXT = "Ann Lee, 34, of Oak Street 5"


def mark(value: str, category: Category, text: str = TEXT) -> Place:
    start = text.index(value)
    return Place(Span(start, start + len(value)), TYPE_OF[category], category)


def example(*places: Place, text: str = TEXT, **more) -> Example:
    return Example("test", "", text, places, **more)


def tags_of(*places: Place) -> list[str]:
    names = ["O", *(f"{mark}-{category}" for category in CATEGORIES for mark in "BI")]
    return [names[tag] for tag in teach(example(*places), Vocabulary([])).tags]


def test_words_are_tagged() -> None:
    tags = tags_of(mark("Ann Lee", Category.FULL_NAME), mark("34", Category.AGE))
    assert tags == ["B-Full Name", "I-Full Name", "O", "B-Age", *["O"] * 5]


def test_of_nested_places_the_outer_stands() -> None:
    tags = tags_of(mark("Oak", Category.LANDMARK), mark("Oak Street 5", Category.STREET_ADDRESS))
    assert tags[-3:] == ["B-Street Address", "I-Street Address", "I-Street Address"]


def test_a_place_within_a_word_takes_the_word() -> None:
    assert tags_of(mark("tree", Category.LANDMARK))[-2:] == ["B-Landmark", "O"]


def test_tags_lead_back_to_the_places() -> None:
    places = (mark("Ann Lee", Category.FULL_NAME), mark("Street 5", Category.STREET_ADDRESS))
    vocabulary = Vocabulary([])
    found = read_places(teach(example(*places), vocabulary).tags, vocabulary.read(TEXT).offsets)
    assert list(found) == [(place.span, place.category) for place in places]


def test_texts_that_say_less_than_all_are_left_out() -> None:
    whole = example(mark("34", Category.AGE))
    vague = example(Place(Span(0, 3), PIIType.PER))
    partial = example(types=frozenset({PIIType.PER}))
    assert choose([whole, vague, partial, example(text=" ")], "train") == [whole]
    with pytest.raises(InputError, match="the dev partition has no text"):
        choose([vague], "dev")


def test_the_vocabulary_holds_frequent_words_first() -> None:
    counts = count_words([example(text="The cat, the dog, THE end 12 34")])
    assert counts == Counter({"the": 3, ",": 2, "00": 2, "cat": 1, "dog": 1, "end": 1})
    assert create_vocabulary(counts, least=2, most=2).words == ("the", ",")
    assert create_vocabulary(counts, least=1, most=9).words == ("the", ",", "00", "cat", "dog", "end")


@pytest.mark.parametrize("shift", [0, 1, LENGTH - 1])
def test_chunks_cover_the_text_and_cut_no_value(shift: int) -> None:
    text = "go Ann Lee Day " * 200
    starts = [place for place in range(len(text)) if text.startswith("Ann", place)]
    places = [Place(Span(start, start + 11), PIIType.PER, Category.FULL_NAME) for start in starts]
    lesson = teach(example(*places, text=text), Vocabulary([]))
    chunks = list(cut_lesson(lesson, shift))
    assert np.concatenate([chunk.tags for chunk in chunks]).tolist() == lesson.tags.tolist()
    assert all(len(chunk.tags) <= LENGTH + 2 for chunk in chunks)
    assert all(chunk.tags[0] == 0 or chunk.tags[0] % 2 == 1 for chunk in chunks)


def test_a_pass_holds_every_word_and_depends_on_the_seed_alone() -> None:
    lessons = [teach(example(text="word " * count), Vocabulary([])) for count in (5, 130, 400)]
    plans = [plan_pass(lessons, random.Random(seed), 2) for seed in (1, 1, 2)]
    shapes = [[[len(chunk.tags) for chunk in batch] for batch in plan] for plan in plans]
    assert sum(map(sum, shapes[0])) == 535
    assert shapes[0] == shapes[1] != shapes[2]


def test_a_batch_is_padded_and_some_words_become_unknown() -> None:
    lessons = [teach(example(text=text), Vocabulary(["a", "b"])) for text in ("a b a b", "b")]
    batch = stack(lessons, np.array([0, 1, 0], np.float32), np.random.default_rng(0))
    assert batch.features[..., 0].tolist() == [[UNKNOWN, 2, UNKNOWN, 2], [2, 0, 0, 0]]
    assert batch.mask.tolist() == [[True] * 4, [True, False, False, False]]
    assert batch.lengths.tolist() == [4, 1]
    assert lessons[0].features[0, 0] == 1
