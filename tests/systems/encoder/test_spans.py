"""From logits to places."""

from __future__ import annotations

from itertools import combinations, pairwise, product
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handmade_network import Mark, make_whole, mark_outputs
from piibench.data.mentions import Span
from piibench.data.taxonomy import TAXONOMY, Category, PIIType
from piibench.systems.encoder import spans
from piibench.systems.encoder.outputs import CATEGORIES, NOTES, STATES, TYPES, Outputs
from piibench.systems.encoder.spans import (
    _BEFORE,
    _UNBEGUN,
    CATEGORY_ORDER,
    OF_TYPE,
    TYPE_ORDER,
    Found,
    _give_beginnings,
    decode,
    may_nest,
    mend,
)
from piibench.systems.rules.candidates import resolve

PER, DEM = TYPE_ORDER.index(PIIType.PER), TYPE_ORDER.index(PIIType.DEM)


def letters(text):
    """One piece for each character."""
    places = np.arange(len(text))
    return np.stack((places, places + 1), axis=1)


def words(text):
    """One piece for each word, between single spaces."""
    ends = np.cumsum([len(word) + 1 for word in text.split(" ")]) - 1
    return np.array([(end - len(word), end) for end, word in zip(ends, text.split(" "), strict=True)])


def read(text, *marks, offsets=words, bias=0.0):
    outputs = make_whole(mark_outputs(len(offsets(text)), *marks))
    found = decode(outputs, offsets(text), text, bias=bias)
    return [(value.span.of(text), value.category) for value in found]


def test_the_heads_are_in_the_order_of_table_10():
    assert len(TYPE_ORDER) == TYPES
    assert list(CATEGORY_ORDER) == [row.category for row in TAXONOMY]
    assert sorted(np.concatenate(OF_TYPE).tolist()) == list(range(CATEGORIES))


def test_a_value_begins_and_continues():
    text = "call Ann Smith today"
    assert read(text, Mark(1, 3, Category.FULL_NAME)) == [("Ann Smith", Category.FULL_NAME)]


def test_a_beginning_ends_the_value_before():
    marks = Mark(0, 1, Category.NICKNAME), Mark(1, 2, Category.FULL_NAME)
    outputs = mark_outputs(2, *marks)
    assert outputs.states[:, PER].argmax(-1).tolist() == [1, 1]
    assert read("Ann Bob", *marks) == [("Ann", Category.NICKNAME), ("Bob", Category.FULL_NAME)]


@pytest.mark.parametrize(
    ("text", "category", "values"),
    [
        ("ten day", Category.DURATION, ["ten day"]),
        ("ten-day", Category.DURATION, ["ten-day"]),
        ("tenday", Category.DURATION, ["tenday"]),
        ("ten, day", Category.DURATION, ["ten", "day"]),
        ("ten\nday", Category.DURATION, ["ten", "day"]),
        ("ten  day", Category.DURATION, ["ten", "day"]),
        ("Ann-Lee", Category.NICKNAME, ["Ann-Lee"]),
        ("Ann Lee", Category.NICKNAME, ["Ann", "Lee"]),  # two persons side by side
    ],
)
def test_neighbours_of_one_category_are_one_value_cut_in_two(text, category, values):
    """Scores 0.8 and 0.4 have the mean 0.6."""
    parts = [
        Found(Span(0, 3), category, 0.8),
        Found(Span(len(text) - 3, len(text)), category, 0.4),
    ]
    mended = list(mend(text, parts))
    assert [value.span.of(text) for value in mended] == values
    assert mended[0].score == pytest.approx(0.6 if len(values) == 1 else 0.8)


