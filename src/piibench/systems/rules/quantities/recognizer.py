"""Amounts of a person's money (QUANTITY in Table 10): the form is common, the cue word decides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, STRONG, WEAK, Candidate
from piibench.systems.rules.quantities.amounts import Amount, Kind, find_amounts
from piibench.systems.rules.quantities.cues import QUANTITY_CUES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.cues import Cue
    from piibench.systems.rules.passage import Passage

_RATES = frozenset(
    {
        Category.DEBT_RATIO,
        Category.INVESTMENT_RETURN,
        Category.ROI,
        Category.ANNUAL_BONUS,
        Category.CREDIT_SCORE,
    }
)
_RATIOS = frozenset({Category.DEBT_RATIO, Category.ROI})
_NOT_MONEY = frozenset({Category.CREDIT_SCORE, Category.DEBT_RATIO})
_NEAR = 30
_LABEL = re.compile(
    r"\W*(?:(?:of|is|was|are|at|about|approx|around|roughly|monthly|per month|a month|total|now|currently"
    r"|stands at|per year|up to|just|only"
    r"|net|gross|amount|usd|eur|gbp|dropped to|rose to|from|to|in (?:usd|eur|gbp|euros?"
    r"|dollars?))(?![^\W_])\W*){0,3}"
)
_COLON = re.compile(r"[:=|]|\.{2,}|\t| {3,}")
_NUMBERED = re.compile(r"accounts?|checking")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SCORE_RANGE = range(300, 901)
_SMALLEST, _LONGEST_BARE = 100, 7
_PERIOD_AFTER = re.compile(
    r" {0,2}(?:a|per|each|every|an|p) {0,2}(?:month|year|annum|week|fortnight|hour|hr|m|a|day|mth)(?![^\W_])"
)
_ON_BEFORE = re.compile(r"(?<![^\W_])(?:on|offering|offered|paying) (?:about |around )?$")
_REACH = 20


def find_quantities(passage: Passage) -> Iterator[Candidate]:
    """Propose amounts that a cue word in the sentence makes personal; prices of things are left alone."""
    for amount in find_amounts(passage):
        if amount.kind is Kind.BARE and not _may_be_bare(amount):
            continue
        cue = QUANTITY_CUES.nearest(passage, amount.span)
        if cue is None:
            yield from _guess_income(passage, amount)
        elif cue.meaning and _suits(passage, amount, cue, cue.meaning):
            score = STRONG if cue.cost <= _NEAR else LIKELY
            yield Candidate(amount.span, cue.meaning, score, f"{amount.kind} beside a cue word")


def _may_be_bare(amount: Amount) -> bool:
    """Whether a number without sign or unit is large enough, and no identifier."""
    whole = re.sub(r"\D", "", amount.number.split(".")[0])
    if len(whole) > _LONGEST_BARE:
        return not amount.number.isdecimal()
    return int(whole or 0) >= _SMALLEST


def _suits(passage: Passage, amount: Amount, cue: Cue[Category | None], category: Category) -> bool:
    if category is Category.CREDIT_SCORE:
        return _is_score(amount, cue)
    match amount.kind:
        case Kind.MONEY:
            weight = category is Category.INVESTMENT_RETURN and passage.folded.endswith(
                "pounds", 0, amount.span.end
            )
            return category not in _NOT_MONEY and not weight
        case Kind.PERCENT:
            return category in _RATES
        case Kind.RATIO:
            return category in _RATIOS
        case Kind.SCORE:
            return False
        case Kind.BARE:
            return category not in _RATES - {Category.ANNUAL_BONUS} and _is_labelled(passage, amount, cue)


def _is_score(amount: Amount, cue: Cue[Category | None]) -> bool:
    if amount.kind is Kind.BARE:
        return amount.number.isdecimal() and int(amount.number) in _SCORE_RANGE
    return amount.kind is Kind.SCORE or (amount.kind is Kind.PERCENT and cue.cost <= _NEAR)


def _is_labelled(passage: Passage, amount: Amount, cue: Cue[Category | None]) -> bool:
    """Whether a bare number follows its label directly: "Rent .... 1150", "salary of 4200"."""
    if cue.span.start >= amount.span.end:
        return False
    gap = passage.text[cue.span.end : amount.span.start]
    if _NUMBERED.fullmatch(cue.span.of(passage.folded)):
        return False
    if not _LABEL.fullmatch(gap.lower()):
        return False
    return bool(_COLON.search(gap)) or not _YEAR.fullmatch(amount.number)


def _guess_income(passage: Passage, amount: Amount) -> Iterator[Candidate]:
    """Money by the month or year with no other word is most often pay: "on £32k", "5k a month"."""
    if amount.kind is not Kind.MONEY:
        return
    before = passage.folded[max(0, amount.span.start - _REACH) : amount.span.start]
    paid = _ON_BEFORE.search(before) and amount.span.of(passage.text)[-1:] in {"k", "K"}
    if paid or _PERIOD_AFTER.match(passage.folded, amount.span.end):
        yield Candidate(amount.span, Category.MONTHLY_INCOME, WEAK, "money by the month or year")
