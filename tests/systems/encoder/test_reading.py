"""From the network's outputs to entities and chances."""

from __future__ import annotations

from itertools import combinations, permutations
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handmade_network import (
    SURE,
    Mark,
    NetworkByHand,
    NetworkById,
    ReaderByHand,
    answer_by_id,
    make_whole,
    mark_outputs,
)
from piibench.data.mentions import Span
from piibench.data.schema import Entity, Prompt
from piibench.data.taxonomy import Category, PIIType
from piibench.systems.encoder.linking import BLOCK, DISTANCES
from piibench.systems.encoder.outputs import NOTES, OWNER, Outputs, Whole
from piibench.systems.encoder.reading import Insight, detect, detect_and_weigh, detect_asked, study, weigh
from piibench.systems.encoder.references import TOGETHER
from piibench.systems.encoder.session import Model, Settings
from piibench.systems.encoder.spans import TYPE_ORDER
from piibench.systems.encoder.values import REFERENCE, Spot, number_kind, relate
from piibench.systems.encoder.windows import Reading
from piibench.systems.rules.custom import create_custom

SETTINGS = Settings(
    keep_threshold=0.5,
    detect_bias=0.0,
    owner_bias=(-1.0,) * DISTANCES,
    owner_threshold=0.0,
    owner_rivalry=4.0,
    owner_reluctance=0.0,
)
NAME, CITY = Category.FULL_NAME, Category.CITY_REGION
NOTHING = make_whole(mark_outputs(0))


def describe(text, offsets):
    """A description without a query or windows."""
    return Reading("", np.zeros((0, 2), np.int64), text, offsets, ())


def place_words(text):
    """Offsets of the words between single spaces."""
    ends = np.cumsum([len(word) + 1 for word in text.split(" ")]) - 1
    return np.array([(end - len(word), end) for end, word in zip(ends, text.split(" "), strict=True)])


def look(text, *marks):
    """One piece for each word of a description."""
    offsets = place_words(text)
    return Insight(describe(text, offsets), make_whole(mark_outputs(len(offsets), *marks)), NOTHING)


def ask(query, *marks):
    """One piece for each word of a query; the description is "Bob", a name."""
    asked = place_words(query)
    reading = Reading(query, asked, "Bob", place_words("Bob"), ())
    return Insight(
        reading, make_whole(mark_outputs(1, Mark(0, 1, NAME))), make_whole(mark_outputs(len(asked), *marks))
    )


def note(insight, notes):
    """Let the network have noted this, (pieces, NOTES) or what spreads to it.

    Where all notes of a piece are 127 times the same whole number they come back as they are.
    """
    whole = insight.outputs
    spread = np.broadcast_to(np.asarray(notes, np.float32), (len(whole.needed), NOTES))
    whole.put(slice(None), Outputs(whole.states, whole.categories, whole.needed, spread))


class ReaderByTurn(ReaderByHand):
    """Says of the n-th value of a block that its logit is n, and that its owner is the n-th."""

    def __call__(self, notes, needed, kinds, relations):
        super().__call__(notes, needed, kinds, relations)
        turn = np.arange(len(notes))
        owners = np.zeros((len(notes), 2, OWNER), np.float32)
        owners[turn, :, turn % OWNER] = SURE**0.5
        return owners, turn.astype(np.float32)


def create_model(tokenizer=None, network=None, reader=None):
    return Model(network, reader or ReaderByHand(), tokenizer, SETTINGS, "0000")


@pytest.fixture
def handmade():
    return create_model()


def found_in(insight, model, **options):
    return [
        (entity.subject, entity.text, entity.category, [tuple(span) for span in entity.mentions])
        for entity in detect(insight, model, **options)
    ]


def asked_in(insight, **options):
    return [
        (entity.subject, entity.text, entity.category, [tuple(span) for span in entity.mentions])
        for entity in detect_asked(insight, create_model(), **options)
    ]


