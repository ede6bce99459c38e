"""Phrases in a frame: where they go, how they speak, and that they are labelled like the rest."""

from __future__ import annotations

import re
from random import Random

import pytest

from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.synthesis import samples as making
from piibench.synthesis.descriptions import load_frames
from piibench.synthesis.framing import Reference, Slot, parse_frames
from piibench.synthesis.framing import show as spell
from piibench.synthesis.samples import Order, make_sample
from piibench.synthesis.scenarios import load_scenarios
from piibench.synthesis.weaving import MOST, weave_phrases

PROSE = """=== t-001 | note | health | A | -
{A.Full Name} came in this morning. {A.His} knee is worse again. We sent {A.him} home[[ with {A.Age}]].
? x | A.Full Name | Who?
"""
OWN = """=== t-001 | letter | money | A | -
I am {A.Full Name}. I rang the office twice. I then wrote my first letter. My answer is still no.
? x | A.Full Name | Who?
"""
FORM = """=== t-001 | form | money | A | -
Name: {A.Full Name}
Room: 12
Remark: none so far
? x | A.Full Name | Who?
"""
SEVERAL = """=== t-001 | note | work | A, B | colleagues A B
{A.Full Name} spoke first. {B.Nickname} came late today. The room was cold again.
? x | A.Full Name | Who?
"""
MARKED = """=== t-001 | note | work | A, B | colleagues A B
{A.Full Name} spoke first to his {B=boss}. {B=She} came late today. The room was cold for {A=him}. {B.Nickname} left.
? x | A.Full Name | Who?
"""
CLOSED = {
    "talk": "nurse: it came back. We waited.\n{A.Full Name}: well it was worse. Then it was fine.",
    "table": "| {A.Full Name} | it came back. We waited. |",
    "quotation": 'She said "it came back. We waited." {A.Full Name} left.',
    "title": "We met Prof. Jones with {A.Full Name} and {A.his} dog",
    "small letters": "hey its {A.Full Name}. it came back. we waited with {A.him}",
    "mail header": "From: desk\nTo: {A.Full Name}\nSubject: {A.his} dog",
    "optional": "[[{A.Full Name} came in this morning. {A.His} knee is worse. ]]Bye",
}


def parse(text: str):
    (frame,) = parse_frames(text, "t")
    return frame


def weave(text: str, seed: int = 0, needed: tuple[Slot, ...] = ()):
    frame = parse(text)
    return frame, weave_phrases(frame, Random(seed), needed=needed)


def show(frame) -> str:
    return "".join(
        piece if isinstance(piece, str) else f"<{piece.category}>" if isinstance(piece, Slot) else f"<{piece.word}>"
        for clause in frame.clauses
        for piece in clause.pieces
    )  # fmt: skip


def test_a_phrase_goes_before_a_sentence_whose_first_word_means_somebody():
    plain = re.sub(r"\{.=(\w+)\}", r"\1", MARKED)
    marks = [Reference("boss", "B"), Reference("She", "B"), Reference("him", "A")]
    for seed in range(20):
        marked, bare = (
            [piece for clause in weave(text, seed)[1].clauses for piece in clause.pieces]
            for text in (MARKED, plain)
        )
        assert spell(marked, "#") == spell(bare, "#") != spell(parse(plain).clauses[0].pieces, "#")
        assert [piece for piece in marked if isinstance(piece, Reference)] == marks


@pytest.mark.parametrize("text", [PROSE, OWN, FORM, SEVERAL])
@pytest.mark.parametrize("seed", range(20))
def test_one_to_three_required_phrases_and_the_rest_as_it_was(text, seed):
    frame, woven = weave(text, seed)
    added = woven.slots - frame.slots
    assert 1 <= len(added) <= MOST
    assert frame.slots < woven.slots
    assert added <= woven.required
    shown = show(woven)
    for piece in (piece for clause in frame.clauses for piece in clause.pieces if isinstance(piece, str)):
        for line in piece.replace(". ", ".\n").split("\n"):
            assert line in shown


@pytest.mark.parametrize("seed", range(20))
def test_a_phrase_speaks_as_its_frame_does(seed):
    _, told = weave(PROSE, seed)
    assert " I " not in show(told)
    _, own = weave(OWN, seed)
    assert "<He>" not in show(own)
    assert "<his>" not in show(own)
    frame, several = weave(SEVERAL, seed)
    for slot in several.slots - frame.slots:
        (number,) = [n for n, clause in enumerate(several.clauses) if slot in clause.slots]
        first = several.clauses[number].pieces[0]
        assert isinstance(first, Slot)
        assert (first.subject, TYPE_OF[first.category]) == (slot.subject, PIIType.PER)


@pytest.mark.parametrize("seed", range(20))
def test_fields_stay_on_lines_of_their_own(seed):
    frame, woven = weave(FORM, seed)
    lines = show(woven).split("\n")
    assert len(lines) == 3 + len(woven.slots - frame.slots)
    assert all(": " in line for line in lines)
    assert lines[0] == "Name: <Full Name>"


@pytest.mark.parametrize("name", CLOSED)
def test_nothing_goes_where_a_sentence_would_break_the_form(name):
    text = f"=== t-001 | note | x | A:f | -\n{CLOSED[name]}\n? x | A.Full Name | Who?\n"
    for seed in range(10):
        frame, woven = weave(text, seed)
        assert woven is frame


def test_nothing_is_told_of_a_child():
    frame = parse(PROSE.replace("| A |", "| A:m:5-11 |"))
    assert all(weave_phrases(frame, Random(seed), needed=()) is frame for seed in range(10))


@pytest.mark.parametrize("needed", [Category.MONTHLY_INCOME, Category.BLOOD_TYPE, Category.LANDMARK])
def test_nothing_is_added_that_the_query_might_need_too(needed):
    related = {
        category
        for scenario in load_scenarios().values()
        if needed in scenario.needs
        for category in (*scenario.needs, *scenario.blocking)
    }
    for seed in range(40):
        frame, woven = weave(PROSE, seed, (Slot("A", needed),))
        assert {slot.category for slot in woven.slots - frame.slots}.isdisjoint(related)


def count_woven(partition, n, monkeypatch) -> int:
    woven = []

    def watch(frame, rng, *, needed):
        changed = weave_phrases(frame, rng, needed=needed)
        woven.append(changed is not frame)
        return changed

    monkeypatch.setattr(making, "weave_phrases", watch)
    count = 0
    for subset in ("single", "multi"):
        for index in range(n):
            woven.clear()
            make_sample(Order(subset, index, 5, partition))
            count += any(woven[-1:])
    return count


def test_a_third_of_the_training_samples_has_phrases_and_no_other(monkeypatch):
    assert 0.25 < count_woven("train", 150, monkeypatch) / 300 < 0.42
    assert count_woven("dev", 10, monkeypatch) == count_woven("test", 10, monkeypatch) == 0


def test_every_category_is_woven_in_somewhere():
    found = set()
    for frame in load_frames("train"):
        for seed in range(4):
            woven = weave_phrases(frame, Random(seed), needed=())
            found |= {slot.category for slot in woven.slots - frame.slots}
    assert len(found) >= 50
