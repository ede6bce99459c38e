"""The system around the tagger: whose a value is, and that nothing is kept."""

from __future__ import annotations

import asyncio
from multiprocessing import current_process

import numpy as np
import pytest

from piibench.data.schema import Prompt
from piibench.data.taxonomy import Category
from piibench.errors import InputError
from piibench.systems import bilstm_crf, weights
from piibench.systems.base import System
from piibench.systems.bilstm_crf.tagger import Tagger
from piibench.systems.bilstm_crf.viterbi import CATEGORIES, TAGS, Transitions
from piibench.systems.bilstm_crf.words import Vocabulary


def mark(features: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Words 1 and 2 are names, word 3 is an age, the others nothing."""
    scores = np.zeros((*features.shape[:2], TAGS), np.float32)
    name, age = (1 + 2 * CATEGORIES.index(one) for one in (Category.NICKNAME, Category.AGE))
    words = features[..., 0]
    scores[..., 0] = 1
    scores[..., name] = 3 * np.isin(words, (1, 2))
    scores[..., age] = 3 * (words == 3)
    return scores


@pytest.fixture
def system(monkeypatch):
    zeros = np.zeros(TAGS, np.float32)
    transitions = Transitions(np.zeros((TAGS, TAGS), np.float32), zeros, zeros).forbid()
    tagger = Tagger(Vocabulary(["ann", "bo", "00"]), mark, transitions, "abcd")
    monkeypatch.setattr(bilstm_crf, "load_tagger", lambda folder, threads: tagger)
    return bilstm_crf.create_bilstm_crf(weights="folder")


def test_each_value_has_its_owner(system) -> None:
    found = asyncio.run(system.detect("Ann is 34. Bo is 56. Ann likes tea."))
    assert [(one.subject, one.text, one.label, len(one.mentions)) for one in found] == [
        ("A", "Ann", "Nickname", 2),
        ("A", "34", "Age", 1),
        ("B", "Bo", "Nickname", 1),
        ("B", "56", "Age", 1),
    ]


@pytest.mark.parametrize("text", ["", " \n", "Nothing here."])
def test_a_text_without_values(system, text: str) -> None:
    assert asyncio.run(system.detect(text)) == ()


def test_nothing_is_kept_and_the_reasons_hold_no_value(system) -> None:
    text = "Ann is 34."
    found = asyncio.run(system.detect(text))
    chosen = asyncio.run(system.select(Prompt(description=text, query="How old is Ann?"), found))
    assert chosen.relevant == frozenset()
    assert [one.reason for one in chosen.decisions] == [
        "hidden: the BiLSTM-CRF found it; Nickname",
        "hidden: the BiLSTM-CRF found it; Age",
    ]


def test_it_is_a_system_with_a_fingerprint(system) -> None:
    assert isinstance(system, System)
    assert system.name == "bilstm_crf"
    assert len(system.fingerprint) == 8


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "needs --weights, and none ship with piibench; `piibench train bilstm_crf` makes them"),
        ({"weights": "folder", "threads": -1}, "threads must be 0"),
    ],
)
def test_what_it_cannot_do_without_is_named(options, told) -> None:
    with pytest.raises(InputError, match=told):
        bilstm_crf.create_bilstm_crf(**options)


@pytest.mark.parametrize(("among_several", "threads"), [(False, 0), (True, 1)])
def test_a_process_among_several_takes_one_thread(monkeypatch, among_several, threads) -> None:
    taken = []
    monkeypatch.setattr(bilstm_crf, "load_tagger", lambda folder, threads: taken.append(threads))
    monkeypatch.setattr(weights, "parent_process", current_process if among_several else lambda: None)
    bilstm_crf.create_bilstm_crf(weights="folder")
    bilstm_crf.create_bilstm_crf(weights="folder", threads=3)
    assert taken == [threads, 3]


def test_weights_that_are_not_there(tmp_path) -> None:
    with pytest.raises(InputError, match="no model in"):
        bilstm_crf.create_bilstm_crf(weights=str(tmp_path))