def entity(*mentions, number="e1", category=Category.AGE):
    return Entity(id=number, subject="A", text="x", category=category, mentions=mentions)


def chance(insight, model, *mentions):
    """That of a single entity."""
    return weigh(insight, model, [entity(*mentions)])["e1"]


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


def test_the_chance_is_that_of_the_mean_logit_of_the_mentions(handmade):
    """Mention 1 has the pieces' logits 1 and 3, mean 2; mention 2 has 0; mean 1: 1 / (1 + e^-1) = 0.731."""
    insight = look("a b c")
    insight.outputs.needed[:] = (1, 3, 0)
    assert chance(insight, handmade, Span(0, 3), Span(4, 5)) == pytest.approx(1 / (1 + exp(-1)))


@pytest.mark.parametrize(("logit", "likely"), [(-2000, 0), (0, 0.5), (2000, 1)])
def test_a_chance_is_a_probability_however_sure(handmade, logit, likely):
    insight = look("a")
    insight.outputs.needed[:] = logit
    assert chance(insight, handmade, Span(0, 1)) == likely


def test_what_stands_nowhere_is_not_needed(handmade):
    assert weigh(look("a"), handmade, []) == {}
    assert chance(look("a"), handmade) == 0
    beside = [entity(), entity(Span(0, 1), number="e2")]
    assert weigh(look("a"), handmade, beside) == {"e1": 0, "e2": 0.5}
    nothing = Insight(describe("", np.zeros((0, 2), np.int64)), NOTHING, NOTHING)
    assert chance(nothing, handmade, Span(0, 1)) == 0


def test_mentions_are_read_in_order_of_the_text_whoevers_they_are():
    """Logits by turn are 0 to 3: e1 has 0 and 3, mean 1.5; e2 has 1; e3 has 2."""
    entities = [
        entity(Span(6, 7), Span(0, 1)),
        entity(Span(2, 3), number="e2"),
        entity(Span(4, 5), number="e3"),
    ]
    model = create_model(reader=ReaderByTurn())
    expected = {
        number: pytest.approx(1 / (1 + exp(-logit)))
        for number, logit in {"e1": 1.5, "e2": 1, "e3": 2}.items()
    }
    for order in permutations(entities):
        assert weigh(look("a b c d"), model, order) == expected


@given(st.permutations(range(6)))
def test_the_order_of_entities_changes_no_chance(model, order):
    """The tiny model's reader lets each value hear of all others."""
    insight = look("Ann Smith and Leeds\n\nor Bob")
    note(insight, np.random.default_rng(7).standard_normal((5, NOTES)))
    entities = [
        entity(*(Span(at, at + 2) for at in places), number=f"e{number}", category=category)
        for number, (places, category) in enumerate(
            [((0,), NAME), ((4, 24), NAME), ((14,), CITY), ((18, 10), CITY), ((1,), CITY), ((), NAME)]
        )
    ]
    chances = weigh(insight, model, entities)
    assert len(set(chances.values())) == 6
    assert weigh(insight, model, [entities[place] for place in order]) == pytest.approx(chances)


def test_the_reader_is_told_means_types_and_relations():
    """ "Ann Smith" has pieces 0 and 1: logits 1 and 3 have the mean 2, notes 0 and 254 the mean 127."""
    insight = look("Ann Smith in\n Leeds")
    insight.outputs.needed[:] = (1, 3, 0, 7)
    note(insight, 127 * np.array([0, 2, 9, 5])[:, None])
    model = create_model()
    values = [(Span(0, 9), PIIType.PER), (Span(14, 19), PIIType.LOC)]
    spots, owners, needed = insight.read_values(model, values)
    (told,) = model.reader.told
    assert told[0].tolist() == [[127] * NOTES, [635] * NOTES]
    assert (told[0].dtype, told[1].dtype) == (np.float32, np.float32)
    assert told[1].tolist() == [2, 7]
    per, loc = (TYPE_ORDER.index(kind) for _, kind in values)
    assert told[2].tolist() == [per, loc]
    expected = [Spot(per, 0, 0, 0, "ann smith"), Spot(loc, 3, 1, 0, None)]
    np.testing.assert_array_equal(told[3], relate(expected))
    assert (owners[:, :, 0].tolist(), needed.tolist()) == ([[127, 127], [635, 635]], [2, 7])
    assert spots == expected


