"""Prompts as windows of word pieces."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models

from handmade_network import window_ids
from piibench.data.schema import Prompt
from piibench.systems.encoder import windows
from piibench.systems.encoder.session import SHIPPED, TOKENIZER
from piibench.systems.encoder.windows import (
    FEATURES,
    GAPS,
    LONGEST_QUERY,
    OVERLAP,
    WIDEST,
    cut,
    owned,
    read_prompts,
)

NETWORK_TAKES = 512
ANY_TEXT = st.lists(
    st.one_of(
        st.text(st.characters(), max_size=4),
        st.sampled_from(
            [
                "Ann",
                "\r\n",
                "\n\n",
                "e\u0301",
                "王小明",
                "👩‍👧",
                "❤️",
                "\ud83d",
                "한국",
                "İ",
                "ﬃ",
                "\u0301",
                "\0",
                "\ufffd",
            ]
        ),
    ),
    max_size=12,
).map("".join)


def read(tokenizer, description, query=""):
    (reading,) = read_prompts([Prompt(description=description, query=query)], tokenizer)
    return reading


def test_a_window_holds_the_query_and_then_the_description(tokenizer):
    """[CLS] ann ? [SEP] bob, ##b... : the description's first piece stands behind 1 + 2 + 1 = 4 others."""
    reading = read(tokenizer, "Bob in Leeds", "ann?")
    (window,) = reading.windows
    names = [tokenizer.id_to_token(number) for number in window.ids]
    assert names == ["[CLS]", "ann", "?", "[SEP]", "bob", "in", "leeds", "[SEP]"]
    assert window.segments.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    assert (window.first, window.start, window.width) == (4, 0, 3)
    assert reading.offsets.tolist() == [[0, 3], [4, 6], [7, 12]]
    assert (reading.query, reading.query_offsets.tolist()) == ("ann?", [[0, 3], [3, 4]])
    # Marks 0. Lower-case word 1 x 5 + start 4 = 9, other 0 x 5 + no gap 0 = 0. Title 2 x 5 + start 4 = 14,
    # lower-case word 1 x 5 + space 1 = 6, title 2 x 5 + space 1 = 11.
    assert window.features.tolist() == [0, 9, 0, 0, 14, 6, 11, 0]


@pytest.mark.parametrize(
    ("piece", "shape"),
    [(".", 0), ("ann", 1), ("Ann", 2), ("ANN", 3), ("A", 4), ("aNN", 5), ("7", 6), ("a1", 7), ("😀", 0)],
)
def test_the_shape_says_how_a_piece_is_written(tokenizer, piece, shape):
    (window,) = read(tokenizer, f"in {piece}").windows
    assert window.features[window.first + 1] == shape * GAPS + 1


@pytest.mark.parametrize(
    ("gap", "number"),
    [
        (" ", 1),
        ("  ", 2),
        ("\t", 2),
        ("\n", 3),
        (" \n ", 3),
        ("\r\n", 3),
        ("\n\n", 4),
        ("\r\n\r\n", 4),
        ("\ud800 ", 1),
    ],
)
def test_the_gap_says_what_stands_before_a_piece(tokenizer, gap, number):
    (window,) = read(tokenizer, f"in{gap}in").windows
    assert window.features[window.first + 1] == 1 * GAPS + number


def test_pieces_of_one_word_have_no_gap(tokenizer):
    """w ##x: lower case 1 x 5 + start 4, then 1 x 5 + none 0."""
    (window,) = read(tokenizer, "wx").windows
    assert window.features[window.first : -1].tolist() == [9, 5]


@pytest.mark.parametrize(
    ("pieces", "ranges"),
    [
        (0, []),
        (1, [(0, 1)]),
        (384, [(0, 384)]),
        (385, [(0, 384), (320, 385)]),  # the second begins 64 before 384
        (1000, [(0, 384), (320, 704), (640, 1000)]),
    ],
)
def test_windows_overlap_by_64_pieces(pieces, ranges):
    assert list(cut(pieces)) == ranges


def test_neighbours_meet_in_the_middle_of_their_overlap():
    """Windows (0, 384), (320, 704), (640, 1000): (384 + 320) / 2 = 352, (704 + 640) / 2 = 672."""
    windows = window_ids(np.arange(1000)).windows
    assert list(owned(windows)) == [(0, 352), (352, 672), (672, 1000)]
    assert list(owned(())) == []


@given(st.integers(0, 5000))
def test_every_piece_is_owned_once_by_a_window_that_holds_it(pieces):
    windows = window_ids(np.zeros(pieces, np.int64)).windows
    ranges = list(owned(windows))
    assert [piece for start, stop in ranges for piece in range(start, stop)] == list(range(pieces))
    for window, (start, stop) in zip(windows, ranges, strict=True):
        assert window.start <= start < stop <= window.start + window.width
        assert window.width <= WIDEST
    assert all(left.start + left.width - right.start == OVERLAP for left, right in pairwise(windows))


