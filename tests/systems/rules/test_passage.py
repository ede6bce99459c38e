from hypothesis import given
from hypothesis import strategies as st

from piibench.systems.rules.lexicon import Lexicons
from piibench.systems.rules.passage import read_passage

LEXICONS = Lexicons([("job", ["nurse", "cook"]), ("city", ["Bath"])])


def test_hits_stand_by_table_in_order():
    passage = read_passage("A cook and a nurse in Bath", LEXICONS)
    assert [passage.text[hit.start : hit.end] for hit in passage.of("job")] == ["cook", "nurse"]
    assert [(hit.start, hit.end) for hit in passage.of("city")] == [(22, 26)]


def test_a_table_without_hits_is_empty():
    assert read_passage("nothing here", LEXICONS).of("job") == ()
    assert read_passage("nothing here", LEXICONS).of("no such table") == ()


@given(st.text())
def test_folded_text_lines_up(text):
    passage = read_passage(text, LEXICONS)
    assert passage.text == text
    assert len(passage.folded) == len(text)
