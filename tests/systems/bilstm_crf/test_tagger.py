"""Long texts in chunks, and the errors of a folder that holds no model."""

from __future__ import annotations

import io

import numpy as np
import pytest

from piibench.data.mentions import widen
from piibench.data.taxonomy import Category
from piibench.errors import InputError
from piibench.systems.bilstm_crf import tagger
from piibench.systems.bilstm_crf.tagger import (
    NETWORK,
    TOGETHER,
    TRANSITIONS,
    VOCABULARY,
    Tagger,
    load_tagger,
    score_words,
)
from piibench.systems.bilstm_crf.viterbi import CATEGORIES, TAGS, Transitions
from piibench.systems.bilstm_crf.words import WIDTH, Vocabulary
from piibench.systems.weights import write_checked

FREE = Transitions(np.zeros((TAGS, TAGS), np.float32), np.zeros(TAGS, np.float32), np.zeros(TAGS, np.float32))


def echo(features: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Scores that repeat each word's number, and nonsense behind a chunk's end."""
    scores = np.repeat(features[..., :1], TAGS, axis=2).astype(np.float32)
    for row, length in enumerate(lengths):
        scores[row, length:] = -1
    return scores


def mark_ann(features: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Word 1 begins a nickname, any other word is outside."""
    scores = np.zeros((*features.shape[:2], TAGS), np.float32)
    scores[..., 1 + 2 * CATEGORIES.index(Category.NICKNAME)] = 2.0 * (features[..., 0] == 1) - 1
    return scores


def mark_all(features: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Each known word begins a nickname, any other is outside."""
    return mark_ann((features > 0).astype(np.int64), lengths)


@pytest.mark.parametrize("count", [0, 1, WIDTH, WIDTH + 1, 3 * WIDTH, (TOGETHER + 2) * WIDTH])
def test_chunks_are_put_together_in_order(count: int) -> None:
    features = np.zeros((count, 4), np.int64)
    features[:, 0] = np.arange(count)
    assert score_words(features, echo)[:, 0].tolist() == list(range(count))


def test_values_are_found_at_their_places() -> None:
    text = "Dear Ann, 🙂 ann\nbye " * 200
    found = Tagger(Vocabulary(["ann"]), mark_ann, FREE.forbid()).find(text)
    assert len(found) == 400
    assert {span.of(text) for span, _ in found} == {"Ann", "ann"}
    assert {category for _, category in found} == {Category.NICKNAME}
    assert Tagger(Vocabulary(["ann"]), mark_ann, FREE).find("") == []


def test_an_accent_by_itself_belongs_to_the_value_beneath() -> None:
    text = "Dear Ann\u0301, Ann\u0301e"
    found = Tagger(Vocabulary(["ann"]), mark_ann, FREE.forbid()).find(text)
    assert [span.of(text) for span, _ in found] == ["Ann\u0301", "Ann\u0301e"]


def test_a_row_of_accents_is_gone_through_once(monkeypatch) -> None:
    """Each accent is a word of its own, and here each a value by itself."""
    widened = []
    monkeypatch.setattr(tagger, "widen", lambda text, span: widened.append(span) or widen(text, span))
    name = "Ann" + 50 * "\u0301"
    text = f"{name} and ann"
    found = Tagger(Vocabulary(["ann", "\u0301"]), mark_all, FREE.forbid()).find(text)
    assert [span.of(text) for span, _ in found] == [name, "ann"]
    assert len(widened) == 2


def test_a_folder_without_a_model_names_the_remedy(tmp_path) -> None:
    with pytest.raises(InputError, match="`piibench train bilstm_crf` makes one"):
        load_tagger(tmp_path)


def test_transitions_of_other_tags_are_refused(tmp_path) -> None:
    table = io.BytesIO()
    np.save(table, np.zeros((5, 3), np.float32))
    write_checked(tmp_path, {NETWORK: b"", VOCABULARY: b"", TRANSITIONS: table.getvalue()}, {})
    with pytest.raises(InputError, match="is of another piibench"):
        load_tagger(tmp_path)