def test_of_a_long_query_the_beginning_and_the_end_are_read(tokenizer):
    """200 x "ann", 200 x "bob": 120 of each side are read; 512 - 1 - 240 - 1 - 1 = 269 are left for the text."""
    reading = read(tokenizer, "in " * 400, "ann " * 200 + "bob " * 200)
    ann, bob = tokenizer.token_to_id("ann"), tokenizer.token_to_id("bob")
    for window in reading.windows:
        assert window.ids[1 : 1 + LONGEST_QUERY].tolist() == [ann] * 120 + [bob] * 120
        assert window.first == LONGEST_QUERY + 2
    assert reading.query_offsets[[0, 119, 120, -1], 0].tolist() == [
        0,
        476,
        1120,
        1596,
    ]  # pieces 0, 119, 280, 399
    assert reading.windows[0].width == 269
    assert len(reading.windows[0].ids) == NETWORK_TAKES


@pytest.mark.parametrize(
    ("description", "pieces", "held"),
    [
        ("Bob", 0, True),
        ("Bob", LONGEST_QUERY - 1, True),
        ("Bob", LONGEST_QUERY, False),  # it may have been cut
        ("Bob", LONGEST_QUERY + 1, False),
        ("", 1, False),
        (" \ud800", 1, False),
    ],
)
def test_whether_the_whole_query_stands_in_a_window(tokenizer, description, pieces, held):
    assert read(tokenizer, description, "ann " * pieces).holds_query is held


@pytest.mark.parametrize("description", ["", " ", "\r\n \t\n", "\ud800", "\u0301"])
def test_a_description_without_pieces_has_no_window(tokenizer, description):
    reading = read(tokenizer, description, "ann?")
    assert (reading.pieces, reading.windows, reading.offsets.shape) == (0, (), (0, 2))
    assert reading.text == description


@pytest.mark.parametrize(
    "before", ["😀 ", "e\u0301 ", "王小明 ", "\r\n\r\n", "\ud83d ", "👩‍👧 ", "ﬃ ", "한국 ", "\ufeff "]
)
def test_offsets_are_code_points_behind(tokenizer, before):
    reading = read(tokenizer, f"{before}Ann Smith")
    assert [reading.text[slice(*offset)] for offset in reading.offsets[-2:]] == ["Ann", "Smith"]


@given(description=ANY_TEXT, query=ANY_TEXT)
def test_any_text_is_read(tokenizer, description, query):
    reading = read(tokenizer, description, query)
    starts, ends = reading.offsets.T
    assert (starts < ends).all()
    assert (np.diff(starts) >= 0).all()
    assert (np.diff(ends) >= 0).all()
    assert not reading.pieces or ends[-1] <= len(description)
    assert all(0 <= start < end <= len(query) for start, end in reading.query_offsets.tolist())
    for window in reading.windows:
        assert window.first == len(reading.query_offsets) + 2
        assert len(window.ids) == len(window.segments) == len(window.features) <= NETWORK_TAKES
        assert ((window.features >= 0) & (window.features < FEATURES)).all()
        assert window.ids[window.first - 1] == window.ids[-1] == tokenizer.token_to_id("[SEP]")


WITH_SPACES = st.lists(st.one_of(ANY_TEXT, st.sampled_from(" \t\n\r\u00a0\u3000")), max_size=12).map("".join)


@given(text=WITH_SPACES, stretch=st.integers(1, 9))
def test_a_text_taken_apart_in_stretches_has_the_pieces_that_it_has_whole(text, stretch):
    tokenizer = Tokenizer.from_file(str(SHIPPED / TOKENIZER))
    whole = read(tokenizer, text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows, "STRETCH", stretch)
        parts = read(tokenizer, text)
    np.testing.assert_array_equal(parts.offsets, whole.offsets)
    for one, other in zip(parts.windows, whole.windows, strict=True):
        np.testing.assert_array_equal(one.ids, other.ids)
        np.testing.assert_array_equal(one.features, other.features)


def test_many_prompts_are_read_as_each_alone(tokenizer):
    prompts = [("Ann in Leeds", "who?"), ("", "ann?"), ("bob " * 500, ""), ("\ud800", "\udfff")]
    together = read_prompts([Prompt(description=text, query=query) for text, query in prompts], tokenizer)
    for reading, prompt in zip(together, prompts, strict=True):
        alone = read(tokenizer, *prompt)
        np.testing.assert_equal(reading.offsets, alone.offsets)
        for window, own in zip(reading.windows, alone.windows, strict=True):
            np.testing.assert_equal(window.ids, own.ids)
            np.testing.assert_equal(window.features, own.features)


def test_200_kilobytes(tokenizer):
    """ "Ann, 7\\n" is 7 characters and 3 pieces: 28,572 of them are 85,716 pieces.

    A window adds 384 - 64 = 320 pieces to the 64 that it shares: ceil((85,716 - 64) / 320) = 268 windows.
    """
    reading = read(tokenizer, "Ann, 7\n" * 28_572, "who?")
    assert len(reading.text) > 200_000
    assert reading.pieces == 85_716
    assert len(reading.windows) == 268
    assert reading.offsets[-1].tolist() == [200_002, 200_003]


def test_a_tokenizer_without_marks_is_refused():
    bare = Tokenizer(models.WordPiece({"[UNK]": 0, "[CLS]": 1}, unk_token="[UNK]"))
    with pytest.raises(ValueError, match=r"no \[SEP\]"):
        read_prompts([], bare)
