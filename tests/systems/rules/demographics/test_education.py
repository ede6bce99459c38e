import pytest

from piibench.data.taxonomy import Category
from piibench.systems.rules.demographics.education import find_education
from recognition import propose, read_marks

POSITIVE = {
    Category.ACADEMIC_DEGREE: [
        "She has a [[master's in public health]] and a [[BSc (Hons) in Computer Science]] from Leeds.",
        "He holds an [[MBA]].",
        "my [[PhD degree]] from",
        "I received my [[bachelor's degree]] from",
        "a distinguished [[Doctor of Clinical Medicine]] who",
        "[[PhD in Linguistics]];",
        "[[LL.M. in International Law]]",
        "a [[doctorate in history]]",
        "Jane Doe, [[MD]], called",
        "[[MSc in Botany]]",
        "her [[degree in nursing]]",
        "[[Bachelor of Arts in History]]",
    ],
    Category.EDUCATION_LEVEL: [
        "He finished [[high school]].",
        "She has three [[A-levels]].",
        "I have a [[high school diploma]].",
        "He got his [[GED]].",
        "[[secondary diploma]]",
        "She has only [[primary education]].",
        "[[some college]]",
        "the [[Abitur]]",
    ],
}

NEGATIVE = {
    Category.ACADEMIC_DEGREE: [
        "Boston, MA is cold.",
        "He is his own master.",
        "the Med in March",
        "a bed in the ward",
        "MS Word",
        "the ba in bar",
        "no degree",
    ],
    Category.EDUCATION_LEVEL: [
        "My high school was big.",
        "the primary school down the road",
        "the university library",
        "College Street",
    ],
}


@pytest.mark.parametrize(
    ("category", "marked"), [(category, line) for category, lines in POSITIVE.items() for line in lines]
)
def test_finds_the_minimal_value(category, marked):
    text, expected = read_marks(marked)
    assert propose(find_education, text, category) == expected


@pytest.mark.parametrize(
    ("category", "text"), [(category, line) for category, lines in NEGATIVE.items() for line in lines]
)
def test_leaves_alone_what_is_nobody_s(category, text):
    assert propose(find_education, text, category) == []
