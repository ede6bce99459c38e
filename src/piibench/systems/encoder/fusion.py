"""Where the encoder and the rules disagree: who knows better.

The rules' formats with a check digit or an unmistakable form (`CERTAIN`) are right about span and category of
what the encoder only guesses: e-mail addresses, IBANs, cards and IP addresses beside a word that says so.
Everywhere else the encoder decides. But where it sees nothing, a card number, an address or a hash is one by
its form, and so is a likely number against letters of a script without spaces, which it hardly knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from piibench.data.mentions import find_overlaps, is_unspaced
from piibench.data.taxonomy import Category
from piibench.systems.encoder.spans import Found, may_nest
from piibench.systems.rules.candidates import CERTAIN, LIKELY, STRONG, resolve
from piibench.systems.rules.codes.recognizer import find_codes
from piibench.systems.rules.custom import NO_CUSTOM
from piibench.systems.rules.lexicon import fold
from piibench.systems.rules.passage import Passage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from piibench.systems.rules.custom import Custom

_BY_FORM = frozenset(
    {Category.CREDIT_CARD, Category.EMAIL_ADDRESS, Category.IP_ADDRESS, Category.PASSWORD_HASH}
)
"""What is known without the words beside it."""
_GUESS = 0.99
"""However sure the encoder is, a check digit is surer."""


def fuse(text: str, found: Sequence[Found], *, custom: Custom = NO_CUSTOM) -> list[Found]:
    """Join what the encoder found with what the rules are certain of.

    Args:
        text: The description or the query.
        found: The encoder's values.
        custom: A user's own rules: what they find is certain, what they allow is no value.

    Returns:
        Values in order of their start; guesses may nest (see `spans.may_nest`).
    """
    passage = Passage(text, fold(text), hits={})  # nobody here asks a lexicon
    known = [
        Found(candidate.span, candidate.category, candidate.score)
        for candidate in resolve((*find_codes(passage), *custom.recognize(passage)))
        if candidate.score >= LIKELY
    ]
    certain = [value for value in known if value.score >= CERTAIN]
    guessed = [value._replace(score=value.score * _GUESS) for value in found]
    seen = list(resolve(custom.drop_allowed(text, (*certain, *guessed)), agree=_may_nest))
    is_seen = find_overlaps(value.span for value in (*seen, *guessed))
    missed = [value for value in known if _is_told(text, value) and not is_seen(value.span)]
    return sorted((*seen, *custom.drop_allowed(text, missed)), key=lambda value: value.span)


def _is_told(text: str, value: Found) -> bool:
    """Whether the rules alone may say that a value is one; an "@" may stand before many words."""
    if value.score >= CERTAIN or value.category is Category.SOCIAL_MEDIA_HANDLE:
        return False
    beside = text[max(0, value.span.start - 1) : value.span.start] + text[value.span.end : value.span.end + 1]
    return (value.score >= STRONG and value.category in _BY_FORM) or any(map(is_unspaced, beside))


def _may_nest(one: Found, other: Found) -> bool:
    """What is certain is whole: no guess stands within it or around it."""
    return max(one.score, other.score) < CERTAIN and may_nest(one, other)
