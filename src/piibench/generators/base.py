"""What every generator takes and gives: a person's background, a request, a value and its fact."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from piibench.data.taxonomy import Category

Style = Literal["paper", "world"]
Gender = Literal["female", "male", "nonbinary"]
Partition = Literal["train", "dev", "test"]

TODAY = date(2025, 9, 1)
"""The day on which the synthetic world stands; a fixed one, so that a seed always gives the same data."""

ADULT = 18
"""The age from which on one may sign, vote and owe, in years."""


@dataclass(frozen=True, slots=True)
class Pronouns:
    """Words that agree with a person's gender, in lower case."""

    he: str
    him: str
    his: str
    hers: str
    himself: str


_PRONOUNS: dict[Gender, Pronouns] = {
    "female": Pronouns("she", "her", "her", "hers", "herself"),
    "male": Pronouns("he", "him", "his", "his", "himself"),
    "nonbinary": Pronouns("they", "them", "their", "theirs", "themself"),
}


@dataclass(frozen=True, slots=True, repr=False)
class Name:
    """A person's name.

    Attributes:
        given: First name.
        family: Family name, with its particles.
        middle: A second given name, or nothing.
    """

    given: str
    family: str
    middle: str = ""


@dataclass(frozen=True, slots=True)
class Background:
    """What holds together the values of one person.

    Attributes:
        culture: Code of `values/cultures.txt`, such as "ke": where the person lives.
        gender: Fixes given names and pronouns.
        country: Country of the culture.
        currency: ISO 4217 code.
        partition: Whose rare values (invented organisations, streets, handles) may be used.
        wages: Price level beside the United States, above 0.
        words: Group of street words and organisation patterns.
        heritage: Code of the culture that names, looks and origin come from, where it is another one.
        name: Once set, handles, nicknames and e-mail addresses fit it.
        town: Once set, where the person lives; street addresses lie there.
        age: Once set, in years; dates, schooling, work, looks and illnesses fit it.
        income_band: Once set, 1 (low) to 5 (very high); the income fits it.
        studies: Once set, what leads to the job: groups and subjects; an academic degree fits them.
        employers: Once set, kinds of companies that employ such people; a company of no asked kind is one.
        income: Once set, a month's, in units of the currency; sums of money fit it.
        scene: Once set, the day around which everything dated happens.
    """

    culture: str
    gender: Gender
    country: str
    currency: str
    partition: Partition
    wages: float
    words: str
    heritage: str | None = None
    name: Name | None = None
    town: str | None = None
    age: int | None = None
    income_band: int | None = None
    studies: tuple[str, ...] = ()
    employers: tuple[str, ...] = ()
    income: float | None = None
    scene: date | None = None

    @property
    def roots(self) -> str:
        """The culture that names, looks and origin come from."""
        return self.heritage or self.culture

    @property
    def pronouns(self) -> Pronouns:
        """The pronouns of the person's gender."""
        return _PRONOUNS[self.gender]


@dataclass(frozen=True, slots=True, repr=False)
class Value:
    """A value of a category, ready to stand in a text.

    Attributes:
        category: One of the 55.
        text: The value as written, one line without space at its ends.
        fact: What it says, in a form that rules can reason about; the same fact can be rendered again.
        form: The form that was asked for, None for the default.
    """

    category: Category
    text: str
    fact: Any
    form: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """How a value is wanted.

    Attributes:
        rng: The only source of chance.
        background: Whose value it is.
        form: One of the maker's forms, or None for the default.
        style: "paper" for the format of Table 10, "world" for the formats that people use.
    """

    rng: Random
    background: Background
    form: str | None = None
    style: Style = "paper"

    @property
    def is_world(self) -> bool:
        """Whether formats beyond Table 10 are wanted."""
        return self.style == "world"


Fact = TypeVar("Fact")


@dataclass(frozen=True, slots=True)
class Maker(Generic[Fact]):
    """How the values of one category are made.

    Attributes:
        draw: Draws a fact.
        write: Puts a fact into words; the same fact may be written in many ways.
        forms: The forms that `write` knows besides the default.
    """

    draw: Callable[[Request], Fact]
    write: Callable[[Fact, Request], str]
    forms: tuple[str, ...] = ()