@pytest.mark.parametrize(
    ("text", "cuts", "category", "whole"),
    [
        ("rent of 1,450 now", [(8, 9)], Category.MONTHLY_EXPENSES, "1,450"),
        ("rent of 1,450 now", [(10, 13)], Category.MONTHLY_EXPENSES, "1,450"),
        ("rent of £1,450 now", [(9, 14)], Category.MONTHLY_EXPENSES, "£1,450"),
        ("owes 12.480,55€!", [(5, 11)], Category.LOAN_AMOUNT, "12.480,55€"),
        ("2,500 yuan", [(0, 1), (2, 10)], Category.LOAN_AMOUNT, "2,500 yuan"),  # two halves of one
        ("until 09/27.", [(6, 8)], Category.DATE, "09/27"),
        ("on 02.04.", [(3, 5), (6, 8)], Category.DATE, "02.04"),
        ("at 8:30:15", [(5, 7)], Category.TIME, "8:30:15"),
        ("from 2006/2009", [(5, 9)], Category.DATE, "2006"),
        ("until 09/2027.", [(9, 13)], Category.DATE, "09/2027"),
        ("on 2024/3/18", [(8, 9)], Category.DATE, "2024/3/18"),
        ("paid 28,50,000 INR", [(5, 7)], Category.ANNUAL_BONUS, "28,50,000"),
        ("paid 28 INR", [(5, 7)], Category.ANNUAL_BONUS, "28"),
        ("1," + "2" * 40, [(0, 1)], Category.LOAN_AMOUNT, "1"),
        ("7" * 40 + ",5", [(41, 42)], Category.LOAN_AMOUNT, "5"),
        ("on 2024-02-09 at", [(3, 7)], Category.DATE, "2024-02-09"),
        ("on 9-2-2024, at", [(6, 8)], Category.DATE, "9-2-2024"),
        ("from 2010-2013", [(5, 9)], Category.DATE, "2010"),
        ("call 1-20-11-2024", [(7, 9)], Category.DATE, "20"),
        ("2024-2-9/2024-03-09", [(0, 4)], Category.DATE, "2024-2-9"),
        ("2024-02-09/2024-03-09", [(11, 21)], Category.DATE, "2024-03-09"),
        ("2024-02-09-notes.txt", [(0, 4)], Category.DATE, "2024-02-09"),
        ("8:30/9:30", [(0, 4)], Category.TIME, "8:30"),
        ("12.05.2024/18:30", [(0, 10)], Category.DATE, "12.05.2024"),
        ("12.05.2024,3150.00,Rent", [(11, 18)], Category.LOAN_AMOUNT, "3150.00"),
        ("Salary 3150.2024 was hard", [(7, 11)], Category.MONTHLY_INCOME, "3150"),
        ('{"income":[3150,2900]}', [(11, 15)], Category.MONTHLY_INCOME, "3150"),
        ("1,800, 19 and", [(0, 5)], Category.MONTHLY_INCOME, "1,800"),
        ("1:800 now", [(0, 1)], Category.MONTHLY_INCOME, "1"),  # no sum is written so
        ("aged 1,2", [(5, 6)], Category.AGE, "1"),
        ("is 183/76", [(3, 6)], Category.HEIGHT, "183"),
    ],
)
def test_sums_dates_and_times_are_no_parts_of_numbers(text, cuts, category, whole):
    parts = [Found(Span(*cut), category, 0.8) for cut in cuts]
    (mended,) = mend(text, parts)
    assert mended.span.of(text) == whole
    assert mended.score == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("text", "income", "expenses"),
    [
        ("Ines Vogt,34,3150,1200,Leeds", (13, 17), (18, 22)),
        ("34,400,600 a month", (3, 6), (7, 10)),
        ("400,600 a month", (0, 3), (4, 7)),
    ],
)
def test_numbers_in_a_row_stay_apart(text, income, expenses):
    parts = [
        Found(Span(*income), Category.MONTHLY_INCOME, 0.8),
        Found(Span(*expenses), Category.MONTHLY_EXPENSES, 0.9),
    ]
    assert list(mend(text, parts)) == parts


