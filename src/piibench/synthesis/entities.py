"""Entity selection (section 3.2.1): the people of a frame, and a fact for every slot.

A slot's fact is drawn once; forms of the same fact ("34", "thirty-four") share it, except where a form means
another fact: a birthday is not the date of a visit.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.generators.cultures import sample_background
from piibench.generators.registry import make, render
from piibench.synthesis.framing import Agreement, Clause, Slot

if TYPE_CHECKING:
    from random import Random

    from piibench.generators.base import Background, Gender, Partition, Style
    from piibench.synthesis.framing import Frame, Piece

_SHARED_CULTURE = {"parent": 0.95, "siblings": 0.98, "partners": 0.6}
_DEFAULT_SHARED = 0.45
_FIRST_NAME_SHARE = 0.3
"""Share of the people with one name who are called by the first name alone."""

_TIME_WITH_SECONDS = 0.15
"""Share of the samples in the paper's style that give a time of day with its seconds, as Table 10 does."""

_GENDERS: dict[str, Gender] = {"f": "female", "m": "male"}


class FactKey(NamedTuple):
    """What makes a fact one fact.

    Attributes:
        subject: The subject's letter.
        category: What it is.
        number: 1, or which further fact of the category.
        form: The form where forms are different facts (dates, times, durations), else None.
    """

    subject: str
    category: Category
    number: int
    form: str | None


def key_of(slot: Slot) -> FactKey:
    """The fact that a slot shows."""
    form = slot.form if TYPE_OF[slot.category] is PIIType.DATETIME else None
    return FactKey(slot.subject, slot.category, slot.number, form)


@dataclass(slots=True)
class Profile:
    """The people of one sample and everything known about them. Consistency rules change it in place.

    Attributes:
        backgrounds: By subject.
        facts: By key; `synthesis.consistency` mends them.
        style: Format of the values: the paper's, or the world's.
        dropped: Facts that could not be mended; no clause that shows one is kept.
    """

    backgrounds: dict[str, Background]
    facts: dict[FactKey, Any]
    style: Style
    dropped: set[FactKey] = field(default_factory=set[FactKey])

    def of(self, subject: str, category: Category) -> Any | None:
        """The first fact of a category that a subject has, or None."""
        return next(
            (
                fact
                for key, fact in self.facts.items()
                if key.subject == subject and key.category is category and key not in self.dropped
            ),
            None,
        )

    def keys(self, subject: str, *categories: Category) -> list[FactKey]:
        """The subject's facts of some categories that are not dropped."""
        return [
            key
            for key in self.facts
            if key.subject == subject and key.category in categories and key not in self.dropped
        ]

    def redraw(self, key: FactKey, rng: Random) -> None:
        """Draw a fact anew, by the background as it is now."""
        background = self.backgrounds[key.subject]
        self.facts[key] = make(key.category, rng, background, form=key.form, style=self.style).fact

    def write(self, slot: Slot, rng: Random) -> str:
        """The text of a slot."""
        fact = self.facts[key_of(slot)]
        background = self.backgrounds[slot.subject]
        style = self.style
        if slot.category is Category.TIME and rng.random() > _TIME_WITH_SECONDS:
            style = "world"
        return render(slot.category, fact, rng, background, form=slot.form, style=style)


def draw_profile(frame: Frame, rng: Random, *, partition: Partition) -> Profile:
    """Draw the people of a frame and a fact for every slot; they need not agree yet."""
    profile = Profile(_draw_people(frame, rng, partition), {}, rng.choice(("paper", "world")))
    keys = sorted({key_of(slot) for slot in frame.slots}, key=_drawing_order)
    for key in keys:
        profile.redraw(key, rng)
        _anchor(profile, key)
    return profile


def vary_names(frame: Frame, rng: Random) -> Frame:
    """Call some people by their first name alone, as notes, friends and the paper's own examples do.

    Only somebody whom the frame names in one way is renamed.
    """
    renamed = {
        subject
        for subject in frame.genders
        if _names_of(frame, subject) == {Slot(subject, Category.FULL_NAME)}
        and rng.random() < _FIRST_NAME_SHARE
    }
    if not renamed:
        return frame

    def rename(piece: Piece) -> Piece:
        if not isinstance(piece, Slot) or piece.category is not Category.FULL_NAME:
            return piece
        return Slot(piece.subject, Category.NICKNAME) if piece.subject in renamed else piece

    clauses = (Clause(tuple(map(rename, clause.pieces)), clause.optional) for clause in frame.clauses)
    return replace(frame, clauses=tuple(clauses))


def _names_of(frame: Frame, subject: str) -> set[Slot]:
    return {slot for slot in frame.slots if slot.subject == subject and TYPE_OF[slot.category] is PIIType.PER}


def _drawing_order(key: FactKey) -> tuple[int, tuple[str, str, int, str]]:
    """What others depend on comes first: a name makes the e-mail address, an age dates, a job the income."""
    first = (Category.FULL_NAME, Category.AGE, Category.OCCUPATION)
    place = first.index(key.category) if key.category in first else len(first)
    return (place, Slot(*key).order)


def _anchor(profile: Profile, key: FactKey) -> None:
    background, fact = profile.backgrounds[key.subject], profile.facts[key]
    if key.number > 1:
        return
    if key.category is Category.FULL_NAME:
        background = replace(background, name=fact)
    elif key.category is Category.AGE:
        profile.facts[key] = fact if background.age is None else background.age
        background = replace(background, age=profile.facts[key])
    elif key.category is Category.OCCUPATION:
        background = replace(background, income_band=fact.income_band)
    profile.backgrounds[key.subject] = background


def _draw_people(frame: Frame, rng: Random, partition: Partition) -> dict[str, Background]:
    cultures = _draw_cultures(frame, rng)
    gendered = {
        piece.subject for clause in frame.clauses for piece in clause.pieces if isinstance(piece, Agreement)
    }
    people: dict[str, Background] = {}
    for subject, fixed in frame.genders.items():
        gender = _GENDERS[fixed] if fixed else None
        # Verbs in a frame agree with "he" and "she"; "they" would need others.
        if gender is None and subject in gendered:
            gender = rng.choice(("female", "male"))
        background = sample_background(rng, partition, gender=gender, culture=cultures[subject])
        drawn = make(Category.FULL_NAME, rng, background).fact
        age = rng.randint(*frame.ages[subject]) if subject in frame.ages else None
        people[subject] = replace(background, name=drawn, age=age)
    return people


def _draw_cultures(frame: Frame, rng: Random) -> dict[str, str]:
    cultures = {subject: sample_background(rng, "train").culture for subject in frame.genders}
    for relation in frame.relations:
        if rng.random() < _SHARED_CULTURE.get(relation.kind, _DEFAULT_SHARED):
            cultures[relation.second] = cultures[relation.first]
    return cultures
