"""Table 10 as data: counts, order, types, and the forgiving reading of names."""

from __future__ import annotations

from collections import Counter

import pytest

from piibench.data.taxonomy import INFO, TAXONOMY, TYPE_OF, Category, PIIType, parse_category
from piibench.errors import UnknownCategoryError

ROWS_PER_TYPE = {
    PIIType.PER: 3,
    PIIType.CODE: 12,
    PIIType.LOC: 3,
    PIIType.ORG: 5,
    PIIType.DEM: 17,
    PIIType.DATETIME: 3,
    PIIType.QUANTITY: 12,
}


def test_there_are_7_types_and_55_categories_in_the_order_of_table_10() -> None:
    assert len(PIIType) == 7
    assert len(Category) == 55
    assert [row.category for row in TAXONOMY] == list(Category)
    assert Counter(row.type for row in TAXONOMY) == ROWS_PER_TYPE
    assert [row.type for row in TAXONOMY] == sorted((row.type for row in TAXONOMY), key=list(PIIType).index)


def test_every_category_has_one_row_and_one_type() -> None:
    assert set(INFO) == set(TYPE_OF) == set(Category)
    assert all(INFO[category].type is TYPE_OF[category] for category in Category)


def test_direct_identifiers_are_names_and_codes_and_the_address() -> None:
    direct = {row.category for row in TAXONOMY if row.identifier == "direct"}
    expected = {row.category for row in TAXONOMY if row.type in {PIIType.PER, PIIType.CODE}}
    assert direct == expected | {Category.STREET_ADDRESS}


def test_glosses_are_one_line_and_all_different() -> None:
    glosses = [row.gloss for row in TAXONOMY]
    assert len(set(glosses)) == 55
    assert all(gloss and "\n" not in gloss for gloss in glosses)


@pytest.mark.parametrize("category", Category)
def test_every_name_is_read_back_also_in_other_case(category: Category) -> None:
    assert parse_category(category) is category
    assert parse_category(f"  {category.upper()} ") is category


def test_the_typographic_apostrophe_is_read() -> None:
    assert parse_category("Driver’s License") is Category.DRIVERS_LICENSE


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Phone Numbr", "Phone Number"),
        ("City Region", "City/Region"),
        ("xyzzy", "piibench taxonomy"),
        ("", "piibench taxonomy"),
    ],
)
def test_an_unknown_name_is_refused_with_a_hint_and_without_the_name(name: str, hint: str) -> None:
    with pytest.raises(UnknownCategoryError, match=hint) as caught:
        parse_category(name)
    assert "numbr" not in str(caught.value).lower()
    assert "xyzzy" not in str(caught.value)
