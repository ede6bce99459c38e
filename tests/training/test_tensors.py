"""What the heads should say lands on the right pieces; batches hold every text once."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch", reason="torch is not installed: pip install 'piibench[train]'")

import torch

from handmade_network import NetworkById, ReaderByHand
from piibench.data.mentions import Span
from piibench.data.schema import Prompt
from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.systems.encoder import windows
from piibench.systems.encoder.linking import DISTANCES
from piibench.systems.encoder.reading import study
from piibench.systems.encoder.session import Model, Settings
from piibench.systems.encoder.spans import CATEGORY_ORDER, TYPE_ORDER
from piibench.systems.encoder.values import REFERENCE, RELATIONS, UNKNOWN, Spot, relate
from piibench.training.examples import ALL_TYPES, Example, Place
from piibench.training.losses import pool
from piibench.training.tensors import IGNORED, plan_batches, stack, teach

PER, LOC, DEM = (TYPE_ORDER.index(kind) for kind in (PIIType.PER, PIIType.LOC, PIIType.DEM))
NAME, STREET = CATEGORY_ORDER.index(Category.FULL_NAME), CATEGORY_ORDER.index(Category.STREET_ADDRESS)
TEXT = "Lance More lives at 12 Elm Row"
# Pieces:   lance m ##o ##r ##e lives at 1 ##2 elm row, behind [CLS] who is [SEP] (0 to 3).
PIECES = [
    "[CLS]",
    "who",
    "is",
    "[SEP]",
    "lance",
    "m",
    "##o",
    "##r",
    "##e",
    "lives",
    "at",
    "1",
    "##2",
    "elm",
    "row",
]


def place(value: str, category: Category | None, text: str = TEXT, **known) -> Place:
    start = text.index(value)
    kind = TYPE_OF[category] if category else None
    return Place(Span(start, start + len(value)), kind, category, **known)


def example(*places: Place, types: frozenset[PIIType] = ALL_TYPES, text: str = TEXT) -> Example:
    return Example("test", "who is", text, places, types)


ASKING = "who is Lance at Elm"  # its words are pieces 1 to 5 of every window


def asking(
    *asked: Place, types: frozenset[PIIType] = ALL_TYPES, query: str = ASKING, text: str = TEXT
) -> Example:
    return Example("test", query, text, (), types, asked=asked)


WHO = place("Lance More", Category.FULL_NAME, subject="B", needed=True)
WHERE = place("12 Elm Row", Category.STREET_ADDRESS, subject="A", needed=False)
AT_WHO, AT_WHERE = Spot(PER, 0, 0, 0, "lance more"), Spot(LOC, 7, 0, 0, None)


def test_labels_land_on_their_pieces(tokenizer):
    ((lesson,),) = teach([example(WHO, WHERE)], tokenizer)
    assert [tokenizer.id_to_token(number) for number in lesson.window.ids] == [*PIECES, "[SEP]"]
    expected = np.zeros((16, 7), np.int64)
    expected[[0, 3, 15]] = IGNORED  # the marks; nothing stands in the query
    expected[4:9, PER] = [1, 2, 2, 2, 2]
    expected[11:15, LOC] = [1, 2, 2, 2]
    np.testing.assert_array_equal(lesson.states, expected)
    assert lesson.categories.tolist() == [IGNORED] * 4 + [NAME] * 5 + [IGNORED] * 2 + [STREET] * 4 + [IGNORED]
    # Pieces of the window, needed, number of the owner in order of appearance, type and piece of the description.
    assert lesson.values == ((4, 9, 1, 0, AT_WHO), (11, 15, 0, 1, AT_WHERE))


def test_labels_of_the_query_land_on_its_pieces(tokenizer):
    who, where = place("Lance", Category.NICKNAME, ASKING), place("Elm", Category.STREET_ADDRESS, ASKING)
    ((lesson,),) = teach([asking(who, where)], tokenizer)
    expected = np.zeros((19, 7), np.int64)
    expected[[0, 6, 18]] = IGNORED  # the marks
    expected[3, PER] = expected[5, LOC] = 1
    np.testing.assert_array_equal(lesson.states, expected)
    nickname = CATEGORY_ORDER.index(Category.NICKNAME)
    assert lesson.categories.tolist() == [*[IGNORED] * 3, nickname, IGNORED, STREET, *[IGNORED] * 13]
    assert lesson.values == ()  # what the query states is never needed or not


def test_a_value_of_the_query_that_has_several_pieces_begins_once(tokenizer):
    query = "at 12 Elm Row"
    where = place("12 Elm Row", Category.STREET_ADDRESS, query)
    ((lesson,),) = teach([asking(where, query=query)], tokenizer)
    assert lesson.states[:7, LOC].tolist() == [IGNORED, 0, 1, 2, 2, 2, IGNORED]


def test_a_word_of_the_query_that_may_be_anything_is_ignored(tokenizer):
    ((lesson,),) = teach([asking(place("Lance", None, ASKING))], tokenizer)
    assert (lesson.states[3] == IGNORED).all()
    assert not lesson.states[[1, 2, 4, 5]].any()
    assert (lesson.categories == IGNORED).all()


def test_a_source_that_labels_some_types_says_so_of_its_queries_too(tokenizer):
    who, where = place("Lance", Category.NICKNAME, ASKING), place("Elm", Category.STREET_ADDRESS, ASKING)
    ((lesson,),) = teach([asking(who, where, types=frozenset({PIIType.PER}))], tokenizer)
    assert lesson.states[1:6, PER].tolist() == [0, 0, 1, 0, IGNORED]
    assert (lesson.states[1:6, LOC] == IGNORED).all()


def test_of_the_query_the_first_window_answers(tokenizer, monkeypatch):
    monkeypatch.setattr(windows, "WIDEST", 8)
    monkeypatch.setattr(windows, "OVERLAP", 4)
    ((left, right),) = teach([asking(place("Lance", Category.NICKNAME, ASKING))], tokenizer)
    assert left.states[:7, PER].tolist() == [IGNORED, 0, 0, 1, 0, 0, IGNORED]
    assert (right.states[:7] == IGNORED).all()
    assert (right.categories == IGNORED).all()


def test_of_a_cut_query_what_is_left_out_teaches_nothing(tokenizer, monkeypatch):
    # Of "who is lance at elm" the first two pieces and the last two are read.
    monkeypatch.setattr(windows, "LONGEST_QUERY", 4)
    who, where = place("Lance", Category.NICKNAME, ASKING), place("Elm", Category.STREET_ADDRESS, ASKING)
    ((lesson,),) = teach([asking(who, where)], tokenizer)
    assert lesson.window.first == 6
    assert not lesson.states[1:5, PER].any()
    assert lesson.states[1:5, LOC].tolist() == [0, 0, 0, 1]
    assert lesson.categories[1:5].tolist() == [IGNORED] * 3 + [STREET]


def test_a_query_without_a_text_teaches_nothing(tokenizer):
    assert teach([asking(place("Lance", Category.NICKNAME, ASKING), text="")], tokenizer) == [[]]


def test_a_type_that_the_source_does_not_label_is_left_open(tokenizer):
    ((lesson,),) = teach([example(WHO, types=frozenset({PIIType.PER}))], tokenizer)
    others = [number for number in range(7) if number != PER]
    assert (lesson.states[:, others] == IGNORED).all()
    assert lesson.states[:4, PER].tolist() == [IGNORED, 0, 0, IGNORED]
    assert lesson.states[4:15, PER].tolist() == [1, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0]


def test_a_place_of_a_type_that_is_not_labelled_is_ignored_for_every_type(tokenizer):
    # The source labels names, and gives one address besides: where it stands, nothing is said of names either.
    ((lesson,),) = teach([example(WHO, WHERE, types=frozenset({PIIType.PER}))], tokenizer)
    assert (lesson.states[11:15] == IGNORED).all()
    assert lesson.states[4:11, PER].tolist() == [1, 2, 2, 2, 2, 0, 0]
    assert lesson.categories[11:15].tolist() == [STREET] * 4


def test_a_place_of_unknown_kind_teaches_need_alone(tokenizer):
    ((lesson,),) = teach([example(place("Elm Row", None, needed=True), types=frozenset())], tokenizer)
    assert (lesson.states == IGNORED).all()
    assert (lesson.categories == IGNORED).all()
    assert lesson.values == ((13, 15, 1, IGNORED, Spot(UNKNOWN, 9, 0, 0, None)),)


SHE = "Lance More lives at her row"  # "her" may mean somebody; pieces 0 to 4, 5, 6, 7, 8 of the text


def test_a_word_that_means_somebody_is_read_beside_the_values(tokenizer):
    """Whom it means is known where the source says so; it teaches nothing about spans or need."""
    who = replace(WHO, subject="A", needed=False)
    plain = example(who, text=SHE)
    told = replace(plain, references=(place("her", None, SHE, subject="A"),))
    strangers = replace(plain, references=(place("her", None, SHE, subject="B"),))
    for text, owner in ((plain, IGNORED), (told, 0), (strangers, 1)):
        ((lesson,),) = teach([text], tokenizer)
        name, her = lesson.values
        assert (name.owner, name.spot.kind) == (0, PER)
        assert her.spot._replace(place=0) == Spot(REFERENCE, 0, 0, 0, None)
        assert (her.needed, her.owner) == (IGNORED, owner)
        assert not lesson.states[her.first : her.stop].any()
        assert (lesson.categories[her.first : her.stop] == IGNORED).all()


def test_a_marked_phrase_lends_its_person_to_the_words_in_it(tokenizer):
    text = "her row, mother-in-law"
    told = Example("test", "", text, (), references=(Place(Span(9, 22), subject="A"),))
    ((lesson,),) = teach([told], tokenizer)
    her, mother = lesson.values
    assert (her.owner, mother.owner) == (IGNORED, 0)


def test_nested_places_of_two_types_stand_beside_each_other(tokenizer):
    inner = place("Elm", Category.NICKNAME)
    ((lesson,),) = teach([example(WHERE, inner)], tokenizer)
    assert lesson.states[11:15, LOC].tolist() == [1, 2, 2, 2]
    assert lesson.states[11:15, PER].tolist() == [0, 0, 1, 0]
    assert lesson.categories[11:15].tolist() == [STREET, STREET, IGNORED, STREET]


def test_a_piece_of_several_categories_teaches_none_and_one_of_the_same_twice_does(tokenizer):
    inner = place("Elm", Category.NICKNAME)
    ((lesson,),) = teach([example(WHERE, replace(WHERE, subject="B"), inner, inner)], tokenizer)
    assert lesson.categories[11:15].tolist() == [STREET, STREET, IGNORED, STREET]


def test_a_place_that_no_piece_shows_is_passed_over(tokenizer):
    text = "Elm \u200b Row"
    ((lesson,),) = teach([example(place("\u200b", Category.NICKNAME, text), text=text)], tokenizer)
    assert lesson.values == ()
    assert set(lesson.states[4:-1].ravel().tolist()) == {0}


def test_a_value_over_a_windows_border_is_whole_in_the_next_one(tokenizer, monkeypatch):
    # 11 pieces in windows of 8 that share 4: [0, 8) and [4, 11). The address has pieces 7 to 11.
    monkeypatch.setattr(windows, "WIDEST", 8)
    monkeypatch.setattr(windows, "OVERLAP", 4)
    ((left, right),) = teach([example(WHO, WHERE)], tokenizer)
    assert (left.window.start, left.window.width) == (0, 8)
    assert (right.window.start, right.window.width) == (4, 7)
    assert left.states[4:12, LOC].tolist() == [0] * 7 + [1]
    assert right.states[4:11, LOC].tolist() == [0, 0, 0, 1, 2, 2, 2]
    assert right.states[4:11, PER].tolist() == [2, 0, 0, 0, 0, 0, 0]  # the name's last piece continues it
    assert left.values == ((4, 9, 1, 0, AT_WHO),)
    assert right.values == ((7, 11, 0, 1, AT_WHERE),)
    assert left.text == right.text == 0


@pytest.mark.parametrize(
    ("value", "in_left", "in_right"),
    [
        ("lives at", [], [(7, 9)]),  # pieces 5 and 6
        ("e lives", [(8, 10)], []),  # pieces 4 and 5
        ("e lives at 12", [(8, 13)], []),  # pieces 4 to 9, the last of the left window
        ("e lives at 12 Elm", [], []),  # it begins in the left one's part and goes on beyond that window
    ],
)
def test_of_two_windows_that_share_a_value_one_has_it(tokenizer, monkeypatch, value, in_left, in_right):
    # [0, 9) and [2, 11) meet at (9 + 2) / 2 = 5; behind the query stand pieces 0 and 2 at 4.
    monkeypatch.setattr(windows, "WIDEST", 9)
    monkeypatch.setattr(windows, "OVERLAP", 7)
    ((left, right),) = teach([example(place(value, None))], tokenizer)
    assert [(seen.first, seen.stop) for seen in left.values] == in_left
    assert [(seen.first, seen.stop) for seen in right.values] == in_right


@given(st.lists(st.tuples(st.integers(0, 960), st.integers(1, windows.OVERLAP // 2)), max_size=20))
def test_a_value_of_up_to_32_pieces_is_in_one_window(tokenizer, ranges):
    """ "in in ..": piece n has the characters 3n and 3n + 1. Windows (0, 384), (320, 704), (640, 1000)."""
    places = tuple(Place(Span(3 * first, 3 * (first + count) - 1)) for first, count in sorted(ranges))
    (lessons,) = teach([example(*places, text="in " * 1000)], tokenizer)
    assert len(lessons) == 3
    seen = [
        (value.first + lesson.window.start - lesson.window.first, value.stop - value.first)
        for lesson in lessons
        for value in lesson.values
    ]
    assert seen == sorted(ranges)
    assert [value.spot.place for lesson in lessons for value in lesson.values] == [first for first, _ in seen]


def test_a_value_knows_its_line_in_the_whole_text(tokenizer):
    text = "Lance\n\nElm"
    ((lesson,),) = teach([example(place("Elm", Category.NICKNAME, text), text=text)], tokenizer)
    assert [value.spot for value in lesson.values] == [Spot(PER, 1, 2, 1, "elm")]


def test_texts_are_numbered(tokenizer):
    lessons = teach([example(), example(text="Elm")], tokenizer)
    assert [lesson.text for windows_of in lessons for lesson in windows_of] == [0, 1]


def test_an_empty_text_has_no_lesson(tokenizer):
    assert teach([example(text="")], tokenizer) == [[]]


def test_lessons_are_padded_to_one_length_a_multiple_of_32(tokenizer):
    (long,), (short,) = teach([example(WHO, WHERE), example(text="Elm")], tokenizer)
    batch = stack([short, long])
    assert batch.ids.shape == (2, 32)
    assert batch.mask.sum(1).tolist() == [6, 16]
    assert batch.ids[0, 6:].tolist() == [0] * 26
    assert (batch.states[0, 6:] == IGNORED).all()
    assert (batch.categories[0] == IGNORED).all()
    assert batch.segments[1].tolist() == [0] * 4 + [1] * 12 + [0] * 16
    assert batch.values.tolist() == [[1, 4, 9], [1, 11, 15]]
    assert [part.tolist() for part in (batch.kinds, batch.needed, batch.owners, batch.members)] == [
        [PER, LOC],
        [1, 0],
        [0, 1],
        [[0, 1]],
    ]
    assert batch.relations.tolist() == [relate([AT_WHO, AT_WHERE]).tolist()]


def test_values_of_a_text_sit_together_wherever_its_windows_stand(tokenizer, monkeypatch):
    # The name is in the first window, the address in the second; between them stand two other texts.
    monkeypatch.setattr(windows, "WIDEST", 8)
    monkeypatch.setattr(windows, "OVERLAP", 4)
    ((left, right), (other,), (empty,)) = teach(
        [example(WHO, WHERE), example(place("Elm", None, "Elm"), text="Elm"), example(text="Elm")], tokenizer
    )
    batch = stack([left, other, empty, right])
    assert batch.values.tolist() == [[0, 4, 9], [1, 4, 5], [3, 7, 11]]
    assert batch.members.tolist() == [[0, 2], [1, -1]]
    assert batch.relations.shape == (2, 2, 2, RELATIONS)
    assert batch.relations[0].tolist() == relate([AT_WHO, AT_WHERE]).tolist()
    assert batch.relations[1, :1, :1].tolist() == relate([Spot(UNKNOWN, 0, 0, 0, None)]).tolist()


def test_the_reader_is_told_the_same_in_training_and_in_use(tokenizer):
    """Of a text with values and a word that means somebody: kinds, relations, logits and notes."""
    learned = example(replace(WHO, subject="A"), place("row", Category.STREET_ADDRESS, SHE), text=SHE)
    batch = stack(teach([learned], tokenizer)[0])
    reader, network = ReaderByHand(), NetworkById()
    model = Model(network, reader, tokenizer, Settings(0.5, 0.0, (0.0,) * DISTANCES, 0.0, 0.0, 0.0), "")
    (insight,) = study(model, [Prompt(description=SHE, query=learned.query)])
    insight.read_values(model, [(each.span, each.type) for each in learned.places])
    ((notes, needed, kinds, relations),) = reader.told
    assert kinds.tolist() == batch.kinds.tolist() == [PER, LOC, REFERENCE]
    np.testing.assert_array_equal(relations, batch.relations[0])
    (answer,) = network(insight.reading.windows)
    logits = pool(torch.from_numpy(answer.needed)[None, :, None], batch.values)[:, 0]
    np.testing.assert_allclose(needed, logits, atol=0.01)  # half precision
    means = pool(torch.from_numpy(answer.notes)[None], batch.values)
    np.testing.assert_allclose(notes, means, atol=0.05)  # a byte a number


def test_a_batch_without_values_has_empty_lists(tokenizer):
    batch = stack(teach([example(text="Elm")], tokenizer)[0])
    assert batch.values.shape == (0, 3)
    assert batch.needed.dtype == batch.members.dtype == batch.relations.dtype == torch.int64
    assert (batch.members.shape, batch.relations.shape) == ((0, 0), (0, 0, 0, RELATIONS))
    assert batch.to("cpu").ids is batch.ids


lengths = st.lists(st.lists(st.integers(1, 60), max_size=7), max_size=40)


@given(lengths, st.integers(0, 99), st.integers(1, 900))
def test_every_text_is_planned_once_and_the_budget_is_kept(sizes, seed, pieces):
    batches = list(plan_batches(sizes, random.Random(seed), pieces=pieces))
    planned = [item for batch in batches for item in batch]
    assert sorted(text for text, _, _ in planned) == [text for text, of_text in enumerate(sizes) if of_text]
    for text, first, stop in planned:
        assert 0 <= first < stop <= len(sizes[text])
        assert stop - first == min(4, len(sizes[text]))
    for batch in batches:
        chosen = [sizes[text][first:stop] for text, first, stop in batch]
        longest = math.ceil(max(map(max, chosen)) / 32) * 32
        padded = longest * sum(map(len, chosen))
        assert padded <= pieces or len(batch) == 1


@given(lengths, st.integers(0, 99))
def test_the_same_seed_plans_alike(sizes, seed):
    first, second = (list(plan_batches(sizes, random.Random(seed), pieces=100)) for _ in range(2))
    assert first == second


def test_more_texts_than_are_sorted_together():
    sizes = [[1 + number % 50] for number in range(1300)]
    batches = list(plan_batches(sizes, random.Random(0), pieces=400))
    assert sorted(text for batch in batches for text, _, _ in batch) == list(range(1300))
    assert batches != list(plan_batches(sizes, random.Random(1), pieces=400))
