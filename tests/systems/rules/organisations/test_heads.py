import pytest

from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, STRONG
from piibench.systems.rules.organisations.heads import binds, find_head, is_suffix


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mayo clinic", (2, Category.HEALTHCARE_FACILITY, STRONG)),
        ("ministry of foreign affairs", (4, Category.GOVERNMENT_AGENCY, STRONG)),
        ("global health research center", (4, Category.NGO, STRONG)),
        ("hôpital necker", (2, Category.HEALTHCARE_FACILITY, STRONG)),
        ("blue ocean media", (3, Category.COMPANY_NAME, LIKELY)),
        ("acme bank account", (2, Category.COMPANY_NAME, LIKELY)),
        ("high school", None),
        ("human resources department", None),
        ("jane doe", None),
    ],
)
def test_find_head(name, expected):
    assert find_head(name.split()) == expected


@pytest.mark.parametrize(("word", "expected"), [("Ltd", True), ("GmbH", True), ("Co", True), ("CO", True), ("Ab", False), ("Bank", False)])  # fmt: skip
def test_is_suffix(word, expected):
    assert is_suffix(word) is expected


@pytest.mark.parametrize(
    ("words", "joiner", "following", "expected"),
    [
        ("university", "of", "leeds", True),
        ("jane", "of", "acme", False),
        ("smith", "and", "sons", True),
        ("google", "and", "meta", False),
        ("ministry of health", "and", "welfare", True),
        ("university of leeds", "and", "stanford", False),
        ("johnson", "&", "johnson", True),
    ],
)
def test_binds(words, joiner, following, expected):
    assert binds(words.split(), joiner, following) is expected
