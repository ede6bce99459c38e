"""Amounts in the world's usual forms: money, percentages, ratios, scores and bare numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from piibench.data.mentions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.passage import Passage


class Kind(StrEnum):
    """What an amount is by its form alone."""

    MONEY = "money"
    PERCENT = "percentage"
    SCORE = "score out of a maximum"
    RATIO = "decimal fraction"
    BARE = "bare number"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with the signs and words that belong to it.

    Attributes:
        span: Minimal span, with the currency sign and the magnitude.
        kind: Its form.
        number: The digits as written, empty where the number is in words.
    """

    span: Span
    kind: Kind
    number: str


_NUMBER = re.compile(
    r"\d(?<![^\W_]\d)(?<!\d[.,:/'-]\d)(?<![A-Za-z][-_]\d)(?:\d{0,2}(?:[,.'\u2019\u00a0\u202f ]\d{3}(?!\d))+"
    r"|\d{0,2}(?:,\d\d){1,4},\d{3}(?!\d)|\d*)"
    r"(?:[.,]\d{1,4}(?![\d]))?"
)
_SIGN = r"(?:(?:US|CA|C|AU|A|NZ|HK|SG|S|R|MX|NT)?\$|[€£¥₹₽₩₺₫₦₱฿₪₴₡₲₵₸]|Rs\.?|Kč|zł)"
_CODE = (
    r"(?:USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|CAD|AUD|NZD|SGD|HKD|SEK|NOK|DKK|PLN|CZK|HUF|RON|TRY|BRL|MXN|ZAR"
    r"|NGN|KES|GHS|EGP|AED|SAR"
    r"|ILS|THB|MYR|IDR|PHP|VND|KRW|TWD|PKR|BDT|LKR|RUB|UAH|ARS|CLP|COP|PEN|RM|Rp|Fr\.|SFr\.?|Ksh|kr|S/|R)"
)
_CURRENCY_BEFORE = re.compile(rf"(?:{_SIGN}|(?<![^\W_]){_CODE})[ \u00a0\u202f]?-?$")
_GAP = r"[ \u00a0\u202f-]?"
_MAGNITUDE = (
    r"(?:k|K|m|M|mn|mln|mio|Mio\.?|bn|B|thousand|grand|million|billion|lakhs?|lacs?|crores?|tsd\.?"
    r"|hundred|mille)(?![^\W_])"
    r"|[万億亿千萬만억]"
)
_MAGNITUDE_AFTER = re.compile(rf"{_GAP}(?:{_MAGNITUDE})")
_ALONE = re.compile(r"k|K|thousand|grand|illion|la[kc]|crore|[万億亿萬만억]")
"""Magnitudes that mean money without a currency; "12 m" and "12 B" do not."""
_CURRENCY_WORD = (
    r"(?:(?:us|canadian|australian|hong kong|singapore|new zealand|swiss|american) )?(?:dollars?|euros?"
    r"|pounds?(?: sterling)?|bucks|quid"
    r"|rupees?|yen|yuan|renminbi|won|pesos?|reais|real|rand|francs?|kron[ae]r?|kronor|crowns?|zloty(?:s"
    r"|ch)?|forints?|lei|lira|rubles?"
    r"|roubles?|hryvnias?|dirhams?|riyals?|shekels?|dinars?|pounds?|baht|ringgit|rupiah|dong|naira|cedis?"
    r"|shillings?|birr|taka)"
)
_CURRENCY_AFTER = re.compile(
    rf"{_GAP}(?:{_SIGN}|(?:{_CODE}|Ft|kn|Lei|SEK|TL|лв)(?![^\W_])|(?i:{_CURRENCY_WORD})(?![^\W_])|[元円원]|块|万元)"
)
_PERCENT_AFTER = re.compile(
    r" ?(?:%|percent(?![^\W_])|per cent(?![^\W_])|pct(?![^\W_])|percentage points?)", re.IGNORECASE
)
_OUT_OF = re.compile(r" ?(?:/ ?| out of )(?:100|850|900|999|1000|10)(?![^\W_]|[.,/]\d)")
_UNIT_AFTER = re.compile(
    r"[ -]?(?:years?|yrs?|months?|weeks?|days?|hours?|hrs?|minutes?|mins?|people|persons?|kids?|children"
    r"|employees|km|miles?|kg|lbs?|cm"
    r"|sq|square|m2|mg|ml|times|points? (?:lead|plan)|rooms?|bedrooms?|installments|instalments|payments"
    r"|shares|units|st|nd|rd|th|am|pm)"
    r"(?![^\W_])|[-/:]\d|[-_][a-z]|\.\d",
    re.IGNORECASE,
)
_REACH = 8


