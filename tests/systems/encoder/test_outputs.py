"""Windows' outputs put together."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from handmade_network import NetworkById, answer_by_id, make_whole, window_ids
from piibench.systems.encoder.outputs import CATEGORIES, NOTES, STATES, TOGETHER, TYPES, Outputs, Whole, run


def assert_same(one, other):
    for own, theirs in zip(astuple(one), astuple(other), strict=True):
        np.testing.assert_array_equal(own, theirs)


def shapes(outputs):
    return [array.shape for array in astuple(outputs)]


def test_there_is_room_for_every_output_of_every_piece():
    assert shapes(Whole.empty(3)) == [(3, TYPES, STATES), (3, CATEGORIES), (3,), (3, NOTES), (3,)]


def test_the_outputs_of_a_whole_text_take_little_room():
    """7 x 3 + 55 + 1 numbers of two bytes, 192 of one, and the step of four: 350 bytes for a piece."""
    ((joined, query),) = run([window_ids(np.arange(5))], NetworkById())
    kinds = [np.float16, np.float16, np.float16, np.int8, np.float32]
    for part, pieces in ((joined, 5), (query, 1)):
        assert [array.dtype for array in astuple(part)] == kinds
        assert sum(array.nbytes for array in astuple(part)) == pieces * 350


def test_notes_come_back_within_half_a_step_of_the_piece():
    """The first piece's largest note is 127, so its step is 1; the second's 1.27, 0.01; the third has none."""
    notes = np.zeros((3, NOTES), np.float32)
    notes[0, :4] = (127, 0.4, -0.6, 90.5)
    notes[1, :3] = (-1.27, 0.004, 0.006)
    blank = answer_by_id(np.zeros(3, np.int64))
    whole = make_whole(Outputs(blank.states, blank.categories, blank.needed, notes))
    assert whole.levels[0, :4].tolist() == [127, 0, -1, 90]
    np.testing.assert_allclose(whole.average_notes(slice(1, 2))[:3], (-1.27, 0, 0.01), rtol=1e-6)
    np.testing.assert_allclose(whole.average_notes(slice(0, 2))[0], (127 - 1.27) / 2, rtol=1e-6)
    assert not whole.average_notes(slice(2, 3)).any()


@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_averaged_notes_are_right_within_half_a_step_of_each_piece(seed, pieces):
    rng = np.random.default_rng(seed)
    notes = rng.standard_normal((pieces, NOTES), np.float32) * rng.uniform(0.1, 20, (pieces, 1))
    blank = answer_by_id(np.zeros(pieces, np.int64))
    whole = make_whole(Outputs(blank.states, blank.categories, blank.needed, notes))
    most = np.abs(notes).max(1).mean() / 127 / 2
    np.testing.assert_allclose(whole.average_notes(slice(0, pieces)), notes.mean(0), rtol=0, atol=1.01 * most)


def test_more_windows_than_are_asked_for_at_once():
    """Windows own 320 pieces each, about: 50,000 pieces are 157 windows and 40 calls of the network."""
    ids, calls = np.arange(50_000) % 89, []

    def count(windows):
        calls.append(len(windows))
        return NetworkById()(windows)

    ((joined, _),) = run([window_ids(ids)], count)
    assert calls == [TOGETHER] * 39 + [1]
    assert_same(joined, make_whole(answer_by_id(ids)))


def test_a_slice_takes_the_same_pieces_of_everything():
    """Pieces 1 and 2 of (7, 8, 9) are those with the ids 8 and 9."""
    assert_same(answer_by_id(np.array([7, 8, 9]))[1:3], answer_by_id(np.array([8, 9])))


def test_a_shared_piece_is_answered_by_the_window_in_whose_middle_it_stands():
    """400 pieces: windows (0, 384) and (320, 400) meet at (384 + 320) / 2 = 352."""

    def number_windows(windows):
        return [answer_by_id(np.full(len(window.ids), number)) for number, window in enumerate(windows)]

    ((joined, query),) = run([window_ids(np.zeros(400, np.int64))], number_windows)
    assert_same(joined, make_whole(answer_by_id(np.repeat([0, 1], [352, 48]))))
    assert_same(query, make_whole(answer_by_id(np.array([0]))))  # the first window answers for the query


@settings(max_examples=30)
@given(st.lists(st.integers(0, 1500), max_size=4), st.integers(0, 2**32 - 1))
def test_windows_of_a_network_that_answers_by_piece_say_what_one_long_pass_says(lengths, seed):
    rng = np.random.default_rng(seed)
    texts = [rng.integers(0, 30_000, length) for length in lengths]
    joined = run([window_ids(ids) for ids in texts], NetworkById())
    assert len(joined) == len(texts)
    for (outputs, query), ids in zip(joined, texts, strict=True):
        assert_same(outputs, make_whole(answer_by_id(ids)))
        assert_same(query, make_whole(answer_by_id(np.array([9])[: len(ids)])))
