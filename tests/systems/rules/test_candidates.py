from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import CERTAIN, LIKELY, STRONG, WEAK, Candidate, resolve


def propose(start, end, score=LIKELY, category=Category.AGE):
    return Candidate(Span(start, end), category, score, "test")


def keep(*candidates):
    return [candidate.span for candidate in resolve(candidates)]


def test_scores_are_ordered():
    assert 1.0 == CERTAIN > STRONG > LIKELY > WEAK > 0


def test_the_higher_score_wins_over_the_longer_span():
    assert keep(propose(0, 10, LIKELY), propose(4, 6, STRONG)) == [(4, 6)]


def test_the_longer_span_wins_at_equal_scores():
    assert keep(propose(0, 4), propose(2, 9)) == [(2, 9)]


def test_the_earlier_span_wins_at_equal_scores_and_lengths():
    assert keep(propose(2, 6), propose(0, 4)) == [(0, 4)]


def test_touching_spans_both_stand_in_order():
    assert keep(propose(5, 9), propose(0, 5)) == [(0, 5), (5, 9)]


def test_spans_longer_than_a_bucket_refuse_what_they_cover():
    assert keep(propose(0, 1000), propose(500, 501)) == [(0, 1000)]


def test_equal_spans_are_decided_by_category_not_by_order():
    one, other = propose(0, 3), propose(0, 3, category=Category.DATE)
    assert list(resolve([one, other])) == list(resolve([other, one])) == [one]


spans = st.tuples(st.integers(0, 400), st.integers(1, 150)).map(lambda pair: (pair[0], pair[0] + pair[1]))
proposals = st.lists(
    st.builds(
        lambda span, score: propose(*span, score), spans, st.sampled_from([WEAK, LIKELY, STRONG, CERTAIN])
    )
)


@given(proposals)
def test_the_kept_do_not_overlap_and_every_refused_one_meets_a_better(candidates):
    kept = list(resolve(candidates))
    assert kept == sorted(kept, key=lambda candidate: candidate.span)
    for one, other in pairwise(kept):
        assert one.span.end <= other.span.start
    for candidate in candidates:
        if candidate not in kept:
            rivals = [other for other in kept if other.span.overlaps(candidate.span)]
            assert any(other.score >= candidate.score for other in rivals)


@given(proposals, st.randoms())
def test_the_order_of_proposals_does_not_matter(candidates, rng):
    shuffled = list(candidates)
    rng.shuffle(shuffled)
    assert list(resolve(shuffled)) == list(resolve(candidates))
