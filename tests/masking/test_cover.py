"""Disjoint spans, asked about other spans; checked against counting characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import Span
from piibench.masking.cover import Cover

spans = st.tuples(st.integers(0, 20), st.integers(1, 6)).map(lambda pair: Span(pair[0], pair[0] + pair[1]))


def disjoint(cuts: set[int]) -> list[Span]:
    ends = sorted(cuts)
    return [Span(*pair) for pair in zip(ends[::2], ends[1::2], strict=False)]


@given(st.sets(st.integers(0, 26)).map(disjoint), spans, st.text("a ", min_size=26, max_size=26))
def test_answers_agree_with_counting_characters(covering: list[Span], asked: Span, text: str):
    cover = Cover(covering)
    owner = {at: span for span in covering for at in range(*span)}
    inside = [owner[at] for at in range(*asked) if at in owner]
    assert len(cover) == len(covering)
    assert list(cover.meeting(asked)) == list(dict.fromkeys(inside))
    assert cover.touches(asked) == bool(inside)
    assert cover.holds(asked) == any(span.contains(asked) for span in covering)
    assert cover.grow(asked) == (
        min([asked.start, *(span.start for span in inside)]),
        max([asked.end, *(span.end for span in inside)]),
    )
    assert cover.leaves(text, asked) == any(
        at not in owner and text[at] != " " for at in range(*asked) if at < 26
    )
