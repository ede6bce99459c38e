"""`piibench mask`: what is printed where, vaults, JSON, colours."""

from __future__ import annotations

import json
import stat
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

NAME = "Quentin Harbottle"
TEXT = f"I am {NAME}, 34, yes 34."
STUB = ("mask", "--system", "stub")


@pytest.mark.parametrize(
    ("text", "query", "printed"),
    [
        (TEXT, "", "I am <Full Name>, <Age>, yes <Age>."),
        (TEXT, "How old?", "I am <Full Name>, 34, yes 34.\n\nHow old?\n"),
        (TEXT + "\n", "How old?", "I am <Full Name>, 34, yes 34.\n\nHow old?\n"),
        ("", f"Who is {NAME}?", "Who is <Full Name>?\n"),
        ("no data", "", "no data"),
    ],
)
def test_the_prompt_to_send_is_printed_and_nothing_else(
    piibench, text: str, query: str, printed: str
) -> None:
    done = piibench(*STUB, "--query", query, stdin=text)
    assert (done.returncode, done.stdout) == (0, printed)


def test_a_file_does_as_well_as_a_pipe(piibench, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text(TEXT)
    assert piibench(*STUB, "letter.txt").stdout == piibench(*STUB, "-", stdin=TEXT).stdout


def test_a_vault_carries_numbers_over_calls_and_brings_values_back(piibench, tmp_path: Path) -> None:
    first = piibench(*STUB, "--vault", "talk.json", stdin=TEXT).stdout
    second = piibench(*STUB, "--vault", "talk.json", stdin="Not 35 but 34.").stdout
    assert first == "I am <Full Name 1>, <Age 1>, yes <Age 1>."
    assert second == "Not <Age 2> but <Age 1>."
    assert stat.S_IMODE((tmp_path / "talk.json").stat().st_mode) == 0o600
    answer = "Dear <full name 1>, at <Age 1> or <Age 2>. <Age 9>"
    done = piibench("restore", "--vault", "talk.json", stdin=answer)
    assert done.stdout == f"Dear {NAME}, at 34 or 35. <Age 9>"
    assert "1 placeholder(s) left as they are" in done.stderr


def test_the_style_may_be_chosen(piibench) -> None:
    assert "<Age 1>" in piibench(*STUB, "--style", "numbered", stdin=TEXT).stdout
    assert "<Age>" in piibench(*STUB, "--style", "tag", "--vault", "talk.json", stdin=TEXT).stdout


def test_stand_ins_are_carried_over_calls_and_brought_back(piibench) -> None:
    call = (*STUB, "--style", "pseudonym", "--vault", "talk.json")
    first = piibench(*call, stdin=TEXT).stdout
    assert NAME not in first
    assert "34" not in first
    assert "<" not in first
    assert piibench("restore", "--vault", "talk.json", stdin=first).stdout == TEXT
    assert piibench(*call, stdin=TEXT).stdout == first


def test_a_vault_that_cannot_be_saved_lets_nothing_out(piibench) -> None:
    done = piibench(*STUB, "--vault", "absent/talk.json", stdin=TEXT)
    assert done.stdout == ""
    assert done.returncode == 2


def test_json_holds_texts_decisions_reasons_and_timings(piibench) -> None:
    made = json.loads(piibench(*STUB, "--json", "--query", f"How old is {NAME}?", stdin=TEXT).stdout)
    assert made["description"] == "I am <Full Name>, 34, yes 34."
    assert made["query"] == "How old is <Full Name>?"
    assert [(one["category"], one["decision"]) for one in made["entities"]] == [
        ("Full Name", "hide"),
        ("Age", "keep"),
    ]
    assert made["entities"][1] == {
        "id": "e2",
        "subject": "A",
        "text": "34",
        "type": "DEM",
        "category": "Age",
        "mentions": [[24, 26], [32, 34]],
        "decision": "keep",
        "reason": "kept: the query asks for it",
    }
    assert [one["id"] for one in made["asked"]] == ["q1"]
    assert (made["exposed"], made["lost"]) == ([], [])
    assert list(made["timings_ms"]) == ["detect", "select", "mask", "total"]
    assert all(spent >= 0 for spent in made["timings_ms"].values())


def test_explain_says_what_and_why(piibench) -> None:
    shown = piibench(*STUB, "--explain", "--query", "How old?", stdin=TEXT).stdout
    for expected in ("<Full Name>", "kept: the query asks for it", "hidden: not asked for", NAME):
        assert expected in shown
    assert max(map(len, shown.splitlines())) <= 100


def test_rules_is_the_default_and_hides_what_no_query_needs(piibench) -> None:
    text = "Mail Quentin Harbottle at quentin@example.org or +1 202 555 0176."
    done = piibench("mask", stdin=text)
    assert done.returncode == 0
    for value in ("Harbottle", "quentin@example.org", "555 0176"):
        assert value not in done.stdout
