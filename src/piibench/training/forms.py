"""Ways to set the facts of persons without a sentence: records, tables, columns, lists.

Labels are those of the rules' form fields, but for those that name somebody else. Each way draws anew labels
and their letter case, separators, headings, the order of fields, and what stands in an empty cell.
"""

from __future__ import annotations

from string import capwords
from typing import TYPE_CHECKING, NamedTuple

from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.systems.rules.fields.values import LABELS

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Sequence

_NOT_OWN = frozenset(
    {
        *("next of kin", "guardian", "spouse name", "parent name", "contact person", "emergency contact"),
        *("emergency contact name", "applicant", "name of applicant", "applicant name", "tenant", "insured"),
        *("tenant name", "surname", "last name", "family name", "name of patient", "patient name"),
    }
)
"""Labels of a name that say what its owner is to another, or of a part of it."""

LABELS_OF: dict[Category, list[str]] = {
    category: [label for label, other in LABELS.items() if other is category and label not in _NOT_OWN]
    for category in Category
}
"""How a field of each category is called, in lower case."""

_ROLES = (
    ("Applicant", "Co-applicant", "Guarantor", "Dependant", "Witness"),
    ("Buyer", "Seller", "Agent", "Witness", "Notary"),
    ("Tenant 1", "Tenant 2", "Tenant 3", "Tenant 4", "Tenant 5"),
    ("Patient", "Next of kin", "Carer", "Second contact", "Referrer"),
    ("Self", "Partner", "Child", "Parent", "Other"),
    ("First insured", "Second insured", "Third insured", "Driver", "Beneficiary"),
    ("A", "B", "C", "D", "E"),
    ("#1", "#2", "#3", "#4", "#5"),
    ("Entry 1", "Entry 2", "Entry 3", "Entry 4", "Entry 5"),
)
_CASES: tuple[Callable[[str], str], ...] = (
    str.lower,
    str.upper,
    capwords,
    str.capitalize,
    lambda label: label.replace(" ", "_"),
    lambda label: label[0] + capwords(label).replace(" ", "")[1:],
    lambda label: label.upper().replace(" ", "_"),
)
_EMPTY = ("-", "n/a", "?", "none", "—")


class Fact(NamedTuple):
    """A value that is set somewhere."""

    value: str
    category: Category
    subject: str


Part = str | Fact
People = list[list[Fact]]
"""The facts of each person; none is without."""


def set_records(people: People, rng: random.Random) -> Iterator[Part]:
    """A block for each person: fields under a heading, in the manner of forms, YAML, JSON and XML."""
    labels = _name_fields(people, rng)
    (head, foot), (before, between, after) = rng.choice(
        (
            (("", "\n"), ("", ": ", "\n")),
            (("", ":\n"), ("  ", ": ", "\n")),
            (("[", "]\n"), ("", " = ", "\n")),
            (("== ", " ==\n"), ("", ":\n    ", "\n")),
            (("", "\n"), ("- ", " ....... ", "\n")),
            (("", "\n"), ("  ", "\t", "\n")),
            (("", ". "), ("", ": ", "; ")),
            (("- role: ", "\n"), ("  ", ": ", "\n")),
            (('{"role": "', '",\n'), ('  "', '": "', '",\n')),
            (("<person role='", "'>"), ("<f n='", "'>", "</f>")),
            (("# ", "\n"), ("[", "] ", "   ")),
        )
    )
    is_headed = rng.random() < 0.7  # noqa: PLR2004 - else only an empty line parts the persons
    for role, facts in zip(_roles(people, rng), people, strict=True):
        if is_headed:
            yield f"{head}{role}{foot}"
        for fact in rng.choice((facts, _shuffled(facts, rng))):
            yield f"{before}{labels[fact.category]}{between}"
            yield fact
            yield after
        yield "\n"


def set_grid(people: People, rng: random.Random) -> Iterator[Part]:
    """A table: a row for each person, or a column."""
    categories, rows = _fill(people, rng)
    labels = _name_fields(people, rng)
    is_turned = rng.random() < 0.4  # noqa: PLR2004 - most tables have a row for each person
    if is_turned or rng.random() < 0.75:  # noqa: PLR2004 - most have a heading
        rows.insert(0, [[labels[category]] for category in categories])
    if is_turned:
        rows = [list(row) for row in zip(*rows, strict=True)]
    before, between, after = rng.choice(
        (
            ("", ",", "\n"),
            ("", ";", "\n"),
            ("", "\t", "\n"),
            ("", " | ", "\n"),
            ("| ", " | ", " |\n"),
            ("", "    ", "\n"),
            ("<tr><td>", "</td><td>", "</td></tr>\n"),
            ("('", "', '", "'),\n"),
            ("", "\n", "\n\n"),
        )
    )
    for row in rows:
        yield before
        yield from _join(row, between)
        yield after


