"""Which strings are placeholders, exact or drifted, and which are prose."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.taxonomy import Category, PIIType
from piibench.errors import InputError
from piibench.masking.placeholders import (
    HIGHEST_NUMBER,
    LABELS,
    LONGEST_FORM,
    find_exact,
    find_forms,
    find_unfinished,
    write_placeholder,
)


def only(text: str):
    forms = list(find_forms(text))
    assert len(forms) == 1, text
    return forms[0]


def test_names_are_the_55_categories_and_the_7_types():
    assert set(LABELS) == {*map(str, Category), *map(str, PIIType)}
    assert len(LABELS) == 62


@pytest.mark.parametrize("number", [None, 1, 42, HIGHEST_NUMBER])
@pytest.mark.parametrize("label", LABELS)
def test_what_is_written_is_read_back(label: str, number: int | None):
    text = write_placeholder(label, number)
    form = only(text)
    assert (form.span, form.label, form.number, form.exact) == ((0, len(text)), label, number, True)
    assert find_exact(f"a{text}b") == [(1, 1 + len(text))]


@pytest.mark.parametrize(
    ("drifted", "label", "number"),
    [
        ("<phone number 2>", "Phone Number", 2),
        ("<PHONE_NUMBER_2>", "Phone Number", 2),
        ("<phone_number 2>", "Phone Number", 2),
        ("<PhoneNumber2>", "Phone Number", 2),
        ("[Phone Number 2]", "Phone Number", 2),
        ("(Phone Number 2)", "Phone Number", 2),
        ("{Phone-Number-2}", "Phone Number", 2),
        ("< Phone  Number  2 >", "Phone Number", 2),
        ("<Phone\nNumber 2>", "Phone Number", 2),
        ("<Phone\u00a0Number #2>", "Phone Number", 2),
        ("&lt;Phone Number 2&gt;", "Phone Number", 2),
        ("Phone Number 2", "Phone Number", 2),
        ("phone_number_2", "Phone Number", 2),
        ("Phone Number 02", "Phone Number", 2),
        ("<Driver\u2019s License>", "Driver's License", None),
        ("<drivers license 1>", "Driver's License", 1),
        ("[city / region]", "City/Region", None),
        ("<City Region 3>", "City/Region", 3),
        ("<datetime 4>", "DATETIME", 4),
        ("<date 4>", "Date", 4),
        ("AGE_1", "Age", 1),
        ("Age 1", "Age", 1),
        ("PER 1", "PER", 1),
    ],
)
def test_drifted_forms_are_read(drifted: str, label: str, number: int | None):
    form = only(f"see {drifted}, then")
    assert (form.label, form.number, form.exact) == (label, number, False)
    assert form.span == (4, 4 + len(drifted))


@pytest.mark.parametrize(
    "prose",
    [
        "at age 1 she", "per 1 person", "the (age) of", "age", "Phone Number", "phone number is 2",
        "Age 12345", "<Age 12345>", "<Age 0>", "my_Age 1", "xAge 1", "Age 1st", "Age 1_x", "Age 1.5", "Age 1,000",
        "Age: 34", "<Age 1]", "[Age 1)", "&lt;Age 1>", "<Ages 1>", "<Phone Fax 1>", "<<>>", "", "<", "&lt;",
    ],
)  # fmt: skip
def test_prose_is_no_placeholder(prose: str):
    assert list(find_forms(prose)) == []


def test_a_longer_number_is_not_a_shorter_one():
    assert [form.number for form in find_forms("Age 1 Age 12 <Age 1> <Age 12>")] == [1, 12, 1, 12]


@pytest.mark.parametrize("number", [0, -1, HIGHEST_NUMBER + 1])
def test_numbers_out_of_range_are_refused(number: int):
    with pytest.raises(InputError, match="from 1 to 9999"):
        write_placeholder("Age", number)


def test_a_label_that_is_not_known_is_refused_and_not_repeated():
    with pytest.raises(InputError) as caught:
        write_placeholder("Zoe Quill", 1)
    assert "Zoe" not in str(caught.value)


@st.composite
def drifts(draw: st.DrawFn) -> str:
    """Any tolerated form, at the limits of every tolerance."""
    label = draw(st.sampled_from(LABELS))
    opener, closer = draw(
        st.sampled_from([("<", ">"), ("&lt;", "&gt;"), ("[", "]"), ("(", ")"), ("{", "}"), ("", "")])
    )
    gap = draw(st.sampled_from(["", " ", "_", "-", " - ", "\u00a0"]))
    name = label.replace(" ", gap).replace("/", draw(st.sampled_from(["/", gap, " / "])))
    name = name.replace("'", draw(st.sampled_from(["", "'", "\u2019"])))
    number = str(draw(st.integers(1, HIGHEST_NUMBER)))
    if not opener:
        return f"{name}{draw(st.sampled_from(['_', '-']))}{number}"
    name = draw(st.sampled_from([name, name.upper(), name.lower()]))
    pad = draw(st.sampled_from(["", " ", "  ", "\n"]))
    joint = draw(st.sampled_from(["", " ", "_", " #", "# ", "--"]))
    return f"{opener}{pad}{name}{joint}{number}{pad}{closer}"


@given(drifts())
def test_every_beginning_of_a_form_is_held_back_and_no_form_is_longer_than_the_longest(form: str):
    assert only(form).span == (0, len(form))
    assert len(form) <= LONGEST_FORM
    for end in range(1, len(form)):
        assert find_unfinished("zz " + form[:end]) == 3, form[:end]


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("The answer is", ""), ("costs 5 < 6 and", ""), ("see (the", ""), ("", ""), ("done.", ""), ("a <Ageing", ""),
        ("<Age 1>", ""), ("call <Ph", "<Ph"), ("A&l", "&l"), ("my Pho", "Pho"), ("Age 1", "Age 1"), ("Age 12345", ""),
        ("Age 1.", "Age 1."), ("Age 1. ", ""),
    ],
)  # fmt: skip
def test_only_what_may_become_a_placeholder_is_held_back(text: str, held: str):
    assert text[find_unfinished(text) :] == held
