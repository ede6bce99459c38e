"""The world's formats are many, and no fewer than people use."""

import random
import re

import pytest

from piibench.data.taxonomy import Category
from piibench.generators.cultures import sample_background
from piibench.generators.registry import make

SHAPES = {
    Category.FULL_NAME: 17,
    Category.SOCIAL_MEDIA_HANDLE: 24,
    Category.SOCIAL_SECURITY_NUMBER: 9,
    Category.DRIVERS_LICENSE: 24,
    Category.BANK_ACCOUNT: 26,
    Category.CREDIT_CARD: 9,
    Category.PHONE_NUMBER: 67,
    Category.IP_ADDRESS: 523,
    Category.EMAIL_ADDRESS: 13,
    Category.PASSPORT_NUMBER: 9,
    Category.TAX_ID: 12,
    Category.EMPLOYEE_ID: 8,
    Category.STUDENT_ID: 8,
    Category.STREET_ADDRESS: 454,
    Category.HEIGHT: 13,
    Category.WEIGHT: 8,
    Category.BLOOD_TYPE: 7,
    Category.DATE: 24,
    Category.TIME: 11,
    Category.DURATION: 6,
    Category.MONTHLY_INCOME: 168,
    Category.LOAN_AMOUNT: 214,
    Category.DEBT_RATIO: 25,
    Category.ACADEMIC_DEGREE: 43,
}
DISTINCT = {
    Category.FULL_NAME: 1950,
    Category.NICKNAME: 1100,
    Category.STREET_ADDRESS: 1990,
    Category.CITY_REGION: 500,
    Category.LANDMARK: 1500,
    Category.COMPANY_NAME: 1500,
    Category.EDUCATIONAL_INSTITUTION: 1200,
    Category.GOVERNMENT_AGENCY: 1200,
    Category.NGO: 1100,
    Category.HEALTHCARE_FACILITY: 1200,
    Category.OCCUPATION: 450,
    Category.NATIONALITY: 100,
    Category.ETHNICITY: 200,
    Category.RACE: 30,
    Category.RELIGIOUS_BELIEF: 80,
    Category.POLITICAL_AFFILIATION: 90,
    Category.EDUCATION_LEVEL: 80,
    Category.ACADEMIC_DEGREE: 500,
    Category.PHYSICAL_FEATURES: 350,
    Category.MEDICAL_CONDITION: 400,
    Category.DISABILITY_STATUS: 60,
}


def draw(category, style, n=2000):
    rng = random.Random(41)
    return [make(category, rng, sample_background(rng, "train"), style=style).text for _ in range(n)]


def shape(text):
    """The text with every digit as 9 and every word as "a", or "A" where it has a capital."""
    text = re.sub(r"\d", "9", text)
    return re.sub(r"[^\W\d_]+", lambda word: "A" if word[0][0].isupper() else "a", text)


@pytest.mark.parametrize(("category", "least"), SHAPES.items())
def test_world_style_has_many_shapes(category, least):
    assert len({shape(text) for text in draw(category, "world")}) >= least


@pytest.mark.parametrize(("category", "least"), DISTINCT.items())
def test_composed_and_listed_values_are_many(category, least):
    assert len(set(draw(category, "paper"))) >= least


def test_indian_sums_are_grouped_in_lakh():
    rng = random.Random(5)
    background = sample_background(rng, "train", culture="in")
    texts = [make(Category.LOAN_AMOUNT, rng, background, style="world").text for _ in range(300)]
    assert any(re.fullmatch(r"₹\d{1,2},\d{2},\d{3}", text) for text in texts)
    assert any(text.endswith(("lakh", "crore")) for text in texts)


def test_dates_of_the_united_states_put_the_month_first():
    rng = random.Random(6)
    background = sample_background(rng, "train", culture="us")
    for _ in range(300):
        value = make(Category.DATE, rng, background, style="world")
        if found := re.match(r"(\d+)[/-](\d+)[/-]", value.text):
            assert (int(found[1]), int(found[2])) == (value.fact.month, value.fact.day)


@pytest.mark.parametrize("category", [Category.BANK_ACCOUNT, Category.SOCIAL_SECURITY_NUMBER])
@pytest.mark.parametrize("culture", ["us", "uk", "in", "de", "se", "cn"])
def test_numbers_are_whole_unless_their_end_is_asked_for(category, culture):
    rng = random.Random(3)
    for _ in range(200):
        background = sample_background(rng, "test", culture=culture)
        assert not re.search("[*•]|XX|xx", make(category, rng, background, style="world").text)
