"""The cultures that people of the synthetic world come from."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, get_args

from piibench.errors import InputError
from piibench.generators.base import Background, Gender, Partition
from piibench.generators.wordlists import read_rows

if TYPE_CHECKING:
    from random import Random

_GENDER_WEIGHTS = (48, 48, 4)


@cache
def list_cultures() -> tuple[str, ...]:
    """The codes of all cultures, in the order of the file."""
    return tuple(row[0] for row in read_rows("cultures"))


@cache
def _weights() -> tuple[int, ...]:
    return tuple(int(row[5]) for row in read_rows("cultures"))


@cache
def _columns(culture: str) -> tuple[str, str, float, str]:
    for code, country, currency, wages, words, _ in read_rows("cultures"):
        if code == culture:
            return country, currency, float(wages), words
    msg = f"unknown culture; use one of {', '.join(list_cultures())}"
    raise InputError(msg)


def name_country(culture: str) -> str:
    """The country of a culture.

    Raises:
        InputError: No such culture.
    """
    return _columns(culture)[0]


def sample_background(
    rng: Random, partition: Partition, *, gender: Gender | None = None, culture: str | None = None
) -> Background:
    """Draw the background of a person.

    Args:
        rng: Source of chance.
        partition: Whose rare values the person may have.
        gender: Fixes the gender; drawn when None (4 % non-binary).
        culture: Fixes the culture; drawn by the weights of `values/cultures.txt` when None.

    Raises:
        InputError: No such culture.
    """
    drawn_culture = rng.choices(list_cultures(), _weights())[0]
    drawn_gender: Gender = rng.choices(get_args(Gender), _GENDER_WEIGHTS)[0]
    code = culture or drawn_culture
    country, currency, wages, words = _columns(code)
    return Background(
        culture=code,
        gender=gender or drawn_gender,
        country=country,
        currency=currency,
        partition=partition,
        wages=wages,
        words=words,
    )
