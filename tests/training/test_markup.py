"""The corpus as its writers marked it, and that it stays apart from what measures."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.datasets import load
from piibench.data.mentions import find_values
from piibench.data.taxonomy import Category
from piibench.errors import DataError
from piibench.training import markup
from piibench.training.markup import is_in_passing, parse_marked, read_corpus

if TYPE_CHECKING:
    from collections.abc import Iterable

    from piibench.data.schema import Sample

PARTS = ("train", "dev", "test")
LONGEST_COMMON = 7

FILE = """\
=== chat
Hi, {{Lance Moreau|Full Name|A}} here.
{{Uma|Nickname|B}} says hi, {{Lance Moreau|Full Name|A}}!
? Who greets?
= B|Uma
? Count the words.
= -

=== note
{{Uma|Nickname|A}} rows.
? Who rows?
= A|Uma
= A|Uma
"""


def test_a_file_gives_one_sample_for_each_query():
    first, second, third = parse_marked(FILE, "calls.txt")
    assert first.description == "Hi, Lance Moreau here.\nUma says hi, Lance Moreau!"
    assert [(e.subject, e.text, e.label, e.mentions) for e in first.entities] == [
        ("A", "Lance Moreau", "Full Name", ((4, 16), (36, 48))),
        ("B", "Uma", "Nickname", ((23, 26),)),
    ]
    assert (first.id, first.subset, first.query, first.relevant) == (
        "calls-0001-1",
        "multi",
        "Who greets?",
        ("e2",),
    )
    assert (second.id, second.query, second.relevant) == ("calls-0001-2", "Count the words.", ())
    assert (third.id, third.subset, third.meta) == ("calls-0002-1", "single", {"genre": "note"})


def test_two_question_marks_ask_in_passing():
    *others, last = parse_marked(f"{FILE}?? whos this\n= A|Uma\n", "calls.txt")
    assert (last.id, last.query, last.meta["genre"]) == ("calls-0002-2", "whos this", "note")
    assert last.relevant == others[-1].relevant
    assert is_in_passing(last)
    assert not any(map(is_in_passing, others))


@pytest.mark.parametrize("sign", ["\u2028", "\x85", "\v", "\f"])
def test_no_sign_but_a_line_end_ends_a_query(sign: str):
    *_, last = parse_marked(f"{FILE}? who{sign}is this\n= A|Uma\n", "calls.txt")
    assert last.query == f"who{sign}is this"


def test_a_value_may_stand_inside_another():
    text = "=== note\nAsk {{{{Ines Vogt|Full Name|A}} Tiling|Company Name|B}} in {{12 {{Elm|Nickname|C}}|Street Address|A}}.\n"
    (sample,) = parse_marked(f"{text}? Whom?\n= B|Ines Vogt Tiling\n", "calls.txt")
    assert sample.description == "Ask Ines Vogt Tiling in 12 Elm."
    assert [(e.subject, e.text, e.category, e.mentions) for e in sample.entities] == [
        ("A", "Ines Vogt", "Full Name", ((4, 13),)),
        ("B", "Ines Vogt Tiling", "Company Name", ((4, 20),)),
        ("A", "12 Elm", "Street Address", ((24, 30),)),
        ("C", "Elm", "Nickname", ((27, 30),)),
    ]
    assert sample.relevant == ("e2",)


@pytest.mark.parametrize(
    ("marked", "need"),
    [
        ("Lance Moreau", "= A|Lance Moreau"),
        ("Lance\nMoreau", "= A|Lance Moreau"),
        ("Lance  Moreau", "= A|Lance Moreau"),
        (" Lance Moreau ", "= A|Lance Moreau"),
        ("Lance Moreau", "= A | Lance  Moreau "),
    ],
)
def test_a_query_needs_a_value_however_white_space_stands_in_it(marked, need):
    text = f"=== note\nFrom {{{{{marked}|Full Name|A}}}} of {{{{Leeds|City/Region|A}}}}.\n? Who?\n{need}\n"
    (sample,) = parse_marked(text, "calls.txt")
    assert sample.description == f"From {marked} of Leeds."
    assert [entity.text for entity in sample.entities if entity.id in sample.relevant] == [marked]


def test_a_mark_is_held_against_those_within_it_alone(monkeypatch):
    """As many as there are; against all before it they are as many as their pairs."""
    held = []
    monkeypatch.setattr(
        markup.Span, "contains", lambda mark, inner: held.append(inner) or inner[0] >= mark[0]
    )
    rows = [f"{{{{{{{{Ann|Nickname|A}}}} {number}|Company Name|A}}}}" for number in range(50)]
    (sample,) = parse_marked("=== note\n{}\n? Who?\n= -\n".format("\n".join(rows)), "calls.txt")
    assert len(sample.entities) == 51
    assert len(held) < 4 * len(rows)


def test_a_need_that_is_named_twice_counts_once():
    *_, third = parse_marked(FILE, "calls.txt")
    assert third.relevant == ("e1",)


def test_a_file_without_texts_gives_nothing():
    assert list(parse_marked("a heading\n", "calls.txt")) == []


@pytest.mark.parametrize("head", ["{{Uma|Nickname|A}} is in.\n", "is in.\n? Who?\n= -\n"])
def test_a_text_without_a_genre_is_not_passed_over(head):
    with pytest.raises(DataError, match=r'^calls\.txt, line 1: .*no line "=== genre" before it$') as caught:
        list(parse_marked(f"{head}=== second\nNobody.\n? Who?\n= -\n", "calls.txt"))
    assert "Uma" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("{{Lance Moreau|Full Nmae|A}} rows.\n? Who?\n= -", "unknown category"),
        ("{{Lance Moreau|Full Name|A} rows.\n? Who?\n= -", "not closed"),
        ("{{{{Lance|Full Name|A}} rows.\n? Who?\n= -", "not closed"),
        ("{{|Full Name|A}} rows.\n? Who?\n= -", "not closed"),
        ("{{ \n|Full Name|A}} rows.\n? Who?\n= -", "around blanks alone"),
        ("{{Lance|or|Full Name|A}} rows.\n? Who?\n= -", "not closed"),
        ("{{Lance Moreau|Full Name}} rows.\n? Who?\n= -", "not closed"),
        ("{{Lance Moreau|Full Name|AB}} rows.\n? Who?\n= -", "not closed"),
        ("Lance Moreau}} rows.\n? Who?\n= -", "not closed"),
        ("{{1 {{Bonn|City/Region|A}} Road|Street Address|A}} rows.\n? Who?\n= -", "not of another type"),
        ("{{a {{b|City/Region|A}} {{c|Age|A}}|Landmark|A}} rows.\n? Who?\n= -", "not of another type"),
        ("{{a {{b {{c|NGO|A}}|Nickname|A}}|Company Name|A}} rows.\n? Who?\n= -", "not of another type"),
        ("{{{{Lance|Nickname|A}}|Company Name|A}} rows.\n? Who?\n= -", "not longer"),
        ("{{Lance} Moreau|Full Name|A}} rows.\n? Who?\n= -", "not closed"),
        ("{{{Lance|Nickname|A}} rows.\n? Who?\n= -", "not closed"),
        ("{{Lance Moreau|Full Name|A}} rows.\n? Who?\n= A|Lance", "not marked"),
        ("{{Lance Moreau|Full Name|A}} rows.\n? Who?\n= B|Lance Moreau", "not marked"),
        ("{{Lance Moreau|Full Name|A}} rows.\n", "without a query"),
        ("{{Lance Moreau|Full Name|A}} rows.\n? \n= A|Lance Moreau", "without words"),
        ("{{Lance Moreau|Full Name|A}} rows.\n? \n", "without words"),
        ("{{Lance Moreau|Full Name|A}} rows.\n? Who?\n", "does not say what it needs"),
    ],
)
def test_a_text_that_is_not_marked_well_is_named_by_file_and_line_without_a_value(body, problem):
    # The first text takes lines 1 to 7, an empty line follows, the second takes 9 to 13.
    assert FILE.count("\n") == 13
    with pytest.raises(DataError, match=problem) as caught:
        list(parse_marked(f"{FILE}=== bad\n{body}", "calls.txt"))
    assert (caught.value.place, caught.value.line) == ("calls.txt", 14)
    assert "calls.txt, line 14" in str(caught.value)
    assert "Lance" not in str(caught.value)


plain = st.text(st.characters(exclude_characters="{}|", exclude_categories=("Cs", "Cc")), max_size=12)
value = st.from_regex(r"[^\W\d_]{2,8}", fullmatch=True)


@given(st.lists(st.tuples(plain, value), min_size=1, max_size=6), plain)
def test_every_mark_becomes_a_mention_that_holds_its_value(parts, tail):
    marked = "".join(f"({before}{{{{{text}|Nickname|A}}}}" for before, text in parts) + tail
    (sample,) = parse_marked(f"=== any\n({marked}\n? Who?\n= -", "any.txt")
    assert sample.description == "(" + "".join(f"({before}{text}" for before, text in parts) + tail
    found = sorted(span for entity in sample.entities for span in entity.mentions)
    assert [span.of(sample.description) for span in found] == [text for _, text in parts]


@cache
def corpus(part: str) -> tuple[Sample, ...]:
    return tuple(read_corpus(part))


@pytest.mark.parametrize(("part", "least"), [("train", 3000), ("dev", 300)])
def test_the_shipped_corpus_is_well_marked(part, least):
    samples = corpus(part)
    assert len(samples) >= least
    assert len({sample.id for sample in samples}) == len(samples)
    assert all(sample.query and sample.meta["genre"] for sample in samples)


def test_texts_that_measure_are_asked_about_in_both_ways():
    samples = [sample for part in ("dev", "test") for sample in read_corpus(part)]
    passing = {sample.description for sample in samples if is_in_passing(sample)}
    others = [sample for sample in samples if not is_in_passing(sample) and sample.description in passing]
    assert len(passing) == len({sample.description for sample in others}) == 260


def test_the_texts_that_measure_are_written_to_files(tmp_path):
    script = Path(__file__).parents[2] / "benchmarks" / "held_out.py"
    command = [sys.executable, str(script), "--out", str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    sizes = {name: int(size) for size, name in map(str.split, said.splitlines())}
    assert sizes == {
        "genres": 359,
        "genres_passing": 360,
        "fresh": 420,
        "fresh_passing": 420,
        "lexicon": 225,
        "prompts": 270,
        "snippets": 300,
    }
    tests = sum(size for name, size in sizes.items() if not name.startswith("genres"))
    assert tests == sum(1 for _ in read_corpus("test"))
    assert {path.stem for path in tmp_path.iterdir()} == set(sizes)


def test_the_hardest_files_are_named_the_worst_first(tmp_path):
    """Two texts that read alike; the second file's marks and needs are not what anybody would find."""
    texts = {
        "easy": "{{Uma Reyes|Full Name|A}}: {{+1 415 555 0199|Phone Number|A}}\n? Which number is it?\n= A|+1 415 555 0199",
        "hard": "Uma {{Reyes: +1|Tax ID|A}} 415 {{555|Height|A}} 0199\n? Why is the sky blue?\n= A|555",
    }
    for name, text in texts.items():
        (tmp_path / f"{name} one.txt").write_text(f"=== note\n{text}\n", encoding="utf-8")
    script = Path(__file__).parents[2] / "benchmarks" / "hardest.py"
    named = [str(tmp_path / f"{name} one.txt") for name in texts]
    done = subprocess.run([sys.executable, script, *named], capture_output=True, text=True, check=True)
    assert done.stdout == f"--texts '{named[1]}' --texts '{named[0]}'\n"
    assert [line.partition(":")[0] for line in done.stderr.splitlines()] == ["hard one.txt", "easy one.txt"]


