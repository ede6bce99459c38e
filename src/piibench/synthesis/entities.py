"""Entity selection (section 3.2.2): the people of a frame, and a fact for every slot.

A slot's fact is drawn once; forms of the same fact ("34", "thirty-four") share it, except where a form means
another fact: a birthday is not the date of a visit, a bank is not the employer.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from piibench.data.taxonomy import TYPE_OF, Category, PIIType
from piibench.generators.quantities import draw_income
from piibench.generators.registry import make, render
from piibench.synthesis.framing import Clause, Slot
from piibench.synthesis.people import draw_people

if TYPE_CHECKING:
    from random import Random

    from piibench.generators.base import Background, Partition, Style
    from piibench.synthesis.framing import Frame, Piece

_FIRST_NAME_SHARE = 0.3
"""Share of the people with one name who are called by the first name alone."""

_TIME_WITH_SECONDS = 0.5
"""Share of the times of day in the paper's style that are given with seconds, as in Table 10, where a
document is one that machines or clerks keep."""

_CLOCKED = frozenset(
    {
        "app",
        "booking",
        "card",
        "dump",
        "export",
        "form",
        "log",
        "receipt",
        "record",
        "report",
        "slip",
        "ticket",
    }
)
"""Words of the genres whose times may have seconds."""

_FORMAL_WORDS = """
act affidavit agreement application audit authorisation bank bond brief certificate claim contract court
credit customs decision declaration deed dossier entry export file filing form insurance insurer's invoice
judgment lease legal licence loan medical memorandum military minutes mortgage notary notice order papers
passport patent patient pension permit petition police policy probate protocol questionnaire receipt record
referral register registration registry report residence return ruling security slip statement statute tax
tender testimony ticket transfer visa voucher warrant will witness
"""
_FORMAL = frozenset(_FORMAL_WORDS.split())
"""Words of the genres that give people their whole names."""

_KINDS = frozenset({Category.LANDMARK, Category.MEDICAL_CONDITION, Category.PHYSICAL_FEATURES})
_DATED_OR_KIND = frozenset(c for c in Category if TYPE_OF[c] in (PIIType.DATETIME, PIIType.ORG)) | _KINDS
"""Categories whose forms are different facts: dates, times and durations, and kinds of a thing."""


class FactKey(NamedTuple):
    """What makes a fact one fact.

    Attributes:
        subject: The subject's letter.
        category: What it is.
        number: 1, or which further fact of the category.
        form: The form where forms are different facts (dates, times, durations; kinds of organisations,
            sights, illnesses and looks), else None.
    """

    subject: str
    category: Category
    number: int
    form: str | None


def key_of(slot: Slot) -> FactKey:
    """The fact that a slot shows.

    A date of birth and a date of a visit are two facts, and so are a bank and an employer, a long illness and
    an injury, or hair and a scar: there the form is part of the key.
    """
    form = slot.form if slot.category in _DATED_OR_KIND else None
    return FactKey(slot.subject, slot.category, slot.number, form)


@dataclass(slots=True)
class Profile:
    """The people of one sample and everything known about them. Consistency rules change it in place.

    Attributes:
        backgrounds: By subject.
        facts: By key; `synthesis.consistency` mends them.
        style: Format of the values: the paper's, or the world's.
        is_clocked: Whether times of day may be given to the second.
        dropped: Facts that could not be mended; no clause that shows one is kept.
    """

    backgrounds: dict[str, Background]
    facts: dict[FactKey, Any]
    style: Style
    is_clocked: bool = False
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
        if slot.category is Category.TIME and not (self.is_clocked and rng.random() < _TIME_WITH_SECONDS):
            style = "world"
        return render(slot.category, fact, rng, background, form=slot.form, style=style)


def draw_profile(frame: Frame, rng: Random, *, partition: Partition) -> Profile:
    """Draw the people of a frame and a fact for every slot; two facts may still contradict each other."""
    people, style = draw_people(frame, rng, partition), rng.choice(("paper", "world"))
    profile = Profile(people, {}, style, is_clocked=_is_of(frame, _CLOCKED))
    keys = {key_of(slot) for slot in frame.slots}
    jobs = {key for key in keys if key.category is Category.OCCUPATION}
    for key in sorted(jobs, key=_order):
        profile.redraw(key, rng)
    for subject in profile.backgrounds:
        set_up_means(profile, subject, rng)
    for key in sorted(keys - jobs, key=_order):
        profile.redraw(key, rng)
    return profile


def set_up_means(profile: Profile, subject: str, rng: Random) -> None:
    """Let the occupation decide on the income, and on what was studied for it."""
    background = profile.backgrounds[subject]
    if job := profile.of(subject, Category.OCCUPATION):
        background = replace(
            background, income_band=job.income_band, studies=job.studies, employers=job.employers
        )
    profile.backgrounds[subject] = replace(background, income=draw_income(rng, background))


def _order(key: FactKey) -> tuple[str, str, int, str]:
    return Slot(*key).order


def vary_names(frame: Frame, rng: Random) -> Frame:
    """Call some people by their first name alone, as notes, friends and the paper's own examples do.

    Only somebody whom the frame names in one way is renamed, and nobody in a formal document.
    """
    if _is_of(frame, _FORMAL):
        return frame
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


def _is_of(frame: Frame, words: frozenset[str]) -> bool:
    """Whether the genre of a frame has one of some words."""
    return not words.isdisjoint(frame.genre.lower().replace("-", " ").split())


def _names_of(frame: Frame, subject: str) -> set[Slot]:
    return {slot for slot in frame.slots if slot.subject == subject and TYPE_OF[slot.category] is PIIType.PER}
