"""The facts that a model is given to write of: a choice from a profile, as texts (section 3.2.2)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.generators.base import Name
from piibench.generators.registry import render
from piibench.synthesis.entities import key_of
from piibench.synthesis.scenarios import load_scenarios

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from piibench.synthesis.appetites import Appetite
    from piibench.synthesis.entities import FactKey, Profile
    from piibench.synthesis.framing import Frame, FrameQuery

_NAMES = (Category.FULL_NAME, Category.NICKNAME, Category.SOCIAL_MEDIA_HANDLE)
LEAST = 4
"""Fewest entities of a description, n of section 3.2.2."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One fact of a person, as it shall stand in the text.

    Attributes:
        key: Whose and what it is.
        entity: The value.
        needed: Whether the query needs it.
    """

    key: FactKey
    entity: str = field(repr=False)
    needed: bool = False

    @property
    def subject(self) -> str:
        """The subject's letter."""
        return self.key.subject

    @property
    def tag(self) -> Category:
        """The category."""
        return self.key.category

    @property
    def label(self) -> PIIType:
        """The type."""
        return TYPE_OF[self.key.category]


@dataclass(frozen=True, slots=True)
class Person:
    """A subject and its features.

    Attributes:
        letter: The subject's letter.
        pronoun: "she", "he" or "they".
        features: Facts, in a fixed order.
        name: Given and family name, where a feature holds the full name.
    """

    letter: str
    pronoun: str
    features: tuple[Feature, ...]
    name: Name | None = None


def choose_keys(frame: Frame, query: FrameQuery, rng: Random, appetite: Appetite) -> set[FactKey]:
    """Choose which facts a description gets: a name for everybody, what the query needs, and others.

    Nothing is chosen that would help the query too: a second value of a needed category, or a category that
    the scenario lists as helpful.
    """
    offered = sorted({key_of(slot) for slot in frame.slots}, key=str)
    needed = {key_of(slot) for slot in query.needs}
    chosen = set(needed)
    for subject in frame.genders:
        named = [key for name in _NAMES for key in offered if key[:2] == (subject, name)]
        chosen |= set(named[:1])
    scenario = load_scenarios().get(query.scenario)
    helpful = {key.category for key in needed} | set(scenario.blocking if scenario else ())
    others = [key for key in offered if key not in chosen and key.category not in helpful]
    rng.shuffle(others)
    target = max(LEAST, round(rng.gauss(appetite.mean, appetite.spread)))
    return chosen | set(others[: max(0, target - len(chosen))])


def write_people(profile: Profile, query: FrameQuery, rng: Random) -> tuple[Person, ...]:
    """Write the facts of a profile that are not dropped."""
    needed = {key_of(slot) for slot in query.needs}
    people: list[Person] = []
    for letter, background in profile.backgrounds.items():
        keys = sorted((key for key in profile.facts if key.subject == letter), key=str)
        features: list[Feature] = []
        for key in keys:
            form = key.form if key.form != "adj" else None
            text = render(key.category, profile.facts[key], rng, background, form=form, style=profile.style)
            if key not in profile.dropped:
                features.append(Feature(key, text, key in needed))
        people.append(Person(letter, background.pronouns.he, tuple(features), _name(profile, features)))
    return tuple(people)


def drop_repeats(people: Sequence[Person]) -> tuple[Person, ...]:
    """Leave out features whose text another one has, needed ones and earlier ones staying.

    A value that two people share would leave open whose a place in a text is.
    """
    features = [feature for person in people for feature in person.features]
    owners: dict[str, FactKey] = {}
    for feature in sorted(features, key=lambda each: not each.needed):
        owners.setdefault(feature.entity.casefold(), feature.key)
    return tuple(
        replace(person, features=tuple(f for f in person.features if owners[f.entity.casefold()] == f.key))
        for person in people
    )


def _name(profile: Profile, features: Sequence[Feature]) -> Name | None:
    facts = (profile.facts[each.key] for each in features if each.tag is Category.FULL_NAME)
    return next((fact for fact in facts if isinstance(fact, Name)), None)


def lacks_needed(people: Sequence[Person], query: FrameQuery) -> bool:
    """Whether a value that the query needs was dropped."""
    shown = {feature.key for person in people for feature in person.features if feature.needed}
    return shown != {key_of(slot) for slot in query.needs}


_SENTENCES = {
    "parent": "{0} is a parent of {1} (hierarchy).",
    "manager": "{0} is the manager of {1} (hierarchy).",
    "teacher": "{0} teaches {1} (hierarchy).",
    "strangers": "{0} and {1} are strangers to each other (no intersection).",
}


def describe_relations(frame: Frame) -> list[str]:
    """How the people stand to each other, a sentence each."""
    usual = "{0} and {1} are {kind} (intersection)."
    return [
        _SENTENCES.get(relation.kind, usual).format(relation.first, relation.second, kind=relation.kind)
        for relation in frame.relations
    ]