@pytest.mark.parametrize(
    ("text", "cut", "category", "whole"),
    [
        ("a self-employed roofer", (6, 22), Category.OCCUPATION, "self-employed roofer"),
        ("(Haute-Savoie)", (6, 13), Category.CITY_REGION, "Haute-Savoie"),
        ("by Jean-Luc-Marie", (11, 17), Category.NICKNAME, "Jean-Luc-Marie"),
        ("Ms O'Brien-Smith", (10, 16), Category.NICKNAME, "O'Brien-Smith"),
        ("Rene\u0301e-Zoe", (6, 10), Category.NICKNAME, "Rene\u0301e-Zoe"),
        ("in mid-July", (6, 11), Category.DATE, "mid-July"),
        ("a 34-year-old", (4, 13), Category.AGE, "34-year-old"),
        ("Poet/-painter", (5, 13), Category.OCCUPATION, "-painter"),
        ("Poet--painter", (5, 13), Category.OCCUPATION, "-painter"),
        ("and/or", (3, 6), Category.OCCUPATION, "/or"),
        ("call Tel-0151", (8, 13), Category.PHONE_NUMBER, "-0151"),
        ("be -employed", (3, 12), Category.OCCUPATION, "-employed"),
        ("non-", (3, 4), Category.OCCUPATION, "-"),
        ("for 1,450-Mark", (9, 14), Category.NICKNAME, "-Mark"),
        ("on 12/03/1991-Leeds", (13, 19), Category.CITY_REGION, "-Leeds"),
        ("x" * 30 + "-employed", (30, 39), Category.OCCUPATION, "-employed"),
    ],
)
def test_what_begins_at_a_hyphen_in_a_word_takes_the_word_in(text, cut, category, whole):
    (mended,) = mend(text, [Found(Span(*cut), category, 0.8)])
    assert mended.span.of(text) == whole


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Ann Lee-Leeds met Bob",
            [((0, 7), Category.FULL_NAME), ((18, 21), Category.NICKNAME), ((7, 13), Category.CITY_REGION)],
        ),
        (
            "Flat 4.30 Elm Row, Bonn",
            [((0, 6), Category.STREET_ADDRESS), ((19, 23), Category.CITY_REGION), ((7, 9), Category.TIME)],
        ),
    ],
)
def test_nothing_is_completed_over_a_value_of_another_type(text, parts):
    """Of two that cross only one stands, and words of the other would go out."""
    values = [Found(Span(*place), category, 0.8) for place, category in parts]
    assert list(mend(text, values)) == values


def test_a_word_is_not_taken_in_over_a_number_made_whole():
    text = "at 8:30-ish"
    parts = [Found(Span(3, 4), Category.TIME, 0.8), Found(Span(7, 11), Category.NICKNAME, 0.8)]
    assert [value.span.of(text) for value in mend(text, parts)] == ["8:30", "-ish"]


@pytest.mark.parametrize(
    ("text", "cut", "category", "whole"),
    [
        ("for five years", (4, 8), Category.DURATION, "five years"),
        ("over 20 Min. now", (5, 7), Category.DURATION, "20 Min"),
        ("all five years long", (0, 14), Category.DURATION, "all five years"),
        ("day five years on", (0, 8), Category.DURATION, "day five"),
        ("about five yearbooks", (6, 10), Category.DURATION, "five"),
        ("five  years", (0, 4), Category.DURATION, "five"),
        ("is five years old", (3, 7), Category.AGE, "five"),
    ],
)
def test_a_duration_without_a_unit_takes_it_in(text, cut, category, whole):
    (mended,) = mend(text, [Found(Span(*cut), category, 0.8)])
    assert mended.span.of(text) == whole


def test_a_unit_is_not_taken_in_over_another_value():
    parts = [Found(Span(0, 4), Category.DURATION, 0.8), Found(Span(5, 10), Category.AGE, 0.8)]
    assert list(mend("five years", parts)) == parts


def test_a_hundred_thousand_sums_are_completed_in_one_walk():
    """Were all others looked at for each, this would take hours."""
    text = "1,450; " * 100_000
    parts = [Found(Span(at, at + 1), Category.LOAN_AMOUNT, 0.8) for at in range(0, len(text), 7)]
    assert {value.span.of(text) for value in mend(text, parts)} == {"1,450"}