def test_words_that_mean_somebody_are_read_beside_the_values_and_not_answered():
    """ "her" is piece 1, "my" piece 4; "she" within the value is none."""
    insight = look("Ann her Leeds she\n my")
    insight.outputs.needed[:] = np.arange(5)
    note(insight, 127 * np.arange(5)[:, None])
    model = create_model()
    values = [(Span(0, 3), PIIType.PER), (Span(8, 17), PIIType.LOC)]
    spots, owners, needed = insight.read_values(model, values)
    (told,) = model.reader.told
    assert told[1].tolist() == [0, 2.5, 1, 4]
    per, loc = (number_kind(kind) for _, kind in values)
    assert told[2].tolist() == [per, loc, REFERENCE, REFERENCE]
    expected = [Spot(per, 0, 0, 0, "ann"), Spot(loc, 2, 0, 0, None)]
    others = [Spot(REFERENCE, 1, 0, 0, None), Spot(REFERENCE, 4, 1, 0, None)]
    np.testing.assert_array_equal(told[3], relate([*expected, *others]))
    assert (owners[:, 0, 0].tolist(), needed.tolist(), spots) == ([0, 317.5], [0, 2.5], expected)


def test_the_nearest_references_are_read_beside_each_block():
    """Piece 2n is the word "he", piece 2n + 1 a value: a block of 160 has 16 of the words before its values."""
    count = 2 * BLOCK
    insight = look(("he x " * count).strip())
    insight.outputs.needed[:] = np.arange(2 * count)
    model = create_model()
    values = [(Span(5 * place + 3, 5 * place + 4), PIIType.DEM) for place in range(count)]
    _, _, needed = insight.read_values(model, values)
    assert needed.tolist() == list(range(1, 2 * count, 2))
    first, second = model.reader.told
    for told, start in ((first, 0), (second, BLOCK)):
        kinds = told[2].tolist()
        assert kinds[:BLOCK] == [number_kind(PIIType.DEM)] * BLOCK
        assert set(kinds[BLOCK:]) == {REFERENCE}
        beside = told[1][BLOCK:].tolist()
        assert beside == sorted(beside)
        assert set(beside) <= set(range(2 * start, 2 * (start + BLOCK), 2))
        assert len(beside) == TOGETHER - BLOCK == 16


def test_many_values_are_read_in_blocks_and_all_are_answered():
    """Value n is piece n with the logit n; read are 0 to 159, 160 to 319, and 162 to 321: none of them alone."""
    count = 2 * BLOCK + 2
    insight = look(" ".join("x" * count))
    insight.outputs.needed[:] = np.arange(count)
    note(insight, 127 * np.arange(count)[:, None])
    values = [(Span(2 * place, 2 * place + 1), PIIType.DEM) for place in range(count)]
    model = create_model()
    spots, owners, needed = insight.read_values(model, values)
    assert needed.tolist() == [seen.place for seen in spots] == list(range(count))
    assert owners[:, 0, 0].tolist() == [127 * place for place in range(count)]
    assert [told[3].shape[:2] for told in model.reader.told] == [(BLOCK, BLOCK)] * 3
    by_turn = create_model(reader=ReaderByTurn())
    assert insight.read_values(by_turn, values)[2].tolist() == [*range(BLOCK), 0, 1, *range(BLOCK)]


def test_nothing_is_read_of_no_values(handmade):
    spots, owners, needed = look("a").read_values(handmade, [])
    assert (spots, owners.shape, needed.shape) == ([], (0, 2, OWNER), (0,))
    assert handmade.reader.told == []


