"""From the network's outputs to entities and chances."""

from __future__ import annotations

from itertools import pairwise
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handmade_network import Mark, NetworkByHand, NetworkById, mark_outputs
from piibench.data.mentions import Span
from piibench.data.schema import Entity, Prompt
from piibench.data.taxonomy import Category
from piibench.systems.encoder.linking import DISTANCES
from piibench.systems.encoder.outputs import Outputs
from piibench.systems.encoder.reading import Insight, detect, study
from piibench.systems.encoder.session import Model, Settings
from piibench.systems.encoder.windows import Reading
from piibench.systems.rules.custom import create_custom

SETTINGS = Settings(
    keep_threshold=0.5,
    detect_bias=0.0,
    owner_bias=(-1.0,) * DISTANCES,
    owner_threshold=0.0,
    owner_rivalry=4.0,
)
NAME, CITY = Category.FULL_NAME, Category.CITY_REGION


def look(text, *marks):
    """One piece for each word between single spaces."""
    ends = np.cumsum([len(word) + 1 for word in text.split(" ")]) - 1
    offsets = np.array([(end - len(word), end) for end, word in zip(ends, text.split(" "), strict=True)])
    return Insight(Reading(text, offsets, ()), mark_outputs(len(offsets), *marks))


@pytest.fixture
def handmade(tokenizer):
    return Model(None, tokenizer, SETTINGS, "0000")


def found_in(insight, model, **options):
    return [
        (entity.subject, entity.text, entity.category, [tuple(span) for span in entity.mentions])
        for entity in detect(insight, model, **options)
    ]


def entity(*mentions):
    return Entity(id="e1", subject="A", text="x", category=Category.AGE, mentions=mentions)


@pytest.mark.parametrize(
    ("span", "pieces"),
    [
        ((0, 3), (0, 1)),
        ((1, 2), (0, 1)),
        ((2, 5), (0, 2)),
        ((4, 13), (1, 3)),
        ((3, 4), (1, 2)),
        ((13, 20), (2, 3)),
    ],
)
def test_a_span_has_the_pieces_it_touches_else_the_next_or_the_last(span, pieces):
    """Pieces "Ann" [0, 3), "Smith" [4, 9), "34." [10, 13)."""
    assert look("Ann Smith 34.").pieces_of(Span(*span)) == slice(*pieces)


def test_the_chance_is_that_of_the_mean_logit_of_the_mentions():
    """Mention 1 has the pieces' logits 1 and 3, mean 2; mention 2 has 0; mean 1: 1 / (1 + e^-1) = 0.731."""
    insight = look("a b c")
    insight.outputs.needed[:] = (1, 3, 0)
    assert insight.chance(entity(Span(0, 3), Span(4, 5))) == pytest.approx(1 / (1 + exp(-1)))


@pytest.mark.parametrize(("logit", "chance"), [(-2000, 0), (0, 0.5), (2000, 1)])
def test_a_chance_is_a_probability_however_sure(logit, chance):
    insight = look("a")
    insight.outputs.needed[:] = logit
    assert insight.chance(entity(Span(0, 1))) == chance


def test_what_stands_nowhere_is_not_needed():
    assert look("a").chance(entity()) == 0
    nothing = Insight(Reading("", np.zeros((0, 2), np.int64), ()), mark_outputs(0))
    assert nothing.chance(entity(Span(0, 1))) == 0


def test_owners_get_letters_in_order_of_appearance(handmade):
    """One owner's values have the logit 16 - 1, two owners' -1."""
    marks = Mark(0, 2, NAME, 0), Mark(3, 4, CITY, 1), Mark(5, 6, NAME, 1), Mark(7, 8, CITY, 0)
    assert found_in(look("Ann Smith and Leeds or Bob in York", *marks), handmade) == [
        ("A", "Ann Smith", NAME, [(0, 9)]),
        ("B", "Leeds", CITY, [(14, 19)]),
        ("B", "Bob", NAME, [(23, 26)]),
        ("A", "York", CITY, [(30, 34)]),
    ]


