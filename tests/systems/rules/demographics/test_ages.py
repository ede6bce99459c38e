import pytest

from piibench.data.taxonomy import Category
from piibench.systems.rules.demographics.ages import find_ages
from recognition import propose, read_marks

POSITIVE = {
    Category.AGE: [
        "a [[34]]-year-old",
        "aged [[52]]",
        "She turned [[40]] last May.",
        "I'm [[29]], and I work.",
        "Ana ([[41]]) left.",
        "My sister, [[34]], is here.",
        "I ([[29]]F) and my husband ([[34]]M) fight.",
        "She is [[eighteen]] months old.",
        "[[72]] y/o",
        "[[3]] weeks old",
        "at age [[12]]",
        "Kofi, [[52]], moved.",
        "she's [[67]].",
        "My daughter, Lena, is [[12]] and goes to school.",
        "a [[45]] year old Sikh truck driver",
        "Patient: [[58]]M, in pain",
    ],
    Category.GENDER: [
        "I (29[[F]]) am",
        "my wife, 34[[F]], says",
        "He is 34[[M]].",
    ],
}

NEGATIVE = {
    Category.AGE: [
        "The building is 34 years old.",
        "a 20-year-old car",
        "in her sixties",
        "It costs 29.",
        "the price is 40, not 50",
        "March, 12",
        "figure (2)",
        "ages 3 and up",
        "turned 40 degrees",
        "Room, 12, left",
        "under 18s only",
        "I'm 172 cm tall",
        "aged 3-5",
        "It is 30 years old",
        "a 12 year old whisky",
    ],
    Category.GENDER: [
        "$29M deal",
        "29F outside",
        "a 5M run",
    ],
}


@pytest.mark.parametrize(
    ("category", "marked"), [(category, line) for category, lines in POSITIVE.items() for line in lines]
)
def test_finds_the_minimal_value(category, marked):
    text, expected = read_marks(marked)
    assert propose(find_ages, text, category) == expected


@pytest.mark.parametrize(
    ("category", "text"), [(category, line) for category, lines in NEGATIVE.items() for line in lines]
)
def test_leaves_alone_what_is_nobody_s(category, text):
    assert propose(find_ages, text, category) == []
