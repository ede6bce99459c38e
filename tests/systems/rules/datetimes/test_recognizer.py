from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import resolve
from piibench.systems.rules.datetimes.recognizer import find_datetimes
from piibench.systems.rules.lexicon import Lexicons
from piibench.systems.rules.passage import read_passage

NO_WORDS = Lexicons([("none", ["\ue000"])])

# [[…]] marks the values that must be found; nothing else in the line is one.
POSITIVE = {
    Category.DATE: [
        "on [[2024-03-07]].",
        "[[7 March 2024]]",
        "[[March 7th, 2024]] was cold",
        "signed [[03/07/24]], paid [[31/12/99]]",
        "geboren [[07.03.2024]]",
        "[[2024年3月7日]]",
        "since [[March 2024]]",
        "In [[2019]], I obtained my degree",
        "the [[14th of May]]",
        "It was [[May 14]] then",
        "[[Monday, 3 June 2024]] at last",
        "[[Christmas Eve 2022]]",
        "in [[spring 2021]] we met",
        "from [[2015]] to [[2019]]",
        "[[2015]]-[[2019]]: assistant",
        "[[2015]]–present",
        "at Oxford ([[2011]])",
        "DOB: [[19870412]]",
        "due on [[03/15]]",
        "card exp [[05/2026]]",
        "[[7-Mar-2024]]",
        "am [[3. Oktober 1990]]",
        "el [[12 de mayo de 1999]]",
        "le [[7 mars 2024]]",
        "mid-[[2021]] and late [[2019]]",
        "May I come on [[Dec. 5]]?",
        "born [[1987]] in Leeds",
        "[[January 15, 2024]]\n[[2024/01/20]]",
    ],
    Category.TIME: [
        "Every day at precisely [[3:14 PM]], he",
        "um [[15h30]]",
        "at [[15:30:00]] sharp",
        "by [[8.40pm]].",
        "[[half past nine]]",
        "around [[seven o'clock]]",
        "at [[noon]]",
        "[[9am]] to [[5pm]]",
        "until [[7 p.m.]] daily",
        "[[14:30]] Uhr",
        "wake up at [[7 in the morning]]",
        "[[quarter to six]]",
        "at [[1530 hrs]]",
        "[[0730 hours]]",
        "[[下午3点30分]]见",
    ],
    Category.DURATION: [
        "dedicated [[23 years]] to it",
        "for [[five years]]",
        "[[three and a half months]]",
        "took [[2h 30m]]",
        "a [[10-year]] plan",
        "[[90 minutes]]",
        "[[18 months]] ago",
        "sick for [[45d]]",
        "a [[12h]] shift",
        "[[two years and three months]]",
        "[[5-7 years]]",
        "over [[twenty-five years]]'s work",
        "[[6 1/2 weeks]]",
        "[[1 hour 20 minutes]] a day",
        "[[2.5 years]]",
        "[[one and a half years]]",
        "lasted [[30m]]",
        "[[1,530 hours]]",
    ],
}

NEGATIVE = {
    "vague": "this year, yesterday, next Monday, last week, some years, a few days, a decade, soon",
    "age years": "34 years old, aged 34 years, a 34-year-old, turning 40 years of age",
    "age months": "3 months old, 18 months of age, my brother is 4 years younger",
    "decades": "the 1990s, the 80s, in her 30s",
    "modal": "I may 14 times, they march 5 miles",
    "versions": "version 1.2.24, IP 10.0.0.1",
    "vitals": "BP 120/80, ratio 3:2, score 4:30, John 3:16",
    "money": "$2019, €1,999 and 2000 people in 2000 cases",
    "impossible": "99/99/99, 2024-13-45, 32.13.2020",
    "dimensions": "3D glasses, 30m tall, 10m wide",
    "cjk duration": "3小时",
    "phone": "555-010-2030, 0171 496 0123",
    "noon alone": "the midnight train, a noon shadow",
    "long digits": "12345678 and 20241345",
}


def find(text: str) -> list[tuple[Category, str]]:
    passage = read_passage(text, NO_WORDS)
    return [(found.category, found.span.of(text)) for found in resolve(find_datetimes(passage))]


@pytest.mark.parametrize(
    ("category", "marked"), [(category, line) for category, lines in POSITIVE.items() for line in lines]
)
def test_finds_exactly_the_marked_values(category, marked):
    text = marked.replace("[[", "").replace("]]", "")
    assert find(text) == [(category, value) for value in re.findall(r"\[\[(.*?)\]\]", marked)]


@pytest.mark.parametrize("text", NEGATIVE.values(), ids=NEGATIVE.keys())
def test_leaves_other_numbers_and_vague_words_alone(text):
    assert find(text) == []


def test_a_timestamp_is_a_date_and_a_time():
    assert find("2024-03-07T15:30:00Z") == [(Category.DATE, "2024-03-07"), (Category.TIME, "15:30:00")]


def test_a_range_is_two_dates_and_a_comma_is_no_sum():
    assert find("born 2 May 1970, 3 June 1999; five years, three months") == [
        (Category.DATE, "2 May 1970"),
        (Category.DATE, "3 June 1999"),
        (Category.DURATION, "five years"),
        (Category.DURATION, "three months"),
    ]


ADVERSARIAL = [
    "1" * 200_000,
    "1 " * 100_000,
    "1:" * 100_000,
    "1/2 " * 50_000,
    "2020 " * 40_000,
    "may " * 50_000,
    "one " * 50_000,
    "and a half " * 18_000,
    "2020-" * 40_000,
    "1 year " * 28_000,
    "twenty " * 28_000,
]


@pytest.mark.parametrize("text", ADVERSARIAL, ids=lambda text: repr(text[:8]))
def test_takes_linear_time(text):
    start = time.process_time()
    list(find_datetimes(read_passage(text, NO_WORDS)))
    # A quadratic rule takes minutes on 200,000 characters; a loaded machine gets ample room.
    assert time.process_time() - start < 10


PIECES = st.sampled_from(
    ["1", "20", "2019", ":", "/", "-", ".", " ", "May", "years", "half", "年", "月", "h", "\ud800"]
)


@given(st.text(max_size=60) | st.lists(PIECES, max_size=25).map("".join))
def test_any_text_gives_valid_spans(text):
    for found in find_datetimes(read_passage(text, NO_WORDS)):
        assert 0 <= found.span.start < found.span.end <= len(text)
