"""Values come back where an answer uses their placeholders, whole or in chunks."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.masking.placeholders import LONGEST_FORM
from piibench.masking.restore import Restorer, restore, restore_counted
from piibench.masking.vault import Vault


def vault() -> Vault:
    """Ages 1 to 12, two phone numbers, a name that looks like a placeholder, two tags."""
    book = Vault()
    for number in range(1, 13):
        book.assign("Age", f"{30 + number}", "numbered")
    book.assign("Phone Number", "555-1234", "numbered")
    book.assign("Phone Number", "555-9876", "numbered")
    book.assign("Nickname", "<Age 1>", "numbered")
    book.assign("Driver's License", "D-77")
    book.assign("Date", "1 May")
    book.assign("Date", "2 May")
    return book


def stream(text: str, cuts: list[int], book: Vault) -> str:
    restorer = Restorer(book)
    places = [0, *sorted(cut for cut in cuts if cut <= len(text)), len(text)]
    chunks = [text[start:end] for start, end in pairwise(places)]
    return "".join([*map(restorer.feed, chunks), restorer.finish()])


@pytest.mark.parametrize(
    ("answer", "restored"),
    [
        ("Call <Phone Number 2>.", "Call 555-9876."),
        ("Call <phone_number 2>, [Phone Number 1].", "Call 555-9876, 555-1234."),
        ("Call Phone Number 2 or phone number 1!", "Call 555-9876 or 555-1234!"),
        ("&lt;Phone Number 2&gt; {PHONE-NUMBER-2}", "555-9876 555-9876"),
        ("**<Phone Number 2>** `<Phone Number 1>`", "**555-9876** `555-1234`"),
        ("Age 1, Age 12, <Age 12>, <Age 1>", "31, 42, 42, 31"),
        ("Age 13, <Age 13>, Age 123", "Age 13, <Age 13>, Age 123"),
        ("at age 1 of 2", "at age 1 of 2"),
        ("<Nickname 1> is <Age 1>", "<Age 1> is 31"),
        ("<<Age 1>> [<Age 2>]", "<31> [32]"),
        ("<Driver's License> [drivers license] drivers license", "D-77 D-77 drivers license"),
        ("<Date>", "<Date>"),
        ("<Full Name 1> <Full Name>", "<Full Name 1> <Full Name>"),
        ("", ""),
        ("a\0b \ud800 \u202e<Age 1>\u0301", "a\0b \ud800 \u202e31\u0301"),
    ],
)
def test_worked_answers(answer: str, restored: str):
    assert restore(answer, vault()) == restored
    for size in (1, 2, 3, 7):
        assert stream(answer, list(range(0, len(answer), size)), vault()) == restored


def test_what_came_back_and_what_was_left_is_counted():
    # left: <Age 13> is unknown, <Date> stands for two values; "(age)" is prose and [Age 99] names no value
    answer = "<Age 1> Age 2 <Age 13> <Date> (age) [Age 99]"
    outcome = restore_counted(answer, vault())
    assert (outcome.restored, outcome.left) == (2, 2)
    assert "31" not in repr(outcome)
    restorer = Restorer(vault())
    restorer.feed(answer)
    restorer.finish()
    assert (restorer.restored, restorer.left) == (2, 2)


pieces = st.sampled_from(
    [
        "<Age 1>", "<Age 12>", "Age 1", "Age 12", "[age_2]", "&lt;Age 3&gt;", "<Phone\nNumber 1>", "phone number 2",
        "<Nickname 1>", "<Date>", "<Driver's License>", "<", ">", "&", "&lt;", "lt;", "[", "(", " ", "Age", "Date",
        "DATETIME 1", "1", ".", ",", "5", "x", "_", "-", "Bank Account", "Phone", "so", "\u0301", "\0", "\ud800", "é", "#",
    ]
)  # fmt: skip


@given(st.lists(pieces | st.text(max_size=3)).map("".join), st.lists(st.integers(0, 60)))
def test_any_chunking_restores_the_same_text_and_holds_little_back(text: str, cuts: list[int]):
    book = vault()
    whole = restore(text, book)
    assert stream(text, cuts, book) == whole
    assert stream(text, list(range(len(text))), book) == whole
    restorer = Restorer(book)
    for char in text:
        restorer.feed(char)
        # one more code point is kept as context, but it has been given out already
        assert len(restorer._text) <= LONGEST_FORM + 1


def test_prose_flows_without_delay():
    restorer = Restorer(vault())
    assert restorer.feed("The answer is simple: ") == "The answer is simple: "
    assert restorer.feed("call <Pho") == "call "
    assert restorer.feed("ne Number ") == ""
    assert restorer.feed("2> now") == "555-9876 now"
    assert restorer.finish() == ""


def test_a_restorer_can_be_used_again():
    restorer = Restorer(vault())
    assert restorer.feed("x<Age 1") == "x"
    assert restorer.finish() == "<31"
    assert restorer.feed("Age 1") + restorer.finish() == "31"


def test_a_word_that_was_given_out_already_still_joins_what_follows():
    restorer = Restorer(vault())
    assert restorer.feed("my_") == "my_"
    assert restorer.feed("Age 1 ") + restorer.finish() == "Age 1 "


def test_two_streams_of_one_conversation_do_not_mix():
    book = vault()
    left, right = Restorer(book), Restorer(book)
    assert left.feed("<Age ") == ""
    assert right.feed("<Phone ") == ""
    assert left.feed("1>") + left.finish() == "31"
    assert right.feed("Number 1>") + right.finish() == "555-1234"


@pytest.mark.parametrize(
    "unit", ["<", "a ", "<Age ", "&lt;", "Age 1 ", "<Age 1>", "1", "Phone Number ", "(" * 3 + " "]
)
def test_time_grows_with_the_text_only(unit: str):
    book = vault()

    def cost(copies: int) -> float:
        text = unit * copies
        return min(_timed(restore, text, book) for _ in range(3))

    assert cost(40_000) < 40 * max(cost(4_000), 1e-3)


def _timed(function, *arguments) -> float:
    start = time.process_time()
    function(*arguments)
    return time.process_time() - start
