"""Every category in the paper's style has the format that Table 10 prints."""

import random
import re

import pytest

from piibench.data.taxonomy import INFO, Category
from piibench.generators.cultures import list_cultures, sample_background
from piibench.generators.registry import FORMS, MAKERS, make

MONEY = r"[^\d\s]{1,4}[0-9]+"
PERCENT = r"[0-9]{1,2}\.[0-9]{2}%"
WORDS = r"[^\W\d_].*"
FORMATS = {
    Category.FULL_NAME: r"[^\W\d_][\w'’\-]+ [\w'’\-].*",
    Category.SOCIAL_MEDIA_HANDLE: r"@[a-zA-Z0-9]{5,15}",
    Category.SOCIAL_SECURITY_NUMBER: r"\d{3}-\d{2}-\d{4}",
    Category.DRIVERS_LICENSE: r"[A-Z][0-9]{8}",
    Category.BANK_ACCOUNT: r"[0-9]{10,12}",
    Category.CREDIT_CARD: r"[0-9]{16}",
    Category.PHONE_NUMBER: r"\+[0-9]{1,3}-[0-9]{10}",
    Category.IP_ADDRESS: r"\d{1,3}(\.\d{1,3}){3}|[0-9a-f:]+",
    Category.EMAIL_ADDRESS: r"[a-z0-9._]+@example\.(com|org|net)",
    Category.PASSWORD_HASH: r"[0-9a-f]{64}",
    Category.PASSPORT_NUMBER: r"[A-Z][0-9]{8}",
    Category.TAX_ID: r"[0-9]{9}",
    Category.EMPLOYEE_ID: r"[A-Z]{2}[0-9]{6}",
    Category.STUDENT_ID: r"[0-9]{8}",
    Category.STREET_ADDRESS: r".*\d.*",
    Category.OCCUPATION: r"[A-Za-z].*[a-z]",
    Category.AGE: r"[0-9]{1,3}",
    Category.GENDER: r"female|male|non-binary",
    Category.HEIGHT: r"[0-9]{3}cm|[0-9]'[0-9]\"",
    Category.WEIGHT: r"[0-9]{2,3}(kg|lbs)",
    Category.BLOOD_TYPE: r"(A|B|AB|O)[+-]",
    Category.DISABILITY_STATUS: r"[^\W_].*[a-z]",
    Category.DATE: r"\d{4}-\d{2}-\d{2}",
    Category.TIME: r"\d{2}:\d{2}:\d{2}",
    Category.DURATION: r"[0-9]+[dhms]",
    Category.DEBT_RATIO: PERCENT,
    Category.INVESTMENT_RETURN: PERCENT,
    Category.ROI: PERCENT,
    Category.CREDIT_SCORE: r"[3-8]\d{2}",
} | {category: MONEY for category, row in INFO.items() if row.format == "[Currency][0-9]+"}


def test_makers_stand_in_the_row_order_of_table_10():
    assert list(MAKERS) == list(Category)
    assert list(FORMS) == list(Category)


@pytest.mark.parametrize("category", Category)
def test_paper_style_has_the_printed_format(category):
    rng = random.Random(7)
    pattern = re.compile(FORMATS.get(category, WORDS))
    for culture in list_cultures():
        for _ in range(8):
            background = sample_background(rng, "train", culture=culture)
            text = make(category, rng, background).text
            assert pattern.fullmatch(text), f"{category} of {culture}"


def test_every_format_of_table_10_is_checked():
    printed = {category for category, row in INFO.items() if row.format not in {"-", "Predefined list"}}
    assert printed <= set(FORMATS)


def test_credit_scores_stay_between_300_and_850():
    rng = random.Random(3)
    scores = [make(Category.CREDIT_SCORE, rng, sample_background(rng, "dev")).fact for _ in range(2000)]
    assert min(scores) >= 300
    assert max(scores) <= 850
    assert len(set(scores)) > 200
