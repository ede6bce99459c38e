import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.systems.rules.lexicon import Lexicons, fold, load_lexicons, read_tables, read_words

TABLES = [
    ("city", ["Nice", "New York", "York", "Bath"]),
    ("agency", ["WHO", "US"]),
    ("degree", ["MEd", "master's degree"]),
    ("job", ["nurse", "head nurse", "state-enrolled nurse"]),
    ("colour", ["rose", "nurse"]),
]

SHIPPED = load_lexicons()


def find(text):
    hits = Lexicons(TABLES).search(text, fold(text))
    return [(text[hit.start : hit.end], hit.table, hit.exact) for hit in hits]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nice to see Nice, nice", [("Nice", "city", True), ("Nice", "city", True), ("nice", "city", False)]),
        ("Bathe\u0301, Bath\u0301", []),  # a mark goes on with the word
        ("New York", [("New York", "city", True), ("York", "city", True)]),
        ("Who? WHO!", [("Who", "agency", False), ("WHO", "agency", True)]),
        ("Med MEd MED", [("Med", "degree", False), ("MEd", "degree", True), ("MED", "degree", True)]),
        ("her master’s\ndegree", [("master’s\ndegree", "degree", True)]),
        ("state enrolled nurse", [("state enrolled nurse", "job", True), ("nurse", "colour", True), ("nurse", "job", True)]),
        ("nursery, Bathing, Newark", []),
        ("(nurse)/rose", [("nurse", "colour", True), ("nurse", "job", True), ("rose", "colour", True)]),
        ("NURSE", [("NURSE", "colour", True), ("NURSE", "job", True)]),
        ("", []),
    ],
)  # fmt: skip
def test_search_finds_whole_entries_and_their_capitals(text, expected):
    assert find(text) == expected


def test_search_keeps_the_longest_entry_of_a_table_at_a_place():
    text = "head nurse"
    assert find(text) == [("head nurse", "job", True), ("nurse", "colour", True), ("nurse", "job", True)]


def test_fold_makes_separators_plain():
    assert fold("African-American/“Ü”\tA’B") == "african american  ü” a'b".replace("”", " ")


def test_fold_keeps_the_length_where_lower_case_is_longer():
    assert "İ".lower() != "İ"
    assert len("İ".lower()) == 2
    assert fold("İAB") == "İab"


def test_fold_replaces_lone_surrogates():
    assert fold("a\ud800b") == "a\ufffdb"


@given(st.text())
def test_fold_keeps_every_offset(text):
    assert len(fold(text)) == len(text)


@given(st.text(st.characters(codec=None)))
def test_search_never_raises_and_stays_in_the_text(text):
    for hit in SHIPPED.search(text, fold(text)):
        assert 0 <= hit.start < hit.end <= len(text)


def test_folding_entries_together_is_folding_each():
    for name, entries in read_tables():
        for entry in entries[:50]:
            found = Lexicons([(name, [entry])]).search(entry, fold(entry))
            assert [(hit.start, hit.end) for hit in found] == [(0, len(entry))], name


def test_shipped_tables_are_rich():
    sizes = {name: len(entries) for name, entries in read_tables()}
    assert sizes["occupation"] >= 1500
    assert sizes["medical_condition"] >= 1000
    assert sizes["nationality"] >= 250


def test_shipped_tables_hold_no_entry_twice():
    for name, entries in read_tables():
        assert len(set(entries)) == len(entries), name


def test_cue_lists_are_folded_and_not_searched():
    assert "african american studies" in read_words("field_of_study")
    assert "person_noun" not in {name for name, _ in read_tables()}
