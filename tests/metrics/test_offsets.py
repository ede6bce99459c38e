from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import Span
from piibench.data.schema import Entity
from piibench.metrics.offsets import OffsetCounts, compare_offsets, count_overlapping, pool
from piibench.metrics.prf import Counts


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        ([], [], 0),
        ([(0, 5)], [], 0),
        ([(0, 5)], [(5, 9)], 0),  # touching is not overlapping
        ([(0, 5)], [(4, 9)], 1),
        ([(0, 9)], [(0, 2), (3, 5), (6, 9)], 1),  # one true mention is found once
        ([(0, 2), (3, 5)], [(0, 5)], 1),  # one predicted mention finds one
        ([(0, 5), (3, 9)], [(4, 5), (7, 9)], 2),
        # The first pair in reading order, (0, 9) with (0, 2), would leave (0, 3) alone.
        ([(0, 9), (0, 3)], [(0, 2), (8, 9)], 2),
        ([(0, 2), (10, 12), (20, 22)], [(1, 2), (11, 12), (30, 31)], 2),
    ],
)
def test_overlaps_are_matched_one_to_one(gold, pred, expected):
    assert count_overlapping({Span(*span) for span in gold}, {Span(*span) for span in pred}) == expected


spans = st.sets(
    st.tuples(st.integers(0, 12), st.integers(1, 6)).map(lambda p: Span(p[0], p[0] + p[1])), max_size=4
)


@given(spans, spans)
def test_overlap_matching_is_maximal(gold, pred):
    few, many = sorted((sorted(gold), sorted(pred)), key=len)
    best = max(
        sum(one.overlaps(other) for one, other in zip(few, order, strict=True))
        for order in permutations(many, len(few))
    )
    assert count_overlapping(gold, pred) == best


def entity(number: int, text: str, type_: str, *mentions: tuple[int, int], subject: str = "A") -> Entity:
    return Entity(
        id=f"e{number}", subject=subject, text=text, type=type_, mentions=tuple(Span(*m) for m in mentions)
    )


def test_counts_by_label():
    gold = [entity(1, "Ann Lee", "PER", (0, 7), (20, 27)), entity(2, "Oslo", "LOC", (10, 14))]
    pred = [
        entity(1, "Ann Lee", "PER", (0, 7)),
        entity(2, "Lee", "PER", (24, 27)),
        entity(3, "Oslo", "ORG", (10, 14)),
    ]
    counts = compare_offsets(gold, pred, of=lambda e: str(e.type))
    assert counts == {
        "PER": OffsetCounts(exact=Counts(1, 2, 2), overlap=Counts(2, 2, 2)),
        "LOC": OffsetCounts(exact=Counts(0, 0, 1), overlap=Counts(0, 0, 1)),
        "ORG": OffsetCounts(exact=Counts(0, 1, 0), overlap=Counts(0, 1, 0)),
    }
    assert pool(counts) == OffsetCounts(exact=Counts(1, 3, 3), overlap=Counts(2, 3, 3))


def test_subjects_play_no_part_and_a_place_counts_once():
    gold = [entity(1, "Oslo", "LOC", (0, 4), subject="A"), entity(2, "Oslo", "LOC", (0, 4), subject="B")]
    pred = [entity(1, "Oslo", "LOC", (0, 4), subject="C")]
    assert compare_offsets(gold, pred, of=lambda e: e.type)["LOC"].exact == Counts(1, 1, 1)


def test_entities_without_a_label_are_left_out():
    assert compare_offsets([entity(1, "Oslo", "LOC", (0, 4))], [], of=lambda e: e.category) == {}