def test_a_million_hyphens_are_looked_at_once_each():
    """Were the whole row looked at from each, this would take minutes."""
    text = "a-" * 500_000 + "a"
    parts = [Found(Span(at, at + 2), Category.OCCUPATION, 0.8) for at in range(1, len(text) - 1, 200)]
    assert len(list(mend(text, parts))) == len(parts)


def test_a_word_is_not_taken_in_over_another_value():
    text = "Afro-Caribbean"
    parts = [Found(Span(0, 4), Category.NATIONALITY, 0.8), Found(Span(4, 14), Category.ETHNICITY, 0.8)]
    assert list(mend(text, parts)) == parts
    parts = [value._replace(category=Category.ETHNICITY) for value in parts]
    assert [value.span.of(text) for value in mend(text, parts)] == [text]


def test_overlapping_names_stay_rivals():
    parts = [Found(Span(0, 10), Category.NICKNAME, 0.4), Found(Span(5, 10), Category.NICKNAME, 0.9)]
    assert list(mend("Anna Maria", parts)) == parts


def test_completing_looks_at_a_number_s_surroundings_alone():
    """5,000 values that each looked at the whole number of a million characters would take minutes."""
    text = "1." * 500_000
    parts = [Found(Span(at, at + 1), Category.DATE, 0.8) for at in range(0, len(text), 200)]
    assert len(list(mend(text, parts))) == len(parts)


def test_neighbours_of_two_categories_are_two_values():
    parts = [Found(Span(0, 3), Category.NICKNAME, 0.8), Found(Span(4, 6), Category.AGE, 0.8)]
    assert list(mend("Ann 34", parts)) == parts


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (" (Ann), ", "(Ann)"),
        ("Ann):", "Ann"),
        (": Ann (", "Ann"),
        ("a)(", "a"),
        ("Dr. Ann Lee", "Ann Lee"),
        ("frau Ann", "Ann"),
        ("Dr.", "Dr."),  # a title alone is not cut from anything
        ("Drew", "Drew"),
        (" ,. ", None),
    ],
)
def test_what_no_value_begins_or_ends_with_is_trimmed(text, value):
    trimmed = [
        found.span.of(text) for found in mend(text, [Found(Span(0, len(text)), Category.FULL_NAME, 0.8)])
    ]
    assert trimmed == [value] * (value is not None)


@pytest.mark.parametrize(
    ("text", "category", "parts"),
    [
        ("at 1991-2003, the", Category.DATE, ["1991", "2003"]),
        ("at (1991\u20112003) the", Category.DATE, ["1991", "2003"]),
        ("at 1991-03 the", Category.DATE, ["1991-03"]),
        ("at 1991-2003 the", Category.DURATION, ["1991-2003"]),
    ],
)
def test_from_one_year_to_another_are_two_dates(text, category, parts):
    assert read(text, Mark(1, 2, category)) == [(part, category) for part in parts]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("clerk at the", "clerk"),
        ("six thirty to", "six thirty"),
        ('12th grade "and', '12th grade "and'),
        ("grade, and (", "grade"),
        ("clerk At", "clerk At"),
        ("the", "the"),
        ("in the", "in"),
        ("Athe", "Athe"),
    ],
)
def test_words_that_end_no_value_are_trimmed(text, value):
    (trimmed,) = mend(text, [Found(Span(0, len(text)), Category.OCCUPATION, 0.8)])
    assert trimmed.span.of(text) == value


@pytest.mark.parametrize(
    ("text", "category", "value"),
    [
        ("about 45", Category.AGE, "45"),
        ("Approx. 11 pm", Category.TIME, "11 pm"),
        ("ca. £200", Category.LOAN_AMOUNT, "£200"),
        ("almost a year", Category.DURATION, "a year"),
        ("about", Category.AGE, "about"),
        ("roundabout 3", Category.WEIGHT, "roundabout 3"),
        ("Around Town", Category.COMPANY_NAME, "Around Town"),
    ],
)
def test_what_makes_a_number_vague_is_trimmed(text, category, value):
    (trimmed,) = mend(text, [Found(Span(0, len(text)), category, 0.8)])
    assert trimmed.span.of(text) == value


