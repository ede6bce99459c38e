import pytest

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.fields.values import read_value, trim_value


def read(text, category):
    return [candidate.span.of(text) for candidate in read_value(text, Span(0, len(text)), category)]


@pytest.mark.parametrize(
    ("text", "category", "expected"),
    [
        ("asthma, gout & lupus", Category.MEDICAL_CONDITION, ["asthma", "gout", "lupus"]),
        ("nurse, part time", Category.OCCUPATION, ["nurse"]),
        ("$85k a year", Category.MONTHLY_INCOME, ["$85k"]),
        ("12.5% of income", Category.DEBT_RATIO, ["12.5%"]),
        ("AB negative", Category.BLOOD_TYPE, ["AB negative"]),
        ("negative", Category.BLOOD_TYPE, []),
        ("N/A", Category.MEDICAL_CONDITION, []),
        ("none", Category.OCCUPATION, []),
        ("a very long story that never comes to its end", Category.OCCUPATION, []),
        ("leeds", Category.CITY_REGION, []),
    ],
)
def test_read_value(text, category, expected):
    assert read(text, category) == expected


@pytest.mark.parametrize(("text", "expected"), [(' "Ana". ', "Ana"), ("O-", "O-"), (" ,;", None), ("", None)])
def test_trim_value(text, expected):
    span = trim_value(text, Span(0, len(text)))
    assert (span and span.of(text)) == expected
