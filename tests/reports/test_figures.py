"""Figures: every format, the same bytes again, and what is refused."""

from __future__ import annotations

import re

import pytest

from piibench.analysis.statistics import PUBLISHED
from piibench.data.taxonomy import PIIType
from piibench.errors import InputError, PiibenchError

figures = pytest.importorskip("piibench.reports.figures", reason="drawing needs matplotlib (extra eval)")

EVEN = dict.fromkeys(PIIType, 1 / 7)
PRINTED = {name: row.shares for name, row in PUBLISHED.items()}
STARTS = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}


def draw(shares, printed, path):
    figures.save_figure(figures.draw_type_shares(shares, printed), path)


@pytest.mark.parametrize("ending", figures.FORMATS)
def test_the_ending_chooses_the_format_and_the_bytes_do_not_change(tmp_path, ending):
    first, second = tmp_path / f"a{ending}", tmp_path / f"b{ending}"
    for path in (first, second):
        draw(dict.fromkeys(PUBLISHED, EVEN), PRINTED, path)
    assert first.read_bytes().startswith(STARTS[ending])
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    ("subsets", "titles"),
    [
        (["single"], ["PII-single"]),
        (["single", "multi", "hard"], ["PII-single", "PII-multi", "PII-hard"]),
        (["mine"], ["mine"]),
        (["cost$_$"], ["cost$_$"]),
    ],
)
def test_each_subset_has_a_panel(tmp_path, subsets, titles):
    path = tmp_path / "f.svg"
    draw(dict.fromkeys(subsets, EVEN), PRINTED, path)
    comments = re.findall(r"<!-- (.*?) -->", path.read_text("utf-8"))
    assert [text for text in comments if text in {*titles, *(f"PII-{name}" for name in PUBLISHED)}] == titles
    assert ("published" in comments) is (not set(subsets).isdisjoint(PUBLISHED))
    assert {str(each) for each in PIIType} <= set(comments)


@pytest.mark.parametrize("name", ["f.gif", "f", "f.svg.gz"])
def test_another_ending_is_refused(tmp_path, name):
    with pytest.raises(InputError, match=r"ends in \.svg, \.png, \.pdf"):
        draw({"single": EVEN}, {}, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_one_clear_line(tmp_path):
    with pytest.raises(PiibenchError, match="no such folder"):
        draw({"single": EVEN}, {}, tmp_path / "none" / "f.svg")