def test_200000_loose_words_are_trimmed_in_one_walk():
    text = "a" + " the" * 200_000
    (kept,) = mend(text, [Found(Span(0, len(text)), Category.OCCUPATION, 0.8)])
    assert kept.span == (0, 1)


def test_a_title_is_trimmed_from_names_alone():
    text = "Dr Pepper"
    (kept,) = mend(text, [Found(Span(0, 9), Category.COMPANY_NAME, 0.8)])
    assert kept.span.of(text) == text


def test_200000_brackets_are_trimmed_in_one_walk():
    text = "a" + ")" * 200_000
    (kept,) = mend(text, [Found(Span(0, len(text)), Category.FULL_NAME, 0.8)])
    assert kept.span == (0, 1)


@pytest.mark.parametrize(
    ("text", "logits", "value"),
    [
        # O B I: 5 + 0.8 + 3 = 8.8; O O O: 5 + 1 + 0 = 6; O O B: 5 + 1 - 9
        ("the United Kingdom", [(5, 0, 0), (1, 0.8, 0), (0, -9, 3)], "United Kingdom"),
        # O B I: 9 + 8 + 9 = 26; O O B: 9 + 0 + 0; B I I: 0 + 9 + 9 = 18
        ("by Ann Smith", [(9, 0, 0), (0, 8, 9), (0, 0, 9)], "Ann Smith"),
        # O O B: 9 + 0 + 1 = 10; O B I: 9 - 9 + 2 = 2; O O O: 9 + 0 + 0 = 9
        ("of Old Town", [(9, 0, 0), (0, -9, 0.1), (0, 1, 2)], "Town"),
        # B I I: 9 + 0.9 + 5 = 14.9; B O O: 9 + 1 + 0 = 10; B O B: 9 + 1 - 9 = 1
        ("Ann van Loo", [(0, 9, 0), (1, -9, 0.9), (0, -9, 5)], "Ann van Loo"),
        # O O: 9 + 0 = 9; O B: 9 - 9 = 0; B I: 0 + 0.1
        ("the day", [(9, 0, 0), (0, -9, 0.1)], None),
    ],
)
def test_what_continues_without_a_beginning_gets_the_likeliest_or_goes(text, logits, value):
    outputs = mark_outputs(len(logits))
    outputs.states[:, PER] = logits
    found = decode(make_whole(outputs), words(text), text)
    assert [each.span.of(text) for each in found] == [value] * bool(value)


@pytest.mark.parametrize(("far", "value"), [(_BEFORE, "b x x x x x c"), (_BEFORE + 1, "c")])
def test_a_beginning_is_looked_for_a_few_pieces_away(far, value):
    """B I … I: 0 + 9, each piece outside has 0.1 more; else O … O B: 0.1 each, and 9 less _UNBEGUN."""
    assert (_BEFORE, _UNBEGUN) == (6, 3)
    outputs = mark_outputs(far + 1)
    outputs.states[:, PER] = [(0.1, 0, 0), *[(0.1, -9, 0)] * (far - 1), (0, -9, 9)]
    text = " ".join(("b", *"x" * (far - 1), "c"))
    found = decode(make_whole(outputs), words(text), text)
    assert [each.span.of(text) for each in found] == [value]


def test_what_surely_continues_stays_though_nothing_could_begin_it():
    """O B: 9 + 9 - 3 = 15; O O: 9 + 0; B I: -9 + 9."""
    outputs = mark_outputs(2)
    outputs.states[:, PER] = [(9, -9, -9), (0, -9, 9)]
    (found,) = decode(make_whole(outputs), words("by Smith"), "by Smith")
    assert found.span == (3, 8)


def list_rows(size):
    """All rows of so many tags of which none continues what has not begun."""
    rows = product(range(STATES), repeat=size)
    return [row for row in rows if (0, 2) not in pairwise((0, *row))]


