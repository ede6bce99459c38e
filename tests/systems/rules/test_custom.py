from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.errors import ConfigError
from piibench.systems.rules.candidates import CERTAIN, STRONG, Candidate
from piibench.systems.rules.custom import NO_CUSTOM, create_custom
from piibench.systems.rules.lexicon import Lexicons
from piibench.systems.rules.passage import read_passage

NO_WORDS = Lexicons([("none", ["\ue000"])])

MEMBERSHIP = """
[[pattern]]
name = "membership"
category = "employee id"
pattern = 'MB-\\d{6}'
"""
PROJECTS = """
[[pattern]]
name = "projects"
category = "Company Name"
words = ["Blue Heron", "C++ (core)", "Kestrel", "Kestrel Two"]
ignore_case = true
"""
HELP_DESK = """
[[pattern]]
name = "help desk"
action = "allow"
words = ["+1 555 0100", "desk@example.org"]
"""


@pytest.fixture
def load(tmp_path):
    def load_text(text: str):
        path = tmp_path / "own.toml"
        path.write_text(text, encoding="utf-8")
        return create_custom(path)

    return load_text


def find(custom, text: str) -> list[tuple[Category, str, float]]:
    passage = read_passage(text, NO_WORDS)
    return [(found.category, found.span.of(text), found.score) for found in custom.recognize(passage)]


def test_a_pattern_finds_with_its_category(load):
    assert find(load(MEMBERSHIP), "card MB-123456, not MB-12") == [
        (Category.EMPLOYEE_ID, "MB-123456", CERTAIN)
    ]


def test_words_are_whole_literal_and_longest_first(load):
    text = "BLUE HERON, Bluebird, blue herons, kestrel two, a c++ (core) team"
    assert [value for _, value, _ in find(load(PROJECTS), text)] == [
        "BLUE HERON",
        "kestrel two",
        "c++ (core)",
    ]


def test_a_shorter_word_is_found_where_a_longer_one_goes_on(load):
    text = "our blue heron, kestrel twofold"
    assert [value for _, value, _ in find(load(PROJECTS), text)] == ["blue heron", "kestrel"]
    exact = load(PROJECTS.replace("true", "false"))
    assert [value for _, value, _ in find(exact, "Kestrel Twofold")] == ["Kestrel"]


def test_case_counts_unless_ignored(load):
    assert find(load(PROJECTS.replace("true", "false")), "blue heron") == []


@pytest.mark.parametrize("before", ["", "é", "😀 é ", "\ud800 ", "e\u0301\U0001f468\u200d\U0001f469 "])
def test_offsets_count_code_points(load, before):
    text = f"{before} MB-123456 ok"
    spans = [found.span for found in load(MEMBERSHIP).recognize(read_passage(text, NO_WORDS))]
    assert spans == [Span(text.index("MB"), text.index("MB") + 9)]


def test_the_rule_names_the_pattern(load):
    (found,) = load(MEMBERSHIP).recognize(read_passage("MB-123456", NO_WORDS))
    assert found.rule == "your pattern 'membership'"


@pytest.mark.parametrize(
    ("value", "dropped"),
    [("+1 555 0100", True), ("555 0100", True), ("desk@example.org", True), ("+1 555 0100 ext. 3", False)],
)
def test_allow_drops_what_lies_within_it(load, value, dropped):
    text = "Call +1 555 0100 ext. 3 or write to desk@example.org now"
    start = text.index(value)
    candidate = Candidate(Span(start, start + len(value)), Category.PHONE_NUMBER, STRONG, "test")
    kept = list(load(HELP_DESK).drop_allowed(text, [candidate]))
    assert kept == ([] if dropped else [candidate])


def test_a_long_match_before_a_short_one_still_covers(load):
    allow = """
[[pattern]]
name = "long"
action = "allow"
pattern = 'a[bc]+d'
[[pattern]]
name = "short"
action = "allow"
words = ["b"]
"""
    candidate = Candidate(Span(3, 4), Category.NICKNAME, STRONG, "test")
    assert list(load(allow).drop_allowed("abbcd", [candidate])) == []


def test_allow_also_wins_over_own_patterns(load):
    custom = load(MEMBERSHIP + HELP_DESK.replace("+1 555 0100", "MB-000001"))
    text = "MB-000001 MB-123456"
    found = list(custom.recognize(read_passage(text, NO_WORDS)))
    assert [kept.span.of(text) for kept in custom.drop_allowed(text, found)] == ["MB-123456"]