def find_amounts(passage: Passage) -> Iterator[Amount]:
    """Yield every amount, in order; numbers in words count where a currency follows them."""
    text = passage.text
    for match in passage.match_numbers(_NUMBER):
        if amount := _read_amount(text, match):
            yield amount
    yield from _find_spoken(passage)


def _read_amount(text: str, match: re.Match[str]) -> Amount | None:
    start, end = match.span()
    number = match.group().rstrip(" ")
    end = start + len(number)
    sign = _CURRENCY_BEFORE.search(text, max(0, start - _REACH), start)
    magnitude = _MAGNITUDE_AFTER.match(text, end)
    stop = magnitude.end() if magnitude else end
    currency = None if sign else _CURRENCY_AFTER.match(text, stop)
    if sign or currency or (magnitude and _ALONE.search(magnitude.group())):
        return Amount(
            Span(sign.start() if sign else start, currency.end() if currency else stop), Kind.MONEY, number
        )
    if percent := _PERCENT_AFTER.match(text, end):
        return Amount(Span(start, percent.end()), Kind.PERCENT, number)
    if score := _OUT_OF.match(text, end):
        return Amount(Span(start, score.end()), Kind.SCORE, number)
    if text[end : end + 1].isalnum() or _UNIT_AFTER.match(text, end):
        return None
    kind = Kind.RATIO if number.startswith(("0.", "0,")) else Kind.BARE
    return Amount(Span(start, end), kind, number)


_ONES = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen"
)
_TENS = r"twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_WORD = rf"(?:(?:{_TENS})(?:[- ](?:{_ONES}))?|{_ONES}|a|half a)"
_SCALE = r"(?:hundred|thousand|grand|million|billion|lakhs?|crores?)"
_SPOKEN_ANCHOR = re.compile(rf" (?:{_CURRENCY_WORD}|grand|lakhs?|crores?)(?![^\W_])")
_SPOKEN_SIGNS = (
    " dollar", " euro", " pound", " bucks", " quid", " rupee", " yen", " yuan", " renminbi", " won", " peso",
    " reais", " real", " rand", " franc", " kron", " crown", " zloty", " forint", " lei", " lira", " ruble",
    " rouble", " hryvnia", " dirham", " riyal", " shekel", " dinar", " baht", " ringgit", " rupiah", " dong",
    " naira", " cedi", " shilling", " birr", " taka", " grand", " lakh", " crore",
)  # fmt: skip
"""How the anchors begin: where none of them occurs, no pattern is tried."""
_SPOKEN_BEFORE = re.compile(
    rf"(?<![^\W_])(?:{_WORD} )(?:{_SCALE}(?:,| and)? )?(?:{_WORD} )?(?:{_SCALE}(?:,"
    rf"| and)? )?(?:{_WORD} )?(?:and a half )?(?:{_SCALE} )?$",
    re.IGNORECASE,
)
_SPOKEN_REACH = 60


def _find_spoken(passage: Passage) -> Iterator[Amount]:
    """Money in words: "two thousand dollars", "half a million euros", "twelve grand"."""
    if not any(sign in passage.folded for sign in _SPOKEN_SIGNS):
        return
    for anchor in _SPOKEN_ANCHOR.finditer(passage.folded):
        start = anchor.start() + 1
        number = _SPOKEN_BEFORE.search(passage.text, max(0, start - _SPOKEN_REACH), start)
        if number and number.group().lower() != "a ":
            yield Amount(Span(number.start(), anchor.end()), Kind.MONEY, "")