@given(st.integers(1, _BEFORE), st.integers(0, 2**32 - 1), st.floats(-2, 4))
def test_tags_are_the_likeliest_of_which_none_continues_what_has_not_begun(size, seed, bias):
    logits = draw_outputs(size, seed).states.astype(np.float16)
    biased = logits.astype(np.float32) + np.array((0, bias, bias), np.float32)
    tags = biased.argmax(-1).astype(np.int8)
    _give_beginnings(tags, logits, bias)
    biased[:, :, 1] = np.maximum(biased[:, :, 1], biased[:, :, 2] - _UNBEGUN)
    for kind in range(TYPES):
        row, scores = tags[:, kind].tolist(), biased[:, kind]
        assert (0, 2) not in pairwise((0, *row))
        best = max(list_rows(size), key=lambda tagged: sum(scores[range(size), tagged]))
        assert sum(scores[range(size), row]) == pytest.approx(sum(scores[range(size), best]), abs=1e-4)


@pytest.mark.parametrize(("step", "values"), [(2, 20_000), (40_000, 1)], ids=["many", "one long"])
def test_much_that_continues_nothing_is_read_in_linear_time(step, values):
    size = 40_000
    text = "a " * (size - 1) + "a"
    outputs = mark_outputs(size)
    outputs.states[:, PER] = (0, -9, 9)
    outputs.states[::step, PER] = (9, -9, 0)
    assert len(decode(make_whole(outputs), words(text), text)) == values


def test_the_score_is_the_mean_probability_of_something():
    """Weights 1 : 2 : 1 outside, begins, continues are 3/4 inside; 1 : 1 : 6 are 7/8; their mean is 13/16."""
    outputs = mark_outputs(2, Mark(0, 2, Category.FULL_NAME))
    outputs.states[:, PER] = [(0, log(2), 0), (0, 0, log(6))]
    (value,) = decode(outputs, words("Ann Smith"), "Ann Smith")
    assert value.score == pytest.approx(13 / 16)


def test_the_category_is_the_one_of_the_type_with_the_highest_mean_logit():
    """Full Name (5 + 0) / 2 = 2.5 is behind Nickname (2 + 4) / 2 = 3; Age's 9 is of another type."""
    outputs = mark_outputs(2, Mark(0, 2, Category.FULL_NAME))
    for category, logits in {
        Category.FULL_NAME: (5, 0),
        Category.NICKNAME: (2, 4),
        Category.AGE: (9, 9),
    }.items():
        outputs.categories[:, CATEGORY_ORDER.index(category)] = logits
    (value,) = decode(outputs, words("Ann Smith"), "Ann Smith")
    assert value.category is Category.NICKNAME


@pytest.mark.parametrize(
    ("text", "surer", "values"),
    [
        ("a Dutch nurse", 4.1, [("Dutch", Category.NATIONALITY), ("nurse", Category.OCCUPATION)]),
        ("a Dutch nurse", 3.9, [("Dutch nurse", Category.NATIONALITY)]),
        ("a Dutchnurse", 8, [("Dutchnurse", Category.NATIONALITY)]),
    ],
)
def test_words_that_are_clearly_of_two_categories_are_two_values(text, surer, values):
    """As one value they have Nationality's 9 + 0, as two 9 + what is surer."""
    outputs = mark_outputs(3, Mark(1, 3, Category.NATIONALITY))
    outputs.categories[1:, OF_TYPE[DEM]] = 0
    outputs.categories[1, CATEGORY_ORDER.index(Category.NATIONALITY)] = 9
    outputs.categories[2, CATEGORY_ORDER.index(Category.OCCUPATION)] = surer
    places = np.array([(0, 1), (2, 7), (len(text) - 5, len(text))])
    found = decode(make_whole(outputs), places, text)
    assert [(one.span.of(text), one.category) for one in found] == values