def test_no_rules_change_nothing():
    candidate = Candidate(Span(0, 1), Category.AGE, STRONG, "test")
    assert list(NO_CUSTOM.drop_allowed("a", [candidate])) == [candidate]
    assert find(NO_CUSTOM, "MB-123456") == []


WRONG = {
    "bad toml": ("[[pattern]\nname=", "no valid TOML"),
    "empty file": ("", r"must hold tables \[\[pattern\]\]"),
    "other table": (MEMBERSHIP + "[other]\na = 1\n", "nothing else"),
    "no list": ('[pattern]\nname = "x"\n', r"must hold tables \[\[pattern\]\]"),
    "list of numbers": ("pattern = [1]", r"pattern\[0\]: must be a table"),
    "unknown field": (MEMBERSHIP + "patern = 'x'\n", r"pattern\[0\]\.patern: unknown field"),
    "no name": ("[[pattern]]\ncategory = 'Age'\npattern = 'x'\n", r"pattern\[0\]\.name"),
    "unknown category": (MEMBERSHIP.replace("employee id", "Employe ID"), r'category: .*"Employee ID"'),
    "no category": (
        MEMBERSHIP + PROJECTS.replace('category = "Company Name"', ""),
        r"pattern\[1\]\.category: is missing",
    ),
    "bad action": (MEMBERSHIP + "action = 'drop'\n", r"action: must be \"allow\" or \"deny\""),
    "bad regex": (MEMBERSHIP.replace("MB-", "(MB-"), r"pattern\[0\]\.pattern: .*google-re2"),
    "look-around": (MEMBERSHIP.replace("MB-", "(?=MB)"), r"no look-around"),
    "neither": (MEMBERSHIP.replace("pattern = ", "# "), "needs either"),
    "both": (MEMBERSHIP + "words = ['x']\n", "not both"),
    "matches nothing": (MEMBERSHIP.replace("MB-\\d{6}", "x*"), "matches the empty text"),
    "pattern no string": (MEMBERSHIP.replace("'MB-\\d{6}'", "3"), "must be a string"),
    "empty words": (
        PROJECTS.replace('"Blue Heron", "C++ (core)", "Kestrel", "Kestrel Two"', ""),
        "words: must be a non-empty",
    ),
    "blank word": (PROJECTS.replace("Kestrel Two", " "), "words: must be a non-empty"),
    "bad flag": (PROJECTS.replace("true", "'yes'"), "ignore_case: must be true or false"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_file_is_named_with_its_place_and_remedy(load, capfd, text, message):
    with pytest.raises(ConfigError, match=message) as caught:
        load(text)
    assert str(caught.value).startswith("own.toml")
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("word", ["Zebulon", "MB-"])
def test_errors_never_repeat_the_file_s_values(load, word):
    with pytest.raises(ConfigError) as caught:
        load(
            PROJECTS.replace("Blue Heron", "Zebulon").replace("Kestrel Two", " ")
            + MEMBERSHIP.replace("MB-", "(MB-")
        )
    assert word not in str(caught.value)


def test_a_missing_file_a_folder_and_other_bytes_are_clear_errors(tmp_path):
    with pytest.raises(ConfigError, match=r"gone\.toml: cannot be read"):
        create_custom(tmp_path / "gone.toml")
    with pytest.raises(ConfigError, match="cannot be read"):
        create_custom(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"name = '\xe9'")
    with pytest.raises(ConfigError, match="not UTF-8"):
        create_custom(tmp_path / "latin.toml")


def test_patterns_take_linear_time(load):
    custom = load(MEMBERSHIP.replace("MB-\\d{6}", "(a+)+b"))
    start = time.process_time()
    assert find(custom, "a" * 200_000) == []
    assert time.process_time() - start < 10


@given(text=st.text(max_size=60))
def test_any_text_gives_valid_spans(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_text("[[pattern]]\nname = 'n'\ncategory = 'Age'\npattern = '.'\n", encoding="utf-8")
    for found in create_custom(path).recognize(read_passage(text, NO_WORDS)):
        assert 0 <= found.span.start < found.span.end <= len(text)


def test_a_byte_order_mark_is_passed_over(tmp_path):
    (tmp_path / "own.toml").write_bytes(b"\xef\xbb\xbf" + MEMBERSHIP.encode())
    ((_, value, _),) = find(create_custom(tmp_path / "own.toml"), "card MB-123456")
    assert value == "MB-123456"


@pytest.mark.parametrize("value", ["1" * 5_000, "[" * 50_000 + "]" * 50_000])
def test_what_no_reader_takes_is_a_clear_error(load, value):
    with pytest.raises(ConfigError, match="too long or brackets that nest too deep"):
        load(f"a = {value}")
