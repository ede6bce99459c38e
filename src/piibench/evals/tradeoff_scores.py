"""The scores of a trade-off by sample and arm (Eq. 17 to 20).

The original prompt hides nothing and loses nothing: its P is 0 and its U is 1 by definition, as in the paper.
"""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, Any

from piibench.data.runs import SampleScores
from piibench.data.schema import Prediction
from piibench.evals.arms import NONE
from piibench.evals.judging import Opinion, match_orders
from piibench.metrics.tradeoff import balance, combine_utility, measure_exposure, scale_rating

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from piibench.data.schema import Sample
    from piibench.evals.kinds import Answer

FORMS = ("", "_restored")
"""An answer as it came, and with its placeholders put back: how the names of the scores of each end."""


def measure_tradeoff(gold: Sample, answer: Answer) -> tuple[SampleScores, ...]:
    """Measure each arm; what could not be judged has no score."""
    return tuple(_measure_arm(gold, arm, details) for arm, details in answer.details.items())


def _measure_arm(gold: Sample, arm: str, details: Mapping[str, Any]) -> SampleScores:
    sent = Prediction(
        id=gold.id,
        description=gold.description,
        query=gold.query,
        masked=_take_out(details["placeholders"], details["description"]),
        masked_query=_take_out(details["placeholders"], details["query"]),
    )
    exposure = measure_exposure(gold, sent)
    found = {
        "privacy": exposure.privacy,
        "privacy_unrelated": exposure.privacy_unrelated,
        "kept": exposure.kept,
    }
    scores: dict[str, float | None] = {name: each and each.recall for name, each in found.items()}
    counts = {name: (each.tp, each.pred, each.gold) for name, each in found.items() if each}
    opinions: list[Opinion] = []
    pairs: list[tuple[Opinion, Opinion]] = []
    for form in FORMS:
        measured: Mapping[str, Any] = details["forms"].get(form, {})
        said = [Opinion(*each) for each in measured.get("opinions", ())]
        similarity = measured.get("similarity")
        rating = 1.0 if arm == NONE and measured else _average(said)
        scores |= _name_utility(form, scores["privacy"], similarity, rating)
        opinions += said
        pairs += match_orders(said)
    agreement, agreed = _compare_orders(pairs)
    if opinions:
        readable = sum(each.rating is not None for each in opinions)
        counts["judgements"] = (readable, len(opinions), len(opinions))
    return SampleScores(
        id=gold.id, subset=gold.subset, arm=arm, scores=scores | agreement, counts=counts | agreed
    )


def _take_out(placeholders: Sequence[str], text: str) -> str:
    """Empty placeholders, so that the number of one does not count as a value that still shows."""
    for placeholder in placeholders:
        text = text.replace(placeholder, "<>")
    return text


def _name_utility(
    form: str, privacy: float | None, similarity: float | None, rating: float | None
) -> dict[str, float | None]:
    utility = None if similarity is None or rating is None else combine_utility(similarity, rating)
    balanced = None if privacy is None or utility is None else balance(privacy, utility)
    named = {"similarity": similarity, "rating": rating, "utility": utility, "balanced": balanced}
    return {f"{name}{form}": value for name, value in named.items()}


def _average(opinions: Sequence[Opinion]) -> float | None:
    """U_l in [0, 1]: the mean over all pairs and orders that could be read."""
    ratings = [scale_rating(each.rating) for each in opinions if each.rating is not None]
    return fmean(ratings) if ratings else None


def _compare_orders(
    pairs: Sequence[tuple[Opinion, Opinion]],
) -> tuple[dict[str, float | None], dict[str, tuple[float, int, int]]]:
    """How far a judge holds to what it said when the order of the answers is turned round.

    Returns:
        "agreement", the share of verdicts that keep their sign, and "rating_gap", the mean distance of the
        two ratings on the scale of 1 to 10; None where nothing can be compared. Then the counts of both.
    """
    gaps = [
        abs(first.rating - second.rating)
        for first, second in pairs
        if first.rating is not None and second.rating is not None
    ]
    same = [
        _sign(first.verdict) == _sign(second.verdict)
        for first, second in pairs
        if first.verdict is not None and second.verdict is not None
    ]
    scores = {"agreement": fmean(same) if same else None, "rating_gap": fmean(gaps) if gaps else None}
    return scores, {"agreement": (sum(same), len(same), len(same))} if same else {}


def _sign(verdict: int) -> int:
    return (verdict > 0) - (verdict < 0)
