from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.systems.rules.subjects.aliases import Aliases


def number(mentions: list[str]) -> list[int]:
    aliases = Aliases()
    return [aliases.add(mention) for mention in mentions]


@pytest.mark.parametrize(
    ("mentions", "people"),
    [
        (["John Smith", "John", "Smith", "J. Smith", "John A. Smith"], [0, 0, 0, 0, 0]),
        (["John", "John Smith"], [0, 0]),
        (["Smith", "John Smith", "Mary Smith"], [0, 0, 1]),
        (["Robert Hall", "Bob", "Bobby Hall"], [0, 0, 0]),
        (["Smith, John", "John Smith"], [0, 0]),
        (["Tan Weiling", "Weiling Tan"], [0, 0]),
        (['Robert "Bobby" Hall', "Robert Hall"], [0, 0]),
        (["JOHN SMITH", "John Smith"], [0, 0]),
        (["John Smith", "Jane Smith", "J. Smith"], [0, 1, 1]),
        (["John Smith", "John Brown", "John"], [0, 1, 1]),
        (["Ana", "Anna"], [0, 1]),
        (["王小明", "王小明", "李雷"], [0, 0, 1]),
    ],
)
def test_mentions_of_one_person_share_a_number(mentions: list[str], people: list[int]) -> None:
    assert number(mentions) == people


@pytest.mark.parametrize(
    ("login", "person"),
    [
        ("@jsmith", 0),
        ("john.smith@example.com", 0),
        ("smithj", 0),
        ("john_smith_84", 0),
        ("dan.okafor@example.com", 1),
        ("mary.smith@example.com", 2),
        ("theokafors@example.com", 1),
        ("sky_dog", None),
        ("@x", None),
        ("info@example.com", None),
    ],
)
def test_logins_made_of_a_name(login: str, person: int | None) -> None:
    aliases = Aliases()
    for name in ("John Smith", "Daniel Okafor", "Mary"):
        aliases.add(name)
    assert aliases.match_login(login) == person


@given(st.lists(st.text(min_size=1, max_size=12), max_size=30))
def test_numbers_are_given_in_order_and_repeat_for_the_same_words(mentions: list[str]) -> None:
    aliases = Aliases()
    numbers = [aliases.add(mention) for mention in mentions]
    assert sorted(set(numbers)) == list(range(len(aliases)))
    assert [aliases.add(mention) for mention in mentions[:1]] == numbers[:1]
