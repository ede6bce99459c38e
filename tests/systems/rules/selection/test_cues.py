"""Finding cues in a query: whole words, open ends, the longest wins in its layer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.taxonomy import Category
from piibench.systems.rules.lexicon import fold
from piibench.systems.rules.selection.cues import Cue, CueIndex, load_cues

AGE, PHONE = Cue("call", Category.AGE), Cue("call", Category.PHONE_NUMBER)
INDEX = CueIndex(
    [
        ("address", Cue("call", Category.STREET_ADDRESS)),
        ("email address", Cue("call", Category.EMAIL_ADDRESS)),
        ("address", Cue("scenario", "withheld")),
        ("allerg*", Cue("call", Category.MEDICAL_CONDITION)),
        ("i'm", Cue("person", "narrator")),
        ("age", AGE),
        ("age", Cue("call", Category.DATE, strong=False)),
    ]
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("my address", ["address/call", "address/scenario"]),
        ("the email address", ["email address/call", "address/scenario"]),
        ("allergic", ["allerg/call"]),
        ("nonallergic", []),
        ("page ages age", ["age/call", "age/call"]),
        ("(age)", ["age/call", "age/call"]),
        ("AGE?", ["age/call", "age/call"]),
        ("I’m here", ["i'm/person"]),
        ("E-mail address", ["address/call", "address/scenario"]),
        ("", []),
    ],
)
def test_search(text, found):
    folded = fold(text)
    marks = INDEX.search(folded)
    assert sorted(f"{folded[m.start : m.end]}/{m.cue.layer}" for m in marks) == sorted(found)


@given(st.text(max_size=200))
def test_marks_are_whole_words_in_order(text):
    folded = fold(text)
    marks = load_cues().search(folded)
    assert [mark[:2] for mark in marks] == sorted(mark[:2] for mark in marks)
    for mark in marks:
        assert 0 <= mark.start < mark.end <= len(folded)
        assert mark.start == 0 or folded[mark.start - 1] == " "


@pytest.mark.parametrize(
    ("query", "category"),
    [
        ("what is my credit limit", Category.CREDIT_LIMIT),
        ("what is the e-mail address", Category.EMAIL_ADDRESS),
        ("my ip address", Category.IP_ADDRESS),
        ("her blood group", Category.BLOOD_TYPE),
        ("what I still owe", Category.LOAN_AMOUNT),
        ("how far I got in school", Category.EDUCATION_LEVEL),
        ("return on investment", Category.ROI),
    ],
)
def test_shipped_cues_call_for(query, category):
    strong = {
        m.cue.meaning for m in load_cues().search(fold(query)) if m.cue.layer == "call" and m.cue.strong
    }
    assert category in strong
