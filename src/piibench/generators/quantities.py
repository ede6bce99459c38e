"""QUANTITY: sums of money, percentages and credit scores (Table 10)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import Maker
from piibench.generators.wordlists import happens, pick, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from piibench.generators.base import Background, Request

INCOME_BANDS: dict[int, tuple[int, int]] = {
    1: (1200, 2200),
    2: (2000, 3600),
    3: (3200, 5600),
    4: (5000, 9500),
    5: (9000, 24000),
}
"""Monthly income of each band, in dollars at the price level of the United States."""

_MONTHS_OF_INCOME = {
    Category.MONTHLY_INCOME: (1.0, 1.0),
    Category.MONTHLY_EXPENSES: (0.3, 0.9),
    Category.ACCOUNT_BALANCE: (0.2, 14.0),
    Category.LOAN_AMOUNT: (2.0, 60.0),
    Category.ANNUAL_BONUS: (0.4, 3.0),
    Category.CREDIT_LIMIT: (0.5, 4.0),
    Category.SOCIAL_SECURITY_PAYMENT: (0.2, 0.55),
    Category.TAX_PAYMENT: (0.3, 3.5),
}
_EARNING_FROM, _POCKET_SHARE = 16, 0.03
_LAKH, _CRORE = 100_000, 10_000_000


@dataclass(frozen=True, slots=True)
class Money:
    """A sum.

    Attributes:
        amount: Whole units of the currency, above 0.
        currency: ISO 4217 code.
    """

    amount: int
    currency: str


@dataclass(frozen=True, slots=True)
class Currency:
    """How a currency is written.

    Attributes:
        sign: With the space that belongs to it.
        leads: Whether the sign stands in front.
        thousands: Mark between groups of three digits.
        decimal: Mark in front of cents.
        word: Plural name.
        rate: Units for one dollar.
    """

    sign: str
    leads: bool
    thousands: str
    decimal: str
    word: str
    rate: float


@cache
def read_currency(code: str, culture: str = "") -> Currency:
    """How a culture writes a currency: its own row of `currencies.txt` ("EUR-ie"), else the currency's."""
    rows = {row[0]: row for row in read_rows("currencies")}
    row = rows.get(f"{code}-{culture}") or rows[code]
    return Currency(row[1], row[2] == "b", row[3], row[4], row[5], float(row[6]))


def _round_amount(amount: float, *, roughly: bool) -> int:
    """Two leading digits for round sums, four otherwise; at least 10."""
    whole = max(10, int(amount))
    unit = 10 ** max(0, len(str(whole)) - (2 if roughly else 4))
    return max(unit, round(whole / unit) * unit)


def draw_income(rng: Random, background: Background) -> float:
    """What a person may have a month, in units of the currency; a child's pocket money."""
    band = background.income_band or rng.choices((1, 2, 3, 4, 5), (16, 32, 30, 16, 6))[0]
    dollars = rng.uniform(*INCOME_BANDS[band]) * background.wages
    if background.age is not None and background.age < _EARNING_FROM:
        dollars *= _POCKET_SHARE
    return dollars * read_currency(background.currency).rate


def _draw_money(category: Category) -> Callable[[Request], Money]:
    low, high = _MONTHS_OF_INCOME[category]

    def draw(request: Request) -> Money:
        rng, background = request.rng, request.background
        income = background.income or draw_income(rng, background)
        amount = income * rng.triangular(low, high, low)
        return Money(
            _round_amount(amount, roughly=request.form == "k" or happens(rng, 0.6)), background.currency
        )

    return draw


def _join(currency: Currency, figure: str) -> str:
    return f"{currency.sign}{figure}" if currency.leads else f"{figure} {currency.sign}"


def _group_indian(amount: int) -> str:
    """Digits in lakh and crore groups: 12,34,567."""
    head, tail = str(amount)[:-3], str(amount)[-3:]
    parts: list[str] = []
    while head:
        parts.insert(0, head[-2:])
        head = head[:-2]
    return ",".join([*parts, tail])


def _group_thousands(money: Money, currency: Currency) -> str:
    if money.currency == "INR":
        return _group_indian(money.amount)
    return f"{money.amount:,}".replace(",", currency.thousands)


def _shorten(amount: int, unit: int, decimal: str) -> str:
    return f"{amount / unit:.1f}".removesuffix(".0").replace(".", decimal)


def _write_short(money: Money, currency: Currency) -> str:
    """Thousands as "k", millions as "m", lakh and crore in India."""
    amount = money.amount
    if money.currency == "INR" and amount >= _LAKH:
        unit, word = (_CRORE, "crore") if amount >= _CRORE else (_LAKH, "lakh")
        return f"₹{_shorten(amount, unit, '.')} {word}"
    if amount >= 1_000_000:  # noqa: PLR2004
        return _join(currency, f"{_shorten(amount, 1_000_000, currency.decimal)}m")
    return _join(currency, f"{_shorten(amount, 1000, currency.decimal)}k" if amount >= 1000 else str(amount))  # noqa: PLR2004


def _write_money(money: Money, request: Request) -> str:
    rng, culture = request.rng, request.background.culture
    currency = read_currency(money.currency, culture)
    grouped = _group_thousands(money, currency)
    if request.form == "k":
        return _write_short(money, currency)
    if request.form == "plain":
        return _join(currency, grouped)
    if not request.is_world:
        return f"{currency.sign.strip()}{money.amount}"
    cents = f"{grouped}{currency.decimal}{rng.randrange(100):02d}"
    shapes = (
        _join(currency, grouped),
        _join(currency, grouped),
        _join(currency, cents) if currency.rate < 100 else _join(currency, grouped),  # noqa: PLR2004 - no cents
        f"{money.currency} {grouped}",
        f"{grouped} {currency.word}",
        f"{grouped} {money.currency}",
        _write_short(money, currency),
        _join(currency, str(money.amount)),
        f"{grouped} €"
        if currency.thousands == "." and money.currency == "EUR"
        else f"{grouped} {currency.word}",
    )
    return pick(rng, shapes)


def _draw_percent(low: float, high: float) -> Callable[[Request], float]:
    def draw(request: Request) -> float:
        percent = request.rng.triangular(low, high, low + (high - low) / 3)
        return round(percent, pick(request.rng, (0, 1, 1, 2)) if request.is_world else 2)

    return draw


def _write_percent(percent: float, request: Request) -> str:
    if not request.is_world:
        return f"{percent:.2f}%"
    figure = f"{percent:.2f}".rstrip("0").rstrip(".")
    shapes = (
        f"{figure}%",
        f"{figure}%",
        f"{figure} %",
        f"{figure} percent",
        f"{figure} per cent",
        f"{percent:.2f}%",
        f"{figure.replace('.', ',')} %",
        f"{figure.replace('.', ',')}%",
    )
    comma = read_currency(request.background.currency, request.background.culture).decimal == ","
    return pick(request.rng, shapes if comma else shapes[:-2])


def _draw_score(request: Request) -> int:
    return round(min(850, max(300, request.rng.gauss(675, 90))))


MAKERS = {
    **{
        category: Maker(_draw_money(category), _write_money, ("plain", "k")) for category in _MONTHS_OF_INCOME
    },
    Category.DEBT_RATIO: Maker(_draw_percent(4, 68), _write_percent),
    Category.INVESTMENT_RETURN: Maker(_draw_percent(0.8, 19), _write_percent),
    Category.ROI: Maker(_draw_percent(2, 88), _write_percent),
    Category.CREDIT_SCORE: Maker(
        _draw_score, lambda score, r: f"{score}/850" if r.form == "of" else str(score), ("of",)
    ),
}
