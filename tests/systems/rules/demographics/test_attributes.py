import pytest

from piibench.data.taxonomy import Category
from piibench.systems.rules.demographics.attributes import find_attributes
from recognition import propose, read_marks

POSITIVE = {
    Category.NATIONALITY: [
        "My sister is [[Peruvian]].",
        "He is a [[Kenyan]] nurse.",
        "She is a [[Polish]] citizen.",
        "I'm [[Canadian]] and I live here.",
        "Li, 34, [[Chinese]], works here.",
        "a [[Brazilian]]-born man",
        "I am a citizen of [[Peru]].",
    ],
    Category.ETHNICITY: [
        "She is of [[Irish]] descent.",
        "I'm [[Han Chinese]].",
        "His [[Yoruba]] heritage matters.",
        "He is ethnically [[Kurdish]].",
        "She identifies as [[Māori]].",
        "I'm [[Korean-American]].",
    ],
    Category.RACE: [
        "She is a [[Black]] woman.",
        "I'm [[mixed race]].",
        "He is [[white]].",
        "an [[African American]] man",
    ],
    Category.RELIGIOUS_BELIEF: [
        "She is a devout [[Roman Catholic]].",
        "I was raised [[Sikh]].",
        "He converted to [[Buddhism]].",
        "I'm [[agnostic]].",
        "My neighbours are [[Muslim]].",
        "Her [[Hindu]] family came.",
    ],
    Category.POLITICAL_AFFILIATION: [
        "He votes [[Labour]].",
        "I'm a registered [[Democrat]].",
        "She is a member of the [[Green Party]].",
        "My uncle is a [[socialist]].",
        "a [[Conservative]] voter",
        "She votes for the [[NPP]].",
        "a member of the [[Blue Sky Party]] since May",
    ],
    Category.SEXUAL_ORIENTATION: [
        "He's [[gay]].",
        "She came out as [[bisexual]].",
        "I'm a [[lesbian]].",
        "I identify as [[straight]].",
    ],
    Category.GENDER: [
        "a 34-year-old [[woman]]",
        "She identifies as [[non-binary]].",
        "I'm a [[trans woman]].",
        "a [[female]] patient",
        "I am [[male]].",
        "a 60 year old [[man]] came",
    ],
}

NEGATIVE = {
    Category.NATIONALITY: [
        "We went to an Italian restaurant.",
        "She speaks French.",
        "the French press",
        "He is fluent in Spanish.",
        "Chinese food is great",
        "The sauce is Italian.",
        "Greek salad",
        "I am learning Portuguese",
    ],
    Category.ETHNICITY: [
        "He speaks Punjabi.",
        "Catalan literature",
        "She learns Yoruba",
    ],
    Category.RACE: [
        "A white car.",
        "Black coffee, please.",
        "The walls are white.",
        "the White House",
    ],
    Category.RELIGIOUS_BELIEF: [
        "He goes to the Catholic school.",
        "a Buddhist temple",
        "Christian Dior perfume",
        "the Jewish bakery",
    ],
    Category.POLITICAL_AFFILIATION: [
        "a conservative estimate",
        "the green line",
        "a liberal amount of salt",
        "hard labour",
        "the moderate weather",
    ],
    Category.SEXUAL_ORIENTATION: [
        "Go straight ahead.",
        "The line is straight.",
        "gay rights",
    ],
    Category.GENDER: [
        "The woman left.",
        "a man and his dog",
        "every girl likes it",
    ],
}


@pytest.mark.parametrize(
    ("category", "marked"), [(category, line) for category, lines in POSITIVE.items() for line in lines]
)
def test_finds_the_minimal_value(category, marked):
    text, expected = read_marks(marked)
    assert propose(find_attributes, text, category) == expected


@pytest.mark.parametrize(
    ("category", "text"), [(category, line) for category, lines in NEGATIVE.items() for line in lines]
)
def test_leaves_alone_what_is_nobody_s(category, text):
    assert propose(find_attributes, text, category) == []
