from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import WEAK, resolve
from piibench.systems.rules.lexicon import load_lexicons
from piibench.systems.rules.names.recognizer import find_names
from piibench.systems.rules.passage import read_passage

FULL, NICK = Category.FULL_NAME, Category.NICKNAME


def names(text: str, *, weakest: float = 0.0) -> list[tuple[str, Category]]:
    found = resolve(find_names(read_passage(text, load_lexicons())))
    return [(c.span.of(text), c.category) for c in found if c.score >= weakest]


def sure(text: str) -> list[str]:
    return [value for value, _ in names(text, weakest=WEAK + 0.01)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The report by John Smith is late.", [("John Smith", FULL)]),
        ("We met Harold P. Winters there.", [("Harold P. Winters", FULL)]),
        ("With Siemens and Khoa T. Le.", [("Khoa T. Le", FULL)]),
        ("She asked J. K. Rowling about it.", [("J. K. Rowling", FULL)]),
        ("He quoted J.R.R. Tolkien.", [("J.R.R. Tolkien", FULL)]),
        ("Then Mohammed bin Salman spoke.", [("Mohammed bin Salman", FULL)]),
        ("José Luis García de la Cruz called.", [("José Luis García de la Cruz", FULL)]),
        ("It was Kim Min-ji who won.", [("Kim Min-ji", FULL)]),
        ("Call Nguyễn Văn An now.", [("Nguyễn Văn An", FULL)]),
        ("Ask Collector Luo Zhenyu.", [("Luo Zhenyu", FULL)]),
        ("MARIA GARCIA LOPEZ was born there.", [("MARIA GARCIA LOPEZ", FULL)]),
        ('Robert "Bobby" Hall runs the shop.', [('Robert "Bobby" Hall', FULL)]),
        ("Lance is a researcher.", [("Lance", NICK)]),
        ("Will Hunting lives here.", [("Will Hunting", FULL)]),
        ("I think Min Park works there.", [("Min Park", FULL)]),
    ],
)
def test_names_by_their_make_up(text: str, expected: list[tuple[str, Category]]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dear Mr. O'Brien,", [("O'Brien", FULL)]),
        ("See Dr. Smith-Jones today.", [("Smith-Jones", FULL)]),
        ("See Prof. van der Berg today.", [("van der Berg", FULL)]),
        ("Ms. So paid.", [("So", FULL)]),
        ("Señora García paid.", [("García", FULL)]),
        ("Herr Müller paid.", [("Müller", FULL)]),
        ("Dr. Maria Lopez paid.", [("Maria Lopez", FULL)]),
        ("Aunt Chen is well.", [("Chen", FULL)]),
    ],
)
def test_a_title_is_no_part_of_the_name_behind_it(text: str, expected: list[tuple[str, Category]]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hi, I'm Weiling Tan. Hello.", [("Weiling Tan", FULL)]),
        ("My name is Xqwertz Blorb.", [("Xqwertz Blorb", FULL)]),
        ("im maria and this is my day", [("maria", NICK)]),
        ("Hello, I'm tarvolo, a 61kg rower.", [("tarvolo", NICK)]),
        ("Everyone calls me Spud.", [("Spud", NICK)]),
        ("In the club he goes by Ace.", [("Ace", NICK)]),
        ("My daughter, hyesu, is a doctor.", [("hyesu", NICK)]),
        ("My friend Bob, who is 25, left.", [("Bob", NICK)]),
        ("my brother tom says hi", [("tom", NICK)]),
        ("My sister Sydney paid.", [("Sydney", NICK)]),
        ("As Tunde's landlord I know.", [("Tunde", NICK)]),
        ("Hi team, it's Ngozi from payroll.", [("Ngozi", NICK)]),
        ("Mi chiamo Giulia Rossi.", [("Giulia Rossi", FULL)]),
        ("Меня зовут Иван Петров.", [("Иван Петров", FULL)]),
        ("我叫李雷，今年30岁。", [("李雷", FULL)]),
        ("이름은 김민수입니다.", [("김민수", FULL)]),
    ],
)
def test_names_after_a_cue(text: str, expected: list[tuple[str, Category]]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Name: Smith, John\nAge: 40", [("Smith, John", FULL)]),
        ("Full name: anna kowalska\n", [("anna kowalska", FULL)]),
        ("**Patient:** Priya Raman\n", [("Priya Raman", FULL)]),
        ("Nickname: Bubbles\n", [("Bubbles", NICK)]),
        ("Last name: Xiong\n", [("Xiong", FULL)]),
        ("From: Priya Raman <p@example.org>\n", [("Priya Raman", FULL)]),
        ("See you.\n\nBest regards,\nThandeka Nkosi\nSenior Manager", [("Thandeka Nkosi", FULL)]),
        ("Dear Zanele,\nthanks", [("Zanele", NICK)]),
        ("Anna: hi\nTom: hello", [("Anna", NICK), ("Tom", NICK)]),
        ("[SMS] Zhang Jing: hello there", [("Zhang Jing", FULL)]),
        ("Zorblax: yo\nAnna: hi\nZorblax: hm", [("Zorblax", NICK), ("Anna", NICK), ("Zorblax", NICK)]),
    ],
)
def test_names_by_layout(text: str, expected: list[tuple[str, Category]]) -> None:
    assert names(text) == expected


