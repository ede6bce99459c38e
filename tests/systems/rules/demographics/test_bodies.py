import pytest

from piibench.data.taxonomy import Category
from piibench.systems.rules.demographics.bodies import find_bodies
from recognition import propose, read_marks

POSITIVE = {
    Category.HEIGHT: [
        "I'm [[172 cm]], and thin",
        "He is [[5'11\"]] and slim",
        "She stands [[1.80 m]] tall.",
        "[[six foot two]] tall",
        "he's [[5 ft 9]]",
        "She is [[5 foot 4]], with long hair",
        "[[1,75 m]] tall",
    ],
    Category.WEIGHT: [
        "a [[67kg]] advocate",
        "She weighs [[150 lbs]].",
        "weight [[70.5 kg]]",
        "he weighs [[11 stone 4]] now",
    ],
    Category.BLOOD_TYPE: [
        "Blood type [[O+]].",
        "I am [[O negative]].",
        "blood group: [[AB]]",
        "her blood type is [[B-]]",
        "a donor with [[AB negative]] blood",
    ],
}

NEGATIVE = {
    Category.HEIGHT: [
        "The table is 180 cm wide.",
        "a 6 ft ladder",
        "5 ft 9 plank",
        "1.5 m of snow",
        "a 2 m rope",
        "Move 10 cm left.",
        "a line 5 ft 9 long",
    ],
    Category.WEIGHT: [
        "a 5 kg parcel",
        "I lost 10 kg",
        "150 pounds for the ticket",
        "2 kg of flour",
        "a 20 kg suitcase",
    ],
    Category.BLOOD_TYPE: [
        "An A+ grade.",
        "A positive attitude",
        "B- in maths",
        "blood test results",
        "vitamin A",
    ],
}


@pytest.mark.parametrize(
    ("category", "marked"), [(category, line) for category, lines in POSITIVE.items() for line in lines]
)
def test_finds_the_minimal_value(category, marked):
    text, expected = read_marks(marked)
    assert propose(find_bodies, text, category) == expected


@pytest.mark.parametrize(
    ("category", "text"), [(category, line) for category, lines in NEGATIVE.items() for line in lines]
)
def test_leaves_alone_what_is_nobody_s(category, text):
    assert propose(find_bodies, text, category) == []
