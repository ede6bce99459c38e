"""Thresholds for keeping a value, scored one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from piibench.analysis.calibration import Judged, Point, choose_threshold, select_judgeable, trace_thresholds
from piibench.data.mentions import Span
from piibench.data.schema import Entity, Sample
from piibench.data.taxonomy import Category
from piibench.errors import InputError

TEXT = "Ann Lee, 34, nurse, earns $900."
VALUES = (
    ("Ann Lee", Category.FULL_NAME),
    ("34", Category.AGE),
    ("nurse", Category.OCCUPATION),
    ("$900", Category.MONTHLY_INCOME),
)


def create_entities() -> tuple[Entity, ...]:
    return tuple(
        Entity(
            id=f"e{number}",
            subject="A",
            text=value,
            category=category,
            mentions=(Span(TEXT.index(value), TEXT.index(value) + len(value)),),
        )  # pyright: ignore[reportCallIssue] - the type follows from the category
        for number, (value, category) in enumerate(VALUES, 1)
    )


def create_judged(*chances: float, relevant: tuple[str, ...] | None = ("e3", "e4")) -> Judged:
    entities = create_entities()
    gold = Sample(id="s", description=TEXT, query="Is it enough?", entities=entities, relevant=relevant)
    return Judged(gold, entities, dict(zip(("e1", "e2", "e3", "e4"), chances, strict=True)))


def test_scores_of_one_threshold() -> None:
    # kept at 0.5: e2 and e4; needed: e3 and e4. Query F1 = 2*1/(2+2) = 0.5. Hidden: e1 and e3, to hide: e1 and
    # e2, F1 0.5. Of the unneeded e1 is gone, e2 shows: 0.5. Of the needed e4 shows, e3 is gone: 0.5.
    (point,) = trace_thresholds([create_judged(0.1, 0.6, 0.4, 0.9)], [0.5])
    assert point.threshold == 0.5
    assert dict(point.scores) == {"query_f1": 0.5, "mask_f1": 0.5, "privacy_unrelated": 0.5, "kept": 0.5}


def test_the_right_threshold_is_chosen() -> None:
    points = trace_thresholds([create_judged(0.1, 0.3, 0.6, 0.9)])
    # Anything above 0.3 and up to 0.6 separates perfectly; the highest of these on the curve is 0.6.
    assert choose_threshold(points).threshold == 0.6
    assert choose_threshold(points).scores["query_f1"] == 1.0


def point(threshold, query, mask, kept):
    return Point(threshold, {"query_f1": query, "mask_f1": mask, "kept": kept})


def test_of_equal_thresholds_the_higher_is_chosen() -> None:
    points = [point(0.2, 0.5, 0.6, 0.7), point(0.4, 0.6, 0.5, 0.7), point(0.3, 0.5, 0.6, 0.7)]
    assert choose_threshold(points).threshold == 0.4


def test_of_thresholds_as_good_the_one_that_keeps_most_is_chosen() -> None:
    """Together 1.200, 1.196 and 1.194: the last is more than 0.005 below the best."""
    points = [point(0.6, 0.6, 0.6, 0.7), point(0.4, 0.61, 0.586, 0.8), point(0.2, 0.62, 0.574, 0.9)]
    assert choose_threshold(points).threshold == 0.4


def test_without_needed_values_a_threshold_is_chosen_all_the_same() -> None:
    scores = {"query_f1": 0.5, "mask_f1": 0.5}
    assert choose_threshold([Point(0.2, scores), Point(0.4, scores)]).threshold == 0.4


@given(st.lists(st.floats(0, 1), min_size=4, max_size=4))
def test_a_higher_threshold_never_shows_more(chances: list[float]) -> None:
    points = trace_thresholds([create_judged(*chances)])
    shown = [point.scores["kept"] for point in points]
    hidden = [point.scores["privacy_unrelated"] for point in points]
    assert shown == sorted(shown, reverse=True)
    assert hidden == sorted(hidden)


def test_samples_without_needed_sets_are_left_out_and_refused_where_there_is_no_other() -> None:
    known = create_judged(0.1, 0.6, 0.4, 0.9).gold
    unknown = create_judged(0.9, 0.9, 0.9, 0.9, relevant=None).gold
    assert select_judgeable([unknown, known]) == [known]
    with pytest.raises(InputError, match="relevant"):
        select_judgeable([unknown])
