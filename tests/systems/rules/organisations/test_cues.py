import pytest

from piibench.data.taxonomy import Category
from piibench.systems.rules.lexicon import Lexicons
from piibench.systems.rules.organisations.cues import read_cue
from piibench.systems.rules.passage import read_passage

NO_WORDS = Lexicons([("none", ["\ue000"])])


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("She works at ", Category.COMPANY_NAME),
        ("He is employed by the ", Category.COMPANY_NAME),
        ("founder of ", Category.COMPANY_NAME),
        ("I graduated from ", Category.EDUCATIONAL_INSTITUTION),
        ("my master's from ", Category.EDUCATIONAL_INSTITUTION),
        ("was treated at ", Category.HEALTHCARE_FACILITY),
        ("She volunteers with the ", Category.NGO),
        ("I walked to ", None),
        ("works at, ", None),
        ("", None),
    ],
)
def test_read_cue(before, expected):
    assert read_cue(read_passage(before + "Acme", NO_WORDS), len(before)) is expected