def test_a_repeated_value_is_found_though_the_network_overlooks_it(handmade):
    """Of "Anna" and "Anna Smith" that begin together the longer stands: the surname stays hidden, too."""
    insight = look("Anna and Anna Smith then Anna Smith or Anna", Mark(0, 1, NAME), Mark(2, 4, NAME))
    assert found_in(insight, handmade) == [
        ("A", "Anna", NAME, [(0, 4), (39, 43)]),
        ("A", "Anna Smith", NAME, [(9, 19), (25, 35)]),
    ]


def test_short_values_numbers_and_parts_of_words_are_not_repeats(handmade):
    marks = Mark(0, 1, NAME), Mark(1, 2, Category.AGE), Mark(2, 3, NAME)
    insight = look("Ann 2034 Leed Ann 2034 Leeds", *marks)
    assert [mentions for *_, mentions in found_in(insight, handmade)] == [[(0, 3)], [(4, 8)], [(9, 13)]]


def test_a_repeat_that_a_user_allows_is_no_value(handmade, tmp_path):
    file = tmp_path / "own.toml"
    file.write_text('[[pattern]]\nname = "shop"\naction = "allow"\nwords = ["Smith Books"]\n')
    insight = look("Smith runs Smith Books", Mark(0, 1, NAME))
    assert [mentions for *_, mentions in found_in(insight, handmade)] == [[(0, 5), (11, 16)]]
    allowed = found_in(insight, handmade, custom=create_custom(file))
    assert [mentions for *_, mentions in allowed] == [[(0, 5)]]


def test_a_name_is_one_owner_in_any_case(handmade):
    insight = look("Ann then ANN", Mark(0, 1, NAME, 0), Mark(2, 3, NAME, 1))
    assert [subject for subject, *_ in found_in(insight, handmade)] == ["A", "A"]


def test_more_owners_than_letters(handmade):
    """26 + 26 x 26 + 26 x 26 x 26 = 18,278 subjects have letters; the 18,279th and later are ZZZ's."""
    count = 18_280
    places = 2 * np.arange(count)
    city = mark_outputs(1, Mark(0, 1, CITY))
    city.owners[:] = 0
    outputs = Outputs.empty(count)
    outputs.put(slice(0, count), city)
    insight = Insight(Reading("x;" * count, np.stack((places, places + 1), axis=1), ()), outputs)
    entities = detect(insight, handmade)
    assert len(entities) == 18_278
    assert [tuple(span) for span in entities[-1].mentions] == [
        (2 * place, 2 * place + 1) for place in range(18_277, count)
    ]


def test_study_gives_each_prompt_its_own_outputs(tokenizer):
    """The tiny tokenizer has 1 piece for each of these words, 400 make two windows."""
    sizes = 2, 400, 1
    outputs = [mark_outputs(size, Mark(0, 1, NAME, needed=size)) for size in sizes]
    model = Model(NetworkByHand(*outputs), tokenizer, SETTINGS, "0000")
    insights = study(model, [Prompt(description="ann " * size, query="who?") for size in sizes])
    assert [insight.reading.pieces for insight in insights] == list(sizes)
    assert [float(insight.outputs.needed[0]) for insight in insights] == list(sizes)


PIECES = [
    "Ann",
    "Bob Smith ",
    " in ",
    "leeds",
    ", ",
    "1",
    "a@b.org ",
    "\r\n\r\n",
    "王小明",
    "e\u0301",
    "👩‍👧",
    "\ud83d",
    "한국",
    "\0",
]
any_text = st.lists(
    st.one_of(st.sampled_from(PIECES), st.text(st.characters(), max_size=3)), max_size=20
).map("".join)


@settings(deadline=None)
@given(any_text)
def test_entities_fit_any_text(tokenizer, text):
    model = Model(NetworkById(), tokenizer, SETTINGS, "0000")
    (insight,) = study(model, [Prompt(description=text)])
    entities = detect(insight, model)
    spans = sorted(span for entity in entities for span in entity.mentions)
    assert all(span.of(text) == entity.text for entity in entities for span in entity.mentions)
    assert all(before.end <= after.start for before, after in pairwise(spans))
    assert all(0 <= insight.chance(entity) <= 1 for entity in entities)
