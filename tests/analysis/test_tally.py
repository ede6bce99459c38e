"""Errors add up, by kind and by label."""

from __future__ import annotations

import json
from collections import Counter

from piibench.analysis.tally import ErrorKind, Errors

AGE = Errors(
    right=1, there={"Age": 2}, found=2, counts={(ErrorKind.MISSED, "Age"): 1, (ErrorKind.SPURIOUS, "Date"): 1}
)
NAME = Errors(right=0, there={"Full Name": 1, "Age": 1}, found=1, counts={(ErrorKind.MISSED, "Age"): 1, (ErrorKind.WRONG_SPAN, "Full Name"): 1})  # fmt: skip


def test_sums_hold_what_their_parts_held() -> None:
    both = AGE + NAME
    assert (both.right, both.found, dict(both.there)) == (1, 3, {"Age": 3, "Full Name": 1})
    assert both.by_kind == {ErrorKind.MISSED: 2, ErrorKind.WRONG_SPAN: 1, ErrorKind.SPURIOUS: 1}
    assert both + Errors() == both == NAME + AGE


def test_labels_stand_in_the_order_of_the_taxonomy_then_the_types() -> None:
    types = Errors(there=Counter({"PER": 1, "unlabelled": 1}))
    assert list((AGE + NAME + types).by_label) == ["Full Name", "Age", "Date", "PER", "unlabelled"]
    assert (AGE + NAME).by_label["Age"] == {ErrorKind.MISSED: 2}


def test_plain_values_for_json() -> None:
    plain = json.loads(json.dumps((AGE + NAME).to_dict()))
    assert (plain["right"], plain["gold"], plain["pred"]) == (1, 4, 3)
    assert plain["by_kind"] == {"missed": 2, "wrong span": 1, "spurious": 1}
    assert plain["by_label"]["Age"] == {"gold": 3, "missed": 2}
    assert plain["by_label"]["Date"] == {"gold": 0, "spurious": 1}
