"""Words with their places and numbers, and chunks that leave no word out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.systems.bilstm_crf.words import (
    BUCKETS,
    OVERLAP,
    SPELLINGS,
    UNKNOWN,
    WIDTH,
    Vocabulary,
    cut,
    normalise,
    split_words,
)


def words_of(text: str) -> list[str]:
    return [match.group() for match in split_words(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Zoë, 34yo", ["Zoë", ",", "34", "yo"]),
        ("₩7,700.50", ["₩", "7", ",", "700", ".", "50"]),
        ("a_b@c.org", ["a", "_", "b", "@", "c", ".", "org"]),
        ("王小明 AB12", ["王", "小", "明", "AB", "12"]),
        (" \n\t", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@given(st.text())
def test_offsets_are_code_points_and_nothing_but_space_is_left_out(text: str) -> None:
    offsets, features = Vocabulary(["the"]).read(text)
    assert len(offsets) == len(features)
    found = "".join(text[start:end] for start, end in offsets.tolist())
    assert found == "".join(text.split())
    assert (features >= 0).all()
    assert (features[:, 1:3] < BUCKETS).all()
    assert (features[:, 3] < SPELLINGS).all()


def test_the_vocabulary_knows_no_case_and_numbers_by_their_length() -> None:
    vocabulary = Vocabulary(["ann", "0000"])
    _, features = vocabulary.read("Ann ANN ann 1987 2024 198 Bo")
    assert features[:, 0].tolist() == [1, 1, 1, 2, 2, UNKNOWN, UNKNOWN]
    assert len(vocabulary) == 3
    assert normalise("9" * 40) == "0" * 12


def test_spelling_tells_case_and_what_stands_before() -> None:
    texts = ("ann", "Ann", "ANN", "A", "anN", "12", "王", "!", " x\nann", " x  ann", " x,ann")
    spellings = [int(Vocabulary([]).read(text).features[-1, 3]) for text in texts]
    assert len(set(spellings)) == len(texts)


def test_endings_and_beginnings_are_shared() -> None:
    _, features = Vocabulary([]).read("Kowalska nowalska KOWAL")
    assert features[0, 2] == features[1, 2] != features[2, 2]
    assert features[0, 1] == features[2, 1] != features[1, 1]


@given(st.integers(0, 5 * WIDTH))
def test_each_word_is_answered_once_and_with_words_around_it(count: int) -> None:
    chunks = list(cut(count))
    assert [word for chunk in chunks for word in range(chunk.first, chunk.last)] == list(range(count))
    for chunk in chunks:
        assert chunk.start <= chunk.first < chunk.last <= chunk.stop <= chunk.start + WIDTH
        assert chunk.start == 0 or chunk.first - chunk.start >= OVERLAP // 2
        assert chunk.stop == count or chunk.stop - chunk.last >= OVERLAP // 2