@pytest.mark.parametrize("sign", ["\u00ad", "\u0301"])
def test_a_word_is_not_parted_where_the_tokenizer_drops_a_sign(sign):
    text = f"Dutch{sign}nurse"
    outputs = mark_outputs(2, Mark(0, 2, Category.NATIONALITY))
    outputs.categories[1, OF_TYPE[DEM]] = 0
    outputs.categories[1, CATEGORY_ORDER.index(Category.OCCUPATION)] = 99
    (value,) = decode(make_whole(outputs), np.array([(0, 5), (6, 11)]), text)
    assert value.span.of(text) == text


def let_a_firm_hold_two_words(outputs, odds):
    """Let ORG read the first two of three words as one Company Name, at these odds each."""
    firm = mark_outputs(3, Mark(0, 2, Category.COMPANY_NAME))
    kind = TYPE_ORDER.index(PIIType.ORG)
    outputs.states[:2, kind] = [(0, log(odds), 0), (0, 0, log(odds))]
    outputs.categories[:, OF_TYPE[kind]] = firm.categories[:, OF_TYPE[kind]]


@pytest.mark.parametrize(("odds", "values"), [(2, ["Dutch", "nurse"]), (9, ["Dutch nurse"])])
def test_a_value_is_parted_only_where_no_surer_reading_holds_the_same_words(odds, values):
    """DEM says 1 : 4 : 1 on both words, ORG 1 : 2 : 1 or 1 : 9 : 1."""
    text = "Dutch nurse left"
    outputs = mark_outputs(3, Mark(0, 2, Category.NATIONALITY))
    outputs.states[:2, DEM] = [(0, log(4), 0), (0, 0, log(4))]
    outputs.categories[1, OF_TYPE[DEM]] = 0
    outputs.categories[1, CATEGORY_ORDER.index(Category.OCCUPATION)] = 99
    let_a_firm_hold_two_words(outputs, odds)
    assert [one.span.of(text) for one in decode(outputs, words(text), text)] == values


@pytest.mark.parametrize(("bias", "count"), [(-0.5, 0), (0.0, 0), (0.9, 0), (1.1, 1)])
def test_a_bias_finds_more(bias, count):
    """Outside leads by 1: a bias above 1 turns it."""
    outputs = mark_outputs(1)
    outputs.states[0, PER] = (1, 0, -9)
    outputs.states[0, [kind for kind in range(TYPES) if kind != PER], 0] = 99
    before = outputs.states.copy()
    assert len(decode(outputs, words("Ann"), "Ann", bias=bias)) == count
    np.testing.assert_array_equal(outputs.states, before)


@pytest.mark.parametrize(
    ("text", "surer", "place"),
    [
        ("Ann 34 nurse", [(0, 0, 0), (0, 4, 0), (0, 0, 4)], (4, 12)),
        ("Ann 34", [(0, 4, 0), (0, 0, 4)], (0, 6)),
    ],
)
def test_of_two_that_cross_or_are_equal_the_surer_stands(text, surer, place):
    """DEM says 1 : e^4 : 1 on its pieces, surer than PER's 1 : 2 : 1 on the first two."""
    outputs = mark_outputs(len(surer), Mark(0, 2, Category.FULL_NAME))
    outputs.states[:2, PER] = [(0, log(2), 0), (0, 0, log(2))]
    outputs.states[:, DEM] = surer
    (value,) = decode(outputs, words(text), text)
    assert (value.span, CATEGORY_ORDER.index(value.category) in OF_TYPE[DEM]) == (place, True)


@pytest.mark.parametrize(
    ("first", "stop", "inner"), [(0, 2, "Ines Vogt"), (1, 3, "Vogt Tiling"), (1, 2, "Vogt")]
)
def test_a_value_of_another_type_may_stand_within_one(first, stop, inner):
    outputs = mark_outputs(4, Mark(0, 3, Category.COMPANY_NAME))
    within = mark_outputs(4, Mark(first, stop, Category.FULL_NAME))
    outputs.states[:, PER], outputs.categories[:, OF_TYPE[PER]] = (
        within.states[:, PER],
        within.categories[:, OF_TYPE[PER]],
    )
    text = "Ines Vogt Tiling calls"
    assert {value.span.of(text): value.category for value in decode(outputs, words(text), text)} == {
        "Ines Vogt Tiling": Category.COMPANY_NAME,
        inner: Category.FULL_NAME,
    }


