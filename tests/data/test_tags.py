"""Other people's words for our categories."""

from __future__ import annotations

import pytest

from piibench.data.tags import LABELS, TAGS, Label, find_category, find_type
from piibench.data.taxonomy import TYPE_OF, Category, PIIType

WORDINGS = [(wording, category) for category in Category for wording in (category, *TAGS[category])]


def test_every_category_has_other_wordings() -> None:
    assert list(TAGS) == list(Category)
    assert all(TAGS.values())


@pytest.mark.parametrize(("wording", "category"), WORDINGS)
def test_each_wording_means_its_category_in_any_case_and_number(wording: str, category: Category) -> None:
    assert find_category(wording) is category
    assert find_category(wording.upper().replace(" ", "_")) is category
    plural = wording if wording.endswith("s") else f"{wording}s"
    assert find_category(f" {plural} ") is category


@pytest.mark.parametrize(
    ("wording", "category"),
    [
        ("Health Status", "Medical Condition"),
        ("Specific Time", "Time"),
        ("Phone Numbers", "Phone Number"),
        ("Work or Home Detailed Address", "Street Address"),
        ("Non-Governmental Organization Name", "NGO"),
        ("Driver’s License", "Driver's License"),
        ("driver_license", "Driver's License"),
        ("city / region", "City/Region"),
        ("E-mail addresses", "Email Address"),
        ("Employee IDs", "Employee ID"),
    ],
)
def test_the_released_wordings(wording: str, category: str) -> None:
    assert find_category(wording) == category


@pytest.mark.parametrize("wording", ["", "Work Experience", "Favourite Colour", "Number", "名前"])
def test_a_wording_that_means_none(wording: str) -> None:
    assert find_category(wording) is None


@pytest.mark.parametrize(
    ("wording", "type_"), [("PER", "PER"), ("datetime", "DATETIME"), (" Location ", "LOC"), ("X", None)]
)
def test_types(wording: str, type_: str | None) -> None:
    assert find_type(wording) == type_


def test_labels_agree_with_the_taxonomy() -> None:
    for label in filter(None, LABELS.values()):
        assert label.category is None or TYPE_OF[label.category] is label.type
    assert LABELS["NRP"] == Label(PIIType.DEM)
    assert LABELS["TITLE"] is None
