"""Scenarios and their query templates (section 3.2.3, Appendix D).

`scenarios/catalogue.txt` lists every scenario with the categories that it needs, those that would help too,
and those that tempt but are not needed. `scenarios/<partition>/*.queries` hold templates; no partition has a
template of another:

    === mortgage advice
    ? Monthly Income; Loan Amount | Given what {I} bring{s} home and what {I} already owe{s}, …

Words in braces agree with who asks: for the person of the description `{I}` is "I" and `{s}` is nothing; for
somebody else's question they become "she", "s" and so on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category, parse_category
from piibench.errors import DataError, UnknownCategoryError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from piibench.generators.base import Background, Partition

_WORD = re.compile(r"\{(\w+)\}")
_OWN = {
    "I": "I", "me": "me", "my": "my", "mine": "mine", "myself": "myself", "am": "am", "have": "have",
    "was": "was", "do": "do", "s": "", "es": "",
}  # fmt: skip
_OTHERS = {"am": "is", "have": "has", "was": "was", "do": "does", "s": "s", "es": "es"}
_PLURAL = {"am": "are", "have": "have", "was": "were", "do": "do", "s": "", "es": ""}
_PRONOUN = {"I": "he", "me": "him", "my": "his", "mine": "hers", "myself": "himself"}
_FIELDS = 5


@dataclass(frozen=True, slots=True)
class Template:
    """A query to be spelt out.

    Attributes:
        needs: The categories that answer it.
        text: With agreeing words in braces.
    """

    needs: tuple[Category, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """What somebody wants from an assistant.

    Attributes:
        name: Such as "mortgage advice".
        domain: Such as "finance".
        needs: Categories that may be needed; all of them that a subject has are.
        blocking: Categories that would help as well; a description that shows one is not used.
        tempting: Categories that come to mind and are not needed.
    """

    name: str
    domain: str
    needs: tuple[Category, ...]
    blocking: tuple[Category, ...]
    tempting: tuple[Category, ...]


@cache
def load_scenarios() -> Mapping[str, Scenario]:
    """All scenarios by name, in the order of the catalogue."""
    text = (files("piibench.synthesis") / "scenarios" / "catalogue.txt").read_text("utf-8")
    rows = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    return {scenario.name: scenario for scenario in map(_parse_scenario, rows)}


def _parse_scenario(row: str) -> Scenario:
    fields = [field.strip() for field in row.split("|")]
    if len(fields) != _FIELDS:
        msg = 'a scenario is written "name | domain | needed | blocking | tempting", categories split by ";"'
        raise DataError(msg, place="catalogue.txt")
    name, domain, *categories = fields
    return Scenario(name, domain, *map(_parse_categories, categories))


def _parse_categories(field: str) -> tuple[Category, ...]:
    return tuple(parse_category(name) for name in field.split(";") if name.strip())


@cache
def load_templates(partition: Partition) -> Mapping[str, tuple[Template, ...]]:
    """The templates of a partition by the name of their scenario."""
    room = files("piibench.synthesis") / "scenarios" / partition
    found: dict[str, tuple[Template, ...]] = {}
    for path in sorted(room.iterdir(), key=lambda path: path.name):
        if path.name.endswith(".queries"):
            for name, template in parse_templates(path.read_text("utf-8"), path.name):
                found[name] = (*found.get(name, ()), template)
    return found


def parse_templates(text: str, place: str) -> Iterator[tuple[str, Template]]:
    """Yield pairs of scenario and template of a file.

    Raises:
        DataError: A line is malformed, or names an unknown scenario, category or agreeing word.
    """
    name = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("==="):
            name = line.removeprefix("===").strip()
            if name not in load_scenarios():
                msg = f'"{name}" is not in the catalogue'
                raise DataError(msg, place=place, line=number)
        elif line.startswith("? "):
            needs, _, query = line.removeprefix("? ").partition("|")
            try:
                yield name, _parse_template(needs, query.strip(), load_scenarios()[name])
            except (KeyError, ValueError, UnknownCategoryError) as error:
                raise DataError(str(error), place=place, line=number) from None


def _parse_template(needs: str, text: str, scenario: Scenario) -> Template:
    categories = _parse_categories(needs)
    if not text or not categories:
        msg = 'a template is written "? Category; Category | text"'
        raise ValueError(msg)
    if not set(categories) <= set(scenario.needs):
        msg = f"needs a category that the catalogue does not list for {scenario.name}"
        raise ValueError(msg)
    if unknown := set(_WORD.findall(text)) - set(_OWN):
        msg = f"unknown word {{{unknown.pop()}}}; known: {', '.join(_OWN)}"
        raise ValueError(msg)
    return Template(categories, text)


def spell_query(template: Template, person: Background | None) -> str:
    """Put the agreeing words in.

    Args:
        template: The query.
        person: Whom somebody else asks about; None where the person asks for themselves.
    """

    def agree(word: re.Match[str]) -> str:
        if person is None:
            return _OWN[word[1]]
        if word[1] in _PRONOUN:
            return str(getattr(person.pronouns, _PRONOUN[word[1]]))
        return (_PLURAL if person.gender == "nonbinary" else _OTHERS)[word[1]]

    spelt = _WORD.sub(agree, template.text)
    return re.sub(r"(^|[.?!] )([a-z])", lambda found: found[1] + found[2].upper(), spelt)