@pytest.mark.parametrize(
    ("odds", "value", "category"),
    [(2, "Vogt", Category.FULL_NAME), (9, "Dr. Vogt", Category.COMPANY_NAME)],
)
def test_two_readings_of_the_same_words_do_not_nest_when_one_loses_its_title(odds, value, category):
    outputs = mark_outputs(3, Mark(0, 2, Category.FULL_NAME))
    outputs.states[:2, PER] = [(0, log(4), 0), (0, 0, log(4))]
    let_a_firm_hold_two_words(outputs, odds)
    text = "Dr. Vogt left"
    found = decode(outputs, words(text), text)
    assert [(one.span.of(text), one.category) for one in found] == [(value, category)]


def test_values_of_one_type_do_not_nest():
    name, nickname = Found(Span(0, 9), Category.FULL_NAME, 0.9), Found(Span(0, 4), Category.NICKNAME, 0.8)
    assert not may_nest(name, nickname)
    assert list(resolve([nickname, name], agree=may_nest)) == [name]


def test_nothing_stands_in_nothing():
    assert decode(mark_outputs(0), np.zeros((0, 2), np.int64), "") == []


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("An\ud800n", ["An", "n"]),
        ("\udfffAnn\ud800", ["Ann"]),
        ("A\ud800 \ud800B", ["A", "B"]),
        ("\ud800", []),
    ],
)
def test_no_value_holds_half_a_surrogate_pair(text, parts):
    """An entity's text is UTF-8 one day; what stands on either side is found all the same."""
    mark = Mark(0, len(text), Category.FULL_NAME)
    assert [value for value, _ in read(text, mark, offsets=letters)] == parts


def draw_outputs(size: int, seed: int) -> Outputs:
    rng = np.random.default_rng(seed)
    return Outputs(
        2 * rng.standard_normal((size, TYPES, STATES), np.float32),
        rng.standard_normal((size, CATEGORIES), np.float32),
        np.zeros(size, np.float32),
        np.zeros((size, NOTES), np.float32),
    )


texts = st.text(
    st.one_of(st.sampled_from("aB1 .\u0301王क\u093fก\u0e34\ufe0f\ud800😀"), st.characters()), min_size=1
)


@given(texts, st.integers(0, 2**32 - 1), st.floats(-2, 4))
def test_values_never_cross_and_are_never_empty(text, seed, bias):
    size = len(text)
    found = decode(make_whole(draw_outputs(size, seed)), letters(text), text, bias=bias)
    assert all(0 <= value.span.start < value.span.end <= size for value in found)
    assert found == sorted(found, key=lambda value: value.span)
    assert all(may_nest(one, other) for one, other in combinations(found, 2) if one.span.overlaps(other.span))
    assert all(0 <= value.score <= 1 and value.span.of(text).encode() for value in found)


ranges = st.tuples(st.integers(0, 400), st.integers(1, 150)).map(lambda pair: Span(pair[0], sum(pair)))
values = st.lists(
    st.builds(Found, ranges, st.sampled_from([Category.AGE, Category.DATE]), st.sampled_from([0.2, 0.5, 0.9]))
)


@given(texts, st.integers(0, 2**32 - 1), st.integers(1, 9))
def test_pieces_read_in_parts_give_the_values_that_they_give_together(text, seed, part):
    outputs = draw_outputs(len(text), seed)
    together = decode(outputs, letters(text), text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spans, "_AT_ONCE", part)
        assert decode(outputs, letters(text), text) == together


@given(values)
def test_what_is_left_out_meets_a_value_at_least_as_sure(found):
    kept = list(resolve(found))
    assert all(before.span.end <= after.span.start for before, after in pairwise(kept))
    for value in found:
        assert value in kept or any(
            other.score >= value.score for other in kept if other.span.overlaps(value.span)
        )
