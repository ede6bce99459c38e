"""Every format holds every number; what is hostile is escaped; nothing is fetched."""

from __future__ import annotations

import csv
import io
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

from piibench.errors import InputError
from piibench.reports.comma_separated import HEAD, write_csv
from piibench.reports.document import create_document
from piibench.reports.inline_svg import write_inline
from piibench.reports.latex import escape, write_latex
from piibench.reports.markdown import write_markdown
from piibench.reports.page import write_page
from piibench.reports.sheets import AUTHORS
from piibench.reports.writing import FIGURES, FORMATS, write_report

HOSTILE = "<script>alert(1)</script> | a_b & 50% $x$ \\input{x}"


@pytest.fixture
def hostile(document):
    sheet = document.tables[0]
    line = replace(sheet.lines[0], label=HOSTILE)
    return replace(
        document, title=HOSTILE, tables=(replace(sheet, title=HOSTILE, lines=(line,), notes=(HOSTILE,)),)
    )


def _numbers(document):
    return [entry for sheet in document.sheets for line in sheet.lines for entry in line.entries if entry]


def test_csv_has_a_line_for_each_number(document) -> None:
    rows = list(csv.DictReader(io.StringIO(write_csv(document.sheets))))
    entries = _numbers(document)
    assert tuple(rows[0]) == HEAD
    assert [float(row["value"]) for row in rows] == pytest.approx(
        [entry.value for entry in entries], rel=1e-5
    )
    assert {row["origin"] for row in rows} == {"ours", AUTHORS}
    assert all(row["low"] == "" for row in rows if row["origin"] == AUTHORS)


@pytest.mark.parametrize("write", [write_markdown, write_latex, write_page])
def test_each_format_holds_every_interval_signature_and_says_whose_numbers_are_not_ours(
    document, write
) -> None:
    text = write(document).replace("--", "–")
    for entry in _numbers(document):
        assert entry.interval in text
    assert AUTHORS in text.replace("&#39;", "'")
    assert all(line in text for line in document.signatures)


def test_the_page_is_escaped(hostile) -> None:
    page = write_page(hostile)
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 4


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.add(tag)
        self.ids += [value for name, value in attrs if name == "id"]
        self.addresses += [value for name, value in attrs if name in ("src", "href", "xlink:href", "action")]


def test_the_page_needs_nothing_else(document) -> None:
    page = write_page(document)
    parser = _Parser()
    parser.feed(page)
    assert not parser.tags & {"script", "link", "img", "iframe", "object"}
    assert all(address.startswith("#") for address in parser.addresses)
    assert {address[1:] for address in parser.addresses} <= set(parser.ids)
    assert len(parser.ids) == len(set(parser.ids))
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)


def test_figures_on_the_page_follow_its_colours(document) -> None:
    for picture in document.pictures:
        text = write_inline(picture.figure, picture.name)
        root = ET.fromstring(text)  # noqa: S314 - our own
        assert root.tag.endswith("svg")
        assert root.get("viewBox")
        assert root.get("width") is None
        assert "currentColor" in text
        assert "#262626" not in text


def test_latex_is_escaped(hostile) -> None:
    text = write_latex(hostile)
    assert "\\input" not in text
    assert "a\\_b \\& 50\\% \\$x\\$ \\textbackslash{}input\\{x\\}" in text
    assert escape("α~^#") == "$\\alpha$\\textasciitilde{}\\textasciicircum{}\\#"


def test_latex_rows_have_as_many_cells_as_columns(document) -> None:
    for table in write_latex(document).split("\\begin{tabular}")[1:]:
        columns = len(re.match(r"\{(l[r]+)\}", table)[1])
        rows = [line for line in table.splitlines() if line.endswith(r"\\") and "multicolumn" not in line]
        assert rows
        assert {len(re.split(r"(?<!\\)&", row)) for row in rows} == {columns}


def test_markdown_cells_stay_in_their_table(hostile) -> None:
    text = write_markdown(hostile)
    assert "<script" not in text.replace("\\<script", "")
    table = text.split("\n## ")[1]
    rows = [line for line in table.splitlines() if line.startswith("|")]
    assert len(rows) > 2
    assert len({len(re.split(r"(?<!\\)\|", row)) for row in rows}) == 1


def test_all_files_are_written_and_the_same_twice(evaluation, tmp_path) -> None:
    document = create_document(evaluation)
    first = write_report(document, tmp_path / "one")
    second = write_report(create_document(evaluation), tmp_path / "two")
    assert first[0].name == "report.html"
    assert len(first) == len(FORMATS) + len(FIGURES) * len(document.pictures)
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    assert "](figure-04-pii-detection.svg)" in (tmp_path / "one" / "report.md").read_text()


def test_only_what_is_wanted_is_written(document, tmp_path) -> None:
    write_report(document, tmp_path, formats=("md",), figures=())
    assert [path.name for path in tmp_path.iterdir()] == ["report.md"]
    with pytest.raises(InputError, match='--format: there is no "doc"'):
        write_report(document, tmp_path, formats=("doc",))


def test_unfinished_runs_are_told(evaluation, tmp_path) -> None:
    out = shutil.copytree(evaluation, tmp_path / "results")
    (out / "runs" / "half").mkdir()
    document = create_document(out)
    assert document.warnings
    assert document.warnings[0].startswith("half: is not finished")
    assert document.warnings[0] in write_page(document)


def test_the_tables_of_two_data_sets_are_written(evaluation) -> None:
    document = create_document(evaluation, evaluation)
    assert write_latex(document).isascii()
    rows = [
        row
        for row in csv.DictReader(io.StringIO(write_csv(document.sheets)))
        if row["table"][:8] == "table-14"
    ]
    ours, theirs = (
        {row["metric"] for row in rows if (row["origin"] == "ours") is own} for own in (True, False)
    )
    assert ours <= theirs == {"spearman", "p_value"}
    assert {row["note"] for row in rows if row["value"] == "0.001" and row["origin"] != "ours"} == {"<"}


def test_signatures_tell_runs_apart_by_all_that_was_asked(evaluation) -> None:
    signed = create_document(evaluation).signatures
    assert any("| judge:some/judge |" in line for line in signed)


def test_a_folder_of_any_name_is_reported(evaluation, tmp_path) -> None:
    odd = tmp_path / "r\udce9sultats"
    shutil.copytree(evaluation, odd)
    assert "sultats" in write_markdown(create_document(odd))