def set_pairs(people: People, rng: random.Random) -> Iterator[Part]:
    """A form of several columns: the same field of all persons side by side."""
    categories, rows = _fill(people, rng)
    labels = _name_fields(people, rng)
    gap = rng.choice(("    ", "\t", "  ||  "))
    colon = rng.choice((": ", " "))
    is_repeated = rng.random() < 0.6  # noqa: PLR2004 - else a label stands once, before the first column
    if rng.random() < 0.5:  # noqa: PLR2004 - half of them say who stands where
        yield gap.join(_roles(people, rng)) + "\n"
    for category, *cells in zip(categories, *rows, strict=True):
        label = f"{labels[category]}{colon}"
        if not is_repeated:
            yield label
        yield from _join([[label, *cell] for cell in cells] if is_repeated else cells, gap)
        yield "\n"


def set_groups(people: People, rng: random.Random) -> Iterator[Part]:
    """A line for each field: who has what."""
    labels = _name_fields(people, rng)
    names = [_name_of(facts, role) for role, facts in zip(_roles(people, rng), people, strict=True)]
    between, after = rng.choice(((" ", "; "), (" - ", ", "), (": ", " / "), (" (", ") "), ("=", " ")))
    for category, label in labels.items():
        yield f"{label}: "
        for name, facts in zip(names, people, strict=True):
            for fact in facts:
                if fact.category is category and (fact is not name or len(facts) == 1):
                    yield from (name, after) if fact is name else (name, between, fact, after)
        yield "\n"


def set_keys(people: People, rng: random.Random) -> Iterator[Part]:
    """A line for each fact, in any order or person by person; its key names the person."""
    labels = _name_fields(people, rng)
    between, equals = rng.choice((("_", "="), (".", ": "), (" ", ": "), ("/", " -> "), ("'s ", " is ")))
    lines = [(role, fact) for role, facts in zip(_roles(people, rng), people, strict=True) for fact in facts]
    for role, fact in rng.choice((lines, rng.sample(lines, len(lines)))):
        yield f"{role.lower().replace(' ', '')}{between}{labels[fact.category]}{equals}"
        yield fact
        yield "\n"


def set_lines(people: People, rng: random.Random) -> Iterator[Part]:
    """A line for each person, without labels."""
    between, after = rng.choice(
        ((", ", "\n"), (" / ", "\n"), (" · ", "\n"), (", ", ". "), (" - ", "\n\n"), (",", "; "))
    )
    for role, facts in zip(_roles(people, rng), people, strict=True):
        name = _name_of(facts, role)
        yield from _join([[name], *([fact] for fact in _shuffled(facts, rng) if fact is not name)], between)
        yield after


def _name_fields(people: People, rng: random.Random) -> dict[Category, str]:
    """A label for each category, all in one letter case."""
    case = rng.choice(_CASES)
    return {category: case(rng.choice(LABELS_OF[category])) for category in _categories(people)}


def _categories(people: People) -> list[Category]:
    return list(dict.fromkeys(fact.category for facts in people for fact in facts))


def _shuffled(facts: Sequence[Fact], rng: random.Random) -> list[Fact]:
    return rng.sample(facts, len(facts))


def _name_of(facts: Sequence[Fact], role: str) -> Part:
    return next((fact for fact in facts if TYPE_OF[fact.category] is PIIType.PER), role)


def _roles(people: People, rng: random.Random) -> Iterator[str]:
    roles = rng.choice(_ROLES)
    for number in range(len(people)):
        yield roles[number] if number < len(roles) else f"No. {number + 1}"


def _join(cells: Sequence[Sequence[Part]], between: str) -> Iterator[Part]:
    for number, cell in enumerate(cells):
        if number:
            yield between
        yield from cell


def _fill(people: People, rng: random.Random) -> tuple[list[Category], list[list[list[Part]]]]:
    """The categories in some order and, for each person, a cell for each."""
    categories = _categories(people)
    rng.shuffle(categories)
    if rng.random() < 0.7:  # noqa: PLR2004 - names come first in most tables
        categories.sort(key=lambda category: TYPE_OF[category] is not PIIType.PER)
    empty, joint = rng.choice(_EMPTY), rng.choice(("; ", " / ", " & "))
    rows: list[list[list[Part]]] = []
    for facts in people:
        cells: dict[Category, list[Part]] = {}
        for fact in facts:
            cell = cells.setdefault(fact.category, [])
            cell.extend((joint, fact) if cell else (fact,))
        rows.append([cells.get(category, [empty]) for category in categories])
    return categories, rows