def test_nothing_is_read_of_a_text_without_pieces(handmade):
    """A pattern of the user's may match what the tokenizer drops."""
    nothing = Insight(describe("\x01", np.zeros((0, 2), np.int64)), NOTHING, NOTHING)
    spots, owners, needed = nothing.read_values(handmade, [(Span(0, 1), PIIType.DEM)])
    assert len(spots) == 1
    assert (owners.any(), needed.tolist(), handmade.reader.told) == (False, [0], [])


def test_owners_are_those_that_the_reader_tells():
    """The notes say one owner of all, the reader another of each."""
    marks = Mark(0, 1, NAME), Mark(2, 3, CITY), Mark(4, 5, CITY)
    insight = look("Ann or Leeds or York", *marks)
    assert [subject for subject, *_ in found_in(insight, create_model())] == ["A", "A", "A"]
    other = create_model(reader=ReaderByTurn())
    assert [subject for subject, *_ in found_in(insight, other)] == ["A", "B", "C"]


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


def test_no_repeat_stands_behind_a_nested_value_in_the_same_outer_one(handmade):
    marks = Mark(0, 3, Category.COMPANY_NAME), Mark(1, 2, NAME), Mark(4, 5, CITY)
    insight = look("Old Vogt Leeds near Leeds", *marks)
    assert {(value, tuple(mentions)) for _, value, _, mentions in found_in(insight, handmade)} == {
        ("Old Vogt Leeds", ((0, 14),)),
        ("Vogt", ((4, 8),)),
        ("Leeds", ((20, 25),)),
    }


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
    city.notes[:] = 0
    outputs = Whole.empty(count)
    outputs.put(slice(0, count), city)
    insight = Insight(describe("x;" * count, np.stack((places, places + 1), axis=1)), outputs, NOTHING)
    entities = detect(insight, handmade)
    assert len(entities) == 18_278
    assert [tuple(span) for span in entities[-1].mentions] == [
        (2 * place, 2 * place + 1) for place in range(18_277, count)
    ]


def test_study_gives_each_prompt_its_own_outputs(tokenizer):
    """The tiny tokenizer has 1 piece for each of these words, 400 make two windows."""
    sizes = 2, 400, 1
    outputs = [mark_outputs(size, Mark(0, 1, NAME, needed=size)) for size in sizes]
    model = create_model(tokenizer, NetworkByHand(*outputs))
    insights = study(model, [Prompt(description="ann " * size, query="who?") for size in sizes])
    assert [insight.reading.pieces for insight in insights] == list(sizes)
    assert [float(insight.outputs.needed[0]) for insight in insights] == list(sizes)


def test_what_the_query_states_points_into_the_query(handmade):
    insight = ask(
        "Did Ann Smith leave Leeds or York ?", Mark(1, 3, NAME), Mark(4, 5, CITY, 1), Mark(6, 7, CITY)
    )
    assert asked_in(insight) == [
        ("A", "Ann Smith", NAME, [(4, 13)]),
        ("A", "Leeds", CITY, [(20, 25)]),  # whose it is nobody asks
        ("A", "York", CITY, [(29, 33)]),
    ]
    assert found_in(insight, handmade) == [("A", "Bob", NAME, [(0, 3)])]


def test_the_query_has_repeats_and_what_the_rules_are_certain_of():
    insight = ask("Smith or ann@example.org and Smith", Mark(0, 1, NAME))
    assert asked_in(insight) == [
        ("A", "Smith", NAME, [(0, 5), (29, 34)]),
        ("A", "ann@example.org", Category.EMAIL_ADDRESS, [(9, 24)]),
    ]


def test_what_a_user_allows_is_no_value_of_the_query_either(tmp_path):
    file = tmp_path / "own.toml"
    file.write_text('[[pattern]]\nname = "shop"\naction = "allow"\nwords = ["Smith"]\n')
    assert asked_in(ask("Is Smith open ?", Mark(1, 2, NAME)), custom=create_custom(file)) == []


