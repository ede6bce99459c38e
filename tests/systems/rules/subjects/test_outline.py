from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.systems.rules.subjects.outline import find_role_turns, split_sentences


def sentences(text: str) -> list[str]:
    return [text[sentence.start : sentence.end].strip() for sentence in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("See Dr. Lee at No. 5. Then go.", ["See Dr. Lee at No. 5.", "Then go."]),
        ("J. K. Rowling wrote it.", ["J. K. Rowling wrote it."]),
        ("He earns $1.50 a day.", ["He earns $1.50 a day."]),
        ("a line\nthat goes on", ["a line\nthat goes on"]),
        ("Name: Ana\nAge: 5", ["Name: Ana", "Age: 5"]),
        ("她叫王芳。他叫李雷。", ["她叫王芳。", "他叫李雷。"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_labels_and_paragraphs_are_told() -> None:
    found = list(split_sentences("Name: Ana\n- Date of birth: 3 May\n\nShe left."))
    assert [sentence.label for sentence in found] == ["name", "date of birth", ""]
    assert [sentence.opens for sentence in found] == [True, False, True]


def test_roles_speak_only_where_one_of_them_speaks_twice() -> None:
    text = "Doctor: Age?\nPatient: 60.\nDoctor: Fine."
    assert [role for _, _, role in find_role_turns(text)] == ["doctor", "patient", "doctor"]
    assert find_role_turns("Patient: Ana Lopez\nDoctor: Tom Lee") == []


@given(st.text(alphabet='aA1.!?。\n :-"', max_size=80))
def test_sentences_cover_everything_but_white_space(text: str) -> None:
    found = list(split_sentences(text))
    gaps = [0, *(place for sentence in found for place in sentence[:2]), len(text)]
    assert gaps == sorted(gaps)
    assert all(not text[start:end].strip() for start, end in zip(gaps[::2], gaps[1::2], strict=True))
