import pytest

from piibench.data.taxonomy import Category
from piibench.systems.rules.lexicon import Lexicons
from piibench.systems.rules.organisations.runs import find_runs
from piibench.systems.rules.passage import read_passage

NO_WORDS = Lexicons([("none", ["\ue000"])])


def read(text):
    return [(run.span.of(text), run.category) for run in find_runs(read_passage(text, NO_WORDS))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at the University of Leeds and Stanford University", [
            ("University of Leeds", Category.EDUCATIONAL_INSTITUTION),
            ("Stanford University", Category.EDUCATIONAL_INSTITUTION),
        ]),
        ("from Smith & Sons Ltd. and then", [("Smith & Sons Ltd.", Category.COMPANY_NAME)]),
        ("I left Acme Corp.", [("Acme Corp", Category.COMPANY_NAME)]),
        ("at Foo, Inc. in May", [("Foo, Inc.", Category.COMPANY_NAME)]),
        ("St. Mary's Hospital called", [("St. Mary's Hospital", Category.HEALTHCARE_FACILITY)]),
        ("Department of Health and Human Services", [
            ("Department of Health and Human Services", Category.GOVERNMENT_AGENCY),
        ]),
        ("the General Hospital", [("General Hospital", None)]),
        ("When Google hired me", [("Google", None)]),
        ("near Google's office", [("Google", None)]),
        ("at Wendy's.", [("Wendy's", None)]),
        ("Universidad de Chile", [("Universidad de Chile", Category.EDUCATIONAL_INSTITUTION)]),
        ("met Ann and Bob of Acme Bank", [("Ann", None), ("Bob", None), ("Acme Bank", Category.COMPANY_NAME)]),
        ("Springfield General Hospital Dr. Lee", [
            ("Springfield General Hospital", Category.HEALTHCARE_FACILITY),
            ("Lee", None),
        ]),
        ("Policy Records: none", [("Policy Records", None)]),
        ("no capitals here", []),
    ],
)  # fmt: skip
def test_runs_are_cut_to_names(text, expected):
    assert read(text) == expected


def test_a_run_does_not_cross_a_line():
    assert read("Jane Doe\nAcme Bank") == [("Jane Doe", None), ("Acme Bank", Category.COMPANY_NAME)]
