"""The same facts as a form, a table or a record: where only the layout says whose each is.

Labels are those of the rules' form fields. Every layout is drawn anew: which it is, the order of persons and
fields, labels and their letter case, separators, headings, what stands in an empty cell.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from piibench.data.mentions import Span
from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.systems.rules.fields.values import LABELS
from piibench.training.examples import ALL_TYPES, Place

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from piibench.training.examples import Example

_FEWEST = 4
_LONGEST_VALUE = 60

_LABELS: dict[Category, list[str]] = defaultdict(list)
for _name, _category in LABELS.items():
    _LABELS[_category].append(_name)

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
_HEADS = (
    "",
    "",
    "",
    "SECTION 2 - PERSONS\n",
    "Sheet1\n",
    "Household return\n\n",
    "--- export follows ---\n",
    "Page 1 of 2\n",
    "Form no. 7714-B, office copy\n\n",
    "PLEASE COMPLETE IN BLOCK LETTERS\n",
    "Ref. 24/0098  status open\n",
    "# members\n\n",
)
_CASES: tuple[Callable[[str], str], ...] = (
    str.lower,
    str.upper,
    str.title,
    str.capitalize,
    str.capitalize,
    lambda label: label.replace(" ", "_"),
    lambda label: label[0] + label.title().replace(" ", "")[1:],
    lambda label: label.upper().replace(" ", "_"),
)


class Fact(NamedTuple):
    """A value that a layout sets somewhere."""

    value: str
    category: Category
    subject: str


Part = str | Fact
People = list[list[Fact]]


def lay_out(example: Example, rng: random.Random) -> Example:
    """Set an example's facts as a form, a table or a record; what the query needs of them is left unsaid.

    Args:
        example: A text whose source labels all types; it stays where it tells too little.
        rng: Draws the layout.
    """
    people = _gather(example)
    if sum(map(len, people)) < _FEWEST:
        return example
    if _happens(rng, 0.5):  # half of the time
        rng.shuffle(people)
    draw = rng.choice(_SEVERAL if len(people) > 1 else _SINGLE)
    text, places = _put_together([rng.choice(_HEADS), *draw(people, rng)])
    return replace(example, text=text, places=places)


def _happens(rng: random.Random, chance: float) -> bool:
    return rng.random() < chance


def _gather(example: Example) -> People:
    """The distinct facts of each person; none where an owner or a category is unknown."""
    facts: dict[str, dict[Fact, None]] = defaultdict(dict)
    for place in example.places:
        if place.category is None or place.subject is None or example.types != ALL_TYPES:
            return []
        value = place.span.of(example.text)
        if len(value) <= _LONGEST_VALUE and "\n" not in value:
            facts[place.subject][Fact(value, place.category, place.subject)] = None
    return [list(each) for each in facts.values()]


def _put_together(parts: Iterable[Part]) -> tuple[str, tuple[Place, ...]]:
    texts: list[str] = []
    places: list[Place] = []
    length = 0
    for part in parts:
        text = part if isinstance(part, str) else part.value
        if not isinstance(part, str):
            span = Span(length, length + len(text))
            places.append(Place(span, TYPE_OF[part.category], part.category, part.subject))
        texts.append(text)
        length += len(text)
    return "".join(texts), tuple(places)


def _name_fields(people: People, rng: random.Random) -> dict[Category, str]:
    """A label for each category, all in one letter case."""
    case = rng.choice(_CASES)
    categories = dict.fromkeys(fact.category for facts in people for fact in facts)
    return {category: case(rng.choice(_LABELS[category])) for category in categories}


def _shuffled(facts: Sequence[Fact], rng: random.Random) -> list[Fact]:
    return rng.sample(facts, len(facts))


def _name_of(facts: Sequence[Fact], role: str) -> Part:
    return next((fact for fact in facts if TYPE_OF[fact.category] is PIIType.PER), role)


def _roles(people: People, rng: random.Random) -> Iterator[str]:
    roles = rng.choice(_ROLES)
    for number in range(len(people)):
        yield roles[number] if number < len(roles) else f"No. {number + 1}"


def _set_records(people: People, rng: random.Random) -> Iterator[Part]:
    """A block for each person: fields under a heading, as a form, YAML, JSON or XML."""
    labels = _name_fields(people, rng)
    before, between, after = rng.choice(
        (
            ("", ": ", "\n"),
            ("", " = ", "\n"),
            ("", ":\n    ", "\n"),
            ("- ", " ....... ", "\n"),
            ("  ", "\t", "\n"),
            ("", ": ", "; "),
            ("    ", ": ", "\n"),
            ('  "', '": "', '",\n'),
            ("<f n='", "'>", "</f>"),
            ("[", "] ", "   "),
        )
    )
    head, foot = rng.choice(
        (("", "\n"), ("== ", " ==\n"), ("", ":\n"), ("{", "}\n"), ("<", ">\n"), ("- ", "\n"))
    )
    is_headed = _happens(rng, 0.7)  # else only an empty line parts the persons
    for role, facts in zip(_roles(people, rng), people, strict=True):
        if is_headed:
            yield f"{head}{role}{foot}"
        for fact in facts if _happens(rng, 0.5) else _shuffled(facts, rng):  # half of the time
            yield f"{before}{labels[fact.category]}{between}"
            yield fact
            yield after
        yield "\n"


def _fill(people: People, rng: random.Random) -> tuple[list[Category], list[list[list[Part]]]]:
    """The categories in some order and, for each person, a cell for each."""
    categories = list(dict.fromkeys(fact.category for facts in people for fact in facts))
    rng.shuffle(categories)
    if _happens(rng, 0.7):  # names come first in most tables
        categories.sort(key=lambda category: TYPE_OF[category] is not PIIType.PER)
    empty, joint = rng.choice(("", "-", "n/a", "?", " ")), rng.choice(("; ", " / ", " & "))
    rows: list[list[list[Part]]] = []
    for facts in people:
        cells: dict[Category, list[Part]] = {}
        for fact in facts:
            cell = cells.setdefault(fact.category, [])
            cell.extend((joint, fact) if cell else (fact,))
        rows.append([cells.get(category, [empty]) for category in categories])
    return categories, rows


def _set_grid(people: People, rng: random.Random) -> Iterator[Part]:
    """A table: a row for each person, or a column."""
    categories, rows = _fill(people, rng)
    labels = _name_fields(people, rng)
    is_turned, is_headed = _happens(rng, 0.4), _happens(rng, 0.75)  # most have a heading
    if is_headed or is_turned:
        rows.insert(0, [[labels[category]] for category in categories])
    if is_turned:
        rows = [list(row) for row in zip_longest(*rows, fillvalue=[])]
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
        for number, cell in enumerate(row):
            if number:
                yield between
            yield from cell
        yield after


def _set_pairs(people: People, rng: random.Random) -> Iterator[Part]:
    """A form of several columns: the same field of all persons side by side."""
    categories, rows = _fill(people, rng)
    labels = _name_fields(people, rng)
    gap, colon, is_repeated = (
        rng.choice(("    ", "\t", "  ||  ")),
        rng.choice((": ", " ")),
        _happens(rng, 0.6),
    )  # else the label stands once
    if _happens(rng, 0.5):  # half of the time
        yield gap.join(_roles(people, rng)) + "\n"
    for category, *cells in zip(categories, *rows, strict=True):
        for number, cell in enumerate(cells):
            if number:
                yield gap
            if is_repeated or not number:
                yield f"{labels[category]}{colon}"
            yield from cell
        yield "\n"


def _set_groups(people: People, rng: random.Random) -> Iterator[Part]:
    """A line for each field: who has what."""
    labels = _name_fields(people, rng)
    names = [_name_of(facts, role) for role, facts in zip(_roles(people, rng), people, strict=True)]
    between, after = rng.choice(((" ", "; "), (" - ", ", "), (": ", " / "), (" (", ") "), ("=", " ")))
    for category, label in labels.items():
        yield f"{label}: "
        for name, facts in zip(names, people, strict=True):
            for fact in facts:
                if fact.category is category and (fact is not name or len(facts) == 1):
                    yield from (name, between, fact, after) if fact is not name else (name, after)
        yield "\n"


def _set_keys(people: People, rng: random.Random) -> Iterator[Part]:
    """A line for each fact in any order; its key names the person."""
    labels = _name_fields(people, rng)
    between, equals = rng.choice((("_", "="), (".", ": "), (" ", ": "), ("/", " -> "), ("'s ", " is ")))
    lines = [(role, fact) for role, facts in zip(_roles(people, rng), people, strict=True) for fact in facts]
    if _happens(rng, 0.6):  # else person by person
        rng.shuffle(lines)
    for role, fact in lines:
        yield f"{role.lower().replace(' ', '')}{between}{labels[fact.category]}{equals}"
        yield fact
        yield "\n"


def _set_lines(people: People, rng: random.Random) -> Iterator[Part]:
    """A line for each person, without labels."""
    between, after = rng.choice(
        ((", ", "\n"), (" / ", "\n"), (" · ", "\n"), (", ", ". "), (" - ", "\n\n"), (",", "; "))
    )
    for role, facts in zip(_roles(people, rng), people, strict=True):
        name = _name_of(facts, role)
        yield name
        for fact in _shuffled(facts, rng):
            if fact is not name:
                yield between
                yield fact
        yield after


_SINGLE = (_set_records, _set_records, _set_grid, _set_keys, _set_lines)
_SEVERAL = (*_SINGLE, _set_grid, _set_pairs, _set_groups)