def test_study_gives_the_querys_pieces_their_own_outputs(tokenizer):
    model = create_model(tokenizer, NetworkById())
    texts = [("ann smith?", "bob in leeds"), ("", "ann"), ("bob", "in " * 400), ("ann", "")]
    insights = study(model, [Prompt(description=text, query=query) for query, text in texts])
    pieces = [["ann", "smith", "?"], [], ["bob"], []]  # without a description there is no window
    for insight, own in zip(insights, pieces, strict=True):
        expected = make_whole(
            answer_by_id(np.array([tokenizer.token_to_id(piece) for piece in own], np.int64))
        )
        np.testing.assert_array_equal(insight.query_outputs.states, expected.states)
        np.testing.assert_array_equal(insight.query_outputs.levels, expected.levels)
        np.testing.assert_array_equal(insight.query_outputs.steps, expected.steps)


def test_a_pattern_that_matches_what_has_no_pieces_is_found_and_not_needed(handmade, tmp_path):
    file = tmp_path / "own.toml"
    file.write_text('[[pattern]]\nname = "mark"\ncategory = "Employee ID"\npattern = "\\u0001+"\n')
    nothing = Insight(describe("\x01", np.zeros((0, 2), np.int64)), NOTHING, NOTHING)
    entities, chances = detect_and_weigh(nothing, handmade, custom=create_custom(file))
    assert [entity.text for entity in entities] == ["\x01"]
    assert chances == {"e1": 0}


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


@given(any_text)
def test_entities_fit_any_text(tokenizer, text):
    model = create_model(tokenizer, NetworkById())
    (insight,) = study(model, [Prompt(description=text)])
    entities = detect(insight, model)
    places = [(span, entity) for entity in entities for span in entity.mentions]
    assert all(span.of(text) == entity.text for span, entity in places)
    assert not any(
        one.overlaps(other)
        and (first.type is second.type or not (one.contains(other) or other.contains(one)))
        for (one, first), (other, second) in combinations(places, 2)
    )
    chances = weigh(insight, model, entities)
    assert list(chances) == [entity.id for entity in entities]
    assert all(0 <= chance <= 1 for chance in chances.values())


@given(any_text)
def test_detecting_and_weighing_together_changes_neither(tokenizer, model, text):
    """The tiny model's reader lets each value hear of all others."""
    both = create_model(tokenizer, NetworkById(), model.reader)
    (insight,) = study(both, [Prompt(description=text, query="who?")])
    entities, chances = detect_and_weigh(insight, both)
    assert entities == detect(insight, both)
    assert chances == pytest.approx(weigh(insight, both, entities), abs=1e-6)


def test_detecting_and_weighing_together_reads_values_once():
    model = create_model()
    entities, chances = detect_and_weigh(
        look("Ann or Leeds", Mark(0, 1, NAME, needed=2), Mark(2, 3, CITY)), model
    )
    assert [entity.text for entity in entities] == ["Ann", "Leeds"]
    assert chances == pytest.approx({"e1": 1 / (1 + exp(-2)), "e2": 0.5})
    assert len(model.reader.told) == 1


@given(any_text)
def test_a_query_is_read_as_a_description_is(tokenizer, text):
    """The network answers by piece alone, so that it says of a text in either part the same."""
    model = create_model(tokenizer, NetworkById())
    insights = study(model, [Prompt(description="ann", query=text), Prompt(description=text)])
    assert insights[0].reading.holds_query
    places = [
        {(span, entity.category) for entity in entities for span in entity.mentions}
        for entities in (detect_asked(insights[0], model), detect(insights[1], model))
    ]
    assert places[0] == places[1]
    assert all(
        span.of(text) == entity.text
        for entity in detect_asked(insights[0], model)
        for span in entity.mentions
    )
