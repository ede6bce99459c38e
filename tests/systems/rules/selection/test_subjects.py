"""Whom a query means, as a whole and word by word."""

from __future__ import annotations

import pytest

from marked_text import read_marked
from piibench.systems.rules.lexicon import fold
from piibench.systems.rules.selection.cues import load_cues
from piibench.systems.rules.selection.subjects import read_subjects

FAMILY = (
    "I'm {Nora|Nickname|A}, {41|Age|A}, {welder|Occupation|A}. My daughter {Ida|Nickname|B} is {9|Age|B}. "
    "My brother {Emil Falk|Full Name|C} is a {baker|Occupation|C}."
)
OFFICE = (
    "Two left. {Ann Lee|Full Name|A}, {52|Age|A}, applied in May. {Bo Kern|Full Name|B}, {30|Age|B}, came later. "
    "{Cy Orr|Full Name|C}, {44|Age|C}, last."
)


def read(marked, query):
    prompt, found = read_marked(marked, query)
    return read_subjects(prompt.description, query, load_cues().search(fold(query)), found)


@pytest.mark.parametrize(
    ("marked", "query", "letters"),
    [
        (FAMILY, "Is my job safe?", "A"),
        (FAMILY, "Can I eat this?", "A"),
        (FAMILY, "Can my daughter eat this?", "B"),
        (FAMILY, "Can my little girl eat this?", "B"),
        (FAMILY, "What is on Emil's plate?", "C"),
        (FAMILY, "What is on Falk's plate?", "C"),
        (FAMILY, "What does the baker need?", "C"),
        (FAMILY, "Is she old enough?", "B"),
        (FAMILY, "Is he old enough?", "C"),
        (FAMILY, "How old are my daughter and Emil, do they match?", "BC"),
        (FAMILY, "How do I tell my brother that my job bores me?", "A"),
        (FAMILY, "What is our plan?", "ABC"),
        (FAMILY, "Translate the note.", "ABC"),
        (FAMILY, "What about my uncle?", "ABC"),
        (OFFICE, "Is the first candidate older?", "A"),
        (OFFICE, "Is the second applicant older?", "B"),
        (OFFICE, "The third one, please.", "C"),
        (OFFICE, "Rank them for me.", "ABC"),
        (OFFICE, "Write to Bo Kern and Cy.", "BC"),
        (OFFICE, "Will it rain?", "ABC"),
    ],
)
def test_subjects_meant_as_a_whole(marked, query, letters):
    assert "".join(sorted(read(marked, query).default)) == letters


@pytest.mark.parametrize(
    ("query", "words", "letters"),
    [
        ("Given my income and her allergy, what now?", "income", "A"),
        ("Given my income and her allergy, what now?", "allergy", "B"),
        ("The school my daughter visits. The rent is high.", "school", "B"),
        ("The school my daughter visits. The rent is high.", "rent", "B"),
        ("Set Emil's hours against our budget.", "hours", "C"),
        ("Set Emil's hours against our budget.", "budget", "ABC"),
    ],
)
def test_subjects_meant_by_a_word(query, words, letters):
    start = query.index(words)
    assert "".join(sorted(read(FAMILY, query).at(start, start + len(words)))) == letters


def test_with_a_single_subject_everything_is_about_them():
    meant = read("{Nora|Nickname|A}, {41|Age|A}, is my aunt.", "How old is my aunt?")
    assert (meant.default, meant.pointers) == ({"A"}, ())


def test_with_nobody_found_nobody_is_meant():
    assert read("Nothing here.", "How old am I?").default == frozenset()
