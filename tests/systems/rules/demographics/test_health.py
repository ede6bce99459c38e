import pytest

from piibench.data.taxonomy import Category
from piibench.systems.rules.demographics.health import find_health
from recognition import propose, read_marks

POSITIVE = {
    Category.MEDICAL_CONDITION: [
        "He has [[type 2 diabetes]], [[asthma]] and [[severe migraines]].",
        "She was diagnosed with [[lupus]] in May.",
        "I'm [[allergic to penicillin]].",
        "[[peanut allergy]]",
        "She suffers from [[depression]] and [[anxiety]].",
        "He has a [[torn meniscus]].",
        "My [[high blood pressure]] is back.",
        "He [[broke his wrist]] last week.",
        "a challenge—[[hypertension]], which he monitors",
        "She lives with [[stage 3 breast cancer]].",
        "recovering from [[pneumonia]]",
        "I got [[gastroduodenitis]] abroad.",
        "She is [[diabetic]].",
    ],
    Category.DISABILITY_STATUS: [
        "She is [[hard of hearing]].",
        "He is [[blind in one eye]].",
        "I have a [[50% disability]].",
        "My uncle is [[deaf]].",
        "a [[wheelchair user]]",
        "He is [[dyslexic]].",
        "an [[above-knee amputee]]",
    ],
}

NEGATIVE = {
    Category.MEDICAL_CONDITION: [
        "Diabetes is a chronic disease.",
        "Cancer research helps.",
        "She denies fever.",
        "No history of asthma.",
        "Do you have diabetes?",
        "The diagnosis was wrong; her diploma too.",
        "under a lot of stress",
        "a cold drink",
        "in academia and with sympathy",
        "He takes metformin.",
        "a diabetic cake",
    ],
    Category.DISABILITY_STATUS: [
        "The road is blind here.",
        "a deaf ear",
        "He is not deaf.",
        "turn a blind eye",
    ],
}


@pytest.mark.parametrize(
    ("category", "marked"), [(category, line) for category, lines in POSITIVE.items() for line in lines]
)
def test_finds_the_minimal_value(category, marked):
    text, expected = read_marks(marked)
    assert propose(find_health, text, category) == expected


@pytest.mark.parametrize(
    ("category", "text"), [(category, line) for category, lines in NEGATIVE.items() for line in lines]
)
def test_leaves_alone_what_is_nobody_s(category, text):
    assert propose(find_health, text, category) == []
