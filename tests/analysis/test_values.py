"""Values that belong together although they differ."""

from __future__ import annotations

import pytest

from piibench.analysis.values import Value, join_entities, pair_alike, pair_overlapping
from piibench.data.mentions import Span


def at(text: str, *mentions: tuple[int, int], **fields: object) -> Value:
    return Value(text, mentions=tuple(Span(*each) for each in mentions), **fields)  # type: ignore[arg-type]


def test_entities_of_one_text_are_one_value(make_entities) -> None:
    text = "Lee saw Lee"
    found = make_entities(text, [("A", "Lee", "Nickname"), ("B", "Lee", "Full Name")])
    assert join_entities(found, type_="PER") == at("Lee", (0, 3), (8, 11), type="PER", label="Full Name")


def test_each_value_is_used_once() -> None:
    gold, pred = [Value("a", owner=1), Value("a", owner=2), Value("b")], [Value("a", owner=3)]
    pairs, lost, extra = pair_alike(gold, pred, by=lambda value: value.text)
    assert pairs == [(gold[0], pred[0])]
    assert (lost, extra) == ([gold[1], gold[2]], [])


@pytest.mark.parametrize(
    ("gold", "pred", "meet"),
    [
        (at("Oslo", (5, 9)), at("in Oslo", (2, 9)), True),
        (at("Oslo", (5, 9)), at("Paris", (9, 14)), False),
        (at("Oslo", (5, 9), (20, 24)), at("Oslo 2", (20, 26)), True),
        # Without a place, the texts decide; a word is not contained in another one.
        (at("Oslo", (5, 9)), at("the city of Oslo"), True),
        (at("Ann Lee", (0, 7)), at("Lee"), True),
        (at("Ann", (0, 3)), at("Annual"), False),
    ],
)
def test_what_shares_a_part_of_the_text(gold: Value, pred: Value, meet: bool) -> None:
    pairs, lost, extra = pair_overlapping([gold], [pred])
    assert (pairs, lost, extra) == (([(gold, pred)], [], []) if meet else ([], [gold], [pred]))


def test_the_same_subject_goes_before_the_same_type_and_the_longer_part() -> None:
    gold = at("head nurse at Oslo", (0, 18), type="DEM", owner=1)
    longest = at("nurse at Oslo.", (5, 19), type="DEM", owner=2)
    typed = at("Oslo", (14, 18), type="DEM", owner=1)
    owned = at("nurse at", (5, 13), type="ORG", owner=1)
    assert pair_overlapping([gold], [longest, owned, typed])[0] == [(gold, typed)]
    assert pair_overlapping([gold], [longest, owned])[0] == [(gold, owned)]
    assert pair_overlapping([gold], [longest])[0] == [(gold, longest)]


def test_many_nested_values() -> None:
    gold = [at(f"g{n}", (n, 2 * 300 - n)) for n in range(300)]
    pred = [at(f"p{n}", (n, n + 1)) for n in range(300)]
    pairs, lost, extra = pair_overlapping(gold, pred)
    assert len(pairs) + len(lost) == 300
    assert not extra
