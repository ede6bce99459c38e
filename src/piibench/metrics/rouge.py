"""Rouge-L between values, and soft precision, recall and F1 (Eq. 14-16).

The reference implementation of Rouge keeps only the letters a-z and digits, which gives 0 to a Chinese
name compared with itself and calls "€50" and "$50" equal. The tokens here keep them apart: text is cut at
white space, punctuation at the edges of a piece is dropped ("Street," is "Street", "€274,304.33" stays
whole), scripts written without spaces give a token for each character, and case is folded as in the
reference.
"""

from __future__ import annotations

import re
from math import fsum
from typing import TYPE_CHECKING

from rapidfuzz.distance import LCSseq

from piibench.metrics.prf import PRF

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping
    from collections.abc import Set as AbstractSet

    Labelled = tuple[str, Hashable]

UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # iteration marks, kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
"""Blocks of scripts that are written without spaces between words, as a character class."""

_PIECE = re.compile(rf"[{UNSPACED}]|[^\s{UNSPACED}]+")
_EDGE = ".,;:!?…()[]{}\"'“”‘’«»„、。，；：！？（）「」『』《》،؛؟।"


def tokenise(text: str) -> list[str]:
    """Cut a value into the tokens that Rouge-L compares, case folded.

    Pieces that are nothing but punctuation are dropped, unless there are no others.
    """
    pieces: list[str] = _PIECE.findall(text.casefold())
    return [token for piece in pieces if (token := piece.strip(_EDGE))] or pieces


def rouge_l(gold: str, pred: str) -> float:
    """F-score of the longest common subsequence of tokens, in [0, 1]; symmetric, 1 for equal texts."""
    if gold == pred:
        return 1.0
    return _lcs_f1(tokenise(gold), tokenise(pred))


def _lcs_f1(gold: list[str], pred: list[str]) -> float:
    total = len(gold) + len(pred)
    return 2 * LCSseq.similarity(gold, pred) / total if total else 1.0


def soft_prf(gold: AbstractSet[str], pred: AbstractSet[str]) -> PRF:
    """Compare two sets of texts by their best Rouge-L partners (Eq. 14-16).

    Both sets empty give 1, one empty gives 0.
    """
    return soft_prf_within({(text, None) for text in gold}, {(text, None) for text in pred})


def soft_prf_within(gold: AbstractSet[Labelled], pred: AbstractSet[Labelled]) -> PRF:
    """Compare as `soft_prf` does, where a text may only meet texts of its own label."""
    if not gold and not pred:
        return PRF(1.0, 1.0, 1.0)
    tokens = _tokenise_unequal(gold, pred)
    return PRF.of(_mean_credit(pred, gold, tokens), _mean_credit(gold, pred, tokens))


def _tokenise_unequal(gold: AbstractSet[Labelled], pred: AbstractSet[Labelled]) -> dict[Labelled, list[str]]:
    """Cut every text that a text without an equal partner may meet."""
    labels = {label for _, label in gold ^ pred}
    return {value: tokenise(value[0]) for value in gold | pred if value[1] in labels}


def _mean_credit(
    values: AbstractSet[Labelled], others: AbstractSet[Labelled], tokens: Mapping[Labelled, list[str]]
) -> float:
    if not values or not others:
        return 0.0
    missed = values - others
    credit = fsum(_best_credit(value, others, tokens) for value in missed)
    return (len(values) - len(missed) + credit) / len(values)


def _best_credit(
    value: Labelled, others: AbstractSet[Labelled], tokens: Mapping[Labelled, list[str]]
) -> float:
    # Most texts share no token; to see that is far cheaper than to align them.
    own, words = tokens[value], frozenset(tokens[value])
    partners = (tokens[other] for other in others if other[1] == value[1])
    return max((_lcs_f1(own, other) for other in partners if not words.isdisjoint(other)), default=0.0)