def test_part_of_a_full_name_is_a_name_elsewhere() -> None:
    text = "Grace Okafor signed it. Later Okafor left, and Grace stayed."
    assert names(text) == [("Grace Okafor", FULL), ("Okafor", FULL), ("Grace", NICK)]


def test_the_family_name_comes_first_in_a_chinese_name() -> None:
    assert names("Sun Yuwei came. We like Yuwei.") == [("Sun Yuwei", FULL), ("Yuwei", NICK)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Work Experience\nPersonal Details\nEducation and Skills",
        "The cluster runs on EKS, with S3 and a C4 node.",
        "Will you come? May I ask? Mark the date. Hope is all we have.",
        "It starts in May and ends in August.",
        "They studied at Stanford University and Jordan College.",
        "We crossed Jordan River to Victoria Station.",
        "I'm tired, a bit. I'm sorry. I'm American.",
        "i'm sick, and the day is long",
        "My phone is called Pixel, the folder is named RSU Learning.",
        "Note: bring milk\nDate: today\nTotal: 4",
        "[SMS] call me\n[SMS] call him",
        "The price of gold will rise in the long run.",
        "Write to info@example.com or @somebody on the net.",
    ],
)
def test_what_is_no_name(text: str) -> None:
    assert sure(text) == []


def test_a_town_is_a_name_only_with_a_reason() -> None:
    assert sure("Paris is nice and Sydney is far.") == []


@given(st.text(max_size=300))
@settings(max_examples=150)
def test_any_text_gives_valid_spans(text: str) -> None:
    for candidate in find_names(read_passage(text, load_lexicons())):
        assert 0 <= candidate.span.start < candidate.span.end <= len(text)
        assert 0 < candidate.score <= 1
        assert candidate.category in {FULL, NICK}


@given(
    st.lists(
        st.sampled_from(
            [
                "Dr.",
                "Mr.",
                "Ana",
                "Smith",
                "van",
                "der",
                "I'm",
                "my",
                "son",
                ",",
                ":",
                "\n",
                '"',
                "(",
                ")",
                "-",
                "An",
                "Will",
                "王小明",
                "김민수",
                "@x",
                "A.",
            ]
        )
    )
)
@settings(max_examples=150)
def test_any_mix_of_cues_gives_valid_spans(pieces: list[str]) -> None:
    text = " ".join(pieces)
    for candidate in find_names(read_passage(text, load_lexicons())):
        assert candidate.span.of(text).strip()


@pytest.mark.parametrize(
    "piece",
    [
        "Aa ",
        "John ",
        "A-",
        "A'",
        "Will Smith, ",
        "Mr. ",
        "X: ",
        "From: Ann\n",
        "Name: John Smith\n",
        "my son ",
        "王",
        ".",
        "\n",
        "A ",
    ],
)
def test_time_is_linear(piece: str) -> None:
    def seconds(length: int) -> float:
        passage = read_passage(piece * (length // len(piece)), load_lexicons())
        best = 9e9
        for _ in range(2):
            start = time.process_time()
            find_names(passage)
            best = min(best, time.process_time() - start)
        return best

    # Eight times the text may take eight times as long; quadratic time would be sixty-four times.
    assert seconds(80_000) < 30 * max(seconds(10_000), 0.002)
