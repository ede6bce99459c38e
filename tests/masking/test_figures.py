"""Figures are drawn again in the form they had."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import iban, luhn

from piibench.masking import figures

SEEDS = range(30)


@pytest.mark.parametrize(
    ("redraw", "value", "form"),
    [
        (figures.redraw_code, "949-41-8397", r"\d{3}-\d\d-\d{4}"),
        (figures.redraw_code, "EMP-25885", r"[A-Z]{3}-\d{5}"),
        (figures.redraw_code, "**** **** 4444", r"\*{4} \*{4} \d{4}"),
        (figures.redraw_code, "XXX-XX-1234", r"XXX-XX-\d{4}"),
        (figures.redraw_code, "9f86d081884c7d65", r"(?:\d|[a-f]){16}"),
        (figures.redraw_sum, "$4,500", r"\$[1-9],\d00"),
        (figures.redraw_sum, "£1,234.50", r"£[1-9],\d{3}\.\d\d"),
        (figures.redraw_sum, "1.250.000 €", r"[1-9]\.\d\d0\.000 €"),
        (figures.redraw_sum, "85k", r"[1-9]\dk"),
        (figures.redraw_sum, "0.85%", r"0\.[1-9]\d%"),
        (figures.redraw_score, "720/850", r"[3-8]\d\d/850"),
        (figures.redraw_count, "34", r"2[89]|3\d|40"),
        (figures.redraw_count, "17", r"1[4-6]"),
        (figures.redraw_count, "Two months", r"(?!two)[A-Za-z]+ months"),
        (figures.redraw_height, "5'11\"", r"5'(?:\d|10)\""),
        (figures.redraw_height, "1.64m", r"1\.(?:6\d)m"),
        (figures.redraw_height, "172cm", r"1[678]\dcm"),
        (figures.redraw_height, "180 cm (5'11\")", r"1[6-9]\d cm \(5'(?:\d|10)\"\)"),
        (figures.redraw_date, "2021-03-14", r"20(?:09|1\d|2[02-9]|3[0-3])-(?:0\d|1[0-2])-(?:1[3-9]|2[0-8])"),
        (figures.redraw_date, "October 3rd, 2023", r"[A-Z][a-z]+ (?:1st|2nd|3rd|[4-9]th), 20\d\d"),
        (figures.redraw_date, "MAY 5", r"[A-Z]{3,9} [1-9]"),
        (figures.redraw_date, "mon 05/12/98", r"[a-z]{3} \d\d/\d\d/\d\d"),
        (figures.redraw_date, "since the 1990s", r"since the (?:1980|2000)s"),
        (figures.redraw_time, "6:30 pm", r"[1-9]:[0-5]\d pm"),
        (figures.redraw_time, "18:00", r"(?:1[3-9]|2[0-3]):00"),
    ],
)
def test_the_form_stays_and_the_value_changes(redraw, value: str, form: str):
    drawn = {redraw(Random(seed), value) for seed in SEEDS}
    assert len(drawn - {None}) > 1 or "1990s" in value
    assert all(one is None or (one != value and re.fullmatch(form, one)) for one in drawn)


@pytest.mark.parametrize(
    ("redraw", "value"),
    [
        (figures.redraw_count, "thirty-odd"),
        (figures.redraw_count, "1 year"),
        (figures.redraw_date, "20210314"),
        (figures.redraw_date, "last spring"),
        (figures.redraw_time, "1830"),
        (figures.redraw_time, "noon"),
        (figures.redraw_sum, "a fortune"),
        (figures.redraw_code, "****"),
        (figures.redraw_sum, "four thousand dollars ($4,000)"),
        (figures.redraw_score, "seven-twenty (720)"),
        (figures.redraw_count, "thirty-four (34)"),
        (figures.redraw_count, "thirtyfour (34)"),
        (figures.redraw_count, "fourty (40)"),
        (figures.redraw_count, "fifteen years and 3 months"),
        (figures.redraw_count, "9" * 5000),
        (figures.redraw_height, "five foot 11"),
        (figures.redraw_height, "9" * 5000),
        (figures.redraw_date, "Christmas Eve 2019"),
        (figures.redraw_date, "twenty-third of May 1985"),
        (figures.redraw_date, "3. März 1985"),
        (figures.redraw_time, "twenty past 3"),
    ],
)
def test_what_cannot_be_changed_is_said(redraw, value: str):
    assert redraw(Random(1), value) is None


def test_check_digits_stay_valid():
    for seed in SEEDS:
        assert luhn.is_valid(figures.redraw_code(Random(seed), "4111 1111 1111 1111").replace(" ", ""))
        account = figures.redraw_code(Random(seed), "GB64 TEST 0000 0011 6243 88")
        assert iban.is_valid(account, check_country=False)
        assert re.fullmatch(r"[A-Z]{2}\d\d [A-Z]{4} \d{4} \d{4} \d{4} \d\d", account)


def test_a_prefix_that_is_kept_stays():
    assert figures.redraw_code(Random(1), "+44 20 7946 0018", 3).startswith("+44 ")


def test_a_short_code_never_comes_out_as_it_was():
    assert all(figures.redraw_code(Random(seed), "66") != "66" for seed in range(500))


def test_a_veiled_code_that_can_only_come_out_as_it_was_has_no_other():
    """The check digits follow from the country and from what is hidden."""
    assert figures.redraw_code(Random(1), "GB63XXXXXXXXXXXXXX") is None


@given(st.text("0123456789²AZaz.,-/:' *xsth", max_size=14), st.integers(0, 99))
def test_no_value_is_too_strange(value: str, seed: int):
    for redraw in (
        figures.redraw_code, figures.redraw_sum, figures.redraw_score, figures.redraw_count,
        figures.redraw_height, figures.redraw_date, figures.redraw_time,
    ):  # fmt: skip
        assert redraw(Random(seed), value) != value
