"""The selection's tables in TOML, read and checked.

`selection.toml` says which words call for which category and who is meant, `scenarios.toml` what a
query is about and which categories that needs. Both explain themselves in their comments.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from piibench.data.taxonomy import Category

Phrase = Annotated[str, StringConstraints(pattern=r"^[^\sA-Z*][^A-Z*]*\*?$")]
"""A cue as the tables write it: lower case, with at most one "*", at its end."""

Pronoun = Literal["she", "he", "they"]
PersonWord = Literal["narrator", "we", "everyone", "she", "he", "they", "first", "second", "third"]


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CategoryCues(_Row):
    """Words that call for one category: a cue alone, hints only together."""

    cues: tuple[Phrase, ...]
    hints: tuple[Phrase, ...] = ()


class Theme(_Row):
    """An allusion that several categories could answer; the first `take` present are called for."""

    name: str
    cues: tuple[Phrase, ...]
    means: tuple[Category, ...]
    take: Annotated[int, Field(ge=1)] = 1


class Scenario(_Row):
    """What a query is about, and the categories an answer needs, most needed first."""

    name: str
    cues: tuple[Phrase, ...]
    hints: tuple[Phrase, ...] = ()
    needs: Annotated[tuple[Category, ...], Field(min_length=1)]
    take: Annotated[int, Field(ge=1)] = 2


class PersonGroup(_Row):
    """Words for one kind of person, such as a daughter, and the pronoun that goes with them."""

    words: tuple[Phrase, ...]
    pronoun: Pronoun = "they"


class People(_Row):
    """Words that say whom a query means, and phrases that ask to leave something out."""

    withheld: tuple[Phrase, ...]
    narrator: tuple[Phrase, ...]
    we: tuple[Phrase, ...]
    everyone: tuple[Phrase, ...]
    she: tuple[Phrase, ...]
    he: tuple[Phrase, ...]
    they: tuple[Phrase, ...]
    first: tuple[Phrase, ...]
    second: tuple[Phrase, ...]
    third: tuple[Phrase, ...]
    addressing: tuple[Phrase, ...]
    groups: tuple[PersonGroup, ...]


class SelectionTable(_Row):
    """The content of `selection.toml`."""

    common: tuple[Phrase, ...]
    categories: dict[Category, CategoryCues]
    themes: tuple[Theme, ...]
    people: People


class ScenarioTable(_Row):
    """The content of `scenarios.toml`."""

    scenarios: tuple[Scenario, ...]


@cache
def load_table() -> SelectionTable:
    """The shipped `selection.toml`, checked once in a process."""
    return SelectionTable.model_validate(_read("selection.toml"))


@cache
def load_scenarios() -> tuple[Scenario, ...]:
    """The shipped `scenarios.toml`, checked once in a process."""
    return ScenarioTable.model_validate(_read("scenarios.toml")).scenarios


def _read(name: str) -> dict[str, object]:
    return tomllib.loads((files("piibench.systems.rules.selection") / name).read_text("utf-8"))
