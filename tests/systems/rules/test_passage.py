import re

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


NUMBERS = st.text("07٣ .,:-/aB_$(\n", max_size=60)
AT_A_NUMBER = (r"\d(?<![\w.]\d)\d{0,3}", r"\d(?<!\d\d)\d{2,3}(?![.,]\d)", r"\d(?<![a-z\d]\d)(?:[ -]?\d){2,5}")
BEFORE_A_NUMBER = (
    r"(?<!\w)[aB]{0,3}-?\d\w{0,4}(?!\d)",
    r"(?:a[. ]?)?(?<!\d)\d{1,3}[ ,]",
    r"(?<![.:\d])B?\d(?!\d)",
)


@given(NUMBERS, st.sampled_from(AT_A_NUMBER))
def test_match_numbers_finds_what_a_search_of_the_whole_text_does(text, pattern):
    compiled = re.compile(pattern)
    found = [match.span() for match in read_passage(text, LEXICONS).match_numbers(compiled)]
    assert found == [match.span() for match in compiled.finditer(text)]


@given(NUMBERS, st.sampled_from(BEFORE_A_NUMBER))
def test_search_numbers_finds_what_a_search_of_the_whole_text_does(text, pattern):
    compiled = re.compile(pattern)
    found = [match.span() for match in read_passage(text, LEXICONS).search_numbers(compiled, 4)]
    assert found == [match.span() for match in compiled.finditer(text)]


def test_numbers_are_the_starts_of_rows_of_digits():
    passage = read_passage("12 of a34, _5 and 6.78", LEXICONS)
    assert passage.numbers == [0, 7, 12, 18, 20]
    assert passage.free_numbers == [0, 18, 20]


def test_a_view_is_worked_out_once():
    passage, calls = read_passage("a cook", LEXICONS), []

    def count_letters(given):
        calls.append(given)
        return sum(map(str.isalpha, given.text))

    assert [passage.view(count_letters), passage.view(count_letters)] == [5, 5]
    assert calls == [passage]