def test_the_training_part_knows_every_category():
    assert {entity.category for sample in corpus("train") for entity in sample.entities} == set(Category)


@pytest.mark.parametrize("part", PARTS)
def test_no_value_is_left_unmarked_elsewhere_in_its_text(part):
    left = {
        f"{sample.id} at {place.start}"
        for sample in corpus(part)
        for _, place in find_values(sample.description, {entity.text for entity in sample.entities})
        if not any(place.overlaps(span) for entity in sample.entities for span in entity.mentions)
    }
    assert left == set()


def sequences(samples: Iterable[Sample]) -> set[str]:
    """Every eight words that stand one behind another; case and the signs around a word do not count."""
    texts = set(chain.from_iterable((sample.description, sample.query) for sample in samples))
    words = [[re.sub(r"^\W+|\W+$", "", word) for word in text.casefold().split()] for text in texts]
    kept = [[word for word in text if word] for text in words]
    size = LONGEST_COMMON + 1
    return {" ".join(text[at : at + size]) for text in kept for at in range(len(text) - size + 1)}


def test_eight_words_running_of_the_training_part_stand_nowhere_in_what_measures():
    trained = sequences(corpus("train"))
    assert trained & sequences(corpus("dev")) == set()
    assert trained & sequences(corpus("test")) == set()
    assert trained & sequences(load("pii-bench-v1")) == set()
