"""The people of a frame (section 3.2.2): where they live and come from, names, ages, what their kin share.

What everything else about a person depends on is drawn here once, so that facts drawn later agree with it:
a parent is 18 years older and has the family's name, a household has one currency, all dates lie around one
day.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from piibench.generators.cultures import sample_background
from piibench.generators.datetimes import draw_scene
from piibench.generators.persons import draw_name
from piibench.generators.places import draw_town
from piibench.synthesis.ages import draw_ages
from piibench.synthesis.framing import Agreement

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from piibench.generators.base import Background, Gender, Name, Partition
    from piibench.synthesis.framing import Frame, Relation

_GENDERS: dict[str, Gender] = {"f": "female", "m": "male"}
_SHARED_ROOTS = {"parent": 0.95, "siblings": 0.98, "partners": 0.6}
_DEFAULT_SHARED_ROOTS = 0.45
_IMMIGRANT_SHARE = 0.12
_ABROAD = {"friends": 0.1, "strangers": 0.2}
"""Shares of the friends and strangers who live in another country; all others live in one."""

_SHARED_NAME = {"parent": 0.93, "siblings": 0.95, "partners": 0.5}
_WOMEN_KEEP_NAMES = frozenset({"cn", "kr", "vn", "es", "mx", "it", "nl"})
"""Cultures in which a wife keeps her name, and children mostly have their father's."""

_NO_FAMILY_NAMES = frozenset({"id"})


def draw_people(frame: Frame, rng: Random, partition: Partition) -> dict[str, Background]:
    """Draw the background of every subject of a frame."""
    ages, scene = draw_ages(frame, rng), draw_scene(rng)
    people: dict[str, Background] = {}
    for subject, gender in _draw_genders(frame, rng).items():
        home, roots = _draw_origin(subject, frame.relations, people, rng)
        background = sample_background(rng, partition, gender=gender, culture=home)
        town = _find_town(subject, frame.relations, people) or draw_town(rng, home)
        background = replace(background, heritage=roots, age=ages[subject], scene=scene, town=town)
        people[subject] = replace(background, name=_draw_name(subject, background, frame, people, rng))
    return people


def _draw_genders(frame: Frame, rng: Random) -> dict[str, Gender | None]:
    agreeing = {
        piece.subject for clause in frame.clauses for piece in clause.pieces if isinstance(piece, Agreement)
    }
    genders: dict[str, Gender | None] = {}
    for subject, fixed in frame.genders.items():
        # Verbs in a frame agree with "he" and "she"; "they" would need others.
        drawn = rng.choice(("female", "male")) if subject in agreeing else None
        genders[subject] = _GENDERS[fixed] if fixed else drawn
    return genders


def _find_relation(
    subject: str, relations: tuple[Relation, ...], people: Mapping[str, Background]
) -> tuple[Relation, str] | None:
    """The first relation to somebody known already, and that person."""
    for relation in relations:
        if subject in (relation.first, relation.second):
            other = relation.first if relation.second == subject else relation.second
            if other in people:
                return relation, other
    return None


def _find_town(subject: str, relations: tuple[Relation, ...], people: Mapping[str, Background]) -> str | None:
    """The town of a neighbour who is known already."""
    near = tuple(relation for relation in relations if relation.kind == "neighbours")
    found = _find_relation(subject, near, people)
    return people[found[1]].town if found else None


def _find_countryman(
    subject: str, relations: tuple[Relation, ...], people: Mapping[str, Background]
) -> tuple[Relation, str] | None:
    """A relation that keeps two in one country, and somebody known whom such relations lead to."""
    near = tuple(relation for relation in relations if relation.kind not in _ABROAD)
    if found := _find_relation(subject, near, people):
        return found
    for relation in near:
        if subject in (relation.first, relation.second):
            between = relation.first if relation.second == subject else relation.second
            further = tuple(each for each in near if each is not relation)
            if found := _find_countryman(between, further, people):
                return relation, found[1]
    return None


def _draw_origin(
    subject: str, relations: tuple[Relation, ...], people: Mapping[str, Background], rng: Random
) -> tuple[str, str]:
    """The culture somebody lives in, mostly that of the others, and the one that the name comes from."""
    home = sample_background(rng, "train").culture
    found = _find_countryman(subject, relations, people) or _find_relation(subject, relations, people)
    roots = sample_background(rng, "train").culture if rng.random() < _IMMIGRANT_SHARE else home
    if found is None:
        return home, roots
    relation, other = found
    if rng.random() >= _ABROAD.get(relation.kind, 0):
        roots = people[other].culture if roots == home else roots
        home = people[other].culture
    if rng.random() < _SHARED_ROOTS.get(relation.kind, _DEFAULT_SHARED_ROOTS):
        roots = people[other].roots
    return home, roots


def _draw_name(
    subject: str, background: Background, frame: Frame, people: Mapping[str, Background], rng: Random
) -> Name:
    """A name unlike the others', with the family's own where kin of the same roots have one."""
    taken = {person.name.given for person in people.values() if person.name}
    name = draw_name(rng, background)
    while name.given in taken:
        name = draw_name(rng, background)
    found = _find_relation(subject, frame.relations, people)
    if found is None:
        return name
    relation, other = found
    kin = people[other]
    if kin.name is None or kin.roots != background.roots or background.roots in _NO_FAMILY_NAMES:
        return name
    parent = background if relation.first == subject else kin
    keeps = background.roots in _WOMEN_KEEP_NAMES and (
        relation.kind == "partners" or (relation.kind == "parent" and parent.gender == "female")
    )
    shared = not keeps and rng.random() < _SHARED_NAME.get(relation.kind, 0)
    return replace(name, family=kin.name.family) if shared else name
