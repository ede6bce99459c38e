"""What models call a kind of value."""

from __future__ import annotations

import pytest

from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.systems.llm.labels import UNKNOWN, read_label


@pytest.mark.parametrize("kind", PIIType)
def test_the_seven_types_in_any_dress(kind: PIIType) -> None:
    for text in (kind, kind.lower(), f" <{kind}> ", f'"{kind}"', f"{kind}."):
        assert read_label(text) == (kind, None)


@pytest.mark.parametrize("category", Category)
def test_the_55_categories_fix_the_type(category: Category) -> None:
    for text in (category, category.upper(), category.replace(" ", "_").lower()):
        assert read_label(text) == (TYPE_OF[category], category)


@pytest.mark.parametrize(
    ("text", "kind", "category"),
    [
        ("PERSON", PIIType.PER, None),
        ("Organization", PIIType.ORG, None),
        ("Location", PIIType.LOC, None),
        ("date_time", PIIType.DATETIME, None),
        ("DEMOGRAPHICS", PIIType.DEM, None),
        ("Email", PIIType.CODE, Category.EMAIL_ADDRESS),
        ("phone number", PIIType.CODE, Category.PHONE_NUMBER),
        ("IBAN_CODE", PIIType.CODE, Category.BANK_ACCOUNT),
        ("job title", PIIType.DEM, Category.OCCUPATION),
        ("ID", PIIType.CODE, None),
        ("gobbledygook", *UNKNOWN),
        ("", *UNKNOWN),
    ],
)
def test_other_wordings(text: str, kind: PIIType, category: Category | None) -> None:
    assert read_label(text) == (kind, category)
