"""What masking hides, and how well a model still answers (section 4.5; Eq. 17 to 20)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from piibench.data.mentions import find_values
from piibench.errors import InputError
from piibench.metrics.prf import Counts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from piibench.data.schema import Prediction, Sample

LOWEST_RATING, HIGHEST_RATING = 1, 10
"""Bounds of what a judge gives."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """What a masked prompt shows and hides.

    Each is None where there is nothing to count: no such value in the original, or no masked text. All
    three hold shares: `tp` of `pred` = `gold` things.

    Attributes:
        privacy: Occurrences of all values, and how many of them are gone (Eq. 17).
        privacy_unrelated: The same for the values that the query does not need.
        kept: The values that the query needs, and how many of them still show.
    """

    privacy: Counts | None = None
    privacy_unrelated: Counts | None = None
    kept: Counts | None = None


def measure_exposure(gold: Sample, pred: Prediction) -> Exposure:
    """Count which of the true values the masked prompt still shows.

    The prompt is the description, and the query too where the system masked it. A value that a needed
    entity shares with an unrelated one counts as needed: in the text the two cannot be told apart.
    """
    if pred.masked is None:
        return Exposure()
    original, masked = gold.description, pred.masked
    if pred.masked_query is not None:
        original, masked = f"{original}\n{gold.query}", f"{masked}\n{pred.masked_query}"
    before, after = count_values({entity.text for entity in gold.entities}, original, masked)
    everything = count_protected(before, after)
    if gold.relevant is None:
        return Exposure(everything)
    needed = {entity.text for entity in gold.relevant_entities}
    unrelated = Counter({value: count for value, count in before.items() if value not in needed})
    return Exposure(everything, count_protected(unrelated, after), _count_kept(needed, before, after))


def count_values(values: Iterable[str], original: str, masked: str) -> tuple[Counter[str], Counter[str]]:
    """Count C(e, T_o) and C(e, T_m): how often each value occurs in the original and the masked text.

    An occurrence is whole: no letter or digit continues it.
    """
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    # One search of both texts: preparing it for the values costs more than the search itself.
    for value, span in find_values(f"{original}\n{masked}", values):
        if span.end <= len(original):
            before[value] += 1
        elif span.start > len(original):
            after[value] += 1
    return before, after


def count_protected(before: Counter[str], after: Counter[str]) -> Counts | None:
    """Count the occurrences that masking removed; `.recall` of the result is P (Eq. 17).

    A value that the masked text holds more often than the original (say, because a placeholder spells
    it) counts as fully shown, not more.

    Args:
        before: C(e, T_o), the occurrences of each value in the original text.
        after: C(e, T_m), the same in the masked text.

    Returns:
        Protected of all occurrences; None where the original has none, which leaves nothing to protect.
    """
    total = before.total()
    return Counts((before - after).total(), total, total) if total else None


def _count_kept(needed: Iterable[str], before: Counter[str], after: Counter[str]) -> Counts | None:
    there = [value for value in needed if before[value]]
    shown = sum(1 for value in there if after[value])
    return Counts(shown, len(there), len(there)) if there else None


def measure_similarity(masked: NDArray[np.float32], reference: NDArray[np.float32]) -> float:
    """Compare two responses: U_s = cos(v_Rm, v_Ro) (Eq. 18).

    Args:
        masked: Embedding of the response to the masked prompt, of any length.
        reference: Embedding of the response to the original prompt.

    Returns:
        The cosine in [0, 1]: what points apart counts as nothing in common, so that U stays in [0, 1].
        0 where an embedding is zero, which has no direction.
    """
    left, right = masked.astype(np.float64), reference.astype(np.float64)
    norms = float(np.linalg.norm(left) * np.linalg.norm(right))
    return min(max(float(left @ right) / norms, 0.0), 1.0) if norms else 0.0


def scale_rating(rating: float) -> float:
    """Bring a judge's rating (Eq. 19), 1 to 10, to [0, 1]: U_l = (r - 1) / 9.

    Raises:
        InputError: It lies outside 1 to 10.
    """
    if not LOWEST_RATING <= rating <= HIGHEST_RATING:
        msg = f"a rating must lie in [{LOWEST_RATING}, {HIGHEST_RATING}], found {rating:g}"
        raise InputError(msg)
    return (rating - LOWEST_RATING) / (HIGHEST_RATING - LOWEST_RATING)


def combine_utility(similarity: float, rating: float) -> float:
    """Combine U_s and the scaled U_l to U: their mean.

    The paper names both and prints one U without saying how it comes of them; the mean is this package's.

    Args:
        similarity: U_s in [0, 1].
        rating: U_l in [0, 1], as `scale_rating` gives it.
    """
    return (similarity + rating) / 2


def balance(privacy: float, utility: float, *, alpha: float = 0.5) -> float:
    """Weigh privacy and utility: B = alpha P + (1 - alpha) U (Eq. 20).

    Args:
        privacy: P in [0, 1].
        utility: U in [0, 1].
        alpha: Weight of privacy in [0, 1]; the paper takes 0.5.

    Raises:
        InputError: A value lies outside [0, 1].
    """
    for name, value in (("privacy", privacy), ("utility", utility), ("alpha", alpha)):
        if not 0 <= value <= 1:
            msg = f"{name} must lie in [0, 1], found {value:g}"
            raise InputError(msg)
    return alpha * privacy + (1 - alpha) * utility


def trace_balance(
    privacy: float, utility: float, alphas: Iterable[float] = tuple(step / 10 for step in range(11))
) -> tuple[tuple[float, float], ...]:
    """Follow B (Eq. 20) over the weight of privacy.

    Args:
        privacy: P in [0, 1].
        utility: U in [0, 1].
        alphas: Weights in [0, 1]; 0, 0.1 … 1 where absent.

    Returns:
        Pairs of alpha and B.

    Raises:
        InputError: A value lies outside [0, 1].
    """
    return tuple((alpha, balance(privacy, utility, alpha=alpha)) for alpha in alphas)
